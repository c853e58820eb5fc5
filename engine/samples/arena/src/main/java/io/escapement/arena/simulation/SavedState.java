package io.escapement.arena.simulation;

/** Saves and restores a state as plain longs, followed by the hash. */
final class SavedState
{
    private final ArenaState state;
    private final SimulationHash hash = new SimulationHash();
    private final StateVisitor saver;
    private final StateVisitor restorer;
    private final int length;
    private long[] longs;
    private int position;

    SavedState(final ArenaState state)
    {
        this.state = state;
        final StateVisitor counter = (value) ->
        {
            position++;
            return value;
        };
        saver = (value) ->
        {
            longs[position++] = value;
            return value;
        };
        restorer = (value) -> longs[position++];
        state.visit(counter);
        length = position;
    }

    long hash()
    {
        hash.clear();
        state.visit(hash);
        return hash.value();
    }

    int length()
    {
        return length + 1;
    }

    void save(final long[] to)
    {
        checkLength(to);
        longs = to;
        position = 0;
        state.visit(saver);
        to[length] = hash();
        longs = null;
    }

    void restore(final long[] from)
    {
        checkLength(from);
        hash.clear();
        for (int i = 0; i < length; i++)
        {
            hash.visit(from[i]);
        }
        if (hash.value() != from[length])
        {
            throw new IllegalArgumentException("the saved state is damaged: its hash is another");
        }
        longs = from;
        position = 0;
        // Because the signature is first, a state of another map is refused before anything has changed.
        state.visit(restorer);
        longs = null;
    }

    private void checkLength(final long[] array)
    {
        if (array.length < length())
        {
            throw new IllegalArgumentException("a state takes " + length() + " longs, not " + array.length);
        }
    }
}
