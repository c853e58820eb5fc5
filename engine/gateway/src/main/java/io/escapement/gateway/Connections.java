package io.escapement.gateway;

import io.escapement.codecs.player.CloseCode;
import java.util.ArrayList;
import java.util.function.Consumer;

/**
 * The connections of a worker. Also lists connections with bytes to flush, and connections with messages for the
 * blocked trunk.
 */
final class Connections
{
    private final ArrayList<PlayerConnection> all = new ArrayList<>();
    private final ArrayList<PlayerConnection> queued = new ArrayList<>();
    private final ArrayList<PlayerConnection> blocked = new ArrayList<>();
    /** A connection that closes leaves the list. */
    private final ArrayList<PlayerConnection> visited = new ArrayList<>();
    private final GatewayCounters counters;
    private int greeted;
    private long queuedBytes;

    Connections(final GatewayCounters counters)
    {
        this.counters = counters;
    }

    int size()
    {
        return all.size();
    }

    /** Connections with an accepted Hello. */
    int greeted()
    {
        return greeted;
    }

    void add(final PlayerConnection connection)
    {
        connection.position = all.size();
        all.add(connection);
    }

    void onGreeted()
    {
        greeted++;
    }

    void remove(final PlayerConnection connection)
    {
        final PlayerConnection last = all.remove(all.size() - 1);
        if (last != connection)
        {
            last.position = connection.position;
            all.set(last.position, last);
        }
        if (null != connection.session())
        {
            greeted--;
        }
    }

    void forEach(final Consumer<PlayerConnection> action)
    {
        all.forEach(action);
    }

    void forEachGreeted(final Consumer<PlayerConnection> action)
    {
        for (final PlayerConnection connection : all)
        {
            if (null != connection.session())
            {
                action.accept(connection);
            }
        }
    }

    void onQueued(final PlayerConnection connection)
    {
        queued.add(connection);
    }

    /** A connection moves to another worker, and has no bytes left to flush. */
    void onMoved(final PlayerConnection connection)
    {
        queued.remove(connection);
    }

    void onBlocked(final PlayerConnection connection)
    {
        if (blocked.isEmpty())
        {
            counters.increment(GatewayCounter.BACK_PRESSURED);
        }
        blocked.add(connection);
    }

    boolean isBlocked()
    {
        return !blocked.isEmpty();
    }

    /** Send the messages not taken by the trunk, in the order in which their connections were stopped. */
    int unblock()
    {
        int done = 0;
        while (done < blocked.size() && (blocked.get(done).isClosed() || blocked.get(done).retry()))
        {
            done++;
        }
        blocked.subList(0, done).clear();
        return done;
    }

    /** Flush every connection after its delay. */
    int flush(final long nowNs)
    {
        int work = 0;
        for (int i = queued.size() - 1; i >= 0; i--)
        {
            if (queued.get(i).flush(nowNs))
            {
                final PlayerConnection last = queued.remove(queued.size() - 1);
                if (i < queued.size())
                {
                    queued.set(i, last);
                }
                work++;
            }
        }
        return work;
    }

    /** Timers of all connections, then the limit of the bytes queued in all of them. */
    void tick(final long nowNs, final long totalQueueLimit)
    {
        visited.addAll(all);
        long total = 0;
        for (final PlayerConnection connection : visited)
        {
            connection.tick(nowNs);
            total += connection.queuedBytes();
        }
        visited.clear();
        while (total > totalQueueLimit && !all.isEmpty())
        {
            total -= closeLongest();
        }
        queuedBytes = total;
    }

    /** Bytes that all connections had queued at the last tick. */
    long queuedBytes()
    {
        return queuedBytes;
    }

    /** Close the connection that has most bytes queued, and return how many. */
    private long closeLongest()
    {
        PlayerConnection longest = all.get(0);
        for (final PlayerConnection connection : all)
        {
            longest = connection.queuedBytes() > longest.queuedBytes() ? connection : longest;
        }
        final long bytes = longest.queuedBytes();
        counters.increment(GatewayCounter.CONNECTIONS_OVER_TOTAL_QUEUE);
        longest.close(CloseCode.SLOW_CONSUMER);
        return bytes;
    }
}
