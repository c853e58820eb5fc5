package io.escapement.engine;

import io.escapement.codecs.TrunkMessages;
import io.escapement.engine.internal.durable.Journal;
import io.escapement.engine.internal.durable.JournalLog;
import io.escapement.engine.internal.durable.JournalPast;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.host.HostContext;
import io.escapement.rooms.output.ByteSink;
import io.escapement.rooms.replay.RoomPast;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import org.agrona.ErrorHandler;

/**
 * Opens the past of rooms while the engine runs, from the files of its journal. Any thread except the loops' threads.
 */
final class RoomPasts
{
    static final String CLOSED = "the engine is closed";

    private final EngineContext context;
    private final Journal journal;
    private final List<RoomType> registered = new CopyOnWriteArrayList<>();
    private final RoomPast.Hiding hiding;
    private final Bundles bundles;
    /** Guarded by this, as is all use of the journal's memory. */
    private boolean isClosed;

    RoomPasts(final EngineContext context, final Journal journal, final ErrorHandler errorHandler)
    {
        this.context = context;
        this.journal = journal;
        hiding = 0 == context.hiddenInBundles().length ? null : new BundleHiding(context.hiddenInBundles());
        bundles = null == context.bundles() ? null : new Bundles(context, this, errorHandler);
    }

    /** Writes them to files, or null. */
    Bundles bundles()
    {
        return bundles;
    }

    /** A version of a room type was registered. */
    void register(final RoomType type)
    {
        registered.add(type);
    }

    /** Use the journal's memory no more. */
    synchronized void close()
    {
        isClosed = true;
    }

    synchronized boolean isClosed()
    {
        return isClosed;
    }

    boolean hasLoop(final long roomId)
    {
        return roomId > 0 && TrunkMessages.loopOf(roomId) < context.loops();
    }

    /** The log of a room's loop, or null once this is closed. */
    synchronized JournalLog log(final long roomId)
    {
        return isClosed ? null : journal.log(TrunkMessages.loopOf(roomId));
    }

    /**
     * Open the past of a room.
     *
     * @param roomId of a room of which this has the loop.
     * @param part   of the history of its loop. While it is read the engine may delete it, which is a JournalException
     *               of this or of a move.
     */
    RoomPast open(final long roomId, final UnaryOperator<JournalPast> part)
    {
        return new RoomPast(part.apply(history(roomId)), roomId, this::host);
    }

    /** The log of a room up to where its past is. */
    byte[] write(final RoomPast past)
    {
        final ByteSink sink = new ByteSink();
        past.write(sink, RoomPast.BUNDLE_LENGTH, hiding);
        return sink.toArray();
    }

    private synchronized JournalPast history(final long roomId)
    {
        if (isClosed)
        {
            throw new IllegalStateException(CLOSED);
        }
        return journal.past(TrunkMessages.loopOf(roomId));
    }

    private HostContext host()
    {
        final HostContext host = context.newHostContext();
        registered.forEach(host::roomType);
        return host;
    }
}
