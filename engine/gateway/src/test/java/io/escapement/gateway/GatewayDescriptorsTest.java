package io.escapement.gateway;

import io.escapement.testsupport.ChildJvm;
import io.escapement.testsupport.RealTime;
import io.escapement.testsupport.Tests;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.CloseHelper;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** A gateway whose descriptors are all used pauses, and accepts again when it may have more. */
@RealTime("a process without descriptors, and its pauses")
class GatewayDescriptorsTest
{
    private static final int SPARE = 8;
    private static final int STRANGERS = 2 * SPARE;
    /** Three accepts have two pauses of a second between them. */
    private static final int FAILED = 3;
    private static final long PAUSES_NS = TimeUnit.MILLISECONDS.toNanos(1_900);

    @Test
    void shouldPauseBetweenAcceptsThatFail() throws IOException, InterruptedException
    {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/prlimit")), "no prlimit");
        final List<SocketChannel> strangers = new ArrayList<>();
        final GatewayProcesses processes = new GatewayProcesses();
        try
        {
            final ChildJvm gateway = processes.startGateway();
            final InetSocketAddress address = new InetSocketAddress("127.0.0.1", GatewayProcesses.port(gateway));
            final long limit = GatewayProcesses.descriptors(gateway) + SPARE;
            GatewayProcesses.limitDescriptors(gateway, limit);
            final long startNs = System.nanoTime();
            for (int i = 0; i < STRANGERS; i++)
            {
                final SocketChannel stranger = SocketChannel.open(address);
                strangers.add(stranger);
                stranger.write(ByteBuffer.wrap(HostileBytesTest.UPGRADE.getBytes(StandardCharsets.US_ASCII)));
            }
            Tests.await(() -> failed(processes, gateway) >= FAILED, "accepts that fail");
            assertTrue(System.nanoTime() - startNs >= PAUSES_NS, () -> failed(processes, gateway) + " accepts failed");
            GatewayProcesses.limitDescriptors(gateway, 2 * limit);
            processes.awaitConnections(gateway, STRANGERS);
        }
        finally
        {
            CloseHelper.closeAll(strangers);
            processes.close();
        }
    }

    private static long failed(final GatewayProcesses processes, final ChildJvm gateway)
    {
        return Long.parseLong(processes.ask(gateway, GatewayProcesses.ACCEPTS_FAILED));
    }
}
