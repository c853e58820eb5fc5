package io.escapement.engine;

import io.aeron.Subscription;
import io.escapement.client.TrunkClient;
import io.escapement.client.TrunkContext;
import io.escapement.codecs.TrunkMessages;
import io.escapement.testsupport.Tests;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** An engine ends between a client's Hello and its own Challenge; the next listens where it did. */
@Timeout(60)
class LostHelloTest
{
    private static final long NEVER_NS = TimeUnit.HOURS.toNanos(1);

    private final String ingress = "127.0.0.1:" + Tests.freePort();
    private final String response = "127.0.0.1:" + Tests.freePort();

    @Test
    void shouldGreetTheNextEngineToo()
    {
        try (TestHost host = new TestHost();
            TestTrunk trunk = TestTrunk.on(host, new TrunkContext().udp(ingress, response).identity("tests")
                .secret(TestTrunk.SECRET).connectTimeoutNs(NEVER_NS)))
        {
            takeHello(host, trunk);
            final EngineContext context = new EngineContext().loops(1).roomType(EchoRoom.type());
            try (TestEngine next = new TestEngine(context, ThreadingMode.INVOKER, ingress, response))
            {
                next.await("a trunk", () -> host.poll() + trunk.poll(),
                    () -> TrunkClient.State.UP == trunk.client().state());
            }
        }
    }

    private void takeHello(final TestHost host, final TestTrunk trunk)
    {
        try (TestHost first = new TestHost();
            Subscription control = first.aeron().addSubscription(
                "aeron:udp?endpoint=" + ingress, TrunkMessages.CONTROL_STREAM_ID))
        {
            int taken = 0;
            while (0 == taken)
            {
                host.poll();
                first.poll();
                trunk.poll();
                taken = control.poll((buffer, offset, length, header) -> {}, 1);
            }
        }
        assertEquals(TrunkClient.State.GREETED, trunk.client().state());
    }
}
