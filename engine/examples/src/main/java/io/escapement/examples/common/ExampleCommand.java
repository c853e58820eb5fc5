package io.escapement.examples.common;

import io.escapement.engine.Engine;
import io.escapement.engine.EngineContext;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs an example until Ctrl-C. The subclass has its types of rooms, its page and the rooms of the start. */
public abstract class ExampleCommand implements Callable<Integer>
{
    /** Of the command line. */
    @Spec
    protected CommandSpec spec;

    @Option(names = "--port", defaultValue = "0", paramLabel = "PORT",
        description = "Port of the page on this machine (default: any that is free).")
    private int port;

    @Option(names = "--journal", paramLabel = "DIR",
        description = "Keep the rooms in this directory, also when the process is killed (default: in memory).")
    private Path journal;

    /** For subclasses. */
    protected ExampleCommand()
    {
    }

    /** A new context with the types of rooms and the services of the example. */
    protected abstract EngineContext engine();

    /** The page, below META-INF/resources. */
    protected abstract String page();

    /** Open the rooms that are there from the start. */
    protected abstract void openRooms(Engine engine);

    /** The directory of the journal, or null. */
    protected final Path journal()
    {
        return journal;
    }

    /** Start the example. It runs until it is closed. */
    public final ExampleServer launch()
    {
        return ExampleServer.launch(engine(), page(), port, journal, this::openRooms);
    }

    @Override
    public final Integer call()
    {
        final PrintWriter out = spec.commandLine().getOut();
        ExampleServer.runUntilSignal(engine(), page(), port, journal, this::openRooms, (server) ->
        {
            // Alone on its line: a terminal makes it a link.
            print(out, spec.name() + " runs until Ctrl-C. Open its page, also in a second window:");
            print(out, server.url());
        }, (result) -> print(out, result));
        return 0;
    }

    private static void print(final PrintWriter out, final String text)
    {
        out.println(text);
        out.flush();
    }
}
