package io.escapement.rooms;

import io.escapement.codecs.SchemaRules;
import io.escapement.codecs.room.RefusalCode;
import java.nio.ByteOrder;
import org.agrona.DirectBuffer;
import org.agrona.collections.Int2ObjectHashMap;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.sbe.MessageDecoderFlyweight;

/**
 * Maps the messages of a schema to handlers, so that a room's onMessage is one call. A message is checked before it is
 * decoded, and decoded over a view of exactly its bytes; one that fails is refused, and no handler sees it.
 *
 * <p>Without {@link SchemaRules} only messages that are one root block are taken, since nothing else says how long
 * groups and data may be.
 *
 * @param <C> what the handlers are given along with the message: the seat it came from, or a client's own.
 */
public final class MessageHandlers<C>
{
    /**
     * Takes one kind of message.
     *
     * @param <C> what it is given along.
     * @param <D> the decoder of the message.
     */
    @FunctionalInterface
    public interface Handler<C, D extends MessageDecoderFlyweight>
    {
        /**
         * A message came.
         *
         * @param from    whom it concerns.
         * @param message decoder around it, valid during the call.
         */
        void onMessage(C from, D message);
    }

    private static final int HEADER_LENGTH = 8;

    private final Int2ObjectHashMap<Entry<C, ?>> entryByTemplateMap = new Int2ObjectHashMap<>();
    private final UnsafeBuffer view = new UnsafeBuffer(0, 0);
    private final SchemaRules rules;

    /** For schemas whose messages are one root block each. */
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
     * Handle a kind of message.
     *
     * @param decoder to wrap around it.
     * @param handler to call.
     * @param <D>     the decoder's type.
     * @return this.
     */
    public <D extends MessageDecoderFlyweight> MessageHandlers<C> on(final D decoder, final Handler<C, D> handler)
    {
        if (null != entryByTemplateMap.put(decoder.sbeTemplateId(), new Entry<>(decoder, handler)))
        {
            throw new IllegalArgumentException("template " + decoder.sbeTemplateId() + " has a handler already");
        }
        return this;
    }

    /**
     * Check a message and call its handler.
     *
     * @param from   whom it concerns.
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
                .of(decoder.sbeSchemaId(), decoder.sbeSchemaVersion(), decoder.sbeSchemaVersion())
                .message(decoder.sbeTemplateId(), Integer.MAX_VALUE, decoder.sbeBlockLength())
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
