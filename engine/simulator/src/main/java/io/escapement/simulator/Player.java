package io.escapement.simulator;

import io.escapement.client.ClientSeat;
import io.escapement.client.SendStatus;
import io.escapement.client.TrunkClient;
import io.escapement.client.TrunkContext;
import io.escapement.client.TrunkListener;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** A player with a trunk that outlives the nodes: it returns, and resends the messages that were not accepted. */
class Player implements Client, TrunkListener
{
    private static final byte[] NO_TOKEN = {};
    private static final int RESEND_LENGTH = 64 * 1_024;
    private static final int MAX_LENGTH = 512;

    private final long playerId;
    private final SimulatedClock clock;
    private final SimulatedHost host;
    private final TrunkClient client;
    private final List<ClientSeat> seats = new ArrayList<>();
    private final Set<Long> requested = new HashSet<>();
    private final UnsafeBuffer message = new UnsafeBuffer(new byte[MAX_LENGTH]);
    private long stalledUntilNs;
    private long hash = 1;

    Player(final long playerId, final Simulation simulation)
    {
        this.playerId = playerId;
        clock = simulation.clock();
        host = simulation.hosts().get(0);
        client = TrunkClient.connect(
            trunk("player " + playerId, simulation, host).resendLength(RESEND_LENGTH).listener(this));
    }

    /** A trunk that outlives the nodes. */
    static TrunkContext trunk(final String identity, final Simulation simulation, final SimulatedHost from)
    {
        final TrunkContext context = new TrunkContext()
            .aeron(from.aeron())
            .identity(identity)
            .secret(Simulator.SECRET)
            .feed(simulation.shape().isFed() ? from.address() + ":0" : null)
            .clock(simulation.clock())
            .termLength(Node.TERM_LENGTH)
            .connectTimeoutNs(3_000 * Simulation.MS)
            .reconnect(20 * Simulation.MS, 100 * Simulation.MS);
        if (Mode.GROUP == simulation.shape().mode())
        {
            simulation.nodes().forEach((node) -> context.member(node.ingress(), node.response()));
        }
        else
        {
            context.udp(simulation.nodes().get(0).ingress(), simulation.nodes().get(0).response());
        }
        return context;
    }

    long playerId()
    {
        return playerId;
    }

    long nowNs()
    {
        return clock.nanoTime();
    }

    List<ClientSeat> seats()
    {
        return seats;
    }

    /** Make a message of a seat. Returns its length, or 0 to send no message. */
    int next(final ClientSeat seat, final SplittableRandom random, final UnsafeBuffer buffer)
    {
        return 0;
    }

    /** A message has left, with this number. */
    void sent(final ClientSeat seat, final long number)
    {
    }

    @Override
    public void stall(final long untilNs)
    {
        stalledUntilNs = untilNs;
    }

    @Override
    public void poll()
    {
        if (host.isRunning() && clock.nanoTime() >= stalledUntilNs)
        {
            client.poll();
        }
    }

    /** Join each room once. Returns whether all seats have joined. */
    boolean join(final Collection<Long> rooms)
    {
        for (final long roomId : rooms)
        {
            if (!requested.contains(roomId) && SendStatus.SENT == client.join(
                1 + requested.size(), roomId, playerId, NO_TOKEN, message, 0, 0))
            {
                requested.add(roomId);
            }
        }
        return seats.size() == rooms.size();
    }

    /** Send a message from any seat that is here. */
    void send(final SplittableRandom random)
    {
        if (seats.isEmpty())
        {
            return;
        }
        final ClientSeat seat = seats.get(random.nextInt(seats.size()));
        if (!seat.isPresent())
        {
            return;
        }
        final int length = next(seat, random, message);
        if (length > 0 && SendStatus.SENT == client.send(seat, message, 0, length))
        {
            sent(seat, seat.sequence());
        }
    }

    @Override
    public String waitsFor()
    {
        for (final ClientSeat seat : seats)
        {
            if (seat.acceptedSequence() != seat.sequence())
            {
                return "player " + playerId + ", room " + seat.roomId() + ": accepted " + seat.acceptedSequence() +
                    " of " + seat.sequence() + ", " + client.state();
            }
        }
        return null;
    }

    @Override
    public long hash()
    {
        return hash;
    }

    @Override
    public void onJoined(final long requestId, final ClientSeat seat)
    {
        if (!seats.contains(seat))
        {
            seats.add(seat);
        }
        onAccepted(seat);
    }

    @Override
    public void onSeatResumed(final ClientSeat seat)
    {
        onAccepted(seat);
    }

    @Override
    public void onLeft(final ClientSeat seat, final int reason, final int code)
    {
        seats.remove(seat);
    }

    @Override
    public void onEvent(final ClientSeat seat, final DirectBuffer buffer, final int offset, final int length)
    {
        hash = 31 * (31 * hash + length) + clock.nanoTime();
    }

    @Override
    public void close()
    {
        client.close();
    }
}
