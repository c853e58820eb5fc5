package io.escapement.server;

import io.escapement.console.Console;
import io.escapement.console.ConsoleContext;
import io.escapement.engine.Engine;
import io.escapement.engine.monitor.MonitorContext;
import java.nio.file.Path;
import java.util.List;
import java.util.function.LongConsumer;
import picocli.CommandLine.Option;

/** The options of a console for the server's operators. */
final class ConsoleOptions
{
    private final ConsoleContext context = new ConsoleContext();

    @Option(names = "--console-port", paramLabel = "PORT",
        description = "Serve the console, a page that shows the engine at work and operates it, on this port. With 0 " +
            "any free port is used. The URL contains a token.")
    private Integer port;

    @Option(names = "--console-host", paramLabel = "HOST", description = "Address of --console-port, which has no " +
        "TLS. An address that other machines reach needs --console-allow-host (default: the loopback interface).")
    private String host;

    @Option(names = "--console-allow-host", paramLabel = "HOST[:PORT]", split = ",", description = "Also " +
        "serve --console-port under this name, for example the name of a TLS proxy in front of it.")
    private List<String> allowed = List.of();

    @Option(names = "--console-token-file", paramLabel = "FILE", description = "File with the lines view=TOKEN and " +
        "operate=TOKEN (default: new tokens at each start).")
    private Path tokenFile;

    /** Whether a console is requested. */
    boolean isSet()
    {
        return null != port;
    }

    /**
     * Conclude the console's options, if a console is requested, and observe the engine that will be launched with
     * these.
     *
     * @param monitor options of the engine.
     * @param game    that has the views of rooms.
     * @param drain   stops the program in order. Receives the timeout in nanoseconds.
     */
    void conclude(final MonitorContext monitor, final Game game, final LongConsumer drain)
    {
        if (!isSet())
        {
            return;
        }
        context.observe(monitor).port(port).drain(drain);
        game.views().forEach(context::view);
        allowed.forEach(context::allowHost);
        if (null != host)
        {
            context.host(host);
        }
        if (null != tokenFile)
        {
            context.tokenFile(tokenFile);
        }
        context.conclude();
    }

    /** Launch the console of an engine. Returns null if no console is requested. */
    Console launch(final Engine engine)
    {
        return isSet() ? Console.launch(context.engine(engine)) : null;
    }
}
