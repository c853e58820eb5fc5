package io.escapement.examples.turns;

import io.escapement.engine.Engine;
import io.escapement.engine.EngineContext;
import io.escapement.examples.common.ExampleCommand;
import io.escapement.examples.common.ExampleServer;
import io.escapement.lobby.Lobby;
import picocli.CommandLine.Command;

/** Four in a row in a browser: {@code engine/bin/example turns}. */
@Command(name = "turns", description = "Four in a row: a program of steps that waits for moves and for a clock.")
public final class TurnsCommand extends ExampleCommand
{
    private static final int MAX_TABLES = 64;

    /** For the command line. */
    public TurnsCommand()
    {
    }

    @Override
    protected EngineContext engine()
    {
        return new EngineContext()
            .roomType(Lobby.type(ExampleServer.LOBBY, new Lobby.Context().opens(TableRoom.type(), MAX_TABLES)))
            .roomType(TableRoom.type());
    }

    @Override
    protected String page()
    {
        return "examples/turns/index.html";
    }

    @Override
    protected void openRooms(final Engine engine)
    {
        // Players open the tables.
    }
}
