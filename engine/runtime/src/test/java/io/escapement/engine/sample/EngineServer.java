package io.escapement.engine.sample;

import io.escapement.engine.DrainReport;
import io.escapement.engine.Engine;
import io.escapement.engine.EngineContext;
import io.escapement.engine.Secrets;
import io.escapement.engine.trunks.TrunkServerContext;
import io.escapement.rooms.RoomType;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.ShutdownSignalBarrier;

/** The server that Engine's Javadoc shows. */
public final class EngineServer
{
    private EngineServer()
    {
    }

    public static void main(final String[] args)
    {
        final RoomType chat = RoomType.of(1, "chat", 1, ChatRoom::new);
        final TrunkServerContext trunks = new TrunkServerContext()
            .ipc(true)
            .secret(Secrets.fromEnvironment("CHAT_TRUNK_SECRET"), true);
        final EngineContext context = new EngineContext().roomType(chat).trunks(trunks)
            .faultHook(() -> Runtime.getRuntime().halt(1));
        try (ShutdownSignalBarrier barrier = new ShutdownSignalBarrier();
            Engine engine = Engine.launch(context))
        {
            engine.openRoom(chat.id());
            System.out.println("open");
            barrier.await();
            final DrainReport report = engine.drain(TimeUnit.SECONDS.toNanos(10));
            System.out.println(report);
            // The signal ends the JVM with a status that looks like a failure, so halt with the drain's.
            Runtime.getRuntime().halt(report.exitStatus());
        }
    }
}
