package io.escapement.engine;

import io.escapement.engine.ledger.HistoryRoom;
import io.escapement.engine.monitor.MonitorContext;
import io.escapement.engine.spi.ReplicatedLog;
import io.escapement.simulator.SimulatedLog;
import io.escapement.testsupport.Tests;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** A node of a group is ready, and names the leader, while it has what the group has committed. */
class CurrentNodeTest
{
    private static final int LEADER = 1;

    @TempDir
    private Path directory;

    @Test
    void shouldNotBeReadyWhileItHasYetToCatchUp() throws IOException, InterruptedException
    {
        final SimulatedLog log = new SimulatedLog(2, 1);
        final EngineContext context = new EngineContext().roomType(HistoryRoom.type(HistoryRoom::new)).loops(1)
            .durability(Durability.replicated(log.node(0))).monitor(new MonitorContext().metricsPort(0));
        context.trunks().tokenKeyFile(Tests.writeSecret(directory.resolve("keys"), "k".repeat(32)));
        try (TestEngine engine = new TestEngine(context))
        {
            log.elect(LEADER);
            assertReady(503, ReplicatedLog.NO_LEADER, engine.engine());
            log.step(0, () -> engine.engine().invoke());
            engine.await("the role", () -> LEADER == engine.engine().leaderMemberId());
            assertReady(200, LEADER, engine.engine());
            log.appendSnapshot();
            assertReady(503, ReplicatedLog.NO_LEADER, engine.engine());
        }
    }

    private static void assertReady(final int status, final int leader, final Engine engine)
        throws IOException, InterruptedException
    {
        assertEquals(leader, engine.leaderMemberId());
        assertEquals(status, HttpClient.newHttpClient().send(HttpRequest.newBuilder(
            URI.create("http://127.0.0.1:" + engine.metricsPort() + "/ready")).build(),
            HttpResponse.BodyHandlers.discarding()).statusCode());
    }
}
