package io.escapement.engine.internal.edge;

/** A bounded count of something held. Its holder acquires one permit and releases it exactly once. Single-threaded. */
final class Permits
{
    private final int limit;
    private int held;

    Permits(final int limit)
    {
        this.limit = limit;
    }

    boolean tryAcquire()
    {
        if (held == limit)
        {
            return false;
        }
        held++;
        return true;
    }

    void release()
    {
        if (0 == held)
        {
            throw new IllegalStateException("released more often than acquired");
        }
        held--;
    }

    int held()
    {
        return held;
    }

    int free()
    {
        return limit - held;
    }
}
