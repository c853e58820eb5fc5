package io.escapement.gateway;

import io.escapement.testsupport.RealTime;
import io.escapement.testsupport.Tests;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.agrona.CloseHelper;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Strangers who come at once are accepted one after another. */
@RealTime("a rate of connections")
class AcceptRateTest
{
    @Test
    void shouldAcceptConnectionsOneAfterAnother() throws Exception
    {
        final List<Throwable> errors = new CopyOnWriteArrayList<>();
        final GatewayContext context = new GatewayContext()
            .udp("127.0.0.1:" + Tests.freePort(), "127.0.0.1:" + Tests.freePort())
            .secret(new byte[16]).errorHandler(errors::add);
        final int rate = 20;
        final int count = 5;
        context.limits().acceptRate(rate);
        final List<Socket> sockets = new ArrayList<>();
        try (Gateway gateway = Gateway.launch(context))
        {
            final long startNs = System.nanoTime();
            for (int i = 0; i < count; i++)
            {
                sockets.add(new Socket("127.0.0.1", gateway.port()));
            }
            Tests.await(() -> count == gateway.counter(GatewayCounter.CONNECTIONS_ACCEPTED), "all connections");
            final long leastNs = (count - 1) * TimeUnit.SECONDS.toNanos(1) / rate;
            assertTrue(System.nanoTime() - startNs >= leastNs, "faster than the rate");
        }
        finally
        {
            CloseHelper.quietCloseAll(sockets);
        }
        assertEquals(List.of(), errors);
    }
}
