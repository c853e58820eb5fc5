package io.escapement.rooms.sync;

import io.escapement.codecs.sync.SyncSchema;
import io.escapement.codecs.sync.SyncedCopy;
import io.escapement.codecs.sync.SyncedCopy.Result;
import io.escapement.testsupport.Allocations;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A copy refuses bytes that are not the next state of its room, and is then as it was. */
class SyncedCopyTest
{
    private static final int MESSAGES = 20;
    private static final int MUTANTS = 30;
    private static final int ROUNDS = 6;
    private static final int ROUND = 200;
    private static final int SEQUENCE = 12;
    private static final int VIEW = 16;
    private static final int FINGERPRINT = 8;

    private final List<byte[]> messages = new ArrayList<>();
    private final List<byte[]> fullStates = new ArrayList<>();

    @BeforeEach
    void receive()
    {
        final SyncPlayers players = new SyncPlayers(SyncRoom.type(1, 64 * 1024), 2);
        players.join(0);
        players.join(1);
        players.apply(Op.of(Op.Kind.ADD, SyncRoom.NOTES, 0, 0, 0));
        players.apply(new Op(Op.Kind.SET_TEXT, SyncRoom.BODY, 0, 0, 0, "first"));
        players.frame();
        for (int i = 1; i < MESSAGES; i++)
        {
            players.apply(Op.of(Op.Kind.SET, SyncRoom.ROUND, 0, 0, i));
            players.apply(Op.of(Op.Kind.SET, SyncRoom.IS_OVER, 0, 0, i % 2));
            players.apply(Op.of(Op.Kind.ADD, SyncRoom.NOTES, 0, 0, 0));
            players.apply(new Op(Op.Kind.SET_TEXT, SyncRoom.BODY, i % 3, 0, 0, "note " + i));
            if (8 == i || 10 == i)
            {
                players.apply(Op.of(Op.Kind.REMOVE, SyncRoom.NOTES, i / 2, 0, 0));
            }
            players.apply(Op.of(Op.Kind.REQUEST, players.seat(1), 0, 0, 0));
            players.frame();
        }
        assertEquals(List.of(), players.rig.failures);
        // A full state and differences, each with one message.
        messages.addAll(players.received(0));
        assertEquals(MESSAGES, messages.size());
        // A full state of each of these states.
        fullStates.addAll(players.received(1));
        fullStates.removeIf((message) -> SyncSchema.FULL_STATE != message[2]);
        assertEquals(MESSAGES, fullStates.size());
    }

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
        assertTrue(results[Result.HELD.ordinal()] > 10, Arrays.toString(results));
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
        assertEquals(Result.HELD, apply(none, messages.get(1)), "no full state yet");
        assertFalse(none.isCurrent());

        final SyncedCopy copy = copyAfter(2);
        assertEquals(Result.IGNORED, apply(copy, messages.get(1)), "late");
        assertEquals(Result.HELD, apply(copy, messages.get(3)), "after a gap");
        assertEquals(Result.IGNORED, apply(copy, with(messages.get(2), VIEW, 1)), "of another view");
        assertEquals(Result.MALFORMED, apply(copy, with(messages.get(2), FINGERPRINT, 1)), "of another schema");
        assertTrue(copy.isCurrent());
        assertEquals(sequence(messages.get(1)), copy.sequence());
        assertEquals(Result.APPLIED, apply(copy, messages.get(2)));
        assertEquals(sequence(messages.get(3)), copy.sequence(), "with the message after the gap");

        copy.reset();
        assertEquals(Result.HELD, apply(copy, messages.get(3)), "after a reset");
        assertEquals(Result.APPLIED, apply(copy, messages.get(0)), "a full state");
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
        assertEquals(Result.INCOMPLETE, apply(copy, first));
        assertEquals(Result.HELD, apply(copy, with(last, 18, 2)), "a part is missing");
        assertEquals(before, SyncTwin.held(copy));
        assertEquals(Result.INCOMPLETE, apply(copy, first), "again");
        assertEquals(Result.APPLIED, apply(copy, last));
        assertEquals(SyncTwin.held(copyAfter(2)), SyncTwin.held(copy));
        assertFalse(copy.isBehind());
    }

    @Test
    void shouldApplyInOrderWhatArrivesBeforeItsFullState()
    {
        final List<Integer> frames = new ArrayList<>();
        final ReportedCopy client = new ReportedCopy()
        {
            @Override
            public void onFrame()
            {
                frames.add(copy.sequence());
                assertReported(SyncTwin.held(copyAfter(frames.size())), "frame " + frames.size());
            }
        };
        final SyncedCopy copy = client.copy;
        assertFalse(copy.isBehind());
        for (final int i : new int[]{3, 1, 4, 2, 6})
        {
            assertEquals(Result.HELD, apply(copy, messages.get(i)));
            assertTrue(copy.isBehind());
        }
        assertEquals(List.of(), frames);
        assertEquals(Result.APPLIED, apply(copy, messages.get(0)));
        assertEquals(sequence(messages.get(4)), copy.sequence());
        assertTrue(copy.isBehind(), "a message is missing");
        assertEquals(Result.APPLIED, apply(copy, messages.get(5)));
        assertEquals(IntStream.range(0, 7).mapToObj((i) -> sequence(messages.get(i))).toList(), frames);
        assertEquals(SyncTwin.held(copyAfter(7)), SyncTwin.held(copy));
        assertFalse(copy.isBehind());
    }

    @Test
    void shouldDropWhatTheFullStateContainsAndWhatIsOfAnotherView()
    {
        final byte[] fullState = fullStates.get(6);
        final SyncedCopy copy = new SyncedCopy(SyncRoom.SCHEMA);
        for (int i = 1; i < 8; i++)
        {
            assertEquals(Result.HELD, apply(copy, messages.get(i)));
        }
        assertEquals(Result.HELD, apply(copy, with(messages.get(7), VIEW, 1)));
        assertEquals(Result.APPLIED, apply(copy, fullState));
        assertEquals(sequence(messages.get(7)), copy.sequence());
        assertFalse(copy.isBehind());

        assertEquals(Result.IGNORED, apply(copy, fullState), "older");
        assertEquals(Result.IGNORED, apply(copy, fullStates.get(7)), "the same state");
        assertEquals(Result.APPLIED, apply(copy, messages.get(8)));
        assertEquals(Result.APPLIED, apply(copy, with(fullState, VIEW, 1)), "of another view");
        assertEquals(Result.APPLIED, apply(copy, messages.get(0)), "and back");
        copy.reset();
        assertEquals(Result.HELD, apply(copy, messages.get(2)));
        copy.reset();
        assertFalse(copy.isBehind());
        assertEquals(Result.APPLIED, apply(copy, messages.get(0)), "an older one after a reset");
        assertEquals(Result.APPLIED, apply(copy, messages.get(1)));
        assertEquals(sequence(messages.get(1)), copy.sequence(), "nothing was held any more");
    }

    @Test
    void shouldDropTheOldestMessageAtTheLimit()
    {
        final int limit = SyncedCopy.MAX_HELD_MESSAGES;
        final SyncedCopy full = new SyncedCopy(SyncRoom.SCHEMA);
        final SyncedCopy over = new SyncedCopy(SyncRoom.SCHEMA);
        for (int i = 1; i <= limit + 1; i++)
        {
            assertEquals(Result.HELD, i <= limit ? apply(full, messages.get(i)) : Result.HELD);
            assertEquals(Result.HELD, apply(over, messages.get(i)));
        }
        assertEquals(Result.APPLIED, apply(full, messages.get(0)));
        assertEquals(SyncTwin.held(copyAfter(limit + 1)), SyncTwin.held(full));
        assertEquals(Result.APPLIED, apply(over, messages.get(0)));
        assertEquals(SyncTwin.held(copyAfter(1)), SyncTwin.held(over));
        assertTrue(over.isBehind());
        assertEquals(Result.APPLIED, apply(over, messages.get(1)));
        assertEquals(SyncTwin.held(copyAfter(limit + 2)), SyncTwin.held(over));
    }

    @Test
    void shouldDropTheOldestMessageAtTheLimitOfBytes()
    {
        final SyncedCopy copy = new SyncedCopy(SyncRoom.SCHEMA);
        final int quarter = SyncedCopy.MAX_HELD_LENGTH / 4;
        for (int i = 1; i <= 7; i++)
        {
            // The longer ones end in zeros after their records, which is found when they are applied.
            assertEquals(Result.HELD, apply(copy, i < 4 ? messages.get(i) : Arrays.copyOf(messages.get(i), quarter)));
        }
        assertEquals(Result.IGNORED, apply(copy, Arrays.copyOf(messages.get(1), SyncedCopy.MAX_HELD_LENGTH + 1)));
        assertEquals(Result.APPLIED, apply(copy, messages.get(0)));
        assertEquals(Result.APPLIED, apply(copy, messages.get(1)));
        assertEquals(Result.APPLIED, apply(copy, messages.get(2)));
        assertEquals(sequence(messages.get(2)), copy.sequence(), "the third was dropped too");
        assertEquals(0, copy.malformedCount());
        assertEquals(Result.APPLIED, apply(copy, messages.get(3)));
        assertEquals(1, copy.malformedCount(), "the fourth fits, and is malformed");
        assertEquals(sequence(messages.get(3)), copy.sequence());
        assertTrue(copy.isBehind());
        assertEquals(Result.APPLIED, apply(copy, messages.get(4)));
        assertEquals(2, copy.malformedCount());
    }

    @Test
    void shouldHoldTheFullLengthAndNoMore()
    {
        for (int more = 0; more < 2; more++)
        {
            final SyncedCopy copy = new SyncedCopy(SyncRoom.SCHEMA);
            assertEquals(Result.HELD, apply(copy, messages.get(1)));
            assertEquals(Result.HELD, apply(copy, Arrays.copyOf(messages.get(2),
                SyncedCopy.MAX_HELD_LENGTH - messages.get(1).length + more)));
            assertEquals(Result.APPLIED, apply(copy, messages.get(0)));
            assertEquals(sequence(messages.get(1 - more)), copy.sequence());
        }
    }

    @Test
    void shouldHoldPartsAndApplyThemInOrder()
    {
        final byte[] first = with(messages.get(1), 19, 0);
        final byte[] last = Arrays.copyOf(with(messages.get(1), 18, 1), SyncSchema.HEADER_LENGTH);
        final SyncedCopy early = new SyncedCopy(SyncRoom.SCHEMA);
        assertEquals(Result.HELD, apply(early, last));
        assertEquals(Result.HELD, apply(early, messages.get(2)));
        assertEquals(Result.HELD, apply(early, first));
        assertEquals(Result.APPLIED, apply(early, messages.get(0)));
        assertEquals(SyncTwin.held(copyAfter(3)), SyncTwin.held(early));
        assertFalse(early.isBehind());

        final SyncedCopy swapped = copyAfter(1);
        assertEquals(Result.HELD, apply(swapped, last));
        assertEquals(Result.APPLIED, apply(swapped, first));
        assertEquals(SyncTwin.held(copyAfter(2)), SyncTwin.held(swapped));

        final SyncedCopy across = new SyncedCopy(SyncRoom.SCHEMA);
        assertEquals(Result.HELD, apply(across, first));
        assertEquals(Result.APPLIED, apply(across, messages.get(0)));
        assertFalse(across.isBehind());
        assertEquals(SyncTwin.held(copyAfter(1)), SyncTwin.held(across));
        assertEquals(Result.HELD, apply(across, messages.get(2)));
        assertEquals(Result.IGNORED, apply(across, fullStates.get(0)), "does not disturb the parts");
        assertEquals(Result.APPLIED, apply(across, last));
        assertEquals(SyncTwin.held(copyAfter(3)), SyncTwin.held(across));
    }

    @Test
    void shouldNeverApplyAFrameWithAMissingPart()
    {
        final byte[] last = Arrays.copyOf(with(messages.get(1), 18, 1), SyncSchema.HEADER_LENGTH);
        final SyncedCopy copy = copyAfter(1);
        assertEquals(Result.HELD, apply(copy, last));
        assertEquals(Result.HELD, apply(copy, messages.get(2)));
        assertEquals(SyncTwin.held(copyAfter(1)), SyncTwin.held(copy));
        assertTrue(copy.isBehind());
        assertEquals(Result.APPLIED, apply(copy, fullStates.get(3)));
        assertEquals(sequence(messages.get(3)), copy.sequence());
        assertFalse(copy.isBehind());
    }

    /** Full states travel on another way than differences. */
    @Test
    void shouldTakeDifferencesBetweenThePartsOfAFullState()
    {
        final byte[] first = with(fullStates.get(3), 19, 0);
        final byte[] last = Arrays.copyOf(with(fullStates.get(3), 18, 1), SyncSchema.HEADER_LENGTH);
        final SyncedCopy fresh = new SyncedCopy(SyncRoom.SCHEMA);
        assertEquals(Result.INCOMPLETE, apply(fresh, first));
        assertEquals(Result.HELD, apply(fresh, messages.get(4)));
        assertEquals(Result.APPLIED, apply(fresh, last));
        assertEquals(sequence(messages.get(4)), fresh.sequence());

        final SyncedCopy copy = copyAfter(2);
        final byte[] firstOfDifference = with(messages.get(2), 19, 0);
        assertEquals(Result.INCOMPLETE, apply(copy, firstOfDifference));
        assertEquals(Result.INCOMPLETE, apply(copy, first));
        assertEquals(Result.APPLIED, apply(copy,
            Arrays.copyOf(with(messages.get(2), 18, 1), SyncSchema.HEADER_LENGTH)));
        assertEquals(SyncTwin.held(copyAfter(3)), SyncTwin.held(copy));
        assertEquals(Result.APPLIED, apply(copy, last));
        assertEquals(sequence(messages.get(3)), copy.sequence());
        assertEquals(Result.IGNORED, apply(copy, last));
    }

    @Test
    void shouldCountSequencesAcrossTheLargest()
    {
        for (final int firstSequence : new int[]{-3, -2, -1, 0, Integer.MAX_VALUE - 1, Integer.MAX_VALUE})
        {
            final SyncedCopy copy = new SyncedCopy(SyncRoom.SCHEMA);
            for (final int i : new int[]{2, 3, 1})
            {
                assertEquals(Result.HELD, apply(copy, withSequence(messages.get(i), firstSequence + i)));
            }
            assertEquals(Result.APPLIED, apply(copy, withSequence(messages.get(0), firstSequence)));
            assertEquals(firstSequence + 3, copy.sequence());
            assertEquals(Result.HELD, apply(copy, withSequence(messages.get(5), firstSequence + 5)));
            assertEquals(Result.IGNORED, apply(copy, withSequence(messages.get(2), firstSequence + 2)));
            assertEquals(Result.IGNORED, apply(copy, withSequence(messages.get(0), firstSequence)));
            assertEquals(Result.APPLIED, apply(copy, withSequence(messages.get(4), firstSequence + 4)));
            assertEquals(SyncTwin.held(copyAfter(6)), SyncTwin.held(copy));
        }
    }

    @Test
    void shouldDropAMalformedMessageWhenItIsApplied()
    {
        final byte[] malformed = Arrays.copyOf(messages.get(2), messages.get(2).length + 1);
        final SyncedCopy copy = new SyncedCopy(SyncRoom.SCHEMA);
        assertEquals(Result.HELD, apply(copy, malformed));
        assertEquals(Result.HELD, apply(copy, messages.get(1)));
        assertEquals(Result.MALFORMED, apply(copy, with(messages.get(1), FINGERPRINT, 1)), "its header is checked");
        assertEquals(1, copy.malformedCount());
        assertEquals(Result.APPLIED, apply(copy, messages.get(0)));
        assertEquals(2, copy.malformedCount());
        assertEquals(SyncTwin.held(copyAfter(2)), SyncTwin.held(copy));
        assertEquals(Result.APPLIED, apply(copy, messages.get(2)));
    }

    @Test
    void shouldResetInACallback()
    {
        final SyncedCopy[] copies = new SyncedCopy[1];
        copies[0] = new SyncedCopy(SyncRoom.SCHEMA, new SyncedCopy.Listener()
        {
            @Override
            public void onFrame()
            {
                if (sequence(messages.get(2)) == copies[0].sequence())
                {
                    copies[0].reset();
                }
            }
        });
        for (int i = 1; i < 6; i++)
        {
            assertEquals(Result.HELD, apply(copies[0], messages.get(i)));
        }
        assertEquals(Result.APPLIED, apply(copies[0], messages.get(0)));
        assertFalse(copies[0].isCurrent());
        assertFalse(copies[0].isBehind());
        assertEquals(SyncTwin.held(copyAfter(3)), SyncTwin.held(copies[0]));
    }

    @Test
    void shouldNotAllocateForHeldMessages()
    {
        final List<UnsafeBuffer> buffers = messages.stream().map(UnsafeBuffer::new).toList();
        final SyncedCopy copy = new SyncedCopy(SyncRoom.SCHEMA);
        final Runnable round = () ->
        {
            for (int i = 0; i < ROUND; i++)
            {
                copy.reset();
                // More than the copy holds, and the last first.
                for (int message = messages.size() - 1; message >= 0; message--)
                {
                    copy.apply(buffers.get(message), 0, buffers.get(message).capacity());
                }
            }
        };
        round.run();
        assertEquals(0, Allocations.least(ROUNDS, round));
        assertEquals(sequence(messages.get(SyncedCopy.MAX_HELD_MESSAGES)), copy.sequence());
    }

    private static int sequence(final byte[] message)
    {
        return new UnsafeBuffer(message).getInt(SEQUENCE, ByteOrder.LITTLE_ENDIAN);
    }

    private static byte[] withSequence(final byte[] message, final int sequence)
    {
        final byte[] bytes = message.clone();
        new UnsafeBuffer(bytes).putInt(SEQUENCE, sequence, ByteOrder.LITTLE_ENDIAN);
        return bytes;
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
