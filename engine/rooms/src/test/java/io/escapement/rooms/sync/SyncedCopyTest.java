package io.escapement.rooms.sync;

import io.escapement.codecs.sync.SyncSchema;
import io.escapement.codecs.sync.SyncedCopy;
import io.escapement.codecs.sync.SyncedCopy.Result;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A copy refuses bytes that are not the next state of its room, and is then as it was. */
class SyncedCopyTest
{
    private static final int MUTANTS = 30;
    private static final int SEQUENCE = 12;
    private static final int VIEW = 16;
    private static final int FINGERPRINT = 8;

    private final List<byte[]> messages = messages();

    @Test
    void shouldChangeByWholeMessagesOnlyWhateverTheBytes()
    {
        final SplittableRandom random = new SplittableRandom(20_261_124);
        final int[] results = new int[Result.values().length];
        for (int i = 0; i < messages.size(); i++)
        {
            for (int mutant = 0; mutant < MUTANTS; mutant++)
            {
                final SyncedCopy copy = copyAfter(i);
                final Map<String, String> before = SyncTwin.held(copy);
                final byte[] bytes = mutate(messages.get(i), random);
                final Result result = copy.apply(new UnsafeBuffer(bytes), 0, bytes.length);
                results[result.ordinal()]++;
                if (Result.APPLIED != result)
                {
                    assertEquals(before, SyncTwin.held(copy), () -> HexFormat.of().formatHex(bytes));
                }
            }
        }
        assertTrue(results[Result.MALFORMED.ordinal()] > MUTANTS, Arrays.toString(results));
        assertTrue(results[Result.APPLIED.ordinal()] > 10, Arrays.toString(results));
        assertTrue(results[Result.IGNORED.ordinal()] > 10, Arrays.toString(results));
    }

    @Test
    void shouldReadNothingOutsideTheMessage()
    {
        final byte[] message = messages.get(1);
        for (int length = 0; length < message.length; length++)
        {
            // Between two records the message is one with fewer of them.
            final Result result = copyAfter(1).apply(new UnsafeBuffer(message, 0, length), 0, length);
            assertTrue(Result.MALFORMED == result || length >= SyncSchema.HEADER_LENGTH, "length " + length);
        }
        final SyncedCopy copy = copyAfter(1);
        for (int length = 0; length < message.length; length++)
        {
            assertEquals(Result.MALFORMED, copy.apply(new UnsafeBuffer(message, 0, length), 0, message.length));
        }
        assertEquals(Result.MALFORMED, copy.apply(new UnsafeBuffer(message), -1, message.length));
        assertEquals(Result.MALFORMED, copy.apply(new UnsafeBuffer(message), Integer.MAX_VALUE, message.length));
        assertEquals(Result.MALFORMED, copy.apply(new UnsafeBuffer(message), 0, -1));
        assertEquals(Result.APPLIED, copy.apply(new UnsafeBuffer(message), 0, message.length));
    }

    @Test
    void shouldApplyADifferenceToItsBaseOnly()
    {
        final SyncedCopy none = new SyncedCopy(SyncRoom.SCHEMA);
        assertEquals(Result.IGNORED, apply(none, messages.get(1)), "no picture yet");
        assertFalse(none.isCurrent());

        final SyncedCopy copy = copyAfter(2);
        assertEquals(Result.IGNORED, apply(copy, messages.get(1)), "late");
        assertEquals(Result.IGNORED, apply(copy, messages.get(3)), "after a gap");
        assertEquals(Result.IGNORED, apply(copy, with(messages.get(2), VIEW, 1)), "of another view");
        assertEquals(Result.MALFORMED, apply(copy, with(messages.get(2), FINGERPRINT, 1)), "of another schema");
        assertTrue(copy.isCurrent());
        assertEquals(Result.APPLIED, apply(copy, messages.get(2)));

        copy.reset();
        assertEquals(Result.IGNORED, apply(copy, messages.get(3)), "after a reset");
        assertEquals(Result.APPLIED, apply(copy, messages.get(0)), "a picture");
        assertEquals(Result.APPLIED, apply(copy, messages.get(1)));
    }

    @Test
    void shouldChangeWithTheLastPartOnly()
    {
        final SyncedCopy copy = copyAfter(1);
        final Map<String, String> before = SyncTwin.held(copy);
        final byte[] whole = messages.get(1);
        final byte[] first = with(whole, 19, 0);
        final byte[] last = Arrays.copyOf(with(with(whole, 18, 1), 19, 1), SyncSchema.HEADER_LENGTH);
        assertEquals(Result.INCOMPLETE, apply(copy, first));
        assertEquals(before, SyncTwin.held(copy));
        assertEquals(Result.MALFORMED, apply(copy, with(with(whole, 18, 1), 19, 1)), "the rows of part 0 again");
        assertEquals(Result.IGNORED, apply(copy, last), "the part before was refused");
        assertEquals(Result.INCOMPLETE, apply(copy, first));
        assertEquals(Result.IGNORED, apply(copy, with(last, 18, 2)), "a part is missing");
        assertEquals(Result.IGNORED, apply(copy, last), "and the frame with it");
        assertEquals(before, SyncTwin.held(copy));
        assertEquals(Result.INCOMPLETE, apply(copy, first));
        assertEquals(Result.APPLIED, apply(copy, last));
        assertEquals(SyncTwin.held(copyAfter(2)), SyncTwin.held(copy));
    }

    /** A picture and differences, each with one message. */
    private static List<byte[]> messages()
    {
        final SyncPlayers players = new SyncPlayers(SyncRoom.type(false, 64 * 1024), 1);
        players.join(0);
        players.apply(Op.of(Op.Kind.ADD, SyncRoom.NOTES, 0, 0, 0));
        players.apply(new Op(Op.Kind.SET_TEXT, SyncRoom.BODY, 0, 0, 0, "first"));
        players.frame();
        for (int i = 1; i < 12; i++)
        {
            players.apply(Op.of(Op.Kind.SET, SyncRoom.ROUND, 0, 0, i));
            players.apply(Op.of(Op.Kind.SET, SyncRoom.IS_OVER, 0, 0, i % 2));
            players.apply(Op.of(Op.Kind.ADD, SyncRoom.NOTES, 0, 0, 0));
            players.apply(new Op(Op.Kind.SET_TEXT, SyncRoom.BODY, i % 3, 0, 0, "note " + i));
            if (8 == i || 10 == i)
            {
                players.apply(Op.of(Op.Kind.REMOVE, SyncRoom.NOTES, i / 2, 0, 0));
            }
            players.frame();
        }
        assertEquals(List.of(), players.rig.failures);
        assertEquals(12, players.received(0).size());
        return players.received(0);
    }

    private SyncedCopy copyAfter(final int count)
    {
        final SyncedCopy copy = new SyncedCopy(SyncRoom.SCHEMA);
        for (int i = 0; i < count; i++)
        {
            assertEquals(Result.APPLIED, apply(copy, messages.get(i)));
        }
        return copy;
    }

    private static byte[] mutate(final byte[] message, final SplittableRandom random)
    {
        final byte[] bytes = Arrays.copyOf(message, message.length +
            (0 == random.nextInt(4) ? random.nextInt(-message.length / 2, 8) : 0));
        for (int i = random.nextInt(3); i >= 0; i--)
        {
            // Rather in the records than in the header.
            final int at = 0 == random.nextInt(4) ? random.nextInt(bytes.length) :
                random.nextInt(Math.min(SEQUENCE, bytes.length - 1), bytes.length);
            bytes[at] = (byte)(random.nextBoolean() ? random.nextInt() : bytes[at] ^ 1 << random.nextInt(8));
        }
        return bytes;
    }

    private static byte[] with(final byte[] message, final int at, final int value)
    {
        final byte[] bytes = message.clone();
        bytes[at] = (byte)value;
        return bytes;
    }

    private static Result apply(final SyncedCopy copy, final byte[] message)
    {
        return copy.apply(new UnsafeBuffer(message), 0, message.length);
    }
}
