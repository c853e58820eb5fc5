package io.escapement.rooms;

import io.escapement.codecs.layout.SchemaRules;
import io.escapement.codecs.room.RefusalCode;
import java.nio.ByteOrder;
import org.agrona.DirectBuffer;
import org.agrona.collections.Int2ObjectHashMap;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.sbe.MessageDecoderFlyweight;

/**
 * Dispatches the SBE messages of a schema to handlers. Each message is validated first, then decoded over a view of
 * exactly its bytes. An invalid message is refused and reaches no handler.
 *
 * <p>Without {@link SchemaRules} only messages that consist of one root block are accepted, because the rules limit the
 * lengths of groups and data.
 *
 * @param <C> context that handlers receive with the message: the sender's seat, or an object of a client.
 */
public final class MessageHandlers<C>
{
    /**
     * Handles one kind of message.
     *
     * @param <C> context of the message.
     * @param <D> decoder of the message.
     */
    @FunctionalInterface
    public interface Handler<C, D extends MessageDecoderFlyweight>
    {
        /**
         * A valid message was received.
         *
         * @param from    context of the message, usually its sender.
         * @param message decoder of the message, valid during the call.
         */
        void onMessage(C from, D message);
    }

    private static final int HEADER_LENGTH = 8;

    private final Int2ObjectHashMap<Entry<C, ?>> entryByTemplateMap = new Int2ObjectHashMap<>();
    private final UnsafeBuffer view = new UnsafeBuffer(0, 0);
    private final SchemaRules rules;

    /** For schemas with only messages of one root block each. */
    public MessageHandlers()
    {
        this(null);
    }

    /**
     * For a schema with groups or variable data.
     *
     * @param rules of the schema.
     */
    public MessageHandlers(final SchemaRules rules)
    {
        this.rules = rules;
    }

    /**
     * Register the handler of a kind of message.
     *
     * @param decoder of the message, used for every message of this kind.
     * @param handler to call.
     * @param <D>     the decoder's type.
     */
    public <D extends MessageDecoderFlyweight> MessageHandlers<C> on(final D decoder, final Handler<C, D> handler)
    {
        if (null != entryByTemplateMap.put(decoder.sbeTemplateId(), new Entry<>(decoder, handler)))
        {
            throw new IllegalArgumentException("template " + decoder.sbeTemplateId() + " already has a handler");
        }
        return this;
    }

    /**
     * Validate a message and call its handler.
     *
     * @param from   context of the message, usually its sender.
     * @param buffer with the message.
     * @param offset of its header.
     * @param length of the whole message in bytes.
     * @return 0 when a handler was called, otherwise the value of a {@link RefusalCode}.
     */
    public int onMessage(final C from, final DirectBuffer buffer, final int offset, final int length)
    {
        if (length < HEADER_LENGTH || offset < 0 || offset > buffer.capacity() - length)
        {
            return RefusalCode.TOO_SHORT.value();
        }

        final Entry<C, ?> entry = entryByTemplateMap.get(SchemaRules.templateId(buffer, offset));
        if (null == entry)
        {
            return RefusalCode.UNKNOWN_MESSAGE.value();
        }

        view.wrap(buffer, offset, length);
        final int code = null == rules ? entry.check(view) : rules.validate(view, 0, length);
        if (0 == code)
        {
            entry.call(from, view);
        }
        return code;
    }

    private static final class Entry<C, D extends MessageDecoderFlyweight>
    {
        private final D decoder;
        private final Handler<C, D> handler;
        private final SchemaRules ownRules;

        Entry(final D decoder, final Handler<C, D> handler)
        {
            this.decoder = decoder;
            this.handler = handler;
            ownRules = SchemaRules
                .of(decoder.sbeSchemaId(), decoder.sbeSchemaVersion())
                .message(decoder.sbeTemplateId(), decoder.sbeBlockLength())
                .build();
        }

        int check(final DirectBuffer message)
        {
            return ownRules.validate(message, 0, message.capacity());
        }

        void call(final C from, final DirectBuffer message)
        {
            decoder.wrap(message, HEADER_LENGTH, message.getShort(0, ByteOrder.LITTLE_ENDIAN) & 0xFFFF,
                message.getShort(6, ByteOrder.LITTLE_ENDIAN) & 0xFFFF);
            handler.onMessage(from, decoder);
        }
    }
}
