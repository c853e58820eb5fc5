package io.escapement.perf.crowd;

import io.netty.channel.EventLoop;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.SingleWriterRecorder;
import org.agrona.collections.Long2ObjectHashMap;
import org.agrona.concurrent.NanoClock;

/**
 * The rooms of the TCP peer with their players and frames, in the thread of its event loop. Lateness and missed frames
 * are counted by the engine's rule.
 */
final class TcpRooms
{
    /** Number of groups of rooms, as in the engine. The frames of the groups are spread over a period. */
    private static final int PHASES = 4;
    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long STALL_NS = TimeUnit.MILLISECONDS.toNanos(100);

    /** The seat of a player, with the player's connection. */
    record Seat(TcpConnection connection, TcpRoom room, int index)
    {
    }

    /** From the deadline of a frame until its output was flushed, once for each room-frame. */
    final SingleWriterRecorder lateness = new SingleWriterRecorder(3);
    /** Room-frames that never ran. */
    final AtomicLong missed = new AtomicLong();
    /** States that did not go to a connection because it was not writable. */
    final AtomicLong statesDropped = new AtomicLong();
    /** Frames that took longer than 100 ms. */
    final AtomicLong stalls = new AtomicLong();
    final AtomicLong errors = new AtomicLong();
    /** Measured states, once per receiving player. */
    final LongAdder statesSent = new LongAdder();
    volatile boolean isMeasuring;
    private final CrowdPlan plan;
    private final NanoClock clock;
    private final Long2ObjectHashMap<TcpRoom> roomByIdMap = new Long2ObjectHashMap<>();
    private final Seat[] seatByPlayer;
    private final List<TcpConnection> connections = new ArrayList<>();

    TcpRooms(final CrowdPlan plan, final NanoClock clock)
    {
        this.plan = plan;
        this.clock = clock;
        seatByPlayer = new Seat[plan.players()];
    }

    /** Open the rooms and start their frames. Called in the event loop. */
    void start(final EventLoop loop)
    {
        final long startNs = clock.nanoTime();
        final long periodNs = SECOND_NS / plan.hz;
        for (int i = 0; i < PHASES; i++)
        {
            // The last group's first frame is due after a period, and the others' before it.
            new Phase(loop, startNs - periodNs + (i + 1) * periodNs / PHASES, i).schedule();
        }
    }

    void add(final TcpConnection connection)
    {
        connections.add(connection);
    }

    /** The players of a connection leave with it. */
    void remove(final TcpConnection connection)
    {
        connections.remove(connection);
        for (int i = 0; i < seatByPlayer.length; i++)
        {
            if (null != seatByPlayer[i] && connection == seatByPlayer[i].connection)
            {
                seatByPlayer[i].room.leave(seatByPlayer[i].index);
                seatByPlayer[i] = null;
            }
        }
    }

    /** Take a seat for a player. Returns null if all are taken. */
    Seat join(final TcpConnection connection, final int player, final long roomId)
    {
        final TcpRoom room = roomByIdMap.get(roomId);
        if (null == room || player < 0 || player >= seatByPlayer.length || null != seatByPlayer[player])
        {
            return null;
        }
        final int index = room.join(connection);
        return index < 0 ? null : (seatByPlayer[player] = new Seat(connection, room, index));
    }

    /** Handle a move. Returns false if the connection does not have that player. */
    boolean onMove(final TcpConnection connection, final int player, final int number)
    {
        final Seat seat = player < 0 || player >= seatByPlayer.length ? null : seatByPlayer[player];
        if (null == seat || connection != seat.connection)
        {
            return false;
        }
        seat.room.onMove(seat.index, number);
        return true;
    }

    /** A group of rooms. */
    private final class Phase implements Runnable
    {
        private final EventLoop loop;
        private final long originNs;
        private final List<TcpRoom> rooms = new ArrayList<>();
        private long lastFrame;

        Phase(final EventLoop loop, final long originNs, final int number)
        {
            this.loop = loop;
            this.originNs = originNs;
            for (int i = number; i < plan.rooms; i += PHASES)
            {
                final TcpRoom room = new TcpRoom(i, plan, statesSent, statesDropped);
                roomByIdMap.put(plan.roomId(i), room);
                rooms.add(room);
            }
        }

        /** Of the frames that are due only the latest is run. Earlier frames are missed. */
        @Override
        public void run()
        {
            final long turnNs = clock.nanoTime();
            long frame = lastFrame;
            while (deadlineNs(frame + 1) <= turnNs)
            {
                frame++;
            }
            if (frame > lastFrame)
            {
                runFrames(turnNs, frame, frame - lastFrame - 1);
                lastFrame = frame;
            }
            schedule();
        }

        void schedule()
        {
            loop.schedule(this, deadlineNs(lastFrame + 1) - clock.nanoTime(), TimeUnit.NANOSECONDS);
        }

        private void runFrames(final long turnNs, final long frame, final long missedFrames)
        {
            for (final TcpRoom room : rooms)
            {
                room.onFrame(isMeasuring);
            }
            for (final TcpConnection connection : connections)
            {
                connection.flush();
            }
            final long endNs = clock.nanoTime();
            lateness.recordValueWithCount(endNs - deadlineNs(frame), rooms.size() * (1 + missedFrames));
            missed.lazySet(missed.get() + rooms.size() * missedFrames);
            if (endNs - turnNs > STALL_NS)
            {
                stalls.lazySet(stalls.get() + 1);
            }
        }

        private long deadlineNs(final long frame)
        {
            return originNs + frame * SECOND_NS / plan.hz;
        }
    }
}
