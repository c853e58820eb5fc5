package io.escapement.engine.internal.edge;

import io.escapement.codecs.TrunkMessages;
import io.escapement.codecs.trunk.TrunkCode;
import io.escapement.engine.spi.Authenticator;
import java.security.SecureRandom;
import java.util.ArrayList;
import org.agrona.concurrent.NanoClock;

/**
 * Connections on the control stream, and their handshakes: Hello, Challenge, Proof or Resume, Welcome or Reject. Owns
 * every connection and the count of handshakes under way. Never blocks: in particular it does not call
 * {@code Image.reject}, which waits for the driver. A refused connection is no longer read, and nothing more.
 */
final class Handshakes implements EdgeTransport.ImageListener
{
    private static final int CONNECTIONS_PER_POLL = 16;

    private final Trunks trunks;
    private final ControlProxy proxy;
    private final NanoClock clock;
    private final EdgeCounters counters;
    private final Authenticator authenticator;
    private final SecureRandom random;
    private final long timeoutNs;
    private final Permits permits;
    private final ArrayList<Connection> connections = new ArrayList<>();
    private int nextConnection;
    private boolean isDraining;

    Handshakes(final EdgeContext context, final Trunks trunks, final ControlProxy proxy, final NanoClock clock)
    {
        this.trunks = trunks;
        this.proxy = proxy;
        this.clock = clock;
        counters = context.counters();
        authenticator = context.policy().authenticator();
        random = context.random();
        timeoutNs = context.policy().timeouts().handshakeNs();
        permits = new Permits(context.policy().limits().handshakes());
    }

    @Override
    public void onImage(final EdgeImage image)
    {
        connections.add(new Connection(image, clock.nanoTime(), permits));
    }

    @Override
    public void onImageGone(final EdgeImage image)
    {
        for (int i = connections.size() - 1; i >= 0; i--)
        {
            final Connection connection = connections.get(i);
            if (connection.isOf(image))
            {
                connections.remove(i);
                trunks.onImageGone(connection);
            }
        }
    }

    void onHello(
        final Connection connection,
        final int protocolVersion,
        final int applicationVersion,
        final long nonceHigh,
        final long nonceLow,
        final byte[] identity)
    {
        if (Connection.State.NEW != connection.state())
        {
            counters.refused(TrunkCode.OUT_OF_ORDER.value());
            return;
        }
        final Authenticator.Challenge challenge = new Authenticator.Challenge(
            identity, applicationVersion, nonceHigh, nonceLow, random.nextLong(), random.nextLong());
        if (!connection.tryChallenge(challenge))
        {
            counters.refused(TrunkCode.TOO_MANY_HANDSHAKES.value());
            connection.end(clock.nanoTime());
        }
        else if (isDraining)
        {
            reject(connection, TrunkCode.ENGINE_STOPPING);
        }
        else if (TrunkMessages.PROTOCOL_VERSION != protocolVersion)
        {
            reject(connection, TrunkCode.PROTOCOL_VERSION);
        }
        else
        {
            proxy.challenge(connection, challenge.serverHigh(), challenge.serverLow());
        }
    }

    void onProof(final Connection connection, final byte[] credentials)
    {
        final Authenticator.Verdict verdict = verdict(connection, credentials);
        if (Authenticator.Verdict.REFUSED != verdict &&
            !trunks.open(connection, Authenticator.Verdict.TRUSTED == verdict))
        {
            reject(connection, TrunkCode.TOO_MANY_TRUNKS);
        }
    }

    void onResume(
        final Connection connection,
        final long trunkId,
        final long resumeHigh,
        final long resumeLow,
        final byte[] credentials)
    {
        if (Authenticator.Verdict.REFUSED != verdict(connection, credentials) &&
            !trunks.resume(connection, trunkId, resumeHigh, resumeLow))
        {
            reject(connection, TrunkCode.UNKNOWN_TRUNK);
        }
    }

    /** Poll some connections, in turn: control messages must not delay the loops' streams. */
    int poll(final ControlAdapter adapter)
    {
        final int count = Math.min(CONNECTIONS_PER_POLL, connections.size());
        int work = 0;
        for (int i = 0; i < count; i++)
        {
            nextConnection = nextConnection + 1 >= connections.size() ? 0 : nextConnection + 1;
            final Connection connection = connections.get(nextConnection);
            work += adapter.poll(connection);
            connection.flush();
        }
        return work;
    }

    void housekeep()
    {
        final long nowNs = clock.nanoTime();
        for (int i = connections.size() - 1; i >= 0; i--)
        {
            final Connection connection = connections.get(i);
            connection.advance(nowNs);
            if (connection.isHandshakeLate(nowNs, timeoutNs))
            {
                counters.refused(TrunkCode.HANDSHAKE_TIMEOUT.value());
                proxy.goodbye(connection, TrunkCode.HANDSHAKE_TIMEOUT);
                connection.end(nowNs);
            }
        }
    }

    /** Reject every further Hello. */
    void drain()
    {
        isDraining = true;
    }

    /** Handshakes between Hello and Welcome. */
    int underWay()
    {
        return permits.held();
    }

    /** Connections with unsent replies. */
    int held()
    {
        int held = 0;
        for (int i = 0; i < connections.size(); i++)
        {
            held += connections.get(i).replies().isEmpty() ? 0 : 1;
        }
        return held;
    }

    private Authenticator.Verdict verdict(final Connection connection, final byte[] credentials)
    {
        if (Connection.State.CHALLENGED != connection.state())
        {
            counters.refused(TrunkCode.OUT_OF_ORDER.value());
            return Authenticator.Verdict.REFUSED;
        }
        final Authenticator.Verdict verdict = authenticator.authenticate(connection.challenge(), credentials);
        if (Authenticator.Verdict.REFUSED == verdict)
        {
            reject(connection, TrunkCode.BAD_CREDENTIALS);
        }
        return verdict;
    }

    private void reject(final Connection connection, final TrunkCode code)
    {
        counters.refused(code.value());
        proxy.reject(connection, code.value());
        connection.end(clock.nanoTime());
    }
}
