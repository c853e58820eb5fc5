package io.escapement.perf.crowd;

import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.agrona.concurrent.UnsafeBuffer;

/** A room of the TCP peer: {@link CrowdRoom} without an engine. */
final class TcpRoom
{
    final int number;
    private final CrowdPlan plan;
    private final LongAdder statesSent;
    private final AtomicLong statesDropped;
    /** The frame that a connection is sent, with the state after its header. */
    private final byte[] frame;
    private final UnsafeBuffer state;
    /** The connection of each seat's player, null for a free seat. */
    private final TcpConnection[] seats;
    private int taken;
    /** Those with players in this room, once each. */
    private TcpConnection[] connections = {};
    private long stateNumber;

    TcpRoom(final int number, final CrowdPlan plan, final LongAdder statesSent, final AtomicLong statesDropped)
    {
        this.number = number;
        this.plan = plan;
        this.statesSent = statesSent;
        this.statesDropped = statesDropped;
        frame = new byte[TcpWire.HEADER + plan.state];
        final UnsafeBuffer header = new UnsafeBuffer(frame);
        header.putShort(TcpWire.LENGTH, (short)frame.length);
        header.putShort(TcpWire.TYPE, (short)TcpWire.STATE);
        header.putInt(TcpWire.ID, number);
        state = new UnsafeBuffer(frame, TcpWire.HEADER, plan.state);
        seats = new TcpConnection[plan.seats];
    }

    /** Take the first free seat. Returns its index, or -1 if all are taken. */
    int join(final TcpConnection connection)
    {
        final int seat = Arrays.asList(seats).indexOf(null);
        if (seat >= 0)
        {
            seat(seat, connection);
        }
        return seat;
    }

    void leave(final int seat)
    {
        seat(seat, null);
        CrowdMessages.lastMove(state, seat, 0);
    }

    private void seat(final int seat, final TcpConnection connection)
    {
        seats[seat] = connection;
        taken += null == connection ? -1 : 1;
        connections = Arrays.stream(seats).filter(Objects::nonNull).distinct().toArray(TcpConnection[]::new);
    }

    void onMove(final int seat, final int move)
    {
        CrowdMessages.lastMove(state, seat, move);
    }

    void onFrame(final boolean isMeasuring)
    {
        CrowdMessages.state(state, plan.state, ++stateNumber, isMeasuring, plan.seats, System.nanoTime());
        for (final TcpConnection connection : connections)
        {
            if (!connection.sendState(frame))
            {
                statesDropped.lazySet(statesDropped.get() + 1);
            }
        }
        if (isMeasuring)
        {
            statesSent.add(taken);
        }
    }
}
