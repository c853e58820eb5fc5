package io.escapement.codecs;

import io.escapement.codecs.room.MessageHeaderDecoder;
import java.util.HashMap;
import java.util.Map;
import org.agrona.DirectBuffer;
import org.agrona.sbe.MessageDecoderFlyweight;

/** Decodes a valid message completely with the generated decoders. The header is the same in every schema. */
public final class Walk
{
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final Map<Integer, MessageDecoderFlyweight> decoderByTemplateMap = new HashMap<>();

    Walk(final Shapes shapes)
    {
        shapes.nameByTemplate.forEach((template, name) ->
            decoderByTemplateMap.put(template, decoder(shapes.javaPackage + '.' + name + "Decoder")));
    }

    public int end(final DirectBuffer message)
    {
        header.wrap(message, 0);
        final MessageDecoderFlyweight decoder = decoderByTemplateMap.get(header.templateId());
        decoder.wrap(message, MessageHeaderDecoder.ENCODED_LENGTH, header.blockLength(), header.version());
        // Formatting reads every field, group and data.
        if (decoder.toString().isEmpty())
        {
            throw new IllegalStateException("nothing was read");
        }
        decoder.wrap(message, MessageHeaderDecoder.ENCODED_LENGTH, header.blockLength(), header.version());
        return MessageHeaderDecoder.ENCODED_LENGTH + decoder.sbeDecodedLength();
    }

    private static MessageDecoderFlyweight decoder(final String name)
    {
        try
        {
            return (MessageDecoderFlyweight)Class.forName(name).getConstructor().newInstance();
        }
        catch (final ReflectiveOperationException ex)
        {
            throw new IllegalStateException(ex);
        }
    }
}
