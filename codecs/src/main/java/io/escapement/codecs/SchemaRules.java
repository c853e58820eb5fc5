package io.escapement.codecs;

import io.escapement.codecs.room.RefusalCode;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.TreeMap;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

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

    /** The greatest template id of SBE; the next one is the null value of its field. */
    private static final int MAX_TEMPLATE_ID = 65_534;

    private final int schemaId;
    private final int oldestVersion;
    private final int currentVersion;
    /** From the lowest template id to the highest. */
    private final Message[] messages;
    private final int firstTemplateId;

    private SchemaRules(final Builder builder)
    {
        schemaId = builder.schemaId;
        oldestVersion = builder.oldestVersion;
        currentVersion = builder.currentVersion;
        firstTemplateId = builder.messageByTemplateMap.isEmpty() ? 0 : builder.messageByTemplateMap.firstKey();
        messages = new Message[
            builder.messageByTemplateMap.isEmpty() ? 0 : builder.messageByTemplateMap.lastKey() - firstTemplateId + 1];
        builder.messageByTemplateMap.forEach((templateId, message) -> messages[templateId - firstTemplateId] = message);
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

    /**
     * The length of a valid message after {@link #copy} to an older version.
     *
     * @param buffer  with the message.
     * @param offset  of its header.
     * @param length  of the whole message in bytes.
     * @param version of the copy, one that is accepted and not above the message's.
     * @return the length in that version.
     */
    public int copyLength(final DirectBuffer buffer, final int offset, final int length, final int version)
    {
        return length - unsigned(buffer, offset) + blockLength(buffer, offset, version) -
            newerData(buffer, offset, length, version);
    }

    /**
     * Copy a valid message whose groups are the same in both versions to an older version. Fields and data that are
     * newer are left out.
     *
     * @param buffer  with the message.
     * @param offset  of its header.
     * @param length  of the whole message in bytes.
     * @param version of the copy, one that is accepted and not above the message's.
     * @param to      buffer of the copy.
     * @param at      offset of the copy, which has {@link #copyLength} bytes.
     */
    public void copy(
        final DirectBuffer buffer,
        final int offset,
        final int length,
        final int version,
        final MutableDirectBuffer to,
        final int at)
    {
        final int blockLength = blockLength(buffer, offset, version);
        final int rest = HEADER_LENGTH + unsigned(buffer, offset);
        to.putBytes(at, buffer, offset, HEADER_LENGTH + blockLength);
        to.putBytes(at + HEADER_LENGTH + blockLength, buffer, offset + rest,
            length - rest - newerData(buffer, offset, length, version));
        to.putShort(at, (short)blockLength, ByteOrder.LITTLE_ENDIAN);
        to.putShort(at + VERSION, (short)version, ByteOrder.LITTLE_ENDIAN);
    }

    private int blockLength(final DirectBuffer buffer, final int offset, final int version)
    {
        return messages[templateId(buffer, offset) - firstTemplateId].blockLengths[version - oldestVersion];
    }

    /** Bytes of the data of a valid message that a version does not have, which are the last of the message. */
    private int newerData(final DirectBuffer buffer, final int offset, final int length, final int version)
    {
        final Message message = messages[templateId(buffer, offset) - firstTemplateId];
        if (version >= message.newestData)
        {
            return 0;
        }
        int at = offset + HEADER_LENGTH + unsigned(buffer, offset);
        for (final Part part : message.parts)
        {
            if (part.sinceVersion > version)
            {
                break;
            }
            at = part.isGroup() ? afterGroup(part, buffer, at) : afterData(buffer, at, offset + length, part.cap);
        }
        return offset + length - at;
    }

    private static int afterGroup(final Part part, final DirectBuffer buffer, final int from)
    {
        final int blockLength = part.number(buffer, from);
        final int count = part.number(buffer, from + part.numberLength);
        int at = from + 2 * part.numberLength;
        for (int i = 0; i < count; i++)
        {
            at += blockLength;
            for (final int ignored : part.dataCaps)
            {
                at += DATA_HEADER_LENGTH + unsigned(buffer, at);
            }
        }
        return at;
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
            else if (version >= part.sinceVersion)
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
        /** First version that has all of its data. */
        private int newestData;

        Message(final int[] blockLengths, final int maxLength)
        {
            this.blockLengths = blockLengths;
            this.maxLength = maxLength;
        }

        void add(final Part part)
        {
            parts = Arrays.copyOf(parts, parts.length + 1);
            parts[parts.length - 1] = part;
            newestData = Math.max(newestData, part.sinceVersion);
        }
    }

    private static final class Part
    {
        /** Bytes of each of a group's two leading numbers, or 0 for a field of data. */
        private final int numberLength;
        private final int cap;
        private final int[] blockLengths;
        /** First version that has it, for data. */
        private final int sinceVersion;
        private int[] dataCaps = new int[0];

        Part(final int numberLength, final int cap, final int[] blockLengths, final int sinceVersion)
        {
            this.sinceVersion = sinceVersion;
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
        private final TreeMap<Integer, Message> messageByTemplateMap = new TreeMap<>();
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
         * @param templateId   of the message, 0 to 65,534.
         * @param maxLength    of the whole message in bytes.
         * @param blockLengths of its root block: one for all versions, or one per version from the oldest.
         */
        public Builder message(final int templateId, final int maxLength, final int... blockLengths)
        {
            if (templateId < 0 || templateId > MAX_TEMPLATE_ID)
            {
                throw new IllegalArgumentException("template id must be 0 to " + MAX_TEMPLATE_ID + ": " + templateId);
            }
            message = new Message(byVersion(blockLengths), maxLength);
            if (null != messageByTemplateMap.putIfAbsent(templateId, message))
            {
                throw new IllegalArgumentException("template id " + templateId + " was added twice");
            }
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
            message.add(new Part(Short.BYTES, countCap, byVersion(blockLengths), 0));
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
            message.add(new Part(Byte.BYTES, countCap, byVersion(blockLengths), 0));
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
            return data(cap, 0);
        }

        /**
         * Add a field of variable data to the last message, behind all parts that are older.
         *
         * @param cap          most bytes.
         * @param sinceVersion first version that has it.
         */
        public Builder data(final int cap, final int sinceVersion)
        {
            if (sinceVersion < message.newestData)
            {
                throw new IllegalArgumentException("data of version " + sinceVersion + " behind newer data");
            }
            message.add(new Part(0, cap, null, sinceVersion));
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
