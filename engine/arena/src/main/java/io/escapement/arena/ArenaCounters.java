package io.escapement.arena;

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
}
