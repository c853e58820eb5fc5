package io.escapement.arena.protocol;

import io.escapement.arena.codecs.ArenaCode;
import io.escapement.testsupport.Tests;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class ArenaMessagesTest
{
    private static final long SEED = 703;
    private static final int LIMIT = 12;
    private static final byte[] EDGES = {
        'a', ' ', 0, 0x1F, 0x7F, (byte)0x80, (byte)0x8F, (byte)0x90, (byte)0x9F, (byte)0xA0, (byte)0xBF, (byte)0xC0,
        (byte)0xC1, (byte)0xC2, (byte)0xC3, (byte)0xDF, (byte)0xE0, (byte)0xE1, (byte)0xED, (byte)0xEF, (byte)0xF0,
        (byte)0xF1, (byte)0xF4, (byte)0xF5, (byte)0xFF};

    @Test
    void shouldJudgeTextsAsTheJdkDoes()
    {
        final SplittableRandom random = new SplittableRandom(SEED);
        int taken = 0;
        for (int i = 0; i < (Tests.isFull() ? 20_000_000 : 60_000); i++)
        {
            final byte[] text = new byte[random.nextInt(LIMIT + 2)];
            for (int at = 0; at < text.length; at++)
            {
                text[at] = 0 == random.nextInt(8) ? (byte)random.nextInt() : EDGES[random.nextInt(EDGES.length)];
            }
            taken += check(text);
        }
        assertTrue(taken > 500, "seed " + SEED + ": only " + taken + " texts were taken");
    }

    @Test
    void shouldTakeEveryCharacterThatIsPrintable()
    {
        for (int character = 0; character <= 0x10FFFF; character++)
        {
            if (character < 0xD800 || character > 0xDFFF)
            {
                check(new String(Character.toChars(character)).getBytes(StandardCharsets.UTF_8));
            }
        }
    }

    @Test
    void shouldReadNothingOutsideTheText()
    {
        final byte[] text = {(byte)0xE4, (byte)0xBD, (byte)0xA0};
        for (int length = 1; length < text.length; length++)
        {
            assertEquals(ArenaCode.TEXT_NOT_UTF8.value(),
                ArenaMessages.checkText(new UnsafeBuffer(text, 0, length), 0, length, LIMIT));
        }
    }

    @Test
    void shouldNumberCodesFrom1200()
    {
        final TreeSet<Integer> values = new TreeSet<>();
        for (final ArenaCode code : ArenaCode.values())
        {
            if (ArenaCode.NULL_VAL != code && ArenaCode.SBE_UNKNOWN != code)
            {
                assertTrue(values.add(code.value()), code + " has another's number");
            }
        }
        assertTrue(values.first() > 1_200 && values.last() < 1_300);
        assertEquals(ArenaMessages.SIMULATION_CODES + 1, ArenaCode.BAD_INDEX.value());
        assertEquals(ArenaMessages.SIMULATION_CODES + 18, ArenaCode.THROUGH_WALL.value());
    }

    private static int check(final byte[] text)
    {
        final int expected = expected(text);
        assertEquals(expected, ArenaMessages.checkText(new UnsafeBuffer(text), 0, text.length, LIMIT),
            () -> "seed " + SEED + ": " + Arrays.toString(text));
        return 0 == expected ? 1 : 0;
    }

    private static int expected(final byte[] text)
    {
        if (0 == text.length)
        {
            return ArenaCode.TEXT_EMPTY.value();
        }
        if (text.length > LIMIT)
        {
            return ArenaCode.TEXT_TOO_LONG.value();
        }
        try
        {
            final String decoded = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(text)).toString();
            return decoded.chars().anyMatch(Character::isISOControl) ? ArenaCode.TEXT_NOT_PRINTABLE.value() : 0;
        }
        catch (final CharacterCodingException ex)
        {
            return ArenaCode.TEXT_NOT_UTF8.value();
        }
    }
}
