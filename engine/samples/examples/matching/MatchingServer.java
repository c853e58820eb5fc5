package matching;

import io.escapement.engine.Durability;
import io.escapement.engine.Engine;
import io.escapement.engine.EngineContext;
import io.escapement.engine.Idle;
import io.escapement.engine.Secrets;
import io.escapement.engine.trunks.TrunkServerContext;
import java.nio.file.Path;

/** Arguments: RECORDED or SYNCED, and an idle strategy such as PARK or BUSY. */
public final class MatchingServer
{
    private MatchingServer()
    {
    }

    /** Serve until a signal. */
    public static void main(final String[] args)
    {
        final int port = Integer.getInteger("port", 40100);
        final EngineContext context = new EngineContext()
            .roomType(BookRoom.type()).loops(1).idle(Idle.valueOf(args[1]))
            .durability(Durability.journal(Path.of("journal")).acknowledge(Durability.Level.valueOf(args[0])))
            .trunks(new TrunkServerContext().udp("127.0.0.1:" + port, "127.0.0.1:" + (port + 1))
                .secret(Secrets.fromFile(Path.of("secret")), true));
        Engine.runUntilSignal(context, (engine) ->
            System.out.println("room " + engine.openRoomOnce(BookRoom.TYPE_ID).roomId() + " is open"));
    }
}
