package io.escapement.tokens;

/** A counter in addition to the counters of refusals. */
enum TokenCounter
{
    /** Log-ins that succeeded. */
    LOG_INS,
    /** Sets of keys that were loaded. */
    KEY_LOADS,
    /** Tokens of an unknown key, which request the keys. */
    KEY_REQUESTS,
    /** The server of the keys did not answer in time. */
    KEY_TIMEOUTS,
    /** The keys were longer than the limit. */
    KEY_TOO_LONG,
    /** The server of the keys answered with a redirect. */
    KEY_REDIRECTS,
    /** The server of the keys answered with another status than 200. */
    KEY_STATUSES,
    /** The answer was no set of keys. */
    KEY_MALFORMED,
    /** The server or the file of the keys could not be read. */
    KEY_UNREACHABLE,
    /** Lists of banned players that were loaded. */
    BAN_LOADS,
    /** Lists of banned players that could not be read. */
    BAN_FAILURES
}
