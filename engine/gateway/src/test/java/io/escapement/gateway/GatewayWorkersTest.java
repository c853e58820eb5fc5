package io.escapement.gateway;

import io.escapement.codecs.player.CloseCode;
import io.escapement.testsupport.RealTime;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A gateway with two workers in threads, among which the kernel deals out sockets. */
@RealTime("an engine and a gateway by the clock of the machine")
class GatewayWorkersTest extends GatewaySystem
{
    private static final int MOVES = 3;
    private static final int PLAYERS = 8;

    private void launch(final boolean isTls)
    {
        final GatewayContext context = context(isTls).workers(2);
        context.limits().logInRate(10_000);
        gateway = Gateway.launch(context);
        await("both trunks", gateway::isReady);
    }

    private static int workerOf(final BrowserClient client)
    {
        return (client.token[0] & 0xFF) >> 2;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldResumeAtBothWorkersAndHaveOneSessionOfAPlayer(final boolean isTls)
    {
        launch(isTls);
        BrowserClient ann = seated(7);
        final int worker = workerOf(ann);
        int resumes = 0;
        // Each has a chance of one half to come to the other worker.
        while (gateway.counter(GatewayCounter.CONNECTIONS_MOVED) < MOVES)
        {
            resumes++;
            final BrowserClient last = ann;
            final BrowserClient next = BrowserClient.returning(http, uri(), last.token);
            await("a connection", next::isOpen);
            next.hello(last.token);
            next.message(roomId, "too early");
            await("the seat", () -> next.has("joined 0 " + roomId + " 7 return") && next.has("state full state"));
            assertTrue(next.has("welcome resumed"));
            await("REPLACED", () -> CloseCode.REPLACED.value() == last.closeCode);
            assertEquals(worker, workerOf(next), "its session stays");
            final String text = "after " + resumes;
            next.message(roomId, text);
            await(text, () -> next.has("event " + text));
            ann = next;
        }
        assertEquals(resumes, gateway.counter(GatewayCounter.SESSIONS_RESUMED));
        assertEquals(0, gateway.counter(GatewayCounter.RESUME_TOKENS_UNKNOWN), "each worker knows all tokens");

        BrowserClient other = ann;
        BrowserClient last = ann;
        while (workerOf(other) == worker)
        {
            final BrowserClient before = other;
            final BrowserClient next = seated(7);
            await("REPLACED", () -> CloseCode.REPLACED.value() == before.closeCode);
            last = before;
            other = next;
        }
        final BrowserClient there = other;
        there.message(roomId, "there");
        await("the message", () -> there.has("event there"));
        assertEquals(worker, workerOf(last));
        await("one session", () -> 1 == gateway.sessions() && 1 == gateway.connections() && 1 == gateway.seats());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldDrainBothWorkers(final boolean isTls) throws Exception
    {
        launch(isTls);
        final List<BrowserClient> players = new ArrayList<>();
        for (int player = 0; player < PLAYERS; player++)
        {
            players.add(seated(player));
        }
        final CompletableFuture<Boolean> drain =
            CompletableFuture.supplyAsync(() -> gateway.drain(TimeUnit.MILLISECONDS.toNanos(500)));
        for (final BrowserClient player : players)
        {
            await("GoAway", () -> player.has("goAway GOING_AWAY"));
            await("GOING_AWAY", () -> CloseCode.GOING_AWAY.value() == player.closeCode);
        }
        await("the drain", drain::isDone);
        assertTrue(drain.get());
        for (int player = 0; player < PLAYERS; player++)
        {
            final int number = player;
            await("its seat is held", () -> calls.contains("away " + number));
        }
    }
}
