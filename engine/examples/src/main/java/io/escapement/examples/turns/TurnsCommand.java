package io.escapement.examples.turns;

import io.escapement.engine.Engine;
import io.escapement.engine.EngineContext;
import io.escapement.examples.common.ExampleCommand;
import io.escapement.examples.common.Hall;
import picocli.CommandLine.Command;

/** Four in a row in a browser: {@code engine/bin/example turns}. */
@Command(name = "turns", description = "Four in a row: a program of steps that waits for moves and for a clock.")
public final class TurnsCommand extends ExampleCommand
{
    /** For the command line. */
    public TurnsCommand()
    {
    }

    @Override
    protected EngineContext engine()
    {
        return new EngineContext().roomType(Hall.type(TableRoom.TYPE_ID, true)).roomType(TableRoom.type());
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
