package io.escapement.gateway;

import io.escapement.codecs.player.CloseCode;
import io.escapement.codecs.player.GatewayCode;
import io.escapement.engine.trunks.TrunkServerContext;
import io.escapement.testsupport.RealTime;
import io.escapement.testsupport.Tests;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import org.agrona.concurrent.NanoClock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * A trunk that is cut: neither side gets what the other sends. In full the cuts are 5 s and 40 s long, with the
 * default times of the engine; else all are shorter, and the clock of both is stepped.
 */
@RealTime("a trunk that is cut for seconds")
class TrunkCutTest extends GatewaySystem
{
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final String ENGINE_AWAY = "template 39";
    private static final String ENGINE_BACK = "template 40";
    private static final long SHORT_NS = Tests.isFull() ? 5 * SECOND : SECOND;
    private static final long STEP_NS = TimeUnit.MILLISECONDS.toNanos(5);
    private static final long LONG_NS = Tests.isFull() ? 40 * SECOND : 3 * SECOND;

    private long askedNs;

    @Override
    void options(final TrunkServerContext trunks)
    {
        if (!Tests.isFull())
        {
            trunks.keepaliveNs(TimeUnit.MILLISECONDS.toNanos(200)).graceNs(2 * SECOND);
        }
    }

    @Override
    NanoClock engineClock()
    {
        return clock;
    }

    /** The gateway gets nothing from the engine, which does not run. */
    private void cut(final long ns)
    {
        pass(ns, gateway::invoke);
    }

    private void pass(final long ns, final IntSupplier turn)
    {
        final long startNs = clock.nanoTime();
        Tests.await(() ->
        {
            turn.getAsInt();
            step();
            return clock.nanoTime() - startNs > ns;
        }, "the cut");
    }

    /** Time passes faster while nothing waits for Aeron, whose times are the system's. */
    private void step()
    {
        if (!Tests.isFull())
        {
            clock.advance(STEP_NS);
        }
    }

    private BrowserClient launched(final boolean isTls)
    {
        final GatewayContext context = context(isTls);
        context.limits().idleNs(200 * SECOND).pingNs(100 * SECOND);
        launch(context);
        return seated(7);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldHoldSeatsThroughAShortCut(final boolean isTls)
    {
        final BrowserClient player = launched(isTls);
        cut(SHORT_NS);
        await("EngineAway", () -> player.has(ENGINE_AWAY));
        player.message(roomId, "lost");
        await("EngineBack", () -> player.has(ENGINE_BACK));
        assertTrue(player.all().stream().noneMatch((line) -> line.startsWith("left ")), () -> player.all().toString());
        await("a message", () -> hasEcho(player));
        assertEquals(-1, player.closeCode);
        assertEquals(1, gateway.sessions());
    }

    private boolean hasEcho(final BrowserClient player)
    {
        if (System.nanoTime() - askedNs > SECOND / 10)
        {
            askedNs = System.nanoTime();
            player.message(roomId, "after");
        }
        return player.has("event after");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldCloseItsPlayersAfterACutThatIsTooLong(final boolean isTls)
    {
        final BrowserClient player = launched(isTls);
        cut(LONG_NS / 2);
        Tests.await(() ->
        {
            gateway.invoke();
            return player.has(ENGINE_AWAY);
        }, "EngineAway");
        player.message(roomId, "lost");
        Tests.await(() ->
        {
            gateway.invoke();
            return player.all().stream().anyMatch((line) ->
                line.endsWith(" " + GatewayCode.ENGINE_UNREACHABLE.value()));
        }, "a refusal");
        pass(LONG_NS, engine::invoke);
        await("ENGINE_LOST", () ->
        {
            if (gateway.isReady())
            {
                // Those whose engine is lost are closed over five seconds.
                step();
            }
            return CloseCode.ENGINE_LOST.value() == player.closeCode;
        });
        await("the trunk", gateway::isReady);
        seated(7);
    }
}
