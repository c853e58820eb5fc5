package io.escapement.simulator;

/** Where the turns of a simulated engine are before they run. */
enum Mode
{
    /** Nowhere: a recording gets them, without a kill. */
    MEMORY,
    /** In the tail of a journal, which a kill leaves. */
    RECORDED,
    /** On the disk, which a power loss leaves. */
    SYNCED,
    /** In the log of three nodes. */
    GROUP;

    int nodes()
    {
        return GROUP == this ? 3 : 1;
    }

    boolean isJournal()
    {
        return RECORDED == this || SYNCED == this;
    }
}
