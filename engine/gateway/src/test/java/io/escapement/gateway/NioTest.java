package io.escapement.gateway;

import io.escapement.testsupport.ChildJvm;
import io.escapement.testsupport.RealTime;
import io.escapement.testsupport.Tests;
import org.agrona.CloseHelper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** A gateway where Netty has no epoll, as on a machine without Linux: a process, since Netty looks once. */
@RealTime("an engine, a gateway and players in processes")
class NioTest
{
    private final GatewayProcesses processes = new GatewayProcesses();

    @AfterEach
    void close()
    {
        CloseHelper.close(processes);
    }

    @Test
    void shouldPlayAndEndWithoutEpoll()
    {
        final ChildJvm gateway = processes.startGatewayWithoutEpoll();
        assertEquals("false", gateway.valueOf("epoll "));
        final BrowserClient ann = processes.seated(gateway, 7);
        final BrowserClient bob = processes.seated(gateway, 8);
        ann.message(GatewayProcesses.ROOM, "hello");
        Tests.await(() -> ann.has("event hello") && bob.has("event hello"), "the message");
        processes.awaitHolding(gateway, 2, 2);

        bob.socket().sendClose(1_000, "");
        Tests.await(() -> 1_000 == bob.closeCode, "the answer to a close");
        ann.cut();
        Tests.await(() -> 2 == processes.count("away "), "both away");
        processes.awaitConnections(gateway, 0);
        final BrowserClient back = processes.seated(gateway, 7);
        Tests.await(() -> 1 == processes.count("back 7"), "the held seat");
        back.message(GatewayProcesses.ROOM, "again");
        Tests.await(() -> back.has("event again"), "the message");
    }
}
