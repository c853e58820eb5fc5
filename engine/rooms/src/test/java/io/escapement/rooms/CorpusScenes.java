package io.escapement.rooms;

import java.util.ArrayList;
import java.util.List;

/** The scenarios of the corpus, as {@link CorpusWriter} makes them. */
final class CorpusScenes
{
    /** A command from outside. */
    enum Act
    {
        OPEN, OPEN_ODD, CLOSE, JOIN, JOIN_LATER, JOIN_ODD, WATCH, REJOIN, CANCEL, MESSAGE, ODD_MESSAGE, LEAVE, KICK,
        LINK_UP, LINK_DOWN, LINK_RESUMED, SEAT_DOWN, RESERVE, SIGNAL, ASK, STATE_LOST, LINK_STATE_LOST, SET_RATE,
        LOCK_ROOM, LOCK_TYPE, STALE_ANSWER, DIRECTORY, RELOAD, RELOAD_TYPE, RESUMED, LOOP_SIGNAL, LOOP_ASK,
        LOOP_RESERVE, LOOP_ODD, TAKEN_ODD, GARBAGE, DRAIN
    }

    private CorpusScenes()
    {
    }

    /**
     * A scenario.
     *
     * @param options of the host, beside those that all have.
     * @param acts    drawn from, each as often as it is listed.
     * @param orders  of messages and signals of the program.
     */
    record Scene(String name, int turns, String options, List<Act> acts, CorpusOrder... orders)
    {
    }

    static List<Scene> all()
    {
        final String common = "rooms=9 seats=400 timers=120 queue=4096 requests=4";
        final List<Scene> scenes = new ArrayList<>(List.of(
            new Scene("seats", 160, common, List.of(Act.JOIN, Act.JOIN, Act.JOIN, Act.MESSAGE, Act.MESSAGE,
                Act.LEAVE, Act.KICK, Act.REJOIN, Act.ODD_MESSAGE, Act.WATCH, Act.SEAT_DOWN, Act.STATE_LOST,
                Act.LOCK_ROOM), CorpusOrder.EVENT, CorpusOrder.STATE, CorpusOrder.KICK, CorpusOrder.WALK,
                CorpusOrder.DATA, CorpusOrder.REFUSE, CorpusOrder.LOCK),
            new Scene("joins", 170, common, List.of(Act.JOIN_LATER, Act.JOIN_LATER, Act.JOIN_LATER, Act.JOIN_ODD,
                Act.CANCEL, Act.SIGNAL, Act.MESSAGE, Act.JOIN, Act.LINK_DOWN, Act.LINK_UP, Act.REJOIN, Act.REJOIN),
                CorpusOrder.DECIDE, CorpusOrder.DECIDE, CorpusOrder.WALK, CorpusOrder.RESERVE_HERE, CorpusOrder.KICK,
                CorpusOrder.CLOSE_WHEN_EMPTY),
            new Scene("links", 160, common, List.of(Act.JOIN, Act.JOIN, Act.MESSAGE, Act.MESSAGE, Act.LINK_UP,
                Act.LINK_DOWN, Act.LINK_RESUMED, Act.LINK_RESUMED, Act.SEAT_DOWN, Act.STATE_LOST,
                Act.LINK_STATE_LOST, Act.REJOIN, Act.WATCH), CorpusOrder.EVENT, CorpusOrder.STATE, CorpusOrder.DATA,
                CorpusOrder.WALK),
            new Scene("reservations", 160, common, List.of(Act.RESERVE, Act.RESERVE, Act.JOIN, Act.JOIN,
                Act.LOCK_ROOM, Act.LOCK_TYPE, Act.SIGNAL, Act.MESSAGE, Act.LEAVE, Act.WATCH),
                CorpusOrder.RESERVE_HERE, CorpusOrder.RELEASE_HERE, CorpusOrder.RESERVE, CorpusOrder.RELEASE,
                CorpusOrder.LOCK, CorpusOrder.WALK),
            new Scene("timers", 180, common, List.of(Act.JOIN, Act.MESSAGE, Act.MESSAGE, Act.SIGNAL, Act.SIGNAL,
                Act.SET_RATE), CorpusOrder.AFTER, CorpusOrder.AFTER, CorpusOrder.EVERY, CorpusOrder.EVERY_FRAMES,
                CorpusOrder.CANCEL, CorpusOrder.RESCHEDULE, CorpusOrder.CANCEL_ALL, CorpusOrder.RATE,
                CorpusOrder.RANDOM),
            new Scene("output", 140, common, List.of(Act.JOIN, Act.JOIN, Act.MESSAGE, Act.MESSAGE, Act.MESSAGE,
                Act.SIGNAL, Act.STATE_LOST, Act.LEAVE, Act.WATCH, Act.REJOIN), CorpusOrder.EVENT, CorpusOrder.STATE,
                CorpusOrder.CLAIM_EVENT, CorpusOrder.CLAIM_STATE, CorpusOrder.FLOOD_EVENTS, CorpusOrder.FLOOD_STATES,
                CorpusOrder.GROUP),
            new Scene("returns", 150, common, List.of(Act.SIGNAL, Act.SIGNAL, Act.SIGNAL, Act.ASK, Act.RESERVE,
                Act.JOIN, Act.MESSAGE, Act.CLOSE, Act.OPEN), CorpusOrder.SIGNAL, CorpusOrder.ASK, CorpusOrder.ASK,
                CorpusOrder.ANSWER, CorpusOrder.RESERVE, CorpusOrder.RELEASE),
            new Scene("loops", 155, common, List.of(Act.SIGNAL, Act.SIGNAL, Act.LOOP_SIGNAL, Act.LOOP_ASK,
                Act.LOOP_RESERVE, Act.LOOP_ODD, Act.TAKEN_ODD, Act.RESUMED, Act.LINK_UP, Act.JOIN),
                CorpusOrder.SIGNAL, CorpusOrder.SIGNAL, CorpusOrder.ASK, CorpusOrder.RESERVE, CorpusOrder.RELEASE,
                CorpusOrder.ANSWER),
            new Scene("services", 150, common, List.of(Act.SIGNAL, Act.SIGNAL, Act.MESSAGE, Act.JOIN,
                Act.STALE_ANSWER, Act.CLOSE, Act.OPEN), CorpusOrder.ASYNC, CorpusOrder.OPEN_ROOM,
                CorpusOrder.OPEN_ROOM, CorpusOrder.WALK),
            new Scene("directory", 150, common, List.of(Act.SIGNAL, Act.SIGNAL, Act.DIRECTORY, Act.JOIN, Act.LEAVE,
                Act.OPEN, Act.CLOSE), CorpusOrder.LABEL, CorpusOrder.LABEL, CorpusOrder.SUBSCRIBE,
                CorpusOrder.NOTHING),
            new Scene("sync", 150, common, List.of(Act.JOIN, Act.MESSAGE, Act.MESSAGE, Act.MESSAGE, Act.SIGNAL,
                Act.STATE_LOST, Act.LEAVE, Act.REJOIN, Act.WATCH), CorpusOrder.SYNC, CorpusOrder.SYNC,
                CorpusOrder.STEPS, CorpusOrder.CANCEL_STEPS, CorpusOrder.NOTHING, CorpusOrder.ASYNC),
            new Scene("faults", 170, common, List.of(Act.JOIN, Act.JOIN, Act.MESSAGE, Act.MESSAGE, Act.SIGNAL,
                Act.JOIN_ODD, Act.ASK, Act.OPEN, Act.KICK, Act.LEAVE, Act.LINK_DOWN, Act.LINK_UP, Act.STATE_LOST,
                Act.WATCH, Act.DIRECTORY), CorpusOrder.THROW, CorpusOrder.BOMB, CorpusOrder.BOMB, CorpusOrder.BOMB,
                CorpusOrder.STALE, CorpusOrder.AFTER, CorpusOrder.ASYNC),
            new Scene("limits", 150, "rooms=5 seats=82 timers=27 queue=4096 requests=2", List.of(Act.OPEN,
                Act.OPEN_ODD, Act.OPEN_ODD, Act.CLOSE, Act.JOIN, Act.MESSAGE, Act.SIGNAL, Act.GARBAGE,
                Act.ODD_MESSAGE), CorpusOrder.AFTER, CorpusOrder.EVERY, CorpusOrder.ASYNC, CorpusOrder.OPEN_ROOM,
                CorpusOrder.ASK),
            new Scene("reload", 150, common, List.of(Act.RELOAD, Act.RELOAD, Act.RELOAD_TYPE, Act.RESUMED,
                Act.LINK_UP, Act.LINK_UP, Act.JOIN, Act.JOIN, Act.MESSAGE, Act.OPEN, Act.CLOSE), CorpusOrder.AFTER,
                CorpusOrder.EVENT, CorpusOrder.ASYNC, CorpusOrder.STEPS, CorpusOrder.GROUP),
            new Scene("end", 150, common, List.of(Act.JOIN, Act.JOIN_LATER, Act.LEAVE, Act.MESSAGE, Act.SIGNAL,
                Act.OPEN, Act.CLOSE), CorpusOrder.CLOSE_WHEN_EMPTY, CorpusOrder.CLOSE, CorpusOrder.KEEP_OPEN,
                CorpusOrder.KEEP_OPEN, CorpusOrder.ASK, CorpusOrder.COUNT)));
        final List<Act> all = new ArrayList<>(List.of(Act.values()));
        all.remove(Act.DRAIN);
        all.addAll(List.of(Act.MESSAGE, Act.MESSAGE, Act.MESSAGE, Act.MESSAGE, Act.MESSAGE, Act.MESSAGE, Act.JOIN,
            Act.JOIN, Act.JOIN, Act.JOIN, Act.OPEN, Act.OPEN, Act.LINK_UP, Act.SIGNAL, Act.SIGNAL, Act.SIGNAL));
        for (int i = 1; i <= 3; i++)
        {
            scenes.add(new Scene("random-" + i, 190, common, all, CorpusOrder.values()));
        }
        return scenes;
    }
}
