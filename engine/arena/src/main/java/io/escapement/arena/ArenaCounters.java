package io.escapement.arena;

import io.escapement.arena.codecs.ArenaCode;
import java.util.Map;
import java.util.TreeMap;

/** The numbers under which the rooms of the game count. Refusals are counted under their own codes. */
public final class ArenaCounters
{
    /** Messages that are not of the schema, or that no room takes. */
    public static final int BAD_MESSAGES = 1_300;
    /** Texts said, in the lobby and in arenas. */
    public static final int CHATS = 1_301;
    /** Saves that the service took. */
    public static final int SAVES = 1_302;
    /** Saves that the service could not do then. */
    public static final int SAVE_FAILURES = 1_303;
    /** Progress that found no place among what waits to be saved. */
    public static final int SAVES_LOST = 1_304;
    /** Pictures sent. */
    public static final int PICTURES = 1_305;
    /** Sub-steps that a late frame left out. */
    public static final int SUB_STEPS_LOST = 1_306;
    /** Signals from rooms that have no say here, or that are not of the schema. */
    public static final int BAD_SIGNALS = 1_307;
    /** Players who died. */
    public static final int DEATHS = 1_308;

    private ArenaCounters()
    {
    }

    /**
     * What each number counts, in plain words.
     *
     * @return the names by number.
     */
    public static Map<Integer, String> names()
    {
        final Map<Integer, String> nameByCounterIdMap = new TreeMap<>(Map.of(
            BAD_MESSAGES, "game messages not well formed",
            CHATS, "game texts said",
            SAVES, "game saves done",
            SAVE_FAILURES, "game saves that failed",
            SAVES_LOST, "game saves lost",
            PICTURES, "game pictures sent",
            SUB_STEPS_LOST, "game steps left out",
            BAD_SIGNALS, "game signals not well formed",
            DEATHS, "game deaths"));
        for (final ArenaCode code : ArenaCode.values())
        {
            nameByCounterIdMap.put(code.value(), "game refused " + code);
        }
        return nameByCounterIdMap;
    }
}
