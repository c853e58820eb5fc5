package io.escapement.gateway;

import io.escapement.codecs.player.CloseCode;
import io.escapement.codecs.trunk.TrunkCode;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** All players of a worker are sent away, spread over a time, for they log in elsewhere when they are closed. */
class SpreadClosesTest
{
    private static final int PLAYERS = 200;
    private static final int PARTS = 5;
    /** Of a part, which has 40 closes on average: five deviations from that. */
    private static final int LEAST = 10;
    private static final int MOST = 70;
    private static final long TICK_NS = TimeUnit.MILLISECONDS.toNanos(50);

    private final GatewayBench bench = new GatewayBench();

    private static Stream<Arguments> causes()
    {
        return Stream.of(
            Arguments.of(CloseCode.ENGINE_LOST, 5_000, (Consumer<GatewayBench>)(bench) ->
            {
                bench.engine.disconnect(0);
                bench.engine.restart();
            }),
            Arguments.of(CloseCode.STOPPING, 5_000, (Consumer<GatewayBench>)(bench) ->
                bench.engine.disconnect(TrunkCode.ENGINE_STOPPING.value())),
            Arguments.of(CloseCode.GOING_AWAY, 2_000, (Consumer<GatewayBench>)(bench) ->
                bench.sessions.drain(TimeUnit.MILLISECONDS.toNanos(2_000))));
    }

    private static int closed(final List<FakeLink> links)
    {
        return (int)links.stream().filter((link) -> null != link.closed).count();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("causes")
    void shouldCloseInEachPartOfTheTime(
        final CloseCode code, final int withinMs, final Consumer<GatewayBench> cause)
    {
        final List<FakeLink> links = Stream.generate(bench::greeted).limit(PLAYERS).toList();
        bench.turn();
        cause.accept(bench);
        assertEquals(0, closed(links), "before any time has passed");
        final int[] closes = new int[PARTS];
        int before = 0;
        for (int part = 0; part < PARTS; part++)
        {
            bench.pass(TimeUnit.MILLISECONDS.toNanos(withinMs / PARTS), TICK_NS);
            closes[part] = closed(links) - before;
            before += closes[part];
        }
        assertTrue(IntStream.of(closes).allMatch((count) -> count >= LEAST && count <= MOST),
            () -> "closes of the parts: " + Arrays.toString(closes));
        bench.pass(TICK_NS, TICK_NS);
        for (final FakeLink link : links)
        {
            assertEquals(code, link.closed, "closed by the end of the time");
            if (CloseCode.ENGINE_LOST != code)
            {
                assertTrue(link.received.contains("goAway " + code), () -> "announced: " + link.received);
                assertEquals(withinMs, link.goAwayMs, "a program may go earlier by itself");
            }
        }
    }
}
