package io.escapement.gateway;

import io.escapement.codecs.player.CloseCode;
import io.escapement.testsupport.ChildJvm;
import io.escapement.testsupport.RealTime;
import io.escapement.testsupport.Tests;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.CloseHelper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A site loses or changes a part beside players who play: {@link RoundTrips} compares theirs. Full only. */
@RealTime("processes are killed, and a certificate changes")
class GatewayLossTest
{
    private static final int PLAYERS = RoundTrips.PLAYERS;
    private static final long RESIDENT_LIMIT = 400L << 20;
    private static final long AGAIN_NS = TimeUnit.MILLISECONDS.toNanos(250);

    @TempDir
    private Path directory;

    private GatewayProcesses processes;

    @BeforeEach
    void start()
    {
        Assumptions.assumeTrue(Tests.isFull(), "the full tests");
        processes = new GatewayProcesses();
    }

    @AfterEach
    void end()
    {
        CloseHelper.close(processes);
    }

    /** Each round ends when a stranger who trusts the new certificate only has connected. */
    @Test
    void shouldServeItsPlayersWhileItsCertificateChanges() throws Exception
    {
        final TestCertificate served = TestCertificate.write(directory, TestCertificate.FIRST);
        final List<TestCertificate> others = List.of(
            TestCertificate.write(Files.createDirectory(directory.resolve("a")), TestCertificate.SECOND),
            TestCertificate.write(Files.createDirectory(directory.resolve("b")), TestCertificate.FIRST));
        final ChildJvm gateway = processes.startGateway(served);
        final RoundTrips trips = new RoundTrips(processes, gateway, RESIDENT_LIMIT);
        final BrowserClient[] stranger = new BrowserClient[1];
        final int[] changes = {0};
        final long[] triedNs = {System.nanoTime()};
        trips.compare("the certificate changes", () ->
        {
            final TestCertificate next = others.get(changes[0]++ % 2);
            replace(next.chain(), served.chain());
            replace(next.key(), served.key());
            stranger[0] = processes.client(gateway, next);
        }, () ->
        {
            if (stranger[0].isRefused() && System.nanoTime() - triedNs[0] > AGAIN_NS)
            {
                triedNs[0] = System.nanoTime();
                stranger[0] = processes.client(gateway, others.get((changes[0] - 1) % 2));
            }
            return stranger[0].isOpen();
        }, () -> stranger[0].cut());
    }

    private static void replace(final Path from, final Path to)
    {
        try
        {
            final Path copy = Files.copy(from, to.resolveSibling("next"), StandardCopyOption.REPLACE_EXISTING);
            Files.move(copy, to, StandardCopyOption.ATOMIC_MOVE);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    /** Each round ends when the engine has noticed, and holds the seats of those who are gone. */
    @Test
    void shouldServeItsPlayersWhenAnotherGatewayIsKilled()
    {
        final ChildJvm gateway = processes.startGateway();
        final RoundTrips trips = new RoundTrips(processes, gateway, RESIDENT_LIMIT);
        final ChildJvm[] killed = {processes.startGateway()};
        final List<BrowserClient> lost = new ArrayList<>(processes.seated(killed[0], PLAYERS, 2 * PLAYERS));
        final long[] away = {0};
        trips.compare("another gateway killed", () ->
        {
            away[0] = processes.count("away ") + lost.size();
            killed[0].kill();
        }, () -> away[0] == processes.count("away "), () ->
        {
            killed[0] = processes.startGateway();
            lost.clear();
            lost.addAll(processes.seated(killed[0], PLAYERS, 2 * PLAYERS));
            processes.awaitHolding(killed[0], PLAYERS, PLAYERS);
        });
        Tests.await(() -> 2 * PLAYERS == processes.taken(), "nobody has two seats");
    }

    /** Those of the next engine are compared with those of the last, after as many round trips. */
    @Test
    void shouldServeItsPlayersAsBeforeWhenTheEngineWasKilledAndIsBack()
    {
        final ChildJvm gateway = processes.startGateway();
        final RoundTrips trips = new RoundTrips(processes, gateway, RESIDENT_LIMIT);
        trips.compare("the engine killed and back", () ->
        {
            processes.engine().kill();
            processes.startEngine();
            for (final BrowserClient player : trips.players())
            {
                Tests.await(() -> CloseCode.ENGINE_LOST.value() == player.closeCode,
                    () -> "ENGINE_LOST: " + player.closeCode + player.all());
            }
            processes.awaitHolding(gateway, 0, 0);
            trips.seat();
        }, () -> true, () -> Tests.await(() -> PLAYERS == processes.taken(), "their seats, and no other"));
    }
}
