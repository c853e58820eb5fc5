package io.escapement.rooms;

import io.escapement.codecs.sync.SyncSchema;
import io.escapement.rooms.sync.SyncedState;

/** The synchronised state of the raids of the corpus, with two views. */
final class CorpusState
{
    private static final SyncSchema.Builder BUILDER = SyncSchema.named("corpus");
    private static final int TURNS = BUILDER.field("turns", SyncSchema.Type.INT32);
    private static final int PLAYERS = BUILDER.seats("players", 16);
    private static final int SCORE = BUILDER.secret().field("score", SyncSchema.Type.INT64);
    private static final int THINGS = BUILDER.entities("things", 4);
    private static final int SIZE = BUILDER.field("size", SyncSchema.Type.UINT16);
    private static final SyncSchema SCHEMA = BUILDER.build();

    private final CorpusObserver observer;
    private final SyncedState state;

    private CorpusState(final CorpusObserver observer, final SyncedState state)
    {
        this.observer = observer;
        this.state = state;
    }

    static CorpusState open(final CorpusObserver observer, final Room room)
    {
        return new CorpusState(observer, SyncedState.open(room, SCHEMA, 2));
    }

    static CorpusState restore(final CorpusObserver observer, final Room room, final StateReader reader)
    {
        return new CorpusState(observer, SyncedState.restore(room, SCHEMA, reader));
    }

    void write(final StateWriter writer)
    {
        state.write(writer);
    }

    void onJoin(final Seat seat)
    {
        state.onJoin(seat);
        state.assign(seat, seat.index() % 2);
    }

    void onBack(final Seat seat)
    {
        state.onBack(seat);
    }

    void onLeave(final Seat seat)
    {
        state.onLeave(seat);
    }

    void onStateLost(final Seat seat)
    {
        state.onStateLost(seat);
    }

    void onFrame(final long frame)
    {
        state.set(TURNS, frame / 8);
        state.publish();
    }

    void change(final Seat from, final int x, final int y, final int z)
    {
        final int row = state.add(THINGS);
        observer.saw("row", row);
        if (SyncedState.NO_ROW == row)
        {
            final int removed = state.next(THINGS, y % 4);
            if (SyncedState.NO_ROW != removed)
            {
                state.remove(THINGS, removed);
            }
        }
        else
        {
            state.set(SIZE, row, z);
            state.see(x % 2, THINGS, row, SyncedState.Sight.values()[y % 3]);
        }
        if (null != from)
        {
            state.set(SCORE, from.index(), z);
            state.see(x % 2, PLAYERS, from.index(), SyncedState.Sight.EVERYTHING);
            if (0 == z % 5)
            {
                state.requestFullState(from);
            }
        }
    }
}
