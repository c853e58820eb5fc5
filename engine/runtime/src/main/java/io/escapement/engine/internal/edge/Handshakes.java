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
 * Control streams, and their handshakes: Hello, Challenge, Proof or Resume, Welcome or Reject. Stand and Standby are in
 * between for clients that know several nodes. Owns every stream and the count of handshakes under way. Never blocks:
 * in particular it does not call {@code Image.reject}, which waits for the driver. To refuse a stream, it only stops
 * reading it.
 */
final class Handshakes implements EdgeTransport.ImageListener
{
    /** From a new stream to its Welcome, or to its Attach. */
    static final long GIVE_UP_NS = TimeUnit.MILLISECONDS.toNanos(500);
    static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(5);
    private static final int CONTROLS_PER_POLL = 16;

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
    private final ArrayList<ControlStream> controls = new ArrayList<>();
    private int nextControl;
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
        controls.add(new ControlStream(image, clock.nanoTime(), permits));
    }

    @Override
    public void onImageGone(final EdgeImage image)
    {
        for (int i = controls.size() - 1; i >= 0; i--)
        {
            final ControlStream control = controls.get(i);
            if (control.isOf(image))
            {
                controls.remove(i);
                if (ControlStream.State.CHALLENGED == control.state() && !control.isAnswerable() &&
                    control.isHandshakeLate(clock.nanoTime(), GIVE_UP_NS))
                {
                    // The client gave up first. A client that is closed or reconnects does so at once.
                    warnings.failed(control, TrunkCode.HANDSHAKE_TIMEOUT);
                }
                trunks.onImageGone(control);
            }
        }
    }

    void onHello(
        final ControlStream control,
        final int protocolVersion,
        final int applicationVersion,
        final long nonceHigh,
        final long nonceLow,
        final byte[] identity)
    {
        if (ControlStream.State.NEW != control.state())
        {
            counters.refused(TrunkCode.OUT_OF_ORDER.value());
            return;
        }
        final Authenticator.Challenge challenge = new Authenticator.Challenge(
            identity, applicationVersion, nonceHigh, nonceLow, random.nextLong(), random.nextLong());
        if (!tryChallenge(control, challenge))
        {
            return;
        }
        if (isDraining)
        {
            reject(control, TrunkCode.ENGINE_STOPPING);
        }
        else if (TrunkMessages.PROTOCOL_VERSION != protocolVersion)
        {
            reject(control, TrunkCode.PROTOCOL_VERSION);
        }
        else
        {
            proxy.challenge(control, challenge.serverHigh(), challenge.serverLow());
        }
    }

    /** The first message has another version of the schema, so that the fields of a Hello are unknown. */
    void onOtherVersion(final ControlStream control)
    {
        final Authenticator.Challenge challenge = new Authenticator.Challenge(new byte[0], 0, 0, 0, 0, 0);
        if (ControlStream.State.NEW == control.state() && tryChallenge(control, challenge))
        {
            reject(control, TrunkCode.PROTOCOL_VERSION);
        }
    }

    /** It sent more than a handshake takes. */
    void onTooManyBytes(final ControlStream control)
    {
        warnings.failed(control, TrunkCode.OUT_OF_ORDER);
        counters.refused(TrunkCode.OUT_OF_ORDER.value());
        control.end(clock.nanoTime());
    }

    void onProof(final ControlStream control, final byte[] credentials)
    {
        verifyForTrunk(new Verifier.Verification(control, credentials, true,
            (verdict) -> trunks.open(control, verdict), TrunkCode.TOO_MANY_TRUNKS));
    }

    void onStand(final ControlStream control, final byte[] credentials)
    {
        if (ControlStream.State.CHALLENGED != control.state())
        {
            counters.refused(TrunkCode.OUT_OF_ORDER.value());
            return;
        }
        verify(new Verifier.Verification(
            control, credentials, false, (verdict) -> standbys.admit(control), TrunkCode.TOO_MANY_TRUNKS));
    }

    void onResume(
        final ControlStream control,
        final long trunkId,
        final long resumeHigh,
        final long resumeLow,
        final byte[] credentials)
    {
        verifyForTrunk(new Verifier.Verification(control, credentials, true,
            (verdict) -> trunks.resume(
                control, trunkId, resumeHigh, resumeLow, verdict),
            TrunkCode.UNKNOWN_TRUNK));
    }

    /** Poll some streams, in turn: control messages must not delay the loops' streams. */
    int poll(final ControlAdapter adapter)
    {
        final int count = Math.min(CONTROLS_PER_POLL, controls.size());
        int work = onVerified();
        for (int i = 0; i < count; i++)
        {
            nextControl = nextControl + 1 >= controls.size() ? 0 : nextControl + 1;
            final ControlStream control = controls.get(nextControl);
            work += adapter.poll(control);
            control.flush();
        }
        return work;
    }

    void housekeep()
    {
        final long nowNs = clock.nanoTime();
        for (int i = controls.size() - 1; i >= 0; i--)
        {
            final ControlStream control = controls.get(i);
            control.advance(nowNs);
            if (control.isHandshakeLate(nowNs, TIMEOUT_NS))
            {
                warnings.failed(control, TrunkCode.HANDSHAKE_TIMEOUT);
                goodbye(control, TrunkCode.HANDSHAKE_TIMEOUT);
            }
            else if (control.isSilent(nowNs, silenceNs))
            {
                goodbye(control, TrunkCode.KEEPALIVE_LATE);
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
        for (int i = 0; i < controls.size(); i++)
        {
            if (ControlStream.State.STANDBY == controls.get(i).state())
            {
                standbys.announce(controls.get(i));
            }
        }
    }

    /** Close the handshakes under way and the clients on standby. */
    void stop()
    {
        drain();
        for (int i = controls.size() - 1; i >= 0; i--)
        {
            final ControlStream control = controls.get(i);
            if (control.isInHandshake())
            {
                reject(control, TrunkCode.ENGINE_STOPPING);
            }
            else if (ControlStream.State.STANDBY == control.state())
            {
                goodbye(control, TrunkCode.ENGINE_STOPPING);
            }
        }
    }

    /** Images of control streams. */
    int sessions()
    {
        return controls.size();
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

    /** Handshakes under way, and streams with a publication or unsent replies. */
    int held()
    {
        int held = permits.held();
        for (int i = 0; i < controls.size(); i++)
        {
            held += controls.get(i).isHolding() ? 1 : 0;
        }
        return held;
    }

    /** A host gets no more places than it leaves free. Because of this, one host cannot keep the others out. */
    private int handshakesOf(final String source)
    {
        int count = 0;
        for (int i = 0; i < controls.size(); i++)
        {
            final ControlStream other = controls.get(i);
            count += other.isInHandshake() && source.equals(other.source()) ? 1 : 0;
        }
        return count;
    }

    private void verifyForTrunk(final Verifier.Verification verification)
    {
        final ControlStream control = verification.control;
        if (ControlStream.State.CHALLENGED != control.state() && ControlStream.State.STANDBY != control.state())
        {
            counters.refused(TrunkCode.OUT_OF_ORDER.value());
        }
        else if (isFollowing)
        {
            refuse(control, TrunkCode.NOT_LEADING);
        }
        else
        {
            verify(verification);
        }
    }

    private void verify(final Verifier.Verification verification)
    {
        final ControlStream control = verification.control;
        if (isDraining)
        {
            reject(control, TrunkCode.ENGINE_STOPPING);
        }
        else if (control.tryVerify(clock.nanoTime()) && verifier.tryVerify(verification))
        {
            // An authenticator without a thread has returned.
            onVerified();
        }
        else
        {
            reject(control, TrunkCode.TOO_MANY_HANDSHAKES);
        }
    }

    /** Take verdicts. Verdicts for streams that have closed since then are ignored. Returns the number taken. */
    private int onVerified()
    {
        int count = 0;
        for (Verifier.Verification next = verifier.poll(); null != next; next = verifier.poll())
        {
            count++;
            if (ControlStream.State.VERIFYING == next.control.state())
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
            reject(verification.control, TrunkCode.ENGINE_STOPPING);
        }
        else if (!verification.isAccepted())
        {
            reject(verification.control, TrunkCode.BAD_CREDENTIALS);
        }
        else if (isFollowing && verification.isForTrunk())
        {
            refuse(verification.control, TrunkCode.NOT_LEADING);
        }
        else if (!verification.tryAdmit())
        {
            refuse(verification.control, verification.refusal);
        }
    }

    /** Give no trunk to a client. A client on standby stays on standby, if another answer may follow later. */
    private void refuse(final ControlStream control, final TrunkCode code)
    {
        if (!control.hasStoodBy() || TrunkCode.TOO_MANY_TRUNKS == code)
        {
            reject(control, code);
            return;
        }
        counters.refused(code.value());
        standbys.keep(control);
        if (TrunkCode.NOT_LEADING == code)
        {
            standbys.answer(control);
        }
        else
        {
            proxy.reject(control, code.value());
        }
    }

    /** Open a response publication to the client. A rejection also needs it. */
    private boolean tryChallenge(final ControlStream control, final Authenticator.Challenge challenge)
    {
        if (handshakesOf(control.source()) < permits.free() && control.tryChallenge(challenge))
        {
            return true;
        }
        counters.refused(TrunkCode.TOO_MANY_HANDSHAKES.value());
        warnings.failed(control, TrunkCode.TOO_MANY_HANDSHAKES);
        control.end(clock.nanoTime());
        return false;
    }

    private void reject(final ControlStream control, final TrunkCode code)
    {
        counters.refused(code.value());
        if (TrunkCode.ENGINE_STOPPING != code && TrunkCode.UNKNOWN_TRUNK != code && TrunkCode.NOT_LEADING != code)
        {
            // Those are the normal course of a restart.
            warnings.failed(control, code);
        }
        proxy.reject(control, code.value());
        control.end(clock.nanoTime());
    }

    private void goodbye(final ControlStream control, final TrunkCode code)
    {
        counters.refused(code.value());
        proxy.goodbye(control, code);
        control.end(clock.nanoTime());
    }
}
