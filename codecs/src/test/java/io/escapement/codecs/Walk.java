package io.escapement.codecs;

import io.escapement.codecs.room.MessageHeaderDecoder;
import org.agrona.DirectBuffer;
import org.agrona.sbe.MessageDecoderFlyweight;

/** Decodes a valid message completely with the generated decoders. The header is the same in every schema. */
public final class Walk
{
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final MessageDecoderFlyweight[] decoders;

    public Walk(final MessageDecoderFlyweight... decoders)
    {
        this.decoders = decoders;
    }

    public int end(final DirectBuffer message)
    {
        header.wrap(message, 0);
        for (final MessageDecoderFlyweight decoder : decoders)
        {
            if (decoder.sbeTemplateId() == header.templateId())
            {
                decoder.wrap(message, MessageHeaderDecoder.ENCODED_LENGTH, header.blockLength(), header.version());
                // Formatting reads every field, group and data.
                if (decoder.toString().isEmpty())
                {
                    throw new IllegalStateException("nothing was read");
                }
                decoder.wrap(message, MessageHeaderDecoder.ENCODED_LENGTH, header.blockLength(), header.version());
                return MessageHeaderDecoder.ENCODED_LENGTH + decoder.sbeDecodedLength();
            }
        }
        throw new IllegalStateException("no decoder for template " + header.templateId());
    }
}
