package io.escapement.codecs.layout;

import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.TreeMap;
import org.agrona.DirectBuffer;

/**
 * The layout of the messages of one schema, and the validation of bytes against it. The rules of a schema are generated
 * from it.
 *
 * <p>A valid message is of the version of the schema. Its root block and group entries have exactly their length, with
 * no more entries and no longer data than allowed, and no trailing bytes. A decoder that reads it in order therefore
 * stays inside it. {@link #validate} reads no byte outside the message, does not allocate and does not throw.
 */
public final class SchemaRules
{
    /** Values of RefusalCode in room.xml. The generated codec of room.xml needs this class. */
    private static final int OK = 0;
    private static final int TOO_SHORT = 1;
    private static final int WRONG_SCHEMA = 3;
    private static final int UNKNOWN_VERSION = 4;
    private static final int UNKNOWN_TEMPLATE = 5;
    private static final int BAD_BLOCK_LENGTH = 6;
    private static final int BAD_GROUP_BLOCK = 7;
    private static final int BAD_GROUP_COUNT = 8;
    private static final int DATA_TOO_LONG = 9;
    private static final int TRAILING_BYTES = 10;

    private static final int HEADER_LENGTH = 8;
    private static final int TEMPLATE_ID = 2;
    private static final int SCHEMA_ID = 4;
    private static final int VERSION = 6;

    /** The greatest template id of SBE. The next id is the null value of its field. */
    private static final int MAX_TEMPLATE_ID = 65_534;

    private final int schemaId;
    private final int version;
    /** From the lowest template id to the highest. */
    private final Part[] messages;
    private final int firstTemplateId;

    private SchemaRules(final Builder builder)
    {
        schemaId = builder.schemaId;
        version = builder.version;
        firstTemplateId = builder.messageByTemplateMap.isEmpty() ? 0 : builder.messageByTemplateMap.firstKey();
        messages = new Part[
            builder.messageByTemplateMap.isEmpty() ? 0 : builder.messageByTemplateMap.lastKey() - firstTemplateId + 1];
        builder.messageByTemplateMap.forEach((templateId, message) -> messages[templateId - firstTemplateId] = message);
    }

    /**
     * Build the rules of a schema.
     *
     * @param schemaId of the schema.
     * @param version  of the schema. No other version is accepted.
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
     * @return 0 when it may be decoded, otherwise the value of a RefusalCode of room.xml.
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
        final Part message = message(unsigned(buffer, offset + TEMPLATE_ID));
        if (null == message)
        {
            return UNKNOWN_TEMPLATE;
        }
        if (unsigned(buffer, offset) != message.blockLength)
        {
            return BAD_BLOCK_LENGTH;
        }
        final int end = offset + length;
        final int at = message.afterEntry(buffer, offset + HEADER_LENGTH, end);
        return at < 0 ? -at : at == end ? OK : TRAILING_BYTES;
    }

    private Part message(final int templateId)
    {
        final int position = templateId - firstTemplateId;
        return position < 0 || position >= messages.length ? null : messages[position];
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

    private static int unsigned(final DirectBuffer buffer, final int at)
    {
        return buffer.getShort(at, ByteOrder.LITTLE_ENDIAN) & 0xFFFF;
    }

    /** A leading number of 1, 2 or 4 bytes. The greatest int if it does not fit one. */
    private static int number(final DirectBuffer buffer, final int at, final int bytes)
    {
        if (Short.BYTES == bytes)
        {
            return unsigned(buffer, at);
        }
        if (Byte.BYTES == bytes)
        {
            return buffer.getByte(at) & 0xFF;
        }
        final int number = buffer.getInt(at, ByteOrder.LITTLE_ENDIAN);
        return number < 0 ? Integer.MAX_VALUE : number;
    }

    /** A message, a group or a field of data. */
    private static final class Part
    {
        private static final Part[] NONE = new Part[0];

        /** Bytes of the block length that precedes a group. */
        private final int blockNumber;
        /** Bytes of the count before a group, or of the length before data. */
        private final int countNumber;
        /** Most entries, or most bytes of data. */
        private final int limit;
        /** Bytes of the block of an entry. Negative for data. */
        private final int blockLength;
        private Part[] parts = NONE;

        Part(final int blockNumber, final int countNumber, final int limit, final int blockLength)
        {
            this.blockNumber = blockNumber;
            this.countNumber = countNumber;
            this.limit = limit;
            this.blockLength = blockLength;
        }

        Part add(final Part part)
        {
            parts = Arrays.copyOf(parts, parts.length + 1);
            parts[parts.length - 1] = part;
            return part;
        }

        boolean isGroup()
        {
            return blockLength >= 0;
        }

        /** The end of an entry and its parts, or the negative of a refusal code. */
        int afterEntry(final DirectBuffer buffer, final int begin, final int end)
        {
            int at = begin + blockLength;
            if (at > end)
            {
                return -TOO_SHORT;
            }
            for (final Part part : parts)
            {
                at = part.isGroup() ? part.afterGroup(buffer, at, end) : part.afterData(buffer, at, end);
                if (at < 0)
                {
                    return at;
                }
            }
            return at;
        }

        private int afterGroup(final DirectBuffer buffer, final int begin, final int end)
        {
            int at = begin + blockNumber + countNumber;
            if (at > end)
            {
                return -TOO_SHORT;
            }
            if (number(buffer, begin, blockNumber) != blockLength)
            {
                return -BAD_GROUP_BLOCK;
            }
            final int count = number(buffer, begin + blockNumber, countNumber);
            if (count > limit)
            {
                return -BAD_GROUP_COUNT;
            }
            for (int i = 0; i < count && at >= 0; i++)
            {
                at = afterEntry(buffer, at, end);
            }
            return at;
        }

        private int afterData(final DirectBuffer buffer, final int at, final int end)
        {
            if (end - at < countNumber)
            {
                return -TOO_SHORT;
            }
            final int length = number(buffer, at, countNumber);
            if (length > limit)
            {
                return -DATA_TOO_LONG;
            }
            final int begin = at + countNumber;
            return length > end - begin ? -TOO_SHORT : begin + length;
        }
    }

    /** Collects the layout of each message: its groups and data in the order of the schema. */
    public static final class Builder
    {
        private final int schemaId;
        private final int version;
        private final TreeMap<Integer, Part> messageByTemplateMap = new TreeMap<>();
        /** The message, and the groups that are open in it. */
        private final ArrayDeque<Part> open = new ArrayDeque<>();

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
         * @param blockLength of its root block.
         */
        public Builder message(final int templateId, final int blockLength)
        {
            if (templateId < 0 || templateId > MAX_TEMPLATE_ID)
            {
                throw new IllegalArgumentException("template id must be 0 to " + MAX_TEMPLATE_ID + ": " + templateId);
            }
            final Part message = new Part(0, 0, 1, checked(blockLength));
            if (null != messageByTemplateMap.putIfAbsent(templateId, message))
            {
                throw new IllegalArgumentException("template id " + templateId + " was added twice");
            }
            open.clear();
            open.push(message);
            return this;
        }

        /**
         * Add a repeating group. The parts of its entries follow, up to {@link #end()}.
         *
         * @param blockNumber bytes of the block length that precedes it: 1, 2 or 4.
         * @param countNumber bytes of the count that follows it: 1, 2 or 4.
         * @param limit       most entries.
         * @param blockLength of an entry.
         */
        public Builder group(final int blockNumber, final int countNumber, final int limit, final int blockLength)
        {
            open.push(open.element().add(new Part(blockNumber, countNumber, limit, checked(blockLength))));
            return this;
        }

        /** End a group. An entry has at least a byte. Otherwise a count would cost work without bytes. */
        public Builder end()
        {
            final Part group = open.pop();
            if (0 == group.blockLength && 0 == group.parts.length || open.isEmpty())
            {
                throw new IllegalArgumentException("no group is open, or its entries have no byte");
            }
            return this;
        }

        /**
         * Add a field of variable data.
         *
         * @param lengthNumber bytes of the length that precedes it: 1, 2 or 4.
         * @param limit        most bytes.
         */
        public Builder data(final int lengthNumber, final int limit)
        {
            open.element().add(new Part(0, lengthNumber, limit, -1));
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
