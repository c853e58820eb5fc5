package io.escapement.gateway;

import io.escapement.client.TrunkContext;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.NanoClock;

/** A worker of a gateway with the sessions and the trunk of production, and sockets in memory. */
public final class SimulatedGateway implements AutoCloseable
{
    private static final long MS = TimeUnit.MILLISECONDS.toNanos(1);
    /** One address has all players, so its rates are those of all. */
    private static final String ADDRESS = "10.1.0.1";
    private static final int ANY = 1_000_000;

    private final List<SimulatedSocket> sockets = new ArrayList<>();
    private final GatewayCounters counters = new GatewayCounters();
    private final NanoClock clock;
    private final Sessions sessions;
    private final Upstream upstream;

    /** Encoded once for all its receivers, which share the bytes. */
    static final class Shared implements SharedMessage
    {
        private byte[] bytes;

        byte[] bytes()
        {
            return bytes;
        }

        @Override
        public void encode(
            final DirectBuffer prefix,
            final int prefixLength,
            final DirectBuffer buffer,
            final int offset,
            final int length)
        {
            bytes = new byte[prefixLength + length];
            prefix.getBytes(0, bytes, 0, prefixLength);
            buffer.getBytes(offset, bytes, prefixLength, length);
        }

        @Override
        public void release()
        {
            bytes = null;
        }
    }

    /**
     * A gateway whose times are shorter than by default, and whose queues are.
     *
     * @param trunk  to the engine.
     * @param clock  of the simulation.
     * @param errors that the gateway reports.
     */
    public SimulatedGateway(final TrunkContext trunk, final NanoClock clock, final ErrorHandler errors)
    {
        this.clock = clock;
        final GatewayContext context = new GatewayContext().udp("10.0.0.1:1", "10.0.0.1:2").secret(new byte[16])
            .clock(clock).errorHandler(errors);
        context.limits().graceNs(800 * MS).handshakeNs(500 * MS).logInNs(5_000 * MS).pingNs(200 * MS).idleNs(600 * MS)
            .slowNs(500 * MS).requestNs(1_500 * MS).messageRate(ANY).byteRate(ANY).logInRate(ANY)
            .stateQueueLimit(2_048).queueLimit(16_384);
        final GatewayLimits limits = context.conclude().limits();
        sessions = new Sessions(context, counters, new AddressLimits(
            limits.addressLimit(), limits.addressRate(), limits.logInRate(), 16, new SecureRandom()),
            new Shared(), new ResumeTokens(), Workers.ALONE);
        upstream = new AeronUpstream(trunk, sessions);
        sessions.upstream(upstream);
    }

    /** A player's client connects. */
    public SimulatedSocket connect(final SplittableRandom random)
    {
        final SimulatedSocket socket = new SimulatedSocket(clock, random);
        sockets.add(socket);
        return socket;
    }

    /** The turn of a worker. */
    public void step()
    {
        sessions.beginTurn();
        for (final SimulatedSocket socket : sockets)
        {
            if (!socket.isAccepted())
            {
                socket.accept(sessions.accept(socket, ADDRESS, sessions.nowNs() + sessions.limits().handshakeNs()));
            }
            socket.turn();
        }
        upstream.poll();
        sessions.endTurn();
        sockets.removeIf(SimulatedSocket::isGone);
    }

    /** Whether it has its trunk. */
    public boolean isUp()
    {
        return upstream.isUp();
    }

    /** Close all connections within a time. */
    public void drain(final long withinNs)
    {
        sessions.drain(withinNs);
    }

    /** Names what is left of players, or null. The gauges have it after a tick. */
    public String left()
    {
        final int left = counters.connections() + counters.greeted() + counters.sessions() + counters.detached() +
            counters.seats() + sockets.size();
        return 0 == left ? null : counters.connections() + " connections, " + counters.greeted() + " greeted, " +
            counters.sessions() + " sessions, " + counters.detached() + " detached, " + counters.seats() + " seats, " +
            sockets.size() + " sockets";
    }

    @Override
    public void close()
    {
        upstream.close();
    }
}
