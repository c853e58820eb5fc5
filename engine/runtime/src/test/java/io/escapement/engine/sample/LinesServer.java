package io.escapement.engine.sample;

import io.escapement.engine.Durability;
import io.escapement.engine.EngineContext;
import io.escapement.engine.ThreadingMode;
import io.escapement.engine.trunks.TrunkServerContext;
import io.escapement.rooms.RoomType;
import java.nio.file.Path;

/** The server of {@link LinesClient}, whose options the Javadoc of EngineContext shows. */
public final class LinesServer
{
    private LinesServer()
    {
    }

    public static EngineContext context(
        final Path directory, final String ingress, final String response, final byte[] secret)
    {
        final EngineContext context = new EngineContext()
            .roomType(RoomType.of(1, "chat", 1, ChatRoom::new))
            .threadingMode(ThreadingMode.SHARED)
            .durability(Durability.journal(directory))
            .trunks(new TrunkServerContext().udp(ingress, response).secret(secret, true));
        context.monitor().metricsPort(0);
        return context;
    }
}
