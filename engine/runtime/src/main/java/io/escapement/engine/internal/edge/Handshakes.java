package io.escapement.engine.internal.edge;

import io.escapement.codecs.TrunkMessages;
import io.escapement.codecs.trunk.TrunkCode;
import io.escapement.engine.internal.loop.UserCall;
import io.escapement.engine.spi.Authenticator;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.NanoClock;

/**
 * Connections on the control stream, and their handshakes: Hello, Challenge, Proof or Resume, Welcome or Reject; with
 * Stand and Standby in between for clients that know several nodes. Owns
 * every connection and the count of handshakes under way. Never blocks: in particular it does not call
 * {@code Image.reject}, which waits for the driver. A refused connection is no longer read, and nothing more.
 */
final class Handshakes implements EdgeTransport.ImageListener
{
    /** From a connection to its Welcome, or to its Attach on a loop's stream. */
    static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(5);
    private static final int CONNECTIONS_PER_POLL = 16;

    private final Trunks trunks;
    private final Standbys standbys;
    private final ControlProxy proxy;
    private final NanoClock clock;
    private final EdgeCounters counters;
    private final Verifier verifier;
    private final SecureRandom random;
    private final long silenceNs;
    private final Permits permits;
    private final HandshakeWarnings warnings;
    private final ArrayList<Connection> connections = new ArrayList<>();
    private int nextConnection;
    private boolean isDraining;
    private boolean isFollowing;

    Handshakes(
        final EdgeContext context,
        final Trunks trunks,
        final Standbys standbys,
        final ControlProxy proxy,
        final NanoClock clock)
    {
        this.trunks = trunks;
        this.standbys = standbys;
        this.proxy = proxy;
        this.clock = clock;
        counters = context.counters();
        verifier = new Verifier(context);
        random = context.random();
        silenceNs = context.trunks().silenceNs();
        permits = new Permits(context.trunks().handshakeLimit());
        warnings = new HandshakeWarnings(context.warnings(), clock);
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
                if (Connection.State.CHALLENGED == connection.state() && !connection.isAnswerable())
                {
                    // The client gave up first.
                    warnings.failed(connection, TrunkCode.HANDSHAKE_TIMEOUT);
                }
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
        if (!tryChallenge(connection, challenge))
        {
            return;
        }
        if (isDraining)
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

    /** The first message has another version of the schema, so that the fields of a Hello are unknown. */
    void onOtherVersion(final Connection connection)
    {
        final Authenticator.Challenge challenge = new Authenticator.Challenge(new byte[0], 0, 0, 0, 0, 0);
        if (Connection.State.NEW == connection.state() && tryChallenge(connection, challenge))
        {
            reject(connection, TrunkCode.PROTOCOL_VERSION);
        }
    }

    /** It sent more than a handshake takes. */
    void onTooManyBytes(final Connection connection)
    {
        warnings.failed(connection, TrunkCode.OUT_OF_ORDER);
        counters.refused(TrunkCode.OUT_OF_ORDER.value());
        connection.end(clock.nanoTime());
    }

    void onProof(final Connection connection, final byte[] credentials)
    {
        verifyForTrunk(new Verifier.Verification(connection, credentials, true,
            (verdict) -> trunks.open(connection, Authenticator.Verdict.TRUSTED == verdict), TrunkCode.TOO_MANY_TRUNKS));
    }

    void onStand(final Connection connection, final byte[] credentials)
    {
        if (Connection.State.CHALLENGED != connection.state())
        {
            counters.refused(TrunkCode.OUT_OF_ORDER.value());
            return;
        }
        verify(new Verifier.Verification(
            connection, credentials, false, (verdict) -> standbys.admit(connection), TrunkCode.TOO_MANY_TRUNKS));
    }

    void onResume(
        final Connection connection,
        final long trunkId,
        final long resumeHigh,
        final long resumeLow,
        final byte[] credentials)
    {
        verifyForTrunk(new Verifier.Verification(connection, credentials, true,
            (verdict) -> trunks.resume(
                connection, trunkId, resumeHigh, resumeLow, Authenticator.Verdict.TRUSTED == verdict),
            TrunkCode.UNKNOWN_TRUNK));
    }

    /** Poll some connections, in turn: control messages must not delay the loops' streams. */
    int poll(final ControlAdapter adapter)
    {
        final int count = Math.min(CONNECTIONS_PER_POLL, connections.size());
        int work = onVerified();
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
            if (connection.isHandshakeLate(nowNs, TIMEOUT_NS))
            {
                warnings.failed(connection, TrunkCode.HANDSHAKE_TIMEOUT);
                goodbye(connection, TrunkCode.HANDSHAKE_TIMEOUT);
            }
            else if (connection.isSilent(nowNs, silenceNs))
            {
                goodbye(connection, TrunkCode.KEEPALIVE_LATE);
            }
        }
    }

    /** Reject every further Hello, Proof and Resume: a trunk that opens now would outlive the drain. */
    void drain()
    {
        isDraining = true;
    }

    /** A log decides who leads: give out no trunk until {@link #lead}. */
    void join(final int memberId)
    {
        isFollowing = true;
        standbys.join(memberId);
    }

    /** Another node leads, or will: give out no trunk until {@link #lead}. */
    void follow(final int leaderMemberId)
    {
        isFollowing = true;
        standbys.follow(leaderMemberId);
    }

    /** This node leads. */
    void lead(final int incarnation)
    {
        isFollowing = false;
        standbys.lead(incarnation);
        for (int i = 0; i < connections.size(); i++)
        {
            if (Connection.State.STANDBY == connections.get(i).state())
            {
                standbys.announce(connections.get(i));
            }
        }
    }

    /** End the handshakes under way and the clients that stand by too. */
    void stop()
    {
        drain();
        for (int i = connections.size() - 1; i >= 0; i--)
        {
            final Connection connection = connections.get(i);
            if (connection.isInHandshake())
            {
                reject(connection, TrunkCode.ENGINE_STOPPING);
            }
            else if (Connection.State.STANDBY == connection.state())
            {
                goodbye(connection, TrunkCode.ENGINE_STOPPING);
            }
        }
    }

    /** Images of control streams. */
    int sessions()
    {
        return connections.size();
    }

    /** The call of the authenticator. */
    UserCall authenticatorCall()
    {
        return verifier.call();
    }

    /** Handshakes between Hello and Welcome. */
    int underWay()
    {
        return permits.held();
    }

    /** Handshakes under way, and connections with a publication or unsent replies. */
    int held()
    {
        int held = permits.held();
        for (int i = 0; i < connections.size(); i++)
        {
            held += connections.get(i).isHolding() ? 1 : 0;
        }
        return held;
    }

    /** A host gets no more places than it leaves free, so one host cannot keep the others out. */
    private int handshakesOf(final String source)
    {
        int count = 0;
        for (int i = 0; i < connections.size(); i++)
        {
            final Connection other = connections.get(i);
            count += other.isInHandshake() && source.equals(other.source()) ? 1 : 0;
        }
        return count;
    }

    private void verifyForTrunk(final Verifier.Verification verification)
    {
        final Connection connection = verification.connection;
        if (Connection.State.CHALLENGED != connection.state() && Connection.State.STANDBY != connection.state())
        {
            counters.refused(TrunkCode.OUT_OF_ORDER.value());
        }
        else if (isFollowing)
        {
            refuse(connection, TrunkCode.NOT_LEADING);
        }
        else
        {
            verify(verification);
        }
    }

    private void verify(final Verifier.Verification verification)
    {
        final Connection connection = verification.connection;
        if (isDraining)
        {
            reject(connection, TrunkCode.ENGINE_STOPPING);
        }
        else if (connection.tryVerify(clock.nanoTime()) && verifier.tryVerify(verification))
        {
            // An authenticator without a thread has returned.
            onVerified();
        }
        else
        {
            reject(connection, TrunkCode.TOO_MANY_HANDSHAKES);
        }
    }

    /** Take verdicts. Those of connections that have ended since say nothing. Returns the number taken. */
    private int onVerified()
    {
        int count = 0;
        for (Verifier.Verification next = verifier.poll(); null != next; next = verifier.poll())
        {
            count++;
            if (Connection.State.VERIFYING == next.connection.state())
            {
                admit(next);
            }
        }
        return count;
    }

    private void admit(final Verifier.Verification verification)
    {
        if (isDraining)
        {
            reject(verification.connection, TrunkCode.ENGINE_STOPPING);
        }
        else if (!verification.isAccepted())
        {
            reject(verification.connection, TrunkCode.BAD_CREDENTIALS);
        }
        else if (isFollowing && verification.isForTrunk())
        {
            refuse(verification.connection, TrunkCode.NOT_LEADING);
        }
        else if (!verification.tryAdmit())
        {
            refuse(verification.connection, verification.refusal);
        }
    }

    /** Give no trunk to a client. One that has stood by goes on to, if another answer may come later. */
    private void refuse(final Connection connection, final TrunkCode code)
    {
        if (!connection.hasStoodBy() || TrunkCode.TOO_MANY_TRUNKS == code)
        {
            reject(connection, code);
            return;
        }
        counters.refused(code.value());
        standbys.keep(connection);
        if (TrunkCode.NOT_LEADING == code)
        {
            standbys.answer(connection);
        }
        else
        {
            proxy.reject(connection, code.value());
        }
    }

    /** Open a response publication to the client, which a rejection needs too. */
    private boolean tryChallenge(final Connection connection, final Authenticator.Challenge challenge)
    {
        if (handshakesOf(connection.source()) < permits.free() && connection.tryChallenge(challenge))
        {
            return true;
        }
        counters.refused(TrunkCode.TOO_MANY_HANDSHAKES.value());
        warnings.failed(connection, TrunkCode.TOO_MANY_HANDSHAKES);
        connection.end(clock.nanoTime());
        return false;
    }

    private void reject(final Connection connection, final TrunkCode code)
    {
        counters.refused(code.value());
        if (TrunkCode.ENGINE_STOPPING != code && TrunkCode.UNKNOWN_TRUNK != code && TrunkCode.NOT_LEADING != code)
        {
            // Those are the normal course of a restart.
            warnings.failed(connection, code);
        }
        proxy.reject(connection, code.value());
        connection.end(clock.nanoTime());
    }

    private void goodbye(final Connection connection, final TrunkCode code)
    {
        counters.refused(code.value());
        proxy.goodbye(connection, code);
        connection.end(clock.nanoTime());
    }
}
