package io.escapement.arena.lobby;

import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import io.escapement.testsupport.Tests;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Random;
import java.util.function.IntPredicate;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The budget with 1,600 players, at ten attempts per second. */
class ChatBudgetTest
{
    private static final int RECEIVERS = 1_600;
    private static final int TEXTS_OF_WINDOW = ChatBudget.MESSAGES_PER_WINDOW / RECEIVERS;
    private static final int STEPS_OF_WINDOW = 20;
    private static final long STEP_NS = ChatBudget.WINDOW_NS / STEPS_OF_WINDOW;
    private static final int STRANGERS = 64;
    private static final int WINDOWS = 50;

    private final ChatBudget budget = new ChatBudget(0);
    private final UnsafeBuffer[] seats = new UnsafeBuffer[STRANGERS + 1];
    private final int[] texts = new int[STRANGERS + 1];

    ChatBudgetTest()
    {
        Arrays.setAll(seats, (i) -> new UnsafeBuffer(new byte[ChatBudget.DATA_LENGTH]));
    }

    @Test
    void shouldLimitWhatEveryoneGets()
    {
        int sent = 0;
        for (int step = 0; step < WINDOWS * STEPS_OF_WINDOW; step++)
        {
            sent += attempts(step, (stranger) -> true);
        }
        assertTrue(sent <= WINDOWS * TEXTS_OF_WINDOW, "sent " + sent);
        assertTrue(sent > (WINDOWS - 4) * STRANGERS / 4, "nor much less than the budget: " + sent);
    }

    /** The strangers send first in each step, whenever they may. */
    @Test
    void shouldGiveAnHonestSenderAnEqualShare()
    {
        for (int step = 0; step < WINDOWS * STEPS_OF_WINDOW; step++)
        {
            attempts(step, (stranger) -> true);
            attempt(step, STRANGERS);
        }
        final int[] sorted = texts.clone();
        Arrays.sort(sorted);
        assertTrue(texts[STRANGERS] >= sorted[0] && texts[STRANGERS] >= WINDOWS / 4 - 1, () -> Arrays.toString(texts));
        assertTrue(sorted[STRANGERS] <= WINDOWS / 4 + 5, () -> Arrays.toString(texts));
    }

    /** Strangers who all come in each second window leave the other windows to others. */
    @Test
    void shouldGiveAnHonestSenderTheTimeBetweenWaves()
    {
        for (int step = 0; step < WINDOWS * STEPS_OF_WINDOW; step++)
        {
            final boolean isWave = 0 == step / STEPS_OF_WINDOW % 2;
            attempts(step, (stranger) -> isWave);
            if (0 == step % 7)
            {
                attempt(step, STRANGERS);
            }
        }
        assertTrue(texts[STRANGERS] >= WINDOWS / 4 - 1, () -> Arrays.toString(texts));
    }

    @Test
    void shouldNotLimitASenderAlone()
    {
        for (int i = 0; i < TEXTS_OF_WINDOW; i++)
        {
            assertTrue(budget.take(seats[0], 0, RECEIVERS));
        }
        assertFalse(budget.take(seats[0], 0, RECEIVERS));
        assertFalse(budget.take(seats[1], 0, 1), "nothing is left");
        assertTrue(budget.take(seats[0], ChatBudget.WINDOW_NS, RECEIVERS));
        assertTrue(budget.take(seats[0], 2 * ChatBudget.WINDOW_NS, 2 * ChatBudget.MESSAGES_PER_WINDOW),
            "one text in any window");
        assertFalse(budget.take(seats[1], 2 * ChatBudget.WINDOW_NS, 1));
    }

    @Test
    void shouldContinueAfterARestore()
    {
        final long seed = Tests.seed();
        final Random random = new Random(seed);
        final UnsafeBuffer[] copies = new UnsafeBuffer[seats.length];
        Arrays.setAll(copies, (i) -> new UnsafeBuffer(new byte[ChatBudget.DATA_LENGTH]));
        ChatBudget restored = new ChatBudget(0);
        long nowNs = 0;
        for (int step = 0; step < 20_000; step++)
        {
            final int seat = random.nextInt(seats.length);
            nowNs += random.nextInt((int)STEP_NS);
            if (0 == random.nextInt(10))
            {
                restored = copy(restored);
            }
            assertEquals(budget.take(seats[seat], nowNs, RECEIVERS), restored.take(copies[seat], nowNs, RECEIVERS),
                "seed " + seed + ", step " + step);
        }
    }

    private static ChatBudget copy(final ChatBudget from)
    {
        final ArrayDeque<Long> saved = new ArrayDeque<>();
        from.write(new StateWriter()
        {
            @Override
            public void putLong(final long value)
            {
                saved.add(value);
            }

            @Override
            public void putBytes(final DirectBuffer buffer, final int offset, final int length)
            {
                throw new UnsupportedOperationException("numbers only");
            }
        });
        final ChatBudget copy = new ChatBudget(0);
        copy.read(new StateReader()
        {
            @Override
            public long getLong()
            {
                return saved.remove();
            }

            @Override
            public int getBytes(final MutableDirectBuffer destination, final int offset)
            {
                throw new UnsupportedOperationException("numbers only");
            }

            @Override
            public void getBytes(final MutableDirectBuffer destination, final int offset, final int length)
            {
                throw new UnsupportedOperationException("numbers only");
            }
        });
        return copy;
    }

    private int attempts(final int step, final IntPredicate isTrying)
    {
        int sent = 0;
        for (int stranger = 0; stranger < STRANGERS; stranger++)
        {
            sent += isTrying.test(stranger) && attempt(step, stranger) ? 1 : 0;
        }
        return sent;
    }

    private boolean attempt(final int step, final int sender)
    {
        final boolean isSent = budget.take(seats[sender], step * STEP_NS, RECEIVERS);
        texts[sender] += isSent ? 1 : 0;
        return isSent;
    }
}
