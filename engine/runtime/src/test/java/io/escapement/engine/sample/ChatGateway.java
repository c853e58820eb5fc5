package io.escapement.engine.sample;

import io.aeron.Aeron;
import io.escapement.client.TrunkClient;
import io.escapement.client.TrunkContext;
import io.escapement.client.TrunkListener;
import io.escapement.engine.Secrets;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.SleepingIdleStrategy;

/** The gateway beside its engine that the README shows. */
public final class ChatGateway
{
    private ChatGateway()
    {
    }

    public static void main(final String[] args)
    {
        final byte[] secret = Secrets.fromEnvironment("CHAT_TRUNK_SECRET");
        final TrunkListener players = new TrunkListener()
        {
        };
        final IdleStrategy idle = new SleepingIdleStrategy();
        try (Aeron aeron = Aeron.connect(new Aeron.Context().aeronDirectoryName("/dev/shm/chat"));
            TrunkClient trunk = TrunkClient.connect(new TrunkContext()
                .aeron(aeron).ipc().secret(secret).listener(players)))
        {
            while (TrunkClient.State.DOWN != trunk.state())
            {
                idle.idle(trunk.poll());
            }
        }
    }
}
