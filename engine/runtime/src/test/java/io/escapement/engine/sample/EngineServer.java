package io.escapement.engine.sample;

import io.escapement.engine.Engine;
import io.escapement.engine.EngineContext;
import io.escapement.engine.Secrets;
import io.escapement.engine.trunks.TrunkServerContext;
import io.escapement.rooms.RoomType;

/** The server that Engine's Javadoc shows. */
public final class EngineServer
{
    private EngineServer()
    {
    }

    public static RoomType chat()
    {
        return RoomType.of(1, "chat", 1, ChatRoom::new);
    }

    public static void main(final String[] args)
    {
        final RoomType chat = chat();
        final TrunkServerContext trunks = new TrunkServerContext()
            .ipc(true)
            .secret(Secrets.fromEnvironment("CHAT_TRUNK_SECRET"), true);
        Engine.runUntilSignal(new EngineContext().roomType(chat).trunks(trunks), (engine) ->
        {
            engine.openRoomOnce(chat.id());
            System.out.println("open");
        });
    }
}
