package io.escapement.arena.simulation;

/** A hash over numbers in their order. It is for comparing states, not for guarding them. */
final class SimulationHash implements StateVisitor
{
    static final long START = 0x9E37_79B9_7F4A_7C15L;

    private long hash;

    static long mix(final long hash, final long value)
    {
        long mixed = (hash ^ value) * 0xBF58_476D_1CE4_E5B9L;
        mixed ^= mixed >>> 29;
        mixed *= 0x94D0_49BB_1331_11EBL;
        return mixed ^ mixed >>> 32;
    }

    void clear()
    {
        hash = START;
    }

    long value()
    {
        return hash;
    }

    @Override
    public long visit(final long value)
    {
        hash = mix(hash, value);
        return value;
    }
}
