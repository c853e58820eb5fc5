package io.escapement.codecs;

import io.escapement.codecs.room.RefusalCode;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.agrona.DirectBuffer;

/**
 * The layout of the messages of one schema, and the validation of bytes against it.
 *
 * <p>A valid message has a root block and group entries of exactly the length of its version, no more entries and no
 * longer data than allowed, and no trailing bytes. A decoder that reads it in order therefore stays inside it.
 * {@link #validate} reads no byte outside the message, does not allocate and does not throw.
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

    /** Bounds the lookup table. */
    private static final int MAX_TEMPLATE_ID = 1_023;

    private final int schemaId;
    private final int oldestVersion;
    private final int currentVersion;
    private final Message[] messageByTemplate;

    private SchemaRules(final Builder builder)
    {
        schemaId = builder.schemaId;
        oldestVersion = builder.oldestVersion;
        currentVersion = builder.currentVersion;
        messageByTemplate = builder.messageByTemplate;
    }

    /**
     * Build the rules of a schema.
     *
     * @param schemaId       of the schema.
     * @param oldestVersion  oldest version that is accepted.
     * @param currentVersion newest version that is accepted.
     */
    public static Builder of(final int schemaId, final int oldestVersion, final int currentVersion)
    {
        return new Builder(schemaId, oldestVersion, currentVersion);
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
        final int version = unsigned(buffer, offset + VERSION);
        if (version < oldestVersion || version > currentVersion)
        {
            return UNKNOWN_VERSION;
        }
        final int templateId = unsigned(buffer, offset + TEMPLATE_ID);
        final Message message = templateId > MAX_TEMPLATE_ID ? null : messageByTemplate[templateId];
        if (null == message)
        {
            return UNKNOWN_TEMPLATE;
        }
        if (length > message.maxLength)
        {
            return TOO_LONG;
        }

        final int blockLength = message.blockLengths[version - oldestVersion];
        if (unsigned(buffer, offset) != blockLength)
        {
            return BAD_BLOCK_LENGTH;
        }
        return validateBody(message, version, buffer, offset + HEADER_LENGTH + blockLength, offset + length);
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

    private int validateBody(
        final Message message, final int version, final DirectBuffer buffer, final int begin, final int end)
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
                final int blockLength = part.blockLengths[version - oldestVersion];
                final int count = part.number(buffer, at + part.numberLength);
                if (part.number(buffer, at) != blockLength)
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
                    at += blockLength;
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
        private final int[] blockLengths;
        private final int maxLength;
        private Part[] parts = new Part[0];

        Message(final int[] blockLengths, final int maxLength)
        {
            this.blockLengths = blockLengths;
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
        private final int[] blockLengths;
        private int[] dataCaps = new int[0];

        Part(final int numberLength, final int cap, final int[] blockLengths)
        {
            this.numberLength = numberLength;
            this.cap = cap;
            this.blockLengths = blockLengths;
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
        private final int oldestVersion;
        private final int currentVersion;
        private final Message[] messageByTemplate = new Message[MAX_TEMPLATE_ID + 1];
        private Message message;

        private Builder(final int schemaId, final int oldestVersion, final int currentVersion)
        {
            if (oldestVersion < 0 || currentVersion < oldestVersion || currentVersion > 0xFFFF)
            {
                throw new IllegalArgumentException("invalid versions: " + oldestVersion + " to " + currentVersion);
            }
            this.schemaId = schemaId;
            this.oldestVersion = oldestVersion;
            this.currentVersion = currentVersion;
        }

        /**
         * Add a message. Its parts follow.
         *
         * @param templateId   of the message.
         * @param maxLength    of the whole message in bytes.
         * @param blockLengths of its root block: one for all versions, or one per version from the oldest.
         */
        public Builder message(final int templateId, final int maxLength, final int... blockLengths)
        {
            if (templateId < 0 || templateId > MAX_TEMPLATE_ID || null != messageByTemplate[templateId])
            {
                throw new IllegalArgumentException("template id out of range or added twice: " + templateId);
            }
            message = new Message(byVersion(blockLengths), maxLength);
            messageByTemplate[templateId] = message;
            return this;
        }

        /**
         * Add a repeating group to the last message.
         *
         * @param countCap     most entries.
         * @param blockLengths of an entry, above 0: one for all versions, or one per version from the oldest.
         */
        public Builder group(final int countCap, final int... blockLengths)
        {
            message.add(new Part(Short.BYTES, countCap, byVersion(blockLengths)));
            return this;
        }

        /**
         * Add a repeating group whose block length and count have one byte each.
         *
         * @param countCap     most entries.
         * @param blockLengths of an entry, above 0: one for all versions, or one per version from the oldest.
         */
        public Builder smallGroup(final int countCap, final int... blockLengths)
        {
            message.add(new Part(Byte.BYTES, countCap, byVersion(blockLengths)));
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
            message.add(new Part(0, cap, null));
            return this;
        }

        /** Build the rules. */
        public SchemaRules build()
        {
            return new SchemaRules(this);
        }

        private int[] byVersion(final int[] lengths)
        {
            final int versions = currentVersion - oldestVersion + 1;
            if (1 != lengths.length && versions != lengths.length)
            {
                throw new IllegalArgumentException(
                    "expected one length, or one for each of " + versions + " versions: " + Arrays.toString(lengths));
            }
            final int[] all = new int[versions];
            for (int i = 0; i < versions; i++)
            {
                all[i] = lengths[1 == lengths.length ? 0 : i];
                if (all[i] < 0)
                {
                    throw new IllegalArgumentException("negative block length: " + all[i]);
                }
            }
            return all;
        }
    }
}
