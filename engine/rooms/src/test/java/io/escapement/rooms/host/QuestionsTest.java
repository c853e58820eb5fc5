package io.escapement.rooms.host;

import io.escapement.codecs.room.RefusalCode;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.log.LogFile;
import io.escapement.rooms.output.ByteSink;
import io.escapement.rooms.replay.Replay;
import io.escapement.rooms.replay.RoomCut;
import io.escapement.testsupport.Tests;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static io.escapement.rooms.host.Sender.own;
import static io.escapement.rooms.host.Sender.roomId;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Questions between rooms, and of the program: each has one answer, whatever becomes of the room that is asked. */
class QuestionsTest
{
    private static final int UNKNOWN_ROOM = RefusalCode.UNKNOWN_ROOM.value();
    private static final int QUEUE_FULL = RefusalCode.QUEUE_FULL.value();
    private static final int TIMED_OUT = RefusalCode.TIMED_OUT.value();
    private static final int ROOM_CLOSED = RefusalCode.ROOM_CLOSED.value();
    private static final int ROOM_FAILED = RefusalCode.ROOM_FAILED.value();
    private static final int UNKNOWN_MESSAGE = RefusalCode.UNKNOWN_MESSAGE.value();

    private final List<String> events = new ArrayList<>();
    private final HostRig rig = Asker.rig(events);

    private void openTwo()
    {
        rig.turn(() ->
        {
            rig.open(own(1), Asker.TYPE);
            rig.open(own(2), Asker.TYPE);
        });
    }

    private List<String> answerTo(final long question)
    {
        rig.turn(() -> Asker.ask(rig, own(1), own(2), question));
        rig.settle();
        return HostRig.take(events);
    }

    @Test
    void shouldAnswerAtOnceWithACodeAndOnlyOnce()
    {
        openTwo();
        assertEquals(List.of("1: 1 got 0 answer 1"), answerTo(Asker.NOW));
        assertEquals(List.of("1: 2 got " + Asker.STATUS), answerTo(Asker.CODE));
        assertEquals(List.of("again false", "1: 3 got 0 answer 3"), answerTo(Asker.TWICE));
        rig.assertReplays();
    }

    @Test
    void shouldAskItself()
    {
        openTwo();
        rig.turn(() -> Asker.ask(rig, own(1), own(1), Asker.NOW));
        rig.settle();
        assertEquals(List.of("1: 1 got 0 answer 1"), HostRig.take(events));
    }

    @Test
    void shouldAnswerLaterAlsoAfterARestore()
    {
        openTwo();
        assertEquals(List.of(), answerTo(Asker.LATER));
        rig.restore();
        rig.turn(() -> rig.signal(own(2), Asker.ANSWER, 1, 0, 0));
        rig.restore();
        rig.settle();
        assertEquals(List.of("1: 1 got 0 answer 1"), HostRig.take(events));
        rig.turn(() -> rig.signal(own(2), Asker.ANSWER, 1, 0, 0));
        rig.settle();
        assertEquals(List.of(), HostRig.take(events));
    }

    @Test
    void shouldRefuseWhatNoRoomCanAnswer()
    {
        openTwo();
        rig.turn(() ->
        {
            rig.open(own(3), Asker.MUTE_TYPE);
            Asker.ask(rig, own(1), own(9), Asker.NOW);
            Asker.ask(rig, own(1), own(3), Asker.NOW);
            Asker.ask(rig, own(1), roomId(7, 1), Asker.NOW);
        });
        rig.settle();
        assertEquals(Set.of("1: 1 got " + UNKNOWN_ROOM, "1: 2 got " + UNKNOWN_MESSAGE, "1: 3 got " + UNKNOWN_ROOM),
            new HashSet<>(HostRig.take(events)));
        rig.assertReplays();
    }

    @Test
    void shouldRefuseOneQuestionOverTheLimitAndTakeTheNextAfterAnAnswer()
    {
        openTwo();
        rig.turn(() ->
        {
            for (int i = 0; i <= Asker.LIMIT; i++)
            {
                Asker.ask(rig, own(1), own(2), Asker.LATER);
            }
        });
        rig.settle();
        assertEquals(List.of("1: 4 got " + QUEUE_FULL), HostRig.take(events));
        rig.turn(() -> rig.signal(own(2), Asker.ANSWER, 2, 0, 0));
        rig.turn(() -> Asker.ask(rig, own(1), own(2), Asker.LATER));
        rig.settle();
        assertEquals(List.of("1: 2 got 0 answer 2"), HostRig.take(events));
        rig.turn(() -> rig.signal(own(2), Asker.ANSWER_ALL, 0, 0, 0));
        rig.settle();
        assertEquals(
            Set.of("1: 1 got 0 answer 1", "1: 3 got 0 answer 3", "1: 5 got 0 answer 4"),
            new HashSet<>(HostRig.take(events)));
        rig.assertReplays();
    }

    @Test
    void shouldTimeOutNeitherEarlyNorMuchTooLateAndAlsoAfterARestore()
    {
        openTwo();
        rig.turn(() -> rig.signal(own(1), Asker.ASK, own(2), Asker.LATER, Asker.TIMEOUT_NS));
        rig.settle();
        rig.nowNs = 10_000_000;
        rig.turn(() -> rig.signal(own(1), Asker.ASK, own(2), Asker.LATER, 10_000_000));
        rig.settle();
        rig.restore();
        rig.nowNs = 19_999_999;
        rig.settle();
        assertEquals(List.of(), HostRig.take(events));
        rig.nowNs = 23_000_000;
        rig.settle();
        assertEquals(List.of("1: 2 got " + TIMED_OUT), HostRig.take(events));
        rig.nowNs = Asker.TIMEOUT_NS - 1;
        rig.settle();
        assertEquals(List.of(), HostRig.take(events));
        rig.nowNs = Asker.TIMEOUT_NS + 3_000_000;
        rig.settle();
        assertEquals(List.of("1: 1 got " + TIMED_OUT), HostRig.take(events));
        assertEquals(0, rig.host.pendingTimers());
    }

    @Test
    void shouldRefuseTheOpenQuestionsOfARoomThatCloses()
    {
        openTwo();
        assertEquals(List.of(), answerTo(Asker.LATER));
        assertEquals(List.of("2 closed", "1: 1 got " + ROOM_CLOSED, "1: 2 got " + ROOM_CLOSED),
            answerTo(Asker.CLOSE_UNANSWERED));
        assertEquals(0, rig.host.pendingTimers());
        rig.assertReplays();
    }

    @Test
    void shouldRefuseTheQuestionThatItsCallbackThrewAtAndKeepTheOthers()
    {
        openTwo();
        assertEquals(List.of(), answerTo(Asker.LATER));
        assertEquals(List.of("1: 2 got " + ROOM_FAILED), answerTo(Asker.THROW));
        rig.turn(() -> rig.signal(own(2), Asker.ANSWER, 1, 0, 0));
        rig.settle();
        assertEquals(List.of("1: 1 got 0 answer 1"), HostRig.take(events));
        rig.assertReplays();
    }

    @Test
    void shouldRefuseTheQuestionsOfARoomThatFails()
    {
        openTwo();
        assertEquals(List.of(), answerTo(Asker.LATER));
        rig.turn(() -> rig.signal(own(2), Asker.FAIL, 0, 0, 0));
        rig.settle();
        assertEquals(List.of("1: 1 got " + ROOM_FAILED), HostRig.take(events));
        rig.assertReplays();
    }

    /** A replay does not run the callback, so its answers do not count: three, not in the order of asking. */
    @Test
    void shouldTakeBackTheAnswersOfACallbackThatOverflowsTheStack()
    {
        openTwo();
        assertEquals(List.of(), answerTo(Asker.LATER));
        assertEquals(List.of(), answerTo(Asker.LATER));
        assertEquals(List.of("1: 1 got " + ROOM_FAILED, "1: 2 got " + ROOM_FAILED, "1: 3 got " + ROOM_FAILED),
            answerTo(Asker.OVERFLOW));
        rig.assertReplays();
    }

    @Test
    void shouldAnswerTheProgram()
    {
        openTwo();
        rig.turn(() ->
        {
            assertEquals(0, rig.ask(own(2), 70, Asker.NOW, Asker.TIMEOUT_NS));
            assertEquals(0, rig.ask(own(2), 71, Asker.LATER, Asker.TIMEOUT_NS));
            assertEquals(UNKNOWN_ROOM, rig.ask(own(9), 72, Asker.NOW, Asker.TIMEOUT_NS));
            assertEquals(RefusalCode.BAD_VALUE.value(), rig.ask(own(2), 73, Asker.NOW, 0));
        });
        assertEquals(List.of("program 70: 0 of 2", "program 72: refused " + UNKNOWN_ROOM,
            "program 73: " + RefusalCode.BAD_VALUE.value() + " of 2"), toApplication());
        assertEquals(0, rig.host.loopState().returns());
        rig.nowNs += 2 * Asker.TIMEOUT_NS;
        rig.settle();
        assertEquals(List.of("program 71: " + TIMED_OUT + " of 2"), toApplication());
        rig.assertReplays();
    }

    /** The cut of each room replays alone, with its own output and state, its answers included. */
    @Test
    void shouldCutBothRooms()
    {
        openTwo();
        answerTo(Asker.NOW);
        answerTo(Asker.LATER);
        answerTo(Asker.CODE);
        rig.nowNs += 2 * Asker.TIMEOUT_NS;
        rig.settle();
        rig.finish();
        for (long room = 1; room <= 2; room++)
        {
            final ByteSink out = new ByteSink();
            final RoomCut cut = new RoomCut(rig.log(), own(room), rig::context, out).run();
            assertTrue(cut.isSame(), cut.difference());
            assertEquals(rig.host.stateHash(own(room)), cut.stateHash());
            final LogFile alone = LogFile.open(out.buffer(), 0, out.length());
            final Replay replay = new Replay(alone, rig.context()).run();
            assertTrue(replay.isSame(), replay.difference());
        }
    }

    @Test
    void shouldRefuseWrongArguments()
    {
        final AtomicReference<String> thrown = new AtomicReference<>();
        final Quiet asking = new Quiet();
        final HostRig host = new HostRig(RoomType.of(1, "asking", 1, () -> asking));
        final UnsafeBuffer bytes = new UnsafeBuffer(new byte[8]);
        host.turn(1, () -> host.open(1, 1));
        asking.onSignal = () ->
        {
            thrown.set(assertThrows(IllegalArgumentException.class, () -> asking.room.ask(2, 0, bytes, 0, 8))
                .getMessage());
            assertThrows(IllegalArgumentException.class, () -> asking.room.ask(2, 1, bytes, 0, 1_921));
            assertThrows(IllegalArgumentException.class, () -> asking.room.answer(1, 77, bytes, 0, 0));
            assertEquals(false, asking.room.answer(1, 0, bytes, 0, 0));
        };
        host.turn(2, () -> host.command(host.encoder.signal(host.buffer, 0, 1, 0, 0, host.payload, 0, 0)));
        assertEquals(List.of(), host.failures);
        assertEquals("timeoutNs must be above 0: 0", thrown.get());
    }

    /** The hash of a type without questions does not cover the option. */
    @Test
    void shouldCountTheOptionOnlyIfItIsUsed()
    {
        final long without = RoomType.of(1, "x", 1, Quiet::new).settingsHash();
        assertEquals(without, RoomType.of(1, "x", 1, Quiet::new).questions(0).settingsHash());
        assertNotEquals(without, RoomType.of(1, "x", 1, Quiet::new).questions(3).settingsHash());
        assertNotEquals(
            RoomType.of(1, "x", 1, Quiet::new).seatData(3).settingsHash(),
            RoomType.of(1, "x", 1, Quiet::new).questions(3).settingsHash());
    }

    /** Rooms ask each other at random; each question has exactly one answer, and restored hosts go on alike. */
    @Test
    void shouldAnswerEachQuestionOnceInRandomRuns()
    {
        for (int run = 0; run < 8; run++)
        {
            final long seed = Tests.seed() + run;
            try
            {
                runAtRandom(new SplittableRandom(seed));
            }
            catch (final AssertionError e)
            {
                throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
            }
        }
    }

    private static void runAtRandom(final SplittableRandom random)
    {
        final List<String> events = new ArrayList<>();
        final HostRig rig = Asker.rig(events);
        final Map<Long, Long> asked = new HashMap<>();
        rig.turn(() ->
        {
            for (int i = 1; i <= 4; i++)
            {
                rig.open(own(i), Asker.TYPE);
            }
        });
        final long[] questions = {Asker.NOW, Asker.CODE, Asker.LATER, Asker.LATER, Asker.LATER, Asker.THROW};
        final List<String> all = new ArrayList<>();
        for (int step = 0; step < 400; step++)
        {
            rig.nowNs += random.nextLong(4_000_000);
            rig.turn(() ->
            {
                final long from = 1 + random.nextInt(4);
                if (random.nextInt(3) != 0)
                {
                    asked.merge(from, 1L, Long::sum);
                    rig.signal(own(from), Asker.ASK, own(1 + random.nextInt(5)),
                        questions[random.nextInt(questions.length)], 1 + random.nextLong(60_000_000));
                }
                if (random.nextInt(4) == 0)
                {
                    rig.signal(own(from), random.nextBoolean() ? Asker.ANSWER_ALL : Asker.ANSWER,
                        1 + random.nextInt(100), 0, 0);
                }
            });
            if (random.nextInt(10) == 0)
            {
                rig.restore();
            }
        }
        for (int i = 0; i < 30; i++)
        {
            rig.nowNs += 10_000_000;
            rig.settle();
        }
        all.addAll(HostRig.take(events));
        assertEquals(0, rig.host.pendingTimers());
        for (final Map.Entry<Long, Long> room : asked.entrySet())
        {
            for (long id = 1; id <= room.getValue(); id++)
            {
                final String begin = room.getKey() + ": " + id + " got ";
                assertEquals(1, all.stream().filter((event) -> event.startsWith(begin)).count(), begin);
            }
        }
        assertEquals(asked.values().stream().mapToLong(Long::longValue).sum(), all.size());
    }

    /** Answers to the program, while no room got one. */
    private List<String> toApplication()
    {
        assertEquals(List.of(), events);
        return rig.outputs.take(RecordedOutputs.Kind.PROGRAM, RecordedOutputs::toApplication);
    }
}
