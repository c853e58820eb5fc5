package io.escapement.console;

import io.escapement.config.ConfigException;
import io.escapement.driver.Endpoints;
import io.escapement.engine.Engine;
import io.escapement.engine.monitor.MonitorContext;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.LongConsumer;

/**
 * The options of a console. {@link #conclude} or {@link Console#launch} checks and freezes them: a later call of a
 * setter throws {@link IllegalStateException}, and an invalid value {@link ConfigException}.
 */
public final class ConsoleContext
{
    private static final int MAX_PORT = 65_535;
    private static final int MAX_HOSTS = 16;

    private final LatencyHistory history = new LatencyHistory();
    private final List<String> hosts = new ArrayList<>();
    private final Map<Integer, RoomView> viewByTypeIdMap = new HashMap<>();
    private Engine engine;
    private boolean isObserving;
    private InetAddress address = InetAddress.getLoopbackAddress();
    private int port;
    private Path tokenFile;
    private Tokens tokens;
    private LongConsumer drain;
    private SecureRandom random = new SecureRandom();
    private boolean isConcluded;
    private boolean isLaunched;

    /**
     * Observe an engine from its launch on: call this before {@code Engine.launch} freezes its options.
     *
     * @param monitor options of the engine's monitor.
     */
    public ConsoleContext observe(final MonitorContext monitor)
    {
        checkOpen();
        monitor.intervals(history);
        isObserving = true;
        return this;
    }

    /**
     * The engine to show, which was launched with the options given to {@link #observe}. It may be set after
     * {@link #conclude}.
     *
     * @param value the engine.
     */
    public ConsoleContext engine(final Engine value)
    {
        if (isLaunched)
        {
            checkOpen();
        }
        engine = value;
        return this;
    }

    /**
     * The address to listen on. Default: the loopback interface. The console has no TLS: on another address, put a
     * proxy that terminates TLS in front of it, and pass the proxy's name to {@link #allowHost}.
     *
     * @param value name or address of an interface of this host.
     */
    public ConsoleContext host(final String value)
    {
        checkOpen();
        try
        {
            address = InetAddress.getByName(value);
        }
        catch (final UnknownHostException ex)
        {
            throw new ConfigException("console.host", value, "use a name or an address of this host", ex);
        }
        return this;
    }

    /**
     * The port to listen on. Default 0: any free port. {@link Console#port} returns it.
     *
     * @param value from 0 to 65,535.
     */
    public ConsoleContext port(final int value)
    {
        checkOpen();
        ConfigException.check(value >= 0 && value <= MAX_PORT, "console.port", value, "use 0 to " + MAX_PORT);
        port = value;
        return this;
    }

    /**
     * Accept requests for another host than a loopback name, such as a proxy's name. Default: none.
     *
     * @param value name, with its port unless it is the scheme's own, as in the Host header.
     */
    public ConsoleContext allowHost(final String value)
    {
        checkOpen();
        ConfigException.check(hosts.size() < MAX_HOSTS, "console.allowHost", value, "at most " + MAX_HOSTS);
        hosts.add(value.toLowerCase(Locale.ROOT));
        return this;
    }

    /**
     * A file with the tokens of both roles, as the lines {@code view=...} and {@code operate=...}, each of 32
     * characters or more. Default: tokens that are drawn at the launch.
     *
     * @param value the file.
     */
    public ConsoleContext tokenFile(final Path value)
    {
        checkOpen();
        tokenFile = value;
        return this;
    }

    /**
     * How to drain the engine when an operator asks for it. Default: {@code Engine.drain}.
     *
     * @param value receives the timeout in nanoseconds, in a thread of the console, and may block.
     */
    public ConsoleContext drain(final LongConsumer value)
    {
        checkOpen();
        drain = value;
        return this;
    }

    /**
     * Draw the rooms of a type on the page. Default: rooms are shown only by their numbers.
     *
     * @param typeId of the rooms.
     * @param value  reads and draws them.
     */
    public ConsoleContext view(final int typeId, final RoomView value)
    {
        checkOpen();
        ConfigException.check(viewByTypeIdMap.size() < RoomViews.TYPE_LIMIT, "console.view", typeId,
            "at most " + RoomViews.TYPE_LIMIT + " types");
        ConfigException.check(!value.files().isEmpty(), "console.view", typeId, "a view has a module at least");
        viewByTypeIdMap.put(typeId, value);
        return this;
    }

    /** Source of tokens. Default: a new source. */
    public ConsoleContext random(final SecureRandom value)
    {
        checkOpen();
        random = value;
        return this;
    }

    /** Conclude unless the application has done so. */
    ConsoleContext launch()
    {
        if (isLaunched)
        {
            checkOpen();
        }
        ConfigException.check(null != engine, "console.engine", "none", "set the engine to show");
        isLaunched = true;
        if (null == drain)
        {
            drain = engine::drain;
        }
        return conclude();
    }

    /**
     * Check all options except the engine, including against this host, before anything is opened, and freeze them.
     * {@link Console#launch} also calls this. An application concludes the options before it launches the engine.
     *
     * @throws ConfigException if an option is wrong.
     */
    public ConsoleContext conclude()
    {
        if (isConcluded)
        {
            return this;
        }
        ConfigException.check(isObserving, "console.observe", "not called",
            "call it with the monitor's options before Engine.launch");
        ConfigException.check(address.isLoopbackAddress() || !hosts.isEmpty(), "console.host", address.getHostAddress(),
            "the console has no TLS: put a proxy with TLS in front of it and name it with console.allowHost");
        tokens = null == tokenFile ? Tokens.random(random) : Tokens.fromFile(tokenFile);
        Endpoints.checkTcp("console.host", "console.port", new InetSocketAddress(address, port));
        isConcluded = true;
        return this;
    }

    LatencyHistory history()
    {
        return history;
    }

    Engine engine()
    {
        return engine;
    }

    InetAddress address()
    {
        return address;
    }

    int port()
    {
        return port;
    }

    List<String> hosts()
    {
        return hosts;
    }

    Tokens tokens()
    {
        return tokens;
    }

    Map<Integer, RoomView> views()
    {
        return viewByTypeIdMap;
    }

    LongConsumer drain()
    {
        return drain;
    }

    private void checkOpen()
    {
        if (isConcluded)
        {
            throw new IllegalStateException("the context is frozen: a console was launched with it");
        }
    }
}
