package io.escapement.arena.common;

import io.escapement.arena.codecs.ArenaCode;
import java.util.Map;
import java.util.TreeMap;

/** Ids of the counters of the game's rooms. A refusal counts under its ArenaCode. */
public final class ArenaCounters
{
    /** Malformed messages, and messages that the room does not handle. */
    public static final int BAD_MESSAGES = 1_300;
    /** Chat messages, in the lobby and in arenas. */
    public static final int CHATS = 1_301;
    /** Saves that the character service confirmed. */
    public static final int SAVES = 1_302;
    /** Saves that the character service refused. They are retried. */
    public static final int SAVE_FAILURES = 1_303;
    /** Saves dropped because the queue was full. */
    public static final int SAVES_LOST = 1_304;
    /** Full states sent. */
    public static final int FULL_STATES = 1_305;
    /** Sub-steps that a late frame skipped. */
    public static final int SUB_STEPS_LOST = 1_306;
    /** Signals that are malformed or from a room without authority. */
    public static final int BAD_SIGNALS = 1_307;
    /** Deaths of players. */
    public static final int DEATHS = 1_308;
    /** Frames of arenas. Other rooms also have frames, at other rates. */
    public static final int FRAMES = 1_309;

    private ArenaCounters()
    {
    }

    /** Name of each counter, by its id. */
    public static Map<Integer, String> names()
    {
        final Map<Integer, String> nameByCounterIdMap = new TreeMap<>(Map.of(
            BAD_MESSAGES, "game messages malformed",
            CHATS, "game chat messages",
            SAVES, "game saves confirmed",
            SAVE_FAILURES, "game saves refused",
            SAVES_LOST, "game saves dropped",
            FULL_STATES, "game full states sent",
            SUB_STEPS_LOST, "game sub-steps skipped",
            BAD_SIGNALS, "game signals malformed",
            DEATHS, "game deaths",
            FRAMES, "game frames"));
        for (final ArenaCode code : ArenaCode.values())
        {
            nameByCounterIdMap.put(code.value(), "game refused " + code);
        }
        return nameByCounterIdMap;
    }
}
