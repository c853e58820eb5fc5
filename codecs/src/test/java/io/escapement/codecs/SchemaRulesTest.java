package io.escapement.codecs;

import io.escapement.codecs.layout.SchemaRules;
import io.escapement.codecs.room.RefusalCode;
import java.nio.ByteOrder;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Each rule at its limit: the last value that is accepted, the first that is refused, and its code. */
class SchemaRulesTest
{
    private static final int SCHEMA = 900;
    private static final int HEADER = 8;

    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[512]);

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 1_023, 1_024, 40_000, 65_534})
    void shouldAcceptEveryTemplateIdOfSbe(final int templateId)
    {
        final SchemaRules rules = SchemaRules.of(SCHEMA, 0).message(templateId, 4).build();
        assertCode(RefusalCode.NONE, rules, put(4, templateId, SCHEMA, 0, 12));
        assertCode(RefusalCode.UNKNOWN_TEMPLATE, rules, put(4, templateId + 1, SCHEMA, 0, 12));
        assertCode(RefusalCode.UNKNOWN_TEMPLATE, rules, put(4, (templateId + 0xFFFF) & 0xFFFF, SCHEMA, 0, 12));
        assertEquals((templateId + 0xFFFF) & 0xFFFF, SchemaRules.templateId(buffer, 0));
    }

    @Test
    void shouldKnowOnlyTheTemplatesThatWereAdded()
    {
        final SchemaRules rules = SchemaRules.of(SCHEMA, 0).message(7, 4).message(3, 0).build();
        assertCode(RefusalCode.NONE, rules, put(0, 3, SCHEMA, 0, 8));
        assertCode(RefusalCode.NONE, rules, put(4, 7, SCHEMA, 0, 12));
        for (final int other : new int[]{0, 2, 4, 6, 8, 65_535})
        {
            assertCode(RefusalCode.UNKNOWN_TEMPLATE, rules, put(4, other, SCHEMA, 0, 12));
        }
        assertCode(RefusalCode.UNKNOWN_TEMPLATE, SchemaRules.of(SCHEMA, 0).build(), put(0, 0, SCHEMA, 0, 8));
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 65_535, 65_536, Integer.MAX_VALUE, Integer.MIN_VALUE})
    void shouldNameATemplateIdThatSbeDoesNotHave(final int templateId)
    {
        final String message = assertThrows(IllegalArgumentException.class,
            () -> SchemaRules.of(SCHEMA, 0).message(templateId, 4)).getMessage();
        assertTrue(message.contains("0 to 65534") && message.contains(Integer.toString(templateId)), message);
    }

    @Test
    void shouldNameATemplateIdThatWasAddedTwice()
    {
        final String message = assertThrows(IllegalArgumentException.class,
            () -> SchemaRules.of(SCHEMA, 0).message(5, 4).message(5, 4)).getMessage();
        assertTrue(message.contains("5 was added twice"), message);
    }

    @Test
    void shouldRefuseVersionsAndLengthsThatCannotBe()
    {
        for (final int version : new int[]{-1, 0x1_0000})
        {
            assertThrows(IllegalArgumentException.class, () -> SchemaRules.of(SCHEMA, version));
        }
        SchemaRules.of(SCHEMA, 0xFFFF).message(1, 0).build();
        final SchemaRules.Builder builder = SchemaRules.of(SCHEMA, 2);
        assertThrows(IllegalArgumentException.class, () -> builder.message(1, -1));
        builder.message(1, 0);
        assertThrows(IllegalArgumentException.class, () -> builder.group(2, 2, 4, -1));
        assertThrows(IllegalArgumentException.class, () -> builder.group(1, 1, 4, -2));
        assertThrows(IllegalArgumentException.class, () -> builder.group(2, 2, 4, 0).end(), "an entry without a byte");
        assertThrows(IllegalArgumentException.class, () -> SchemaRules.of(SCHEMA, 2).message(1, 1).end());
    }

    @Test
    void shouldCheckTheHeader()
    {
        final SchemaRules rules = SchemaRules.of(SCHEMA, 2).message(1, 4).build();
        assertCode(RefusalCode.NONE, rules, put(4, 1, SCHEMA, 2, HEADER + 4));
        assertCode(RefusalCode.BAD_BLOCK_LENGTH, rules, put(5, 1, SCHEMA, 2, HEADER + 4));
        assertCode(RefusalCode.BAD_BLOCK_LENGTH, rules, put(3, 1, SCHEMA, 2, HEADER + 4));
        assertCode(RefusalCode.TOO_SHORT, rules, put(4, 1, SCHEMA, 2, HEADER + 3));
        assertCode(RefusalCode.TRAILING_BYTES, rules, put(4, 1, SCHEMA, 2, 13));
        assertCode(RefusalCode.TRAILING_BYTES, rules, put(4, 1, SCHEMA, 2, 20));
        assertCode(RefusalCode.UNKNOWN_VERSION, rules, put(4, 1, SCHEMA, 1, 12));
        assertCode(RefusalCode.UNKNOWN_VERSION, rules, put(4, 1, SCHEMA, 3, 12));
        assertCode(RefusalCode.UNKNOWN_VERSION, rules, put(4, 1, SCHEMA, 0, 12));
        assertCode(RefusalCode.UNKNOWN_VERSION, rules, put(4, 1, SCHEMA, 0x102, 12));
        assertCode(RefusalCode.WRONG_SCHEMA, rules, put(4, 1, SCHEMA + 1, 2, 12));
        assertCode(RefusalCode.TOO_SHORT, rules, 7);
        assertCode(RefusalCode.TOO_SHORT, rules, 0);
        assertCode(RefusalCode.TOO_SHORT, rules, -1);
    }

    @Test
    void shouldReadNothingOutsideTheBuffer()
    {
        final SchemaRules rules = SchemaRules.of(SCHEMA, 0).message(1, 4).build();
        put(4, 1, SCHEMA, 0, 12);
        final UnsafeBuffer exact = new UnsafeBuffer(buffer, 0, 12);
        assertEquals(0, rules.validate(exact, 0, 12));
        assertEquals(RefusalCode.TOO_SHORT.value(), rules.validate(exact, 1, 12));
        assertEquals(RefusalCode.TOO_SHORT.value(), rules.validate(exact, -1, 12));
        assertEquals(RefusalCode.TOO_SHORT.value(), rules.validate(exact, 0, 13));
        assertEquals(RefusalCode.TOO_SHORT.value(), rules.validate(exact, Integer.MAX_VALUE, 12));
    }

    @Test
    void shouldCheckDataAtItsLimits()
    {
        final SchemaRules rules = SchemaRules.of(SCHEMA, 0).message(1, 2).data(2, 5).data(2, 0).build();
        final int at = HEADER + 2;
        for (final int length : new int[]{0, 5})
        {
            put(2, 1, SCHEMA, 0, 0);
            putShort(at, length);
            putShort(at + 2 + length, 0);
            assertCode(RefusalCode.NONE, rules, at + 4 + length);
            assertCode(RefusalCode.TOO_SHORT, rules, at + 3 + length);
            assertCode(RefusalCode.TOO_SHORT, rules, at + 1);
            assertCode(RefusalCode.TRAILING_BYTES, rules, at + 5 + length);
            putShort(at + 2 + length, 1);
            assertCode(RefusalCode.DATA_TOO_LONG, rules, at + 5 + length);
        }
        putShort(at, 6);
        assertCode(RefusalCode.DATA_TOO_LONG, rules, at + 10);
        putShort(at, 5);
        assertCode(RefusalCode.TOO_SHORT, rules, at + 2 + 4);
        putShort(at, 0xFFFF);
        assertCode(RefusalCode.DATA_TOO_LONG, rules, at + 10);
    }

    @Test
    void shouldCheckGroupsOfBothSizesAtTheirLimits()
    {
        final SchemaRules rules = SchemaRules.of(SCHEMA, 0)
            .message(1, 2).group(2, 2, 3, 4).data(2, 2).data(2, 1).end()
            .message(2, 2).group(1, 1, 3, 4).end()
            .build();
        for (int count = 0; count <= 3; count++)
        {
            final int end = putGroup(4, count, 2, 1);
            assertCode(RefusalCode.NONE, rules, end);
            assertCode(RefusalCode.TRAILING_BYTES, rules, end + 1);
            assertCode(RefusalCode.TOO_SHORT, rules, end - 1);
            final int small = putSmallGroup(4, count);
            assertCode(RefusalCode.NONE, rules, small);
            assertCode(RefusalCode.TRAILING_BYTES, rules, small + 1);
            assertCode(RefusalCode.TOO_SHORT, rules, small - 1);
        }
        assertCode(RefusalCode.BAD_GROUP_COUNT, rules, putGroup(4, 4, 2, 1));
        assertCode(RefusalCode.BAD_GROUP_BLOCK, rules, putGroup(5, 1, 2, 1));
        assertCode(RefusalCode.DATA_TOO_LONG, rules, putGroup(4, 2, 3, 1));
        assertCode(RefusalCode.DATA_TOO_LONG, rules, putGroup(4, 2, 2, 2));
        assertCode(RefusalCode.BAD_GROUP_COUNT, rules, putSmallGroup(4, 4));
        assertCode(RefusalCode.BAD_GROUP_BLOCK, rules, putSmallGroup(5, 1));
    }

    @Test
    void shouldCheckGroupsInGroupsAndNumbersOfEachLength()
    {
        final SchemaRules rules = SchemaRules.of(SCHEMA, 0)
            .message(1, 0).group(1, 2, 2, 0).group(2, 1, 2, 1).end().data(4, 3).end().data(1, 2).build();
        // Two entries: one with two inner entries and three bytes, and an empty one; then two bytes.
        final int[] body = {0, 2, 0, 1, 0, 2, 7, 7, 3, 0, 0, 0, 7, 7, 7, 1, 0, 0, 0, 0, 0, 0, 2, 7, 7};
        final int end = put(0, 1, SCHEMA, 0, HEADER + body.length);
        for (int i = 0; i < body.length; i++)
        {
            buffer.putByte(HEADER + i, (byte)body[i]);
        }
        assertCode(RefusalCode.NONE, rules, end);
        for (int length = HEADER; length < end; length++)
        {
            assertCode(RefusalCode.TOO_SHORT, rules, length);
        }
        assertCode(RefusalCode.TRAILING_BYTES, rules, end + 1);
        assertCodeWith(RefusalCode.BAD_GROUP_BLOCK, rules, 0, 1, end);
        assertCodeWith(RefusalCode.BAD_GROUP_COUNT, rules, 1, 3, end);
        assertCodeWith(RefusalCode.BAD_GROUP_BLOCK, rules, 3, 2, end);
        assertCodeWith(RefusalCode.BAD_GROUP_COUNT, rules, 5, 3, end);
        assertCodeWith(RefusalCode.DATA_TOO_LONG, rules, 8, 4, end);
        assertCodeWith(RefusalCode.DATA_TOO_LONG, rules, 11, 0x80, end);
        assertCodeWith(RefusalCode.DATA_TOO_LONG, rules, 22, 3, end);
    }

    private void assertCodeWith(
        final RefusalCode code, final SchemaRules rules, final int at, final int value, final int length)
    {
        final byte before = buffer.getByte(HEADER + at);
        buffer.putByte(HEADER + at, (byte)value);
        assertCode(code, rules, length);
        buffer.putByte(HEADER + at, before);
    }

    private int putGroup(final int block, final int count, final int first, final int second)
    {
        put(2, 1, SCHEMA, 0, 0);
        int at = HEADER + 2;
        putShort(at, block);
        putShort(at + 2, count);
        at += 4;
        for (int i = 0; i < count; i++)
        {
            at += block;
            putShort(at, first);
            at += 2 + first;
            putShort(at, second);
            at += 2 + second;
        }
        return at;
    }

    private int putSmallGroup(final int block, final int count)
    {
        put(2, 2, SCHEMA, 0, 0);
        buffer.putByte(HEADER + 2, (byte)block);
        buffer.putByte(HEADER + 3, (byte)count);
        return HEADER + 4 + count * block;
    }

    private int put(final int block, final int templateId, final int schemaId, final int version, final int length)
    {
        putShort(0, block);
        putShort(2, templateId);
        putShort(4, schemaId);
        putShort(6, version);
        return length;
    }

    private void putShort(final int at, final int value)
    {
        buffer.putShort(at, (short)value, ByteOrder.LITTLE_ENDIAN);
    }

    private void assertCode(final RefusalCode code, final SchemaRules rules, final int length)
    {
        assertEquals(code, RefusalCode.get(rules.validate(buffer, 0, length)), "length " + length);
    }
}
