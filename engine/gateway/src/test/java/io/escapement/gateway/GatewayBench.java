package io.escapement.gateway;

import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.CachedNanoClock;

/** The sessions of a worker on a test's clock, with players' clients and an engine in memory. */
final class GatewayBench
{
    /** Thrown where they happen, and kept because Netty swallows what its handlers throw. */
    final List<Throwable> errors = new ArrayList<>();
    final CachedNanoClock clock = new CachedNanoClock();
    final FakeEngine engine = new FakeEngine();
    final GatewayCounters counters = new GatewayCounters();
    final GatewayContext context;
    final AddressLimits addresses;
    final Admission admission;
    final Sessions sessions;

    GatewayBench()
    {
        this(new GatewayContext());
    }

    GatewayBench(final GatewayContext options)
    {
        this(options, new FakeLink.FakeShared());
    }

    GatewayBench(final GatewayContext options, final SharedMessage shared)
    {
        this(options, shared, Workers.ALONE);
    }

    /** A worker of several. */
    GatewayBench(final GatewayContext options, final SharedMessage shared, final Workers workers)
    {
        clock.update(Long.MAX_VALUE - TimeUnit.SECONDS.toNanos(5));
        context = options.udp("127.0.0.1:1", "127.0.0.1:2").secret(new byte[16]).clock(clock)
            .random(new SecureRandom()).errorHandler((ex) ->
            {
                errors.add(ex);
                throw new AssertionError(ex);
            }).conclude();
        final GatewayLimits limits = context.limits();
        addresses = new AddressLimits(
            limits.addressLimit(), limits.addressRate(), limits.logInRate(), 1_024, new SecureRandom());
        admission = new Admission(limits);
        sessions = new Sessions(context, counters, addresses, shared, new ResumeTokens(), workers);
        engine.listener = sessions;
        sessions.upstream(engine);
        sessions.onUp(false);
    }

    /** A player whose Hello was accepted. */
    FakeLink greeted()
    {
        final FakeLink link = new FakeLink().open(sessions, "10.0.0.1");
        link.hello(FakeLink.NO_TOKEN);
        link.take();
        return link;
    }

    /** A player who is logged in. */
    FakeLink player(final long playerId)
    {
        final FakeLink link = greeted();
        link.logIn(1, Long.toString(playerId));
        turns(3);
        link.take();
        return link;
    }

    /** A player who has a seat. */
    FakeLink seated(final long playerId, final long roomId)
    {
        final FakeLink link = player(playerId);
        link.join(2, roomId);
        turns(3);
        link.take();
        return link;
    }

    FakeLink resume(final byte[] token)
    {
        final FakeLink link = new FakeLink().open(sessions, "10.0.0.1");
        link.hello(token);
        return link;
    }

    void turn()
    {
        sessions.beginTurn();
        engine.poll();
        sessions.endTurn();
    }

    void turns(final int count)
    {
        for (int i = 0; i < count; i++)
        {
            turn();
        }
    }

    void pass(final long ns)
    {
        pass(ns, TimeUnit.MILLISECONDS.toNanos(100));
    }

    void pass(final long ns, final long step)
    {
        for (long passed = 0; passed < ns; passed += step)
        {
            clock.advance(step);
            turn();
        }
    }

    long count(final GatewayCounter counter)
    {
        return counters.get(counter);
    }
}
