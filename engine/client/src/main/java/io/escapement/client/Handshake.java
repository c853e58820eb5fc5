package io.escapement.client;

import io.escapement.client.TrunkClient.State;
import java.security.SecureRandom;

/**
 * The handshake: Hello, Challenge, then Proof or, with a ticket, Resume. A message that the engine does not accept at
 * once is offered again in each duty cycle. Welcome or Reject ends the handshake.
 */
final class Handshake
{
    private final TrunkContext context;
    private final ResumeTicket ticket;
    private final StreamConnection connection;
    private final BatchSender sender;
    private final ControlProxy proxy;
    private final long deadlineNs;
    private final long nonceHigh;
    private final long nonceLow;
    private State state = State.CONNECTING;

    Handshake(
        final TrunkContext context,
        final ResumeTicket ticket,
        final StreamConnection connection,
        final BatchSender sender,
        final ControlProxy proxy,
        final long nowNs)
    {
        this.context = context;
        this.ticket = ticket;
        this.connection = connection;
        this.sender = sender;
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

    boolean isOverdue(final long nowNs)
    {
        return nowNs - deadlineNs > 0;
    }

    /** The engine makes the response channel only after Hello, so a missing image is a loss only after Challenge. */
    boolean isConnectionLost()
    {
        return State.PROVEN == state && !connection.hasImage();
    }

    void advance()
    {
        if (State.CONNECTING != state)
        {
            sender.flush();
        }
        else if (connection.isConnected())
        {
            // Hello is encoded once. It stays in the batch while it is not accepted.
            if (sender.isEmpty())
            {
                proxy.hello(nonceHigh, nonceLow, context.applicationVersion(), context.identity());
            }
            if (sender.flush())
            {
                state = State.GREETED;
            }
        }
    }

    void onChallenge(final long serverHigh, final long serverLow)
    {
        final byte[] credentials =
            context.credentials().answer(nonceHigh, nonceLow, serverHigh, serverLow, context.identity());
        if (null == ticket)
        {
            proxy.proof(credentials);
        }
        else
        {
            proxy.resume(ticket, credentials);
        }
        sender.flush();
        state = State.PROVEN;
    }
}
