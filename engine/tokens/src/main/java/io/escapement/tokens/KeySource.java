package io.escapement.tokens;

/** Where the keys are. */
interface KeySource
{
    /** Read the keys. May block up to the time limit of the options. */
    KeySet load() throws KeyFailure;

    /** Whether to load the keys now, although no load is due. */
    boolean hasChanged();
}
