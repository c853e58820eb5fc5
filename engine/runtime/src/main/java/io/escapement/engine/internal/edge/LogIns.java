package io.escapement.engine.internal.edge;

import io.escapement.codecs.room.RefusalCode;
import io.escapement.codecs.trunk.TrunkCode;
import io.escapement.engine.internal.loop.UserCall;
import io.escapement.engine.spi.LogInService;
import java.util.ArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.ManyToOneConcurrentLinkedQueue;
import org.agrona.concurrent.NanoClock;

/**
 * Log-ins of players and the resulting tokens. A log-in holds a permit of its trunk until its reply. If a service takes
 * too long, the edge replies itself.
 */
final class LogIns
{
    /** Log-ins of one trunk that the service has not answered. */
    static final int PER_TRUNK = 64;
    /** A log-in without an answer is refused after this. */
    static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(30);
    private static final byte[] NO_TOKEN = new byte[0];
    private static final int REPLIES_PER_POLL = 64;
    /** A call that takes longer is reported. */
    private static final long CALL_NS = TimeUnit.SECONDS.toNanos(5);
    private static final long TIMEOUT_CHECK_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private final ControlProxy proxy;
    private final NanoClock clock;
    private final EdgeCounters counters;
    private final LogInService service;
    private final Executor executor;
    private final ErrorHandler errorHandler;
    private final ManyToOneConcurrentLinkedQueue<PendingLogIn> replied = new ManyToOneConcurrentLinkedQueue<>();
    private final PlayerTokens tokens;
    /** Wall-clock time of engine time 0. */
    private final long epochNs;
    private final long tokenNs;
    private final UserCall serviceCall;
    /** Log-ins without an answer. */
    private final ArrayList<PendingLogIn> underWay = new ArrayList<>();
    /** Calls that wait for the service's thread, including timed-out log-ins. */
    private final AtomicInteger waitingCalls = new AtomicInteger();
    private final int waitingCallLimit;
    private long timeoutsCheckedNs;

    LogIns(final EdgeContext context, final ControlProxy proxy, final NanoClock clock)
    {
        this.proxy = proxy;
        this.clock = clock;
        counters = context.counters();
        service = context.trunks().logInService();
        executor = context.executors().logIn();
        errorHandler = context.errorHandler();
        tokens = new PlayerTokens(context.keys());
        epochNs = context.epochNs();
        tokenNs = context.trunks().playerTokenNs();
        serviceCall = new UserCall("trunks.logInService", CALL_NS, context.time());
        waitingCallLimit = context.trunks().limit() * PER_TRUNK;
    }

    void onLogIn(final ControlStream control, final long requestId, final byte[] credentials)
    {
        final Trunk trunk = control.trunk();
        if (null == trunk)
        {
            counters.refused(TrunkCode.OUT_OF_ORDER.value());
        }
        else if (null == service)
        {
            refuse(control, requestId, TrunkCode.NO_LOG_IN);
        }
        else if (waitingCalls.get() >= waitingCallLimit || !trunk.logIns().tryAcquire())
        {
            refuse(control, requestId, TrunkCode.LOG_IN_BUSY);
        }
        else
        {
            final PendingLogIn logIn = new PendingLogIn(this, trunk, requestId, credentials, clock.nanoTime());
            underWay.add(logIn);
            waitingCalls.incrementAndGet();
            executor.execute(logIn);
        }
    }

    /** Take replies of the service, and reply for it when it takes too long. Returns the number taken. */
    int poll(final long nowNs)
    {
        if (nowNs - timeoutsCheckedNs >= TIMEOUT_CHECK_NS)
        {
            timeoutsCheckedNs = nowNs;
            timeOut(nowNs);
        }
        int count = 0;
        PendingLogIn logIn = replied.poll();
        while (null != logIn)
        {
            if (!tryAnswer(logIn))
            {
                // The client does not take its replies. The permit bounds how many wait here.
                replied.offer(logIn);
                break;
            }
            logIn = ++count < REPLIES_PER_POLL ? replied.poll() : null;
        }
        return count;
    }

    private void timeOut(final long nowNs)
    {
        for (int i = 0; i < underWay.size(); i++)
        {
            if (nowNs - underWay.get(i).sinceNs() > TIMEOUT_NS)
            {
                underWay.get(i).timeOut();
            }
        }
    }

    /** Where to put a token before {@link #checkPlayer}. */
    byte[] tokenBuffer()
    {
        return tokens.tokenBuffer();
    }

    /** Whether a trunk may act for a player: NONE, or a refusal code. */
    int checkPlayer(final Trunk trunk, final long playerId, final int tokenLength)
    {
        return trunk.isTrusted() ? RefusalCode.NONE.value() :
            tokens.check(trunk.id(), playerId, tokenLength, epochNs + clock.nanoTime());
    }

    /** Void the tokens of players who may no longer play. */
    void end(final long[] playerIds)
    {
        final long untilNs = epochNs + clock.nanoTime() + tokenNs;
        for (final long playerId : playerIds)
        {
            tokens.end(playerId, untilNs);
        }
    }

    LogInService service()
    {
        return service;
    }

    /** The call of the service, in the service's thread. */
    UserCall serviceCall()
    {
        return serviceCall;
    }

    /** The service's thread has taken a log-in. */
    void onCalled()
    {
        waitingCalls.decrementAndGet();
    }

    /** The service has replied. Any thread. */
    void onReplied(final PendingLogIn logIn)
    {
        replied.offer(logIn);
    }

    /** The service has failed. Any thread. */
    void onError(final Throwable ex)
    {
        errorHandler.onError(ex);
    }

    /** Answer, and release the permit. False when the answer does not fit the queue of replies. */
    private boolean tryAnswer(final PendingLogIn logIn)
    {
        final Trunk trunk = logIn.trunk();
        if (trunk.isUp())
        {
            final long nowNs = epochNs + clock.nanoTime();
            final byte[] token = RefusalCode.NONE.value() == logIn.status() ?
                tokens.issue(trunk.id(), logIn.playerId(), nowNs, nowNs + tokenNs) : NO_TOKEN;
            final int status = null == token ? TrunkCode.LOG_IN_BUSY.value() : logIn.status();
            if (RefusalCode.NONE.value() == status &&
                !proxy.logInSession(trunk.control(), logIn.requestId(), logIn.session()) ||
                !proxy.logInReply(trunk.control(), logIn.requestId(), status, logIn.playerId(),
                null == token ? NO_TOKEN : token))
            {
                return false;
            }
        }
        trunk.logIns().release();
        underWay.remove(logIn);
        return true;
    }

    private void refuse(final ControlStream control, final long requestId, final TrunkCode code)
    {
        counters.refused(code.value());
        counters.countIfDropped(proxy.logInReply(control, requestId, code.value(), 0, NO_TOKEN));
    }
}
