package io.escapement.gateway.sample;

import io.escapement.engine.Engine;
import io.escapement.engine.EngineContext;
import io.escapement.engine.spi.LogInService;
import io.escapement.engine.trunks.TrunkServerContext;
import io.escapement.gateway.Gateway;
import io.escapement.gateway.GatewayContext;
import io.escapement.rooms.RoomType;
import java.nio.file.Path;
import java.security.SecureRandom;

/** The server of the page that the guide to browsers shows. Its argument is the directory of the page. */
public final class PageServer
{
    private PageServer()
    {
    }

    public static void main(final String[] args)
    {
        final byte[] secret = new byte[32];
        new SecureRandom().nextBytes(secret);
        final EngineContext context = new EngineContext()
            .roomType(RoomType.of(1, "chat", 1, ChatRoom::new))
            .trunks(new TrunkServerContext().ipc(true).secret(secret, false)
                .logInService(LogInService.guests()));
        Engine.runUntilSignal(context, (engine) ->
        {
            engine.openRoomOnce(1);
            final Gateway gateway = Gateway.launch(new GatewayContext()
                .ipc(engine.aeronDirectory())
                .secret(secret)
                .port(Integer.getInteger("port", 8080))
                .files(Path.of(args[0])));
            System.out.println("page http://localhost:" + gateway.port() + "/");
        });
    }
}
