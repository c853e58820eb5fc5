package io.escapement.perf.crowd;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.concurrent.UnsafeBuffer;

/** A room of the TCP peer: {@link CrowdRoom} without an engine. */
final class TcpRoom
{
    final int number;
    private final CrowdPlan plan;
    private final TurnRecorder recorder;
    private final AtomicLong statesDropped;
    /** The frame that a connection is sent, with the state behind its header. */
    private final byte[] frame;
    private final UnsafeBuffer state;
    private final boolean[] isTaken;
    private int taken;
    /** Connections with players in this room, once each, and how many. */
    private TcpConnection[] connections = new TcpConnection[0];
    private int[] players = new int[0];
    private long stateNumber;

    TcpRoom(final int number, final CrowdPlan plan, final TurnRecorder recorder, final AtomicLong statesDropped)
    {
        this.number = number;
        this.plan = plan;
        this.recorder = recorder;
        this.statesDropped = statesDropped;
        frame = new byte[TcpWire.HEADER + plan.state];
        final UnsafeBuffer header = new UnsafeBuffer(frame);
        header.putShort(TcpWire.LENGTH, (short)frame.length);
        header.putShort(TcpWire.TYPE, (short)TcpWire.STATE);
        header.putInt(TcpWire.ID, number);
        state = new UnsafeBuffer(frame, TcpWire.HEADER, plan.state);
        isTaken = new boolean[plan.seats];
    }

    /** Take the first free seat; returns its index, or -1 if there is none. */
    int join(final TcpConnection connection)
    {
        for (int i = 0; i < isTaken.length; i++)
        {
            if (!isTaken[i])
            {
                isTaken[i] = true;
                taken++;
                final int place = placeOf(connection);
                players[place]++;
                return i;
            }
        }
        return -1;
    }

    void leave(final TcpConnection connection, final int seat)
    {
        isTaken[seat] = false;
        taken--;
        CrowdMessages.lastMove(state, seat, 0);
        final int place = placeOf(connection);
        if (0 == --players[place])
        {
            final int last = connections.length - 1;
            connections[place] = connections[last];
            players[place] = players[last];
            connections = Arrays.copyOf(connections, last);
            players = Arrays.copyOf(players, last);
        }
    }

    void onMove(final int seat, final int move, final long nowNs)
    {
        recorder.onMove(nowNs);
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
            recorder.onStates(taken);
        }
    }

    private int placeOf(final TcpConnection connection)
    {
        for (int i = 0; i < connections.length; i++)
        {
            if (connection == connections[i])
            {
                return i;
            }
        }
        final int place = connections.length;
        connections = Arrays.copyOf(connections, place + 1);
        players = Arrays.copyOf(players, place + 1);
        connections[place] = connection;
        return place;
    }
}
