package io.escapement.gateway;

import io.escapement.testsupport.LoggedLines;
import io.escapement.testsupport.Tests;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.CachedNanoClock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A gateway says why it does not reach its engine, by its clock. */
class TrunkOutageTest
{
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final LoggedLines log = new LoggedLines("io.escapement.gateway");
    private final TrunkOutage outage = new TrunkOutage("gateway-0");
    private final FakeEngine engine = new FakeEngine();
    private long nowNs = Long.MAX_VALUE - 15 * SECOND;

    @AfterEach
    void close()
    {
        log.close();
    }

    private void pass(final long seconds)
    {
        for (int i = 0; i < seconds; i++)
        {
            outage.poll(nowNs, engine);
            nowNs += SECOND;
        }
    }

    @Test
    void shouldReportEveryTenSecondsAndTheReturn()
    {
        engine.isUp = false;
        pass(10);
        assertEquals(List.of(), log.all());
        pass(11);
        engine.isUp = true;
        pass(20);
        assertEquals(List.of(
            "gateway-0: the engine is out of reach for 10 s: no attempt has ended yet",
            "gateway-0: the engine is out of reach for 20 s: no attempt has ended yet",
            "gateway-0: the engine is reached again after 21 s"), log.all());
    }

    @Test
    void shouldBeSilentAboutAShortOutage()
    {
        for (int i = 0; i < 3; i++)
        {
            engine.isUp = true;
            pass(5);
            engine.isUp = false;
            pass(9);
        }
        assertEquals(List.of(), log.all());
    }

    @Test
    void shouldNameTheEndpointAndTheReason()
    {
        final CachedNanoClock clock = new CachedNanoClock();
        final String ingress = "127.0.0.1:" + Tests.freePort();
        try (Gateway gateway = Gateway.invoked(new GatewayContext().clock(clock).secret(new byte[16])
            .udp(ingress, "127.0.0.1:" + Tests.freePort())))
        {
            for (int i = 0; i < 32; i++)
            {
                clock.advance(SECOND);
                gateway.invoke();
            }
        }
        assertEquals(3, log.all().size(), log.all()::toString);
        assertTrue(log.all().get(2).startsWith("gateway-0: the engine is out of reach for 30 s: the engine at " +
            ingress + ": HANDSHAKE_TIMEOUT: "), log.all()::toString);
    }
}
