package io.escapement.engine;

import io.escapement.client.TrunkClient;
import io.escapement.client.TrunkContext;
import io.escapement.testsupport.LoggedLines;
import io.escapement.testsupport.Tests;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.CachedNanoClock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A client with a wrong option and a running engine: each says what to change, where it can know. */
class HandshakeMistakesTest
{
    private final LoggedLines lines = new LoggedLines("io.escapement.engine");

    @AfterEach
    void stopListening()
    {
        lines.close();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        secret      | BAD_CREDENTIALS: it refused the credentials of identity "tests" | BAD_CREDENTIALS: give both
        ingress     | this is its endpoint for streams                                | -
        response    | its response channel did not connect: check that 127.0.0.1:     | must be the response endpoint
        term length | admits terms of 16777216 bytes                                  | a client's termLength or the MTU
        """)
    void shouldSayWhatToChange(final String mistake, final String ofClient, final String ofEngine)
    {
        final EngineContext context =
            new EngineContext().loops(1).roomType(EchoRoom.type()).clock(new CachedNanoClock());
        try (TestEngine engine = new TestEngine(context);
            TestHost host = new TestHost(engine.driverContext());
            TestTrunk trunk = TestTrunk.on(host, with(mistake, engine)))
        {
            final TrunkClient client = trunk.client();
            engine.await("the client to give up", () -> host.poll() + trunk.poll(),
                () -> TrunkClient.State.DOWN == client.state());
            assertTrue(client.failure().contains(ofClient), client.failure());
            if (!"-".equals(ofEngine))
            {
                engine.await("a line on the engine's side", () -> host.poll() + trunk.poll(),
                    () -> lines.has(ofEngine));
            }
        }
    }

    private static TrunkContext with(final String mistake, final TestEngine engine)
    {
        final String nowhere = "127.0.0.1:" + Tests.freePort();
        final TrunkContext context = TestTrunk.context(engine);
        final long giveUpNs = TimeUnit.SECONDS.toNanos(4);
        return switch (mistake)
        {
            case "secret" -> context.secret("not the secret of the tests".getBytes(StandardCharsets.US_ASCII));
            case "ingress" -> context.connectTimeoutNs(giveUpNs).udp(nowhere, engine.response());
            case "response" -> context.connectTimeoutNs(giveUpNs).udp(engine.ingress(), nowhere);
            default -> context.connectTimeoutNs(giveUpNs).termLength(16 * 1_024 * 1_024);
        };
    }
}
