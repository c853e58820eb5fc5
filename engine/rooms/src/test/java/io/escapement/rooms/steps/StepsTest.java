package io.escapement.rooms.steps;

import io.escapement.codecs.room.RefusalCode;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.agrona.DirectBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import static io.escapement.rooms.steps.StoryRoom.FIRST_FREE;
import static io.escapement.rooms.steps.StoryRoom.SET_FLAG;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class StepsTest
{
    private static final long DELAY_NS = 3 * StoryRoom.FRAME_NS - 1_000_000;
    private static final int FRAMES = 3;

    /** Each kind of wait, with the event that ends it. */
    private static final Map<String, Wait> WAITS = new LinkedHashMap<>();

    static
    {
        WAITS.put("frames", new Wait((s) -> s.frames(FRAMES), (told) -> told.frames(FRAMES)));
        WAITS.put("next frame", new Wait(StepsBuilder::nextFrame, Story::frame));
        WAITS.put("every frame", new Wait(
            (s) -> s.everyFrameWhile((room) -> 7 != room.flag), (told) -> told.frame().message(SET_FLAG, 7).frame()));
        WAITS.put("time", new Wait((s) -> s.after(DELAY_NS), (told) -> told.frames(3)));
        WAITS.put("message", new Wait((s) -> s.untilMessage(FIRST_FREE), (told) -> told.message(FIRST_FREE, 1)));
        WAITS.put("signal", new Wait(
            (s) -> s.untilSignal((room, tag, from, buffer, offset, length) -> 9 == from),
            (told) -> told.signal(8, 0).signal(9, 0)));
        WAITS.put("reply", new Wait(
            (s) -> s.untilReply((room, tag) -> room.ask(), StepsTest::sayReply), (told) -> told.reply(4)));
        WAITS.put("until", new Wait((s) -> s.until((room) -> 7 == room.flag), (told) -> told.message(SET_FLAG, 7)));
        WAITS.put("any", new Wait(
            (s) -> s.any(
                (a) -> a.after(100 * StoryRoom.FRAME_NS).run(sayer("late")),
                (a) -> a.frames(50).run(sayer("frames")),
                (a) -> a.untilReply((room, tag) -> room.ask(), StepsTest::sayReply),
                (a) -> a.untilMessage(FIRST_FREE).run(sayer("in time"))),
            (told) -> told.message(FIRST_FREE, 1)));
    }

    @Test
    void shouldGoOnAfterEachKindOfWait()
    {
        WAITS.forEach((name, wait) ->
        {
            final Story told = new Story(program(wait)).start(0);
            assertEquals(List.of("begin 1", "started waits"), told.said(), name);
            told.message(99, 0).signal(1, 0);
            assertEquals(List.of(), told.said(), name);
            wait.end.accept(told);
            final List<String> said = told.said();
            assertEquals(1, said.stream().filter("end 1"::equals).count(), () -> name + ": " + said);
            assertEquals(0, told.timers(), name);
            told.rig.assertReplays();
        });
    }

    @Test
    void shouldGoOnFromASnapshotInEachKindOfWait()
    {
        WAITS.forEach((name, wait) ->
        {
            final Story straight = new Story(program(wait)).start(0);
            final Story restored = new Story(program(wait)).start(0).restart();
            wait.end.accept(straight);
            wait.end.accept(restored);
            straight.frames(5);
            restored.frames(5);
            assertEquals(straight.said(), restored.said(), name);
            assertEquals(straight.rig.host.stateHash(), restored.rig.host.stateHash(), name);
        });
    }

    @Test
    void shouldCancelInEachKindOfWait()
    {
        WAITS.forEach((name, wait) ->
        {
            final Story told = new Story(program(wait)).start(0);
            told.said();
            final long waiting = told.rig.host.stateHash();
            assertEquals(List.of("cleanup 1", "cancelled 1"), told.message(StoryRoom.CANCEL_ALL, 0).said(), name);
            assertEquals(0, told.timers(), name);
            assertNotEquals(waiting, told.rig.host.stateHash(), name);
            wait.end.accept(told);
            assertEquals(List.of(), told.frames(5).said(), name);
            told.rig.assertReplays();
        });
    }

    @Test
    void shouldFailTheRoomByAThrowAfterEachKindOfWait()
    {
        WAITS.forEach((name, wait) ->
        {
            final Steps<StoryRoom> throwing = wait.begin(Steps.<StoryRoom>named("throwing", 1))
                .run((room) ->
                {
                    throw new IllegalStateException("after " + name);
                })
                .onCancel(sayer("cleanup")).build();
            final Story told = new Story(throwing).start(0);
            wait.end.accept(told);
            assertEquals(0, told.rig.host.openRooms(), name);
            assertEquals("after " + name, told.rig.failures.get(0).getMessage());
            assertFalse(told.said().contains("cleanup"), name);
            told.rig.assertReplays();
        });
    }

    /** A throw of a test, a delay, a request or a handler: of the code that a wait calls, at its begin or its end. */
    @Test
    void shouldGoOnWithTheRoomAfterAThrowWithinEachKindOfWait()
    {
        final Map<String, Wait> throwing = new LinkedHashMap<>();
        throwing.put("every frame", new Wait((s) -> s.everyFrameWhile(StepsTest::fail), Story::frame));
        throwing.put("delay", new Wait((s) -> s.nextFrame().after((room, tag) -> fail(room) ? 1 : 2), Story::frame));
        throwing.put("message", new Wait(
            (s) -> s.untilMessage((room, tag, from, buffer, offset, length) ->
                1 == StoryRoom.argument(buffer, offset) && fail(room)),
            (told) -> told.message(FIRST_FREE, 1)));
        throwing.put("signal", new Wait(
            (s) -> s.untilSignal((room, tag, from, buffer, offset, length) -> fail(room)),
            (told) -> told.signal(9, 0)));
        throwing.put("request", new Wait((s) -> s.nextFrame().untilReply(
            (room, tag) -> fail(room) ? 1 : 2, StepsTest::sayReply), Story::frame));
        throwing.put("reply", new Wait((s) -> s.untilReply(
            (room, tag) -> room.ask(), (room, tag, status, buffer, offset, length) -> fail(room)),
            (told) -> told.reply(4)));
        throwing.put("until", new Wait(
            (s) -> s.until((room) -> 9 == room.seen && fail(room)),
            (told) -> told.message(StoryRoom.SEE, 9)));
        throwing.put("until, at once", new Wait(
            (s) -> s.nextFrame().until((room) -> fail(room)), Story::frame));
        throwing.put("any", new Wait((s) -> s.any(
            (a) -> a.after(100 * StoryRoom.FRAME_NS), (a) -> a.frames(50),
            (a) -> a.untilSignal((room, tag, from, buffer, offset, length) -> fail(room))),
            (told) -> told.signal(9, 0)));
        throwing.put("any, at once", new Wait((s) -> s.nextFrame().any(
            (a) -> a.after(100 * StoryRoom.FRAME_NS), (a) -> a.until((room) -> fail(room))), Story::frame));
        throwing.forEach((name, wait) ->
        {
            final Steps<StoryRoom> program =
                wait.begin(Steps.<StoryRoom>named("throwing", 1)).run(sayer("end")).build();
            final Story told = new Story(List.of(program, program(WAITS.get("frames"))))
                .message(SET_FLAG, StoryRoom.GO_ON).start(0).start(1);
            assertEquals(List.of("started waits", "begin 2", "started waits"), told.said(), name);
            wait.end.accept(told);
            assertEquals(List.of("planted"), told.rig.events.errors.stream().map(Throwable::getMessage).toList(), name);
            assertEquals(1, told.rig.host.openRooms(), name);
            assertEquals(0, told.timers(), name + ": the program has ended");
            // The other program goes on. In the frame of the throw it had no frame, so it counts that with the next.
            told.message(StoryRoom.SEE, 0).signal(9, 0).message(FIRST_FREE, 1).frames(FRAMES);
            assertEquals(1, told.rig.events.faults.size(), name);
            assertTrue(told.said().contains("end 2"), name);
            told.rig.assertReplays();
            // The replay has said all of it again.
            told.restart().frame().said();
            assertEquals(List.of("started waits"), told.start(0).said(), name);
        });
    }

    private static boolean fail(final StoryRoom room)
    {
        throw new IllegalStateException("planted");
    }

    @Test
    void shouldGoOnWithOtherProgramsWhenTheLogicCatchesAThrow()
    {
        final boolean[] isCaught = new boolean[1];
        final Steps<StoryRoom> inner = Steps.<StoryRoom>named("inner", 1).run((room) ->
        {
            throw new IllegalStateException("on purpose");
        }).build();
        final Steps<StoryRoom> throwing = Steps.<StoryRoom>named("throwing", 1).nextFrame().run((room) ->
        {
            assertThrows(IllegalStateException.class, () -> room.steps.start(inner, 1));
            assertEquals(2, room.steps.running());
            isCaught[0] = true;
        }).build();
        final Story told = new Story(List.of(throwing, program(WAITS.get("frames")), inner)).start(0).start(1);
        told.frames(4);
        assertTrue(isCaught[0]);
        assertTrue(told.said().contains("end 2"));
    }

    @Test
    void shouldEndAProgramWhoseTestThrows()
    {
        final Steps<StoryRoom> throwing = Steps.<StoryRoom>named("throwing", 1)
            .untilMessage((room, tag, from, buffer, offset, length) ->
            {
                throw new IllegalStateException("on purpose");
            }).onCancel(sayer("cleanup")).build();
        final Story told = new Story(List.of(throwing, program(WAITS.get("message")))).start(1);
        told.said();
        assertEquals(List.of("started waits", "caught on purpose, 1 left"), told.message(StoryRoom.CATCH, 0).said());
        assertEquals(List.of("end 1", "taken"), told.message(FIRST_FREE, 0).said());
    }

    @Test
    void shouldRunInTheOrderOfTheirStartWithinTheCallback()
    {
        final Steps<StoryRoom> frame = Steps.<StoryRoom>named("frame", 1).nextFrame().run(StepsTest::sayTag)
            .nextFrame().run(StepsTest::sayTag).build();
        final Steps<StoryRoom> starter = Steps.<StoryRoom>named("starter", 1).nextFrame()
            .run((room) -> room.start(0)).build();
        final Story told = new Story(List.of(frame, starter)).start(0).start(1).start(0);
        told.said();
        // The program that the second one starts waits for the frame after this one.
        assertEquals(List.of("step 1", "started waits", "step 3"), told.frame().said());
        assertEquals(List.of("step 1", "step 3", "step 4"), told.frame().said());
        assertEquals(List.of("step 4"), told.frame().said());
        told.rig.assertReplays();
    }

    @Test
    void shouldNotDeliverAnEventToAProgramThatItStarted()
    {
        final Steps<StoryRoom> listener = Steps.<StoryRoom>named("listener", 1)
            .untilMessage(FIRST_FREE).run(StepsTest::sayTag).build();
        final Steps<StoryRoom> starter = Steps.<StoryRoom>named("starter", 1)
            .untilMessage(FIRST_FREE).run((room) -> room.start(0)).build();
        final Story told = new Story(List.of(listener, starter)).start(1);
        told.said();
        assertEquals(List.of("started waits", "taken"), told.message(FIRST_FREE, 0).said());
        assertEquals(List.of("step 2", "taken"), told.message(FIRST_FREE, 0).said());
    }

    @Test
    void shouldDeliverAnEventToAllWhenAStepReplacesAProgram()
    {
        final Steps<StoryRoom> listener = Steps.<StoryRoom>named("listener", 1)
            .untilMessage(FIRST_FREE).run(StepsTest::sayTag).onCancel(sayer("cancelled")).build();
        final Steps<StoryRoom> replacer = Steps.<StoryRoom>named("replacer", 1)
            .untilMessage(FIRST_FREE).run((room) ->
            {
                room.steps.cancelAll(listener, 2);
                room.start(0);
            }).build();
        // The one that is started takes the slot of the cancelled one, which would have been next.
        final Story told = new Story(List.of(listener, replacer)).start(1).start(0).start(0);
        told.said();
        assertEquals(List.of("cancelled", "started waits", "step 3", "taken"), told.message(FIRST_FREE, 0).said());
        assertEquals(List.of("step 4", "taken"), told.message(FIRST_FREE, 0).said());
    }

    @Test
    void shouldWaitForTheFrameAfterTheOneInWhichItWasStarted()
    {
        final Steps<StoryRoom> story = Steps.<StoryRoom>named("story", 1)
            .everyFrameWhile((room, tag) ->
            {
                room.say("frame");
                return false;
            }).build();
        final Story told = new Story(story).message(SET_FLAG, StoryRoom.START_IN_FRAME).frame();
        assertEquals(List.of("started waits"), told.said());
        assertEquals(List.of("frame"), told.frame().said());
    }

    @Test
    void shouldRepeatBranchCallAndEnd()
    {
        final Steps<StoryRoom> nested = Steps.<StoryRoom>named("nested", 1)
            .run(sayer("nested"))
            .when((room) -> 2 == room.flag, (s) -> s.end())
            .run(sayer("more")).build();
        final Steps<StoryRoom> story = Steps.<StoryRoom>named("story", 1)
            .repeat(2, (s) -> s.run(sayer("outer")).repeat(3, (t) -> t.run(sayer("inner")).nextFrame()))
            .when((room) -> room.flag > 0, (s) -> s.run(sayer("then")), (s) -> s.run(sayer("otherwise")))
            .call(nested)
            .repeatWhile((room) -> room.flag < 4, (s) -> s.nextFrame().run((room) -> room.flag++))
            .repeat(0, (s) -> s.run(sayer("never")))
            .run((room) -> room.say("flag " + room.flag))
            .end()
            .run(sayer("unreachable")).build();

        for (int flag = 0; flag <= 2; flag += 2)
        {
            final Story told = new Story(story).message(SET_FLAG, flag).start(0).frames(20);
            final List<String> said = told.said();
            assertEquals(List.of("outer", "inner", "started waits", "inner", "inner", "outer", "inner", "inner",
                "inner", 0 == flag ? "otherwise" : "then", "nested"), said.subList(0, 11));
            assertEquals(0 == flag ? List.of("more", "flag 4") : List.of("flag 4"), said.subList(11, said.size()));
            told.rig.assertReplays();
        }
    }

    @Test
    void shouldCallCleanupsFromTheInsideOut()
    {
        final Steps<StoryRoom> nested = Steps.<StoryRoom>named("nested", 1)
            .nextFrame().onCancel(sayer("nested")).build();
        final Steps<StoryRoom> story = Steps.<StoryRoom>named("story", 1)
            .repeat(2, (s) -> s.call(nested).onCancel(sayer("block")))
            .nextFrame()
            .onCancel(sayer("program")).build();
        assertEquals(List.of("nested", "block", "program", "cancelled 1"),
            afterStart(story, 1).message(StoryRoom.CANCEL_ALL, 0).said());
        assertEquals(List.of("program", "cancelled 1"),
            afterStart(story, 2).message(StoryRoom.CANCEL_ALL, 0).said());
    }

    @Test
    void shouldLetAStepCancelItsOwnProgram()
    {
        final Steps<StoryRoom> story = Steps.<StoryRoom>named("story", 1)
            .nextFrame().run((room) -> room.say("cancelled " + room.steps.cancelAll())).run(sayer("unreachable"))
            .onCancel(sayer("cleanup")).build();
        assertEquals(List.of("cleanup", "cancelled 1"), afterStart(story, 0).frames(3).said());
    }

    @Test
    void shouldCancelTheProgramsOfATag()
    {
        final Steps<StoryRoom> waiting = Steps.<StoryRoom>named("waiting", 1)
            .frames(9).onCancel(StepsTest::sayTag).build();
        final Steps<StoryRoom> other = Steps.<StoryRoom>named("other", 1).frames(9).onCancel(StepsTest::sayTag).build();
        final Steps<StoryRoom> canceller = Steps.<StoryRoom>named("canceller", 1).run((room) ->
        {
            room.steps.start(waiting, 2);
            room.say("cancelled " + room.steps.cancelAll(waiting, 2));
            room.say(room.steps.running() + " left");
        }).build();
        final Story told = new Story(List.of(waiting, other, canceller)).start(0).start(0).start(1);
        told.said();
        assertEquals(List.of("step 2", "step 2", "cancelled 2", "3 left", "started ended"), told.start(2).said());
    }

    @Test
    void shouldStartNoMoreThanTheLimit()
    {
        final Story told = new Story(program(WAITS.get("message")));
        for (int i = 0; i < StoryRoom.LIMIT; i++)
        {
            told.start(0);
        }
        told.said();
        assertEquals(List.of("full"), told.start(0).said());
        told.message(FIRST_FREE, 0).said();
        assertEquals(List.of("begin " + (StoryRoom.LIMIT + 2), "started waits"), told.start(0).said());
    }

    @Test
    void shouldReadMessagesInTheOrderOfThePrograms()
    {
        final Steps<StoryRoom> reader = Steps.<StoryRoom>named("reader", 1)
            .untilMessage((room, tag, from, buffer, offset, length) ->
            {
                room.seen = StoryRoom.argument(buffer, offset);
                return room.seen == tag && 0 == from.index() && StoryRoom.MESSAGE_LENGTH == length;
            })
            .untilMessage(FIRST_FREE + 1, (room) -> 5 == room.seen)
            .run(StepsTest::sayTag).build();
        final Story told = new Story(reader).start(0).start(0);
        told.said();
        assertEquals(List.of("taken"), told.message(FIRST_FREE, 2).said());
        assertEquals(List.of(), told.message(FIRST_FREE + 1, 0).said());
        assertEquals(List.of(), told.message(FIRST_FREE, 5).said());
        assertEquals(List.of("step 2", "taken"), told.message(FIRST_FREE + 1, 5).said());
    }

    @Test
    void shouldAnswerARequestThatWasNotMade()
    {
        final Steps<StoryRoom> story = Steps.<StoryRoom>named("story", 1)
            .untilReply((room, tag) -> 0, StepsTest::sayReply).run(sayer("end")).build();
        assertEquals(
            List.of("reply " + RefusalCode.REQUEST_LIMIT.value() + " 0", "end", "started ended"),
            new Story(story).start(0).said());
    }

    @Test
    void shouldFailARoomWithoutATimerForAWait()
    {
        final Steps<StoryRoom> story = Steps.<StoryRoom>named("story", 1).run((room) ->
        {
            for (int i = 0; i < StoryRoom.TIMERS; i++)
            {
                room.room.after(1, 1, 1);
            }
        }).after(1).build();
        final Story told = new Story(story).start(0);
        assertEquals(0, told.rig.host.openRooms());
        assertTrue(told.rig.failures.get(0).getMessage().contains("no timer left for story version 1"));
    }

    @Test
    void shouldLeaveOtherTimersToTheLogic()
    {
        final Steps<StoryRoom> story = Steps.<StoryRoom>named("story", 1)
            .run((room) -> room.room.after(1, 3, 0)).after(1).build();
        assertEquals(List.of("timer 3"), afterStart(story, 0).frame().said());
    }

    @Test
    void shouldRefuseASnapshotOfAnotherForm()
    {
        final byte[] snapshot = new Story(program(WAITS.get("time"))).start(0).rig.snapshot().toArray();
        final Steps<StoryRoom> newer = WAITS.get("time")
            .begin(Steps.<StoryRoom>named("story", 2).run(StepsTest::sayTag)).run(StepsTest::sayTag).build();
        final Steps<StoryRoom> longer = Steps.<StoryRoom>named("story", 1)
            .run(sayer("more")).run(StepsTest::sayTag).after(DELAY_NS).build();
        for (final Steps<StoryRoom> other : List.of(newer, longer))
        {
            final Throwable cause = assertThrows(
                RuntimeException.class, () -> new Story(other).rig.restore(snapshot));
            assertTrue(rootOf(cause).getMessage().contains("none of [story version " + other.version() + "]"),
                rootOf(cause).getMessage());
        }
        new Story(program(WAITS.get("time"))).rig.restore(snapshot);
    }

    @Test
    void shouldRefuseProgramsThatCannotRun()
    {
        final StepsBuilder<StoryRoom> builder = Steps.named("wrong", 1);
        assertRefused("1 to 4096 instructions, not 0", builder::build);
        assertRefused("must have a wait", () -> builder.repeatWhile((room) -> true, (s) -> s.run(sayer("x"))));
        assertRefused("must have a wait", () -> builder.repeatWhile((room) -> true,
            (s) -> s.when((room) -> true, (t) -> t.nextFrame())));
        assertRefused("must have a wait", () -> builder.repeatWhile((room) -> true,
            (s) -> s.any((a) -> a.nextFrame(), (a) -> a.when((room) -> true, (t) -> t.nextFrame()))));
        assertRefused("must have a wait", () -> builder.repeatWhile((room) -> true,
            (s) -> s.call(Steps.<StoryRoom>named("ends", 1).when((room) -> true, (t) -> t.end()).nextFrame().build())));
        assertRefused("must have a wait", () -> builder.any((a) -> a.nextFrame(), (a) -> a.run(sayer("x"))));
        assertRefused("2 to 8 alternatives, not 1", () -> builder.any((a) -> a.after(1)));
        assertRefused("a number of frames must be 1 or more: 0", () -> builder.frames(0));
        assertRefused("a delay must be 0 or more: -1", () -> builder.after(-1));
        assertRefused("a template id", () -> builder.untilMessage(65_536));
        assertRefused("a number of repetitions", () -> builder.repeat(-1, (s) -> s.nextFrame()));
        assertRefused("at most 8 repeats", () -> nest(builder, 9).build());
        assertRefused("at most 8 repeats", () -> Steps.<StoryRoom>named("wide", 1)
            .any((a) -> nest(a, 5), (a) -> nest(a, 4)).build());
        assertRefused("at most 16 waits", () -> Steps.<StoryRoom>named("wide", 1)
            .any((a) -> race(a, 8), (a) -> race(a, 8), StepsBuilder::nextFrame).build());
        race(race(Steps.named("one after the other", 1), 8), 8).any((a) -> race(a, 8), (a) -> race(a, 8)).build();
        assertRefused("at most 64 uses of onCancel", () -> clean(Steps.named("clean", 1), 65).build());
        clean(Steps.named("clean", 1), 64).build();
        nest(Steps.named("right", 1), 8).build();
        builder.onCancel(sayer("x"));
        assertThrows(IllegalStateException.class, () -> builder.onCancel(sayer("x")));

        final Steps<StoryRoom> one = program(WAITS.get("time"));
        for (final Consumer<StoryRoom> misuse : List.<Consumer<StoryRoom>>of(
            (room) -> room.steps.start(one, 0),
            (room) -> new RunningSteps<>(room.room, room, 1, 1, List.of(one, one)),
            (room) -> new RunningSteps<>(room.room, room, 0, 1, List.of(one)),
            (room) -> new RunningSteps<>(room.room, room, RunningSteps.MAX_LIMIT + 1, 1, List.of(one))))
        {
            final Story told = new Story(Steps.<StoryRoom>named("misuse", 1).run(misuse).build()).start(0);
            assertEquals(IllegalArgumentException.class, told.rig.failures.get(0).getClass());
        }
    }

    @Test
    void shouldRefuseCallbacksFromWithinAStep()
    {
        final Steps<StoryRoom> story = Steps.<StoryRoom>named("story", 1)
            .nextFrame().run((room) -> room.steps.onFrame()).build();
        final Story told = new Story(story).start(0).frame();
        assertEquals(0, told.rig.host.openRooms());
        assertTrue(told.rig.failures.get(0).getMessage().contains("the RunningSteps that runs it"));
    }

    private static StepsBuilder<StoryRoom> nest(final StepsBuilder<StoryRoom> builder, final int depth)
    {
        return 0 == depth ? builder.nextFrame() : builder.repeat(2, (s) -> nest(s, depth - 1));
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static StepsBuilder<StoryRoom> race(final StepsBuilder<StoryRoom> builder, final int alternatives)
    {
        final Consumer<StepsBuilder<StoryRoom>>[] frames = new Consumer[alternatives];
        Arrays.fill(frames, (Consumer<StepsBuilder<StoryRoom>>)StepsBuilder::nextFrame);
        return builder.any(frames);
    }

    private static StepsBuilder<StoryRoom> clean(final StepsBuilder<StoryRoom> builder, final int cleanups)
    {
        for (int i = 0; i < cleanups; i++)
        {
            builder.repeat(1, (s) -> s.nextFrame().onCancel(sayer("clean")));
        }
        return builder;
    }

    private static Story afterStart(final Steps<StoryRoom> program, final int frames)
    {
        final Story told = new Story(program).start(0).frames(frames);
        told.said();
        return told;
    }

    private static void assertRefused(final String message, final Executable call)
    {
        final String found = assertThrows(IllegalArgumentException.class, call).getMessage();
        assertTrue(found.contains(message), found);
    }

    private static Throwable rootOf(final Throwable thrown)
    {
        return null == thrown.getCause() ? thrown : rootOf(thrown.getCause());
    }

    private static Steps<StoryRoom> program(final Wait wait)
    {
        return wait.begin(Steps.<StoryRoom>named("story", 1).run((room, tag) -> room.say("begin " + tag)))
            .run((room, tag) -> room.say("end " + tag))
            .onCancel((room, tag) -> room.say("cleanup " + tag)).build();
    }

    private static Consumer<StoryRoom> sayer(final String text)
    {
        return (room) -> room.say(text);
    }

    private static void sayTag(final StoryRoom room, final long tag)
    {
        room.say("step " + tag);
    }

    private static void sayReply(
        final StoryRoom room,
        final long tag,
        final int status,
        final DirectBuffer buffer,
        final int offset,
        final int length)
    {
        room.say("reply " + status + " " + length);
    }

    private record Wait(Consumer<StepsBuilder<StoryRoom>> begin, Consumer<Story> end)
    {
        StepsBuilder<StoryRoom> begin(final StepsBuilder<StoryRoom> builder)
        {
            begin.accept(builder);
            return builder;
        }
    }
}
