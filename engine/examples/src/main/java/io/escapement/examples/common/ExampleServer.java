package io.escapement.examples.common;

import io.escapement.client.TrunkContext;
import io.escapement.engine.DrainReport;
import io.escapement.engine.Durability;
import io.escapement.engine.Engine;
import io.escapement.engine.EngineContext;
import io.escapement.engine.monitor.MonitorContext;
import io.escapement.engine.spi.LogInService;
import io.escapement.engine.trunks.TrunkServerContext;
import io.escapement.gateway.Gateway;
import io.escapement.gateway.GatewayContext;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.agrona.CloseHelper;

/**
 * All of a small game in one process: an engine with the rooms, and a gateway with the page. They share the engine's
 * media driver, so no port is open but that of the page.
 *
 * <pre>
 *   browsers --WebSocket--> gateway --trunk in shared memory--> engine: lobby and rooms
 * </pre>
 */
public final class ExampleServer implements AutoCloseable
{
    /** Type of the lobby. */
    public static final int LOBBY = 1;
    /** The lobby is the first room of the first loop, so pages know its id. */
    public static final long LOBBY_ROOM_ID = 1;
    /** The label with the name of a room. */
    public static final int NAME_LABEL = 0;

    private static final System.Logger LOGGER = System.getLogger("io.escapement.examples");
    /** The gateway's worker, its successor while the engine still holds the seats of the first, and programs. */
    private static final int TRUNKS = 4;
    /** Guests have no password that could be guessed, and several play on one machine. */
    private static final int LOG_INS_A_MINUTE = 600;
    /** A JVM that has just started runs its first turns in the interpreter. */
    private static final long STALL_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long WEB_DRAIN_NS = TimeUnit.MILLISECONDS.toNanos(250);
    private static final long DRAIN_NS = TimeUnit.SECONDS.toNanos(2);

    private final Engine engine;
    private final Gateway gateway;
    private final Path journal;
    private final byte[] secret;

    private ExampleServer(final Engine engine, final Gateway gateway, final Path journal, final byte[] secret)
    {
        this.secret = secret;
        this.engine = engine;
        this.gateway = gateway;
        this.journal = journal;
    }

    /**
     * Start an engine and a gateway.
     *
     * @param context with the types of the rooms, the lobby's included, and the services.
     * @param page    of the address {@code /}, below META-INF/resources.
     * @param port    of the page on 127.0.0.1, 0 for any that is free.
     * @param journal directory that keeps the rooms, or null to have them in memory.
     * @param opening opens the rooms that are there from the start, unless the journal has them.
     */
    public static ExampleServer launch(
        final EngineContext context,
        final String page,
        final int port,
        final Path journal,
        final Consumer<Engine> opening)
    {
        final byte[] secret = conclude(context, journal);
        final Engine engine = Engine.launch(context);
        try
        {
            return serve(engine, secret, page, port, journal, opening);
        }
        catch (final RuntimeException ex)
        {
            engine.close();
            throw ex;
        }
    }

    /**
     * As {@link #launch}, until a signal. Then it stops, and the process ends.
     *
     * @param started receives the server.
     * @param stopped receives the result for people.
     */
    static void runUntilSignal(
        final EngineContext context,
        final String page,
        final int port,
        final Path journal,
        final Consumer<Engine> opening,
        final Consumer<ExampleServer> started,
        final Consumer<String> stopped)
    {
        final byte[] secret = conclude(context, journal);
        final AtomicReference<ExampleServer> server = new AtomicReference<>();
        Engine.runUntilSignal(context, (engine) ->
        {
            server.set(serve(engine, secret, page, port, journal, opening));
            started.accept(server.get());
        }, (engine) ->
        {
            stopped.accept(server.get().stop());
            return 0;
        });
    }

    private static byte[] conclude(final EngineContext context, final Path journal)
    {
        final byte[] secret = new byte[32];
        new SecureRandom().nextBytes(secret);
        context.loops(1).monitor(new MonitorContext().stalls(STALL_NS, null))
            .trunks(new TrunkServerContext().ipc(true).secret(secret, false)
                .logInService(LogInService.guests()).limit(TRUNKS));
        if (null != journal)
        {
            context.durability(Durability.journal(journal));
        }
        return secret;
    }

    private static ExampleServer serve(
        final Engine engine,
        final byte[] secret,
        final String page,
        final int port,
        final Path journal,
        final Consumer<Engine> opening)
    {
        final boolean isNew = engine.recoveredRooms(LOBBY).isEmpty();
        final long lobby = engine.openRoomOnce(LOBBY).roomId();
        if (LOBBY_ROOM_ID != lobby)
        {
            throw new IllegalStateException("the lobby is room " + lobby + ", but has to be the first");
        }
        if (isNew)
        {
            opening.accept(engine);
        }
        final GatewayContext web = new GatewayContext().port(port).index(page)
            .ipc(engine.aeronDirectory()).secret(secret);
        web.limits().logInRate(LOG_INS_A_MINUTE);
        final AtomicBoolean isServing = new AtomicBoolean();
        // A gateway that does not start, such as on a taken port, throws as well.
        web.errorHandler((ex) -> LOGGER.log(
            isServing.get() ? System.Logger.Level.WARNING : System.Logger.Level.DEBUG, "gateway", ex));
        final Gateway gateway = Gateway.launch(web);
        isServing.set(true);
        return new ExampleServer(engine, gateway, journal, secret);
    }

    /** The address of the page. */
    public String url()
    {
        return "http://127.0.0.1:" + gateway.port() + "/";
    }

    /** The directory of the media driver, for programs on this machine that join it. */
    public String aeronDirectory()
    {
        return engine.aeronDirectory();
    }

    /** A new context for a trunk of such a program. */
    public TrunkContext trunkContext()
    {
        return new TrunkContext().ipc().secret(secret);
    }

    /** Whether players are let in. */
    public boolean isReady()
    {
        return gateway.isReady();
    }

    /**
     * Stop in order: send the players away, then close the rooms, or keep them for the next start.
     *
     * @return the result for people.
     * @throws IllegalStateException if something was left behind.
     */
    public String stop()
    {
        gateway.drain(WEB_DRAIN_NS);
        gateway.close();
        if (null != journal)
        {
            engine.close();
            return "the rooms are kept in " + journal;
        }
        final DrainReport report = engine.drain(DRAIN_NS);
        if (!report.isClean())
        {
            throw new IllegalStateException(report.toString());
        }
        return report.toString();
    }

    @Override
    public void close()
    {
        CloseHelper.closeAll(gateway, engine);
    }
}
