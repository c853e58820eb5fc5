package io.escapement.engine.sample;

import io.escapement.engine.DrainReport;
import io.escapement.engine.Engine;
import io.escapement.engine.EngineContext;
import io.escapement.engine.Secrets;
import io.escapement.engine.TrunkServerContext;
import io.escapement.rooms.RoomType;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.ShutdownSignalBarrier;

/** The server that the README shows. */
public final class ChatServer
{
    private ChatServer()
    {
    }

    public static void main(final String[] args)
    {
        final EngineContext context = new EngineContext()
            .roomType(RoomType.of(1, "chat", 1, ChatRoom::new).seats(64))
            .trunks(new TrunkServerContext()
                .udp("127.0.0.1:40300", "127.0.0.1:40301")
                .secret(Secrets.fromEnvironment("CHAT_TRUNK_SECRET"), true))
            .faultHook(() -> Runtime.getRuntime().halt(1));
        try (ShutdownSignalBarrier barrier = new ShutdownSignalBarrier();
            Engine engine = Engine.launch(context))
        {
            engine.openRoom(1);
            barrier.await();
            final DrainReport report = engine.drain(TimeUnit.SECONDS.toNanos(2));
            System.out.println(report);
            // The signal would end the JVM with status 143.
            Runtime.getRuntime().halt(report.exitStatus());
        }
    }
}
