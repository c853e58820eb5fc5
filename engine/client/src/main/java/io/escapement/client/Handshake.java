package io.escapement.client;

import io.escapement.client.TrunkClient.State;
import java.security.SecureRandom;

/**
 * The handshake: Hello, Challenge, then Proof or, with a ticket, Resume. A standby client sends Stand first, and asks
 * for its trunk later. If the engine does not accept a message at once, each duty cycle retries the offer. Welcome or
 * Reject concludes the handshake.
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

    /** Whether it asks for a trunk, not for standby. */
    boolean isAsking()
    {
        return isAsking;
    }

    boolean isOverdue(final long nowNs)
    {
        return State.STANDBY != state && nowNs - deadlineNs > 0;
    }

    /**
     * The engine makes the response channel only after Hello. Therefore a missing image is a loss only after Challenge.
     */
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

    /** Ask the engine for standby. */
    void stand()
    {
        proxy.stand(credentials);
        batch.flush();
        state = State.PROVEN;
    }

    /** The engine admits the client to standby, or continues to. */
    void onStandby()
    {
        isAsking = false;
        state = State.STANDBY;
    }

    /** Ask for the trunk of a ticket, or for a new trunk. Returns whether the request was queued. */
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
