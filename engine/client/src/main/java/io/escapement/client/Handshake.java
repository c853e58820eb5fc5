package io.escapement.client;

import io.escapement.client.TrunkClient.State;
import java.security.SecureRandom;

/**
 * The handshake: Hello, Challenge, then Proof or, with a ticket, Resume. A client that stands by sends Stand first, and
 * asks for its trunk later. A message that the engine does not accept at once is offered again in each duty cycle.
 * Welcome or Reject ends the handshake.
 */
final class Handshake
{
    private final TrunkContext context;
    private final TrunkStream stream;
    private final StreamBatch batch;
    private final TrunkProxy proxy;
    private final long nonceHigh;
    private final long nonceLow;
    private State state = State.CONNECTING;
    private long deadlineNs;
    private byte[] credentials;
    private boolean isAsking;

    Handshake(
        final TrunkContext context,
        final TrunkStream stream,
        final StreamBatch batch,
        final TrunkProxy proxy,
        final long nowNs)
    {
        this.context = context;
        this.stream = stream;
        this.batch = batch;
        this.proxy = proxy;
        deadlineNs = nowNs + context.connectTimeoutNs();
        final SecureRandom random = new SecureRandom();
        nonceHigh = random.nextLong();
        nonceLow = random.nextLong();
    }

    State state()
    {
        return state;
    }

    /** Whether it asks for a trunk, and not to stand by. */
    boolean isAsking()
    {
        return isAsking;
    }

    boolean isOverdue(final long nowNs)
    {
        return State.STANDBY != state && nowNs - deadlineNs > 0;
    }

    /** The engine makes the response channel only after Hello, so a missing image is a loss only after Challenge. */
    boolean isConnectionLost()
    {
        return (State.PROVEN == state || State.STANDBY == state) && !stream.hasImage();
    }

    void advance()
    {
        if (State.CONNECTING != state)
        {
            batch.flush();
        }
        else if (stream.isConnected())
        {
            // Hello is encoded once. It stays in the batch while it is not accepted.
            if (batch.isEmpty())
            {
                proxy.hello(nonceHigh, nonceLow, context.applicationVersion(), context.identity());
            }
            if (batch.flush())
            {
                state = State.GREETED;
            }
        }
    }

    void onChallenge(final long serverHigh, final long serverLow)
    {
        credentials = context.credentials().answer(nonceHigh, nonceLow, serverHigh, serverLow, context.identity());
    }

    /** Ask the engine to be let stand by. */
    void stand()
    {
        proxy.stand(credentials);
        batch.flush();
        state = State.PROVEN;
    }

    /** The engine lets the client stand by, or goes on to. */
    void onStandby()
    {
        isAsking = false;
        state = State.STANDBY;
    }

    /** Ask for the trunk of a ticket, or for a new one. Returns whether that was queued. */
    boolean ask(final ResumeTicket ticket, final long nowNs)
    {
        final boolean isQueued = null == ticket ? proxy.proof(credentials) : proxy.resume(ticket, credentials);
        if (isQueued)
        {
            batch.flush();
            if (State.STANDBY == state)
            {
                deadlineNs = nowNs + context.connectTimeoutNs();
            }
            isAsking = true;
            state = State.PROVEN;
        }
        return isQueued;
    }
}
