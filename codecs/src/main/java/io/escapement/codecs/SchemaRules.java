package io.escapement.codecs;

import io.escapement.codecs.room.RefusalCode;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.TreeMap;
import org.agrona.DirectBuffer;

/**
 * The layout of the messages of one schema, and the validation of bytes against it.
 *
 * <p>A valid message is of the version of the schema. Its root block and group entries have exactly their length, with
 * no more entries and no longer data than allowed, and no trailing bytes. A decoder that reads it in order therefore
 * stays inside it. {@link #validate} reads no byte outside the message, does not allocate and does not throw.
 */
public final class SchemaRules
{
    private static final int OK = RefusalCode.NONE.value();
    private static final int TOO_SHORT = RefusalCode.TOO_SHORT.value();
    private static final int TOO_LONG = RefusalCode.TOO_LONG.value();
    private static final int WRONG_SCHEMA = RefusalCode.WRONG_SCHEMA.value();
    private static final int UNKNOWN_VERSION = RefusalCode.UNKNOWN_VERSION.value();
    private static final int UNKNOWN_TEMPLATE = RefusalCode.UNKNOWN_TEMPLATE.value();
    private static final int BAD_BLOCK_LENGTH = RefusalCode.BAD_BLOCK_LENGTH.value();
    private static final int BAD_GROUP_BLOCK = RefusalCode.BAD_GROUP_BLOCK.value();
    private static final int BAD_GROUP_COUNT = RefusalCode.BAD_GROUP_COUNT.value();
    private static final int DATA_TOO_LONG = RefusalCode.DATA_TOO_LONG.value();
    private static final int TRAILING_BYTES = RefusalCode.TRAILING_BYTES.value();

    private static final int HEADER_LENGTH = 8;
    private static final int TEMPLATE_ID = 2;
    private static final int SCHEMA_ID = 4;
    private static final int VERSION = 6;
    private static final int DATA_HEADER_LENGTH = 2;

    /** The greatest template id of SBE; the next one is the null value of its field. */
    private static final int MAX_TEMPLATE_ID = 65_534;

    private final int schemaId;
    private final int version;
    /** From the lowest template id to the highest. */
    private final Message[] messages;
    private final int firstTemplateId;

    private SchemaRules(final Builder builder)
    {
        schemaId = builder.schemaId;
        version = builder.version;
        firstTemplateId = builder.messageByTemplateMap.isEmpty() ? 0 : builder.messageByTemplateMap.firstKey();
        messages = new Message[
            builder.messageByTemplateMap.isEmpty() ? 0 : builder.messageByTemplateMap.lastKey() - firstTemplateId + 1];
        builder.messageByTemplateMap.forEach((templateId, message) -> messages[templateId - firstTemplateId] = message);
    }

    /**
     * Build the rules of a schema.
     *
     * @param schemaId of the schema.
     * @param version  of the schema, the only one that is accepted.
     */
    public static Builder of(final int schemaId, final int version)
    {
        return new Builder(schemaId, version);
    }

    /**
     * Validate a message.
     *
     * @param buffer with the message.
     * @param offset of its header.
     * @param length of the whole message in bytes.
     * @return 0 when it may be decoded, otherwise the value of a {@link RefusalCode}.
     */
    public int validate(final DirectBuffer buffer, final int offset, final int length)
    {
        if (length < HEADER_LENGTH || offset < 0 || offset > buffer.capacity() - length)
        {
            return TOO_SHORT;
        }
        if (unsigned(buffer, offset + SCHEMA_ID) != schemaId)
        {
            return WRONG_SCHEMA;
        }
        if (unsigned(buffer, offset + VERSION) != version)
        {
            return UNKNOWN_VERSION;
        }
        final int position = unsigned(buffer, offset + TEMPLATE_ID) - firstTemplateId;
        final Message message = position < 0 || position >= messages.length ? null : messages[position];
        if (null == message)
        {
            return UNKNOWN_TEMPLATE;
        }
        if (length > message.maxLength)
        {
            return TOO_LONG;
        }

        if (unsigned(buffer, offset) != message.blockLength)
        {
            return BAD_BLOCK_LENGTH;
        }
        return validateBody(message, buffer, offset + HEADER_LENGTH + message.blockLength, offset + length);
    }

    /**
     * The template id of a message of at least 8 bytes.
     *
     * @param buffer with the message.
     * @param offset of its header.
     * @return the template id.
     */
    public static int templateId(final DirectBuffer buffer, final int offset)
    {
        return unsigned(buffer, offset + TEMPLATE_ID);
    }

    /**
     * The version that a message of at least 8 bytes was encoded with.
     *
     * @param buffer with the message.
     * @param offset of its header.
     * @return the version.
     */
    public static int version(final DirectBuffer buffer, final int offset)
    {
        return unsigned(buffer, offset + VERSION);
    }

    private static int validateBody(
        final Message message, final DirectBuffer buffer, final int begin, final int end)
    {
        int at = begin;
        if (at > end)
        {
            return TOO_SHORT;
        }
        for (final Part part : message.parts)
        {
            if (part.isGroup())
            {
                if (end - at < 2 * part.numberLength)
                {
                    return TOO_SHORT;
                }
                final int count = part.number(buffer, at + part.numberLength);
                if (part.number(buffer, at) != part.blockLength)
                {
                    return BAD_GROUP_BLOCK;
                }
                if (count > part.cap)
                {
                    return BAD_GROUP_COUNT;
                }
                at += 2 * part.numberLength;
                for (int i = 0; i < count; i++)
                {
                    at += part.blockLength;
                    for (final int cap : part.dataCaps)
                    {
                        final int next = afterData(buffer, at, end, cap);
                        if (next < 0)
                        {
                            return -next;
                        }
                        at = next;
                    }
                    if (at > end)
                    {
                        return TOO_SHORT;
                    }
                }
            }
            else
            {
                final int next = afterData(buffer, at, end, part.cap);
                if (next < 0)
                {
                    return -next;
                }
                at = next;
            }
        }
        return at == end ? OK : TRAILING_BYTES;
    }

    /** The end of a field of data, or the negative of a refusal code. */
    private static int afterData(final DirectBuffer buffer, final int at, final int end, final int cap)
    {
        if (end - at < DATA_HEADER_LENGTH)
        {
            return -TOO_SHORT;
        }
        final int length = unsigned(buffer, at);
        if (length > cap)
        {
            return -DATA_TOO_LONG;
        }
        final int next = at + DATA_HEADER_LENGTH + length;
        return next > end ? -TOO_SHORT : next;
    }

    private static int unsigned(final DirectBuffer buffer, final int at)
    {
        return buffer.getShort(at, ByteOrder.LITTLE_ENDIAN) & 0xFFFF;
    }

    private static final class Message
    {
        private final int blockLength;
        private final int maxLength;
        private Part[] parts = new Part[0];

        Message(final int blockLength, final int maxLength)
        {
            this.blockLength = blockLength;
            this.maxLength = maxLength;
        }

        void add(final Part part)
        {
            parts = Arrays.copyOf(parts, parts.length + 1);
            parts[parts.length - 1] = part;
        }
    }

    private static final class Part
    {
        /** Bytes of each of a group's two leading numbers, or 0 for a field of data. */
        private final int numberLength;
        private final int cap;
        /** Bytes of an entry's block, for a group. */
        private final int blockLength;
        private int[] dataCaps = new int[0];

        Part(final int numberLength, final int cap, final int blockLength)
        {
            this.numberLength = numberLength;
            this.cap = cap;
            this.blockLength = blockLength;
        }

        boolean isGroup()
        {
            return 0 != numberLength;
        }

        int number(final DirectBuffer buffer, final int at)
        {
            return Byte.BYTES == numberLength ? buffer.getByte(at) & 0xFF : unsigned(buffer, at);
        }
    }

    /** Collects the layout of each message: its groups and data in the order of the schema. */
    public static final class Builder
    {
        private final int schemaId;
        private final int version;
        private final TreeMap<Integer, Message> messageByTemplateMap = new TreeMap<>();
        private Message message;

        private Builder(final int schemaId, final int version)
        {
            if (version < 0 || version > 0xFFFF)
            {
                throw new IllegalArgumentException("version must be 0 to 65535: " + version);
            }
            this.schemaId = schemaId;
            this.version = version;
        }

        /**
         * Add a message. Its parts follow.
         *
         * @param templateId  of the message, 0 to 65,534.
         * @param maxLength   of the whole message in bytes.
         * @param blockLength of its root block.
         */
        public Builder message(final int templateId, final int maxLength, final int blockLength)
        {
            if (templateId < 0 || templateId > MAX_TEMPLATE_ID)
            {
                throw new IllegalArgumentException("template id must be 0 to " + MAX_TEMPLATE_ID + ": " + templateId);
            }
            message = new Message(checked(blockLength), maxLength);
            if (null != messageByTemplateMap.putIfAbsent(templateId, message))
            {
                throw new IllegalArgumentException("template id " + templateId + " was added twice");
            }
            return this;
        }

        /**
         * Add a repeating group to the last message.
         *
         * @param countCap    most entries.
         * @param blockLength of an entry, above 0.
         */
        public Builder group(final int countCap, final int blockLength)
        {
            message.add(new Part(Short.BYTES, countCap, checked(blockLength)));
            return this;
        }

        /**
         * Add a repeating group whose block length and count have one byte each.
         *
         * @param countCap    most entries.
         * @param blockLength of an entry, above 0.
         */
        public Builder smallGroup(final int countCap, final int blockLength)
        {
            message.add(new Part(Byte.BYTES, countCap, checked(blockLength)));
            return this;
        }

        /**
         * Add a field of variable data to each entry of the last group.
         *
         * @param cap most bytes.
         */
        public Builder dataInGroup(final int cap)
        {
            final Part group = message.parts[message.parts.length - 1];
            group.dataCaps = Arrays.copyOf(group.dataCaps, group.dataCaps.length + 1);
            group.dataCaps[group.dataCaps.length - 1] = cap;
            return this;
        }

        /**
         * Add a field of variable data to the last message.
         *
         * @param cap most bytes.
         */
        public Builder data(final int cap)
        {
            message.add(new Part(0, cap, 0));
            return this;
        }

        /** Build the rules. */
        public SchemaRules build()
        {
            return new SchemaRules(this);
        }

        private static int checked(final int blockLength)
        {
            if (blockLength < 0)
            {
                throw new IllegalArgumentException("negative block length: " + blockLength);
            }
            return blockLength;
        }
    }
}
