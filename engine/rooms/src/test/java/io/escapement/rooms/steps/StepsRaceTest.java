package io.escapement.rooms.steps;

import java.util.List;
import java.util.function.Consumer;
import org.agrona.DirectBuffer;
import org.junit.jupiter.api.Test;
import static io.escapement.rooms.steps.StoryRoom.FIRST_FREE;
import static io.escapement.rooms.steps.StoryRoom.SET_FLAG;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** Alternatives of {@link StepsBuilder#any} that have several waits each, and loops around them. */
class StepsRaceTest
{
    private static final long LATE_NS = 100 * StoryRoom.FRAME_NS;

    /** A countdown of three frames, next to a player who makes two moves, one of which is answered by a service. */
    private static final Steps<StoryRoom> RACE = Steps.<StoryRoom>named("race", 1)
        .run(sayer("begin"))
        .any(
            (a) -> a.repeat(3, (s) -> s.nextFrame().run(sayer("tick"))).run(sayer("too late"))
                .onCancel(sayer("countdown cancelled")),
            (a) -> a.untilMessage(FIRST_FREE).run(sayer("first"))
                .any((b) -> b.after(LATE_NS), (b) -> b.untilReply((room, tag) -> room.ask(), StepsRaceTest::sayReply))
                .untilMessage(FIRST_FREE).run(sayer("second"))
                .onCancel(sayer("moves cancelled")))
        .run(sayer("end"))
        .nextFrame()
        .onCancel(sayer("program cancelled")).build();

    @Test
    void shouldRunAlternativesSideBySideUntilOneHasEnded()
    {
        final Story told = new Story(RACE).start(0);
        assertEquals(List.of("begin", "started waits"), told.said());
        assertEquals(List.of("tick"), told.frame().said());
        assertEquals(List.of("first", "taken"), told.message(FIRST_FREE, 0).said());
        assertEquals(1, told.timers());
        assertEquals(List.of("tick"), told.frame().said());
        assertEquals(List.of("reply 4", "reply taken"), told.reply(4).said());
        assertEquals(0, told.timers(), "the reply has ended the race of the reply and the time");
        assertEquals(List.of("second", "countdown cancelled", "end", "taken"), told.message(FIRST_FREE, 0).said());
        assertEquals(List.of("program cancelled", "cancelled 1"), told.message(StoryRoom.CANCEL_ALL, 0).said());
        told.rig.assertReplays();
    }

    @Test
    void shouldFreeWhatTheOthersWaitFor()
    {
        final Story told = new Story(RACE).start(0).message(FIRST_FREE, 0);
        told.said();
        assertEquals(1, told.timers());
        assertEquals(
            List.of("tick", "tick", "tick", "too late", "moves cancelled", "end"), told.frames(3).said());
        assertEquals(0, told.timers());
        assertEquals(List.of(), told.reply(4).message(FIRST_FREE, 0).said(), "a reply and a move that came too late");
        told.frame();
        assertEquals(List.of("begin", "started waits"), told.start(0).said());
        assertEquals(
            List.of("tick", "tick", "tick", "too late", "moves cancelled", "end", "program cancelled", "cancelled 1"),
            told.frames(3).message(StoryRoom.CANCEL_ALL, 0).said());
        told.rig.assertReplays();
    }

    @Test
    void shouldCallEachCleanupOfACancelledProgramOnce()
    {
        final Story told = new Story(RACE).start(0).message(FIRST_FREE, 0);
        told.said();
        assertEquals(List.of("countdown cancelled", "moves cancelled", "program cancelled", "cancelled 1"),
            told.message(StoryRoom.CANCEL_ALL, 0).said());
        assertEquals(0, told.timers());
    }

    @Test
    void shouldGoOnTheSameFromASnapshotAtEachStepOfARace()
    {
        final Story straight = new Story(RACE);
        final Story restored = new Story(RACE);
        for (final Consumer<Story> event : List.<Consumer<Story>>of((told) -> told.start(0), Story::frame,
            (told) -> told.message(FIRST_FREE, 0), Story::frame, (told) -> told.reply(4),
            (told) -> told.message(FIRST_FREE, 0), Story::frame))
        {
            event.accept(straight);
            event.accept(restored.restart());
            assertEquals(straight.said(), restored.said());
            assertEquals(straight.rig.host.stateHash(), restored.rig.host.stateHash());
        }
        straight.rig.assertReplays();
    }

    @Test
    void shouldOfferAnEventToEachAlternativeAndLetTheFirstOneWin()
    {
        final Steps<StoryRoom> story = Steps.<StoryRoom>named("story", 1)
            .any(
                (a) -> a.untilMessage(FIRST_FREE).run(sayer("a1")).untilMessage(FIRST_FREE).run(sayer("a2")),
                (a) -> a.untilMessage(FIRST_FREE).run(sayer("b1")).untilMessage(FIRST_FREE).run(sayer("b2")))
            .untilMessage(FIRST_FREE).run(sayer("end")).build();
        final Story told = new Story(story).start(0);
        told.said();
        assertEquals(List.of("a1", "b1", "taken"), told.message(FIRST_FREE, 0).said());
        assertEquals(List.of("a2", "taken"), told.message(FIRST_FREE, 0).said());
        assertEquals(List.of("end", "taken"), told.message(FIRST_FREE, 0).said());
    }

    /** The lane of an alternative that has lost is taken by one that waits for the same event. */
    @Test
    void shouldNotOfferAnEventToARaceThatItBegan()
    {
        final Steps<StoryRoom> story = Steps.<StoryRoom>named("story", 1)
            .repeat(2, (s) -> s.any((a) -> a.untilMessage(FIRST_FREE), (a) -> a.untilMessage(FIRST_FREE))
                .run(sayer("round"))).build();
        final Story told = new Story(story).start(0);
        told.said();
        assertEquals(List.of("round", "taken"), told.message(FIRST_FREE, 0).said());
        assertEquals(List.of("round", "taken"), told.message(FIRST_FREE, 0).said());
    }

    @Test
    void shouldNotBeginAlternativesAfterOneThatHasEndedAtOnce()
    {
        final Steps<StoryRoom> story = Steps.<StoryRoom>named("story", 1)
            .any(
                (a) -> a.after(LATE_NS).onCancel(sayer("time cancelled")),
                (a) -> a.any((b) -> b.nextFrame().onCancel(sayer("frame cancelled")), (b) -> b.until((room) -> true))
                    .run(sayer("at once")),
                (a) -> a.run(sayer("never")).nextFrame())
            .run(sayer("end")).build();
        final Story told = new Story(story).start(0);
        assertEquals(List.of("frame cancelled", "at once", "time cancelled", "end", "started ended"), told.said());
        assertEquals(0, told.timers());
    }

    @Test
    void shouldLeaveRacesByEnd()
    {
        final Steps<StoryRoom> inner = Steps.<StoryRoom>named("inner", 1)
            .any(
                (a) -> a.any((b) -> b.untilMessage(FIRST_FREE).end().onCancel(sayer("not called")),
                    (b) -> b.after(LATE_NS).onCancel(sayer("inner time cancelled"))),
                (a) -> a.after(LATE_NS).onCancel(sayer("time cancelled")))
            .run(sayer("skipped")).onCancel(sayer("not called either")).build();
        final Steps<StoryRoom> outer = Steps.<StoryRoom>named("outer", 1)
            .any((a) -> a.call(inner).run(sayer("after inner")).nextFrame(), (a) -> a.frames(2))
            .run(sayer("end")).build();
        final Story told = new Story(outer).start(0);
        told.said();
        assertEquals(List.of("inner time cancelled", "time cancelled", "after inner", "taken"),
            told.message(FIRST_FREE, 0).said());
        assertEquals(0, told.timers());
        assertEquals(List.of("end"), told.restart().frame().said());
    }

    @Test
    void shouldLetACleanupOfALoserCancelTheProgram()
    {
        final Steps<StoryRoom> story = Steps.<StoryRoom>named("story", 1)
            .any(
                (a) -> a.nextFrame(),
                (a) -> a.frames(9).onCancel((room) -> room.say("cancelled " + room.steps.cancelAll())),
                (a) -> a.frames(9).onCancel(sayer("last")))
            .run(sayer("unreachable")).onCancel(sayer("program")).build();
        final Story told = new Story(story).start(0);
        told.said();
        assertEquals(List.of("program", "cancelled 1", "last"), told.frame().said());
        assertEquals(List.of("started waits"), told.start(0).said());
    }

    @Test
    void shouldNotDeliverWhatAStepCausesToTheOtherAlternativesOfItsProgram()
    {
        final Steps<StoryRoom> story = Steps.<StoryRoom>named("story", 1)
            .any(
                (a) -> a.until((room) -> 7 == room.flag).run(sayer("changed")),
                (a) -> a.run((room) ->
                {
                    room.flag = 7;
                    room.steps.onChange();
                }).nextFrame().nextFrame())
            .run(sayer("end")).build();
        // The room reports the change again after the program has started.
        assertEquals(List.of("started waits", "changed", "end"), new Story(story).start(0).said());
    }

    /** Waits that end at once let a loop continue at once, so that it takes several things that are there already. */
    @Test
    void shouldLoopAroundARaceWithoutAFrame()
    {
        final Steps<StoryRoom> story = Steps.<StoryRoom>named("story", 1)
            .repeatWhile((room) -> true, (s) -> s.any(
                (a) -> a.until((room) -> room.flag > 0).run((room) -> room.say("take " + room.flag--)),
                (a) -> a.untilMessage(FIRST_FREE).run(sayer("stop")).end())).build();
        final Story told = new Story(story).start(0);
        told.said();
        assertEquals(List.of("take 3", "take 2", "take 1"), told.message(SET_FLAG, 3).said());
        assertEquals(RunningSteps.MAX_ROUNDS, told.message(SET_FLAG, RunningSteps.MAX_ROUNDS).said().size());
        assertEquals(List.of("stop", "taken"), told.message(FIRST_FREE, 0).said());
        assertEquals(List.of("started waits"), told.start(0).said());
        told.rig.assertReplays();
    }

    @Test
    void shouldFailAfterTooManyRoundsWithoutAWaitThatLasts()
    {
        final Steps<StoryRoom> story = Steps.<StoryRoom>named("story", 1)
            .any((a) -> a.frames(9), (a) -> a.nextFrame()
                .repeatWhile((room) -> true, (s) -> s.until((room) -> true).run((room) -> room.seen++))).build();
        final Story told = new Story(story).start(0).frame();
        assertEquals(List.of("story version 1: more than 1000 rounds of a repeatWhile without a wait that lasts"),
            told.rig.events.errors.stream().map(Throwable::getMessage).toList());
        told.said();
        assertEquals(List.of("cancelled 0"), told.message(StoryRoom.CANCEL_ALL, 0).said());
        told.rig.assertReplays();
    }

    @Test
    void shouldCountTheRoundsOfEachProgram()
    {
        final Steps<StoryRoom> other = Steps.<StoryRoom>named("other", 1)
            .repeatWhile((room) -> room.seen++ % 9 > 0, (s) -> s.until((room) -> true)).build();
        final Steps<StoryRoom> story = Steps.<StoryRoom>named("story", 1)
            .repeatWhile((room) -> true, (s) -> s.until((room) -> true).run((room) -> room.start(0))).build();
        final Story told = new Story(List.of(other, story)).start(1);
        assertEquals(1, told.rig.events.errors.size());
        assertEquals(RunningSteps.MAX_ROUNDS + 1, told.said().size(), "each round has started the other program");
    }

    private static Consumer<StoryRoom> sayer(final String text)
    {
        return (room) -> room.say(text);
    }

    private static void sayReply(
        final StoryRoom room,
        final long tag,
        final int status,
        final DirectBuffer buffer,
        final int offset,
        final int length)
    {
        room.say("reply " + status);
    }
}
