package io.escapement.perf.tool;

import io.escapement.engine.Engine;
import io.escapement.engine.EngineContext;
import io.escapement.engine.spi.LogInService;
import io.escapement.gateway.GatewayContext;
import io.escapement.rooms.RoomType;
import io.escapement.server.Game;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import picocli.CommandLine.Model.CommandSpec;

/** The game that the program finds in a measured process. A file of options names its command. */
public final class MeasuredGame implements Game
{
    static final String OPTIONS_PROPERTY = "escapement.perf.options";

    /** A run needs few trunks, which the program would warn of. Referenced, because loggers are collected. */
    private final Logger program = Logger.getLogger("io.escapement.server");
    private final Game game;

    /** Read the options. */
    public MeasuredGame()
    {
        program.setLevel(Level.SEVERE);
        final CommandSpec command = Perf.commandLine().parseArgs(System.getProperty(OPTIONS_PROPERTY, ""))
            .subcommand().commandSpec();
        game = ((MeasureCommand<?>)command.userObject()).game();
    }

    @Override
    public String name()
    {
        return "perf";
    }

    @Override
    public List<RoomType> roomTypes()
    {
        return game.roomTypes();
    }

    @Override
    public LogInService logIn()
    {
        return game.logIn();
    }

    @Override
    public void configure(final EngineContext context)
    {
        game.configure(context);
    }

    @Override
    public void configure(final GatewayContext context)
    {
        game.configure(context);
    }

    @Override
    public void openRooms(final Engine engine)
    {
        game.openRooms(engine);
    }
}
