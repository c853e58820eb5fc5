package io.escapement.engine;

/** What a thread does when it has nothing to do. Each wakes in time for the next frame or timer. */
public enum Idle
{
    /** Spin: the least latency, a whole core. Never more spinning threads than cores. */
    BUSY,
    /** Give the core to whoever wants it, but ask for it again at once. */
    YIELD,
    /** Spin a little, yield a little, then park for ever longer, up to a millisecond. */
    BACKOFF,
    /** Park until shortly before the next deadline, then spin. Whoever sends wakes the thread. */
    PARK
}
