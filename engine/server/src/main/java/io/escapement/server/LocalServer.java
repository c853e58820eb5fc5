package io.escapement.server;

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
import io.escapement.rooms.RoomType;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.agrona.CloseHelper;

/**
 * A game in one call, for its author and for tests: an engine with its rooms and a gateway with its page, in this
 * process. Players are guests. The gateway shares the engine's media driver. Only the page's port is open, on this
 * machine.
 *
 * <pre>{@code
 *   try (LocalServer server = LocalServer.launch(DotsRoom.type(), "index.html", 8080))
 *   {
 *       System.out.println(server.url());
 *       ...
 *   }
 * }</pre>
 */
public final class LocalServer implements AutoCloseable
{
    private static final System.Logger LOGGER = System.getLogger("io.escapement.server");
    private static final int SECRET_LENGTH = 32;
    /** The gateway's worker, its successor while the engine still holds the seats of the first, and programs. */
    private static final int TRUNKS = 4;
    /** Guests have no password that could be guessed, and several play on one machine. */
    private static final int LOG_INS_PER_MINUTE = 600;
    /** A JVM that has just started runs its first turns in the interpreter. */
    private static final long STALL_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long WEB_DRAIN_NS = TimeUnit.MILLISECONDS.toNanos(250);
    private static final long DRAIN_NS = TimeUnit.SECONDS.toNanos(2);

    private final GameServer server;
    private final Gateway gateway;
    private final Path journal;
    private final byte[] secret;

    private LocalServer(final GameServer server, final Gateway gateway, final Path journal, final byte[] secret)
    {
        this.server = server;
        this.gateway = gateway;
        this.journal = journal;
        this.secret = secret;
    }

    /**
     * Serve one room of a type.
     *
     * @param type of the room, which is the first: its id is 1.
     * @param page of the address {@code /}, below META-INF/resources on the class path.
     * @param port of the page on 127.0.0.1, 0 for any that is free.
     */
    public static LocalServer launch(final RoomType type, final String page, final int port)
    {
        return launch(new OneRoom(type, page), port, null);
    }

    /**
     * Serve a game.
     *
     * @param game    of the rooms, without accounts.
     * @param port    of the page on 127.0.0.1, 0 for any that is free.
     * @param journal directory that keeps the rooms, or null to have them in memory.
     */
    public static LocalServer launch(final Game game, final int port, final Path journal)
    {
        final byte[] secret = new byte[SECRET_LENGTH];
        new SecureRandom().nextBytes(secret);
        final EngineContext context = new EngineContext().loops(1)
            .monitor(new MonitorContext().stalls(STALL_NS, null))
            .trunks(new TrunkServerContext().ipc(true).secret(secret, false)
                .logInService(null == game.logIn() ? LogInService.guests() : game.logIn()).limit(TRUNKS));
        if (null != journal)
        {
            context.durability(Durability.journal(journal));
        }
        final GameServer server = GameServer.launch(game, game.roomTypes(), null, false, context);
        try
        {
            return new LocalServer(server, gateway(game, server.engine(), secret, port), journal, secret);
        }
        catch (final RuntimeException ex)
        {
            server.close();
            throw ex;
        }
    }

    private static Gateway gateway(final Game game, final Engine engine, final byte[] secret, final int port)
    {
        final GatewayContext context = new GatewayContext().port(port).ipc(engine.aeronDirectory()).secret(secret);
        WebOptions.pages(game, context);
        context.limits().logInRate(LOG_INS_PER_MINUTE);
        final AtomicBoolean isServing = new AtomicBoolean();
        // A gateway that does not start, such as on a taken port, also throws.
        context.errorHandler((ex) -> LOGGER.log(
            isServing.get() ? System.Logger.Level.WARNING : System.Logger.Level.DEBUG, "gateway", ex));
        game.configure(context);
        final Gateway gateway = Gateway.launch(context);
        isServing.set(true);
        return gateway;
    }

    /** The address of the page. */
    public String url()
    {
        return "http://127.0.0.1:" + gateway.port() + "/";
    }

    /** The engine that runs the rooms. */
    public Engine engine()
    {
        return server.engine();
    }

    /** A new context for a trunk of a program that joins the media driver in {@link Engine#aeronDirectory()}. */
    public TrunkContext trunkContext()
    {
        return new TrunkContext().ipc().secret(secret);
    }

    /** Whether players are admitted. */
    public boolean isReady()
    {
        return gateway.isReady();
    }

    /**
     * Stop in order: send the players away, then close the rooms, or keep them for the next start.
     *
     * @return the result for people.
     * @throws IllegalStateException if a resource was left open.
     */
    public String stop()
    {
        gateway.drain(WEB_DRAIN_NS);
        gateway.close();
        if (null != journal)
        {
            server.stop(DRAIN_NS);
            return "the rooms are kept in " + journal;
        }
        final DrainReport report = server.drain(DRAIN_NS);
        if (!report.isClean())
        {
            throw new IllegalStateException(report.toString());
        }
        return report.toString();
    }

    @Override
    public void close()
    {
        CloseHelper.closeAll(gateway, server);
    }

    private record OneRoom(RoomType type, String page) implements Game
    {
        @Override
        public List<RoomType> roomTypes()
        {
            return List.of(type);
        }

        @Override
        public void openRooms(final Engine engine)
        {
            engine.openRoomOnce(type.id());
        }
    }
}
