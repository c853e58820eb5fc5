package io.escapement.engine.internal.edge;

import io.escapement.codecs.trunk.TrunkCode;
import io.escapement.engine.internal.loop.UserCall;
import io.escapement.engine.spi.Authenticator;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.ManyToOneConcurrentLinkedQueue;

/**
 * Has the authenticator verify credentials, in its own thread if the application supplied it, and queues the verdicts
 * for the edge. An authenticator that throws, or returns null, has refused.
 */
final class Verifier
{
    /** A call that takes longer is reported: clients give up a handshake after some seconds. */
    private static final long CALL_NS = TimeUnit.SECONDS.toNanos(1);

    private final Authenticator authenticator;
    private final Executor executor;
    private final ErrorHandler errorHandler;
    private final UserCall call;
    private final int waitingLimit;
    /** Calls that wait for the authenticator's thread, including timed-out handshakes. */
    private final AtomicInteger waiting = new AtomicInteger();
    private final ManyToOneConcurrentLinkedQueue<Verification> verified = new ManyToOneConcurrentLinkedQueue<>();

    Verifier(final EdgeContext context)
    {
        authenticator = context.trunks().authenticator();
        executor = context.executors().authenticator();
        errorHandler = context.errorHandler();
        call = new UserCall("trunks.authenticator", CALL_NS, context.time());
        waitingLimit = context.trunks().handshakeLimit();
    }

    /** Start a verification. False when too many wait. */
    boolean tryVerify(final Verification verification)
    {
        if (waiting.get() >= waitingLimit)
        {
            return false;
        }
        waiting.incrementAndGet();
        executor.execute(() -> verify(verification));
        return true;
    }

    /** Take a verification with its verdict, or null. */
    Verification poll()
    {
        return verified.poll();
    }

    /** The call of the authenticator, in its thread. */
    UserCall call()
    {
        return call;
    }

    private void verify(final Verification verification)
    {
        waiting.decrementAndGet();
        call.begin();
        try
        {
            verification.verdict = authenticator.authenticate(verification.challenge, verification.credentials);
        }
        catch (final Throwable ex)
        {
            errorHandler.onError(ex);
        }
        finally
        {
            call.end();
        }
        verified.offer(verification);
    }

    /** The check of one client. The thread that verifies writes the verdict, the edge reads it from the queue. */
    static final class Verification
    {
        final ControlStream control;
        /** Answered to a client that is accepted and cannot be admitted. */
        final TrunkCode refusal;
        private final Authenticator.Challenge challenge;
        private final byte[] credentials;
        private final Predicate<Authenticator.Verdict> admission;
        private final boolean isForTrunk;
        private Authenticator.Verdict verdict;

        /**
         * Make one.
         *
         * @param control     of the client.
         * @param credentials of the client.
         * @param isForTrunk  whether it asks for a trunk, and not for a standby.
         * @param admission   gives an accepted client its trunk or puts it on standby, and returns whether it did.
         * @param refusal     when it has not.
         */
        Verification(
            final ControlStream control,
            final byte[] credentials,
            final boolean isForTrunk,
            final Predicate<Authenticator.Verdict> admission,
            final TrunkCode refusal)
        {
            this.control = control;
            challenge = control.challenge();
            this.credentials = credentials;
            this.isForTrunk = isForTrunk;
            this.admission = admission;
            this.refusal = refusal;
        }

        boolean isForTrunk()
        {
            return isForTrunk;
        }

        boolean isAccepted()
        {
            return null != verdict && verdict.isAccepted();
        }

        boolean tryAdmit()
        {
            return admission.test(verdict);
        }
    }
}
