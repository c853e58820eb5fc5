package io.escapement.examples.exchange;

import io.escapement.rooms.RoomType;
import io.escapement.server.Escapement;
import io.escapement.testsupport.ChildJvm;
import io.escapement.testsupport.RealTime;
import io.escapement.testsupport.SourceJar;
import io.escapement.testsupport.Tests;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Orders at a server in another process, while one of the two is killed. */
@RealTime("other processes, which are killed while they work")
class OrderClientTest
{
    private static final int PAIRS = 2_500;
    private static final String DONE = "%,d orders at 1,000 a second after 0 to warm up: %,d accepted, 0 refused, " +
        "0 unknown, %,d trades, %,d in the ledger";
    /** The class path of this build has several games. */
    private static final String GAME = """
        package game;

        public final class Exchange implements io.escapement.server.Game
        {
            private final io.escapement.server.Game game = new io.escapement.examples.exchange.ExchangeGame();

            @Override
            public java.util.List<io.escapement.rooms.RoomType> roomTypes()
            {
                return game.roomTypes();
            }

            @Override
            public void configure(final io.escapement.engine.EngineContext context)
            {
                game.configure(context);
            }

            @Override
            public void openRooms(final io.escapement.engine.Engine engine)
            {
                game.openRooms(engine);
            }
        }
        """;
    private static final String FROM = "orders from number ";

    @TempDir
    private Path directory;
    private final int port = Tests.freePorts(2);

    @BeforeEach
    void makeSecretAndGame()
    {
        Tests.writeSecret(directory.resolve("secret"), "a secret of the exchange's trunks");
        new SourceJar().source("game/Exchange.java", GAME)
            .provider(RoomType.Provider.class.getName(), "game.Exchange").writeTo(directory.resolve("exchange.jar"));
    }

    @Test
    void shouldExecuteEachOrderOnceThoughTheServerIsKilledTwice() throws SQLException
    {
        try (ChildJvm first = serve(); ChildJvm client = client())
        {
            awaitOrders(first, client);
            first.kill();
            try (ChildJvm second = serve())
            {
                awaitOrders(second, client);
                second.kill();
            }
            try (ChildJvm third = serve())
            {
                assertEquals(0, client.exitStatus(), () -> client.lines().toString());
                assertEquals(done(2 * PAIRS, PAIRS), last(client));
                third.terminate();
                assertEquals(0, third.exitStatus(), () -> third.lines().toString());
            }
        }
        assertEquals(PAIRS, trades());
    }

    @Test
    void shouldContinueForAKilledClient() throws SQLException
    {
        try (ChildJvm server = serve())
        {
            try (ChildJvm killed = client())
            {
                awaitOrders(server, killed);
                killed.kill();
            }
            final long number;
            try (ChildJvm client = client())
            {
                assertEquals(0, client.exitStatus(), () -> client.lines().toString());
                number = Long.parseLong(client.valueOf(FROM).split(" ")[0]);
                assertTrue(number > 1, () -> client.lines().toString());
                assertTrue(last(client).contains(" 0 refused, 0 unknown, "), () -> last(client));
            }
            server.terminate();
            assertEquals(0, server.exitStatus(), () -> server.lines().toString());
            assertEquals(number - 1 + PAIRS, trades());
        }
    }

    private ChildJvm serve()
    {
        final ChildJvm server = new ChildJvm(Escapement.class,
            List.of("--add-opens", "java.base/sun.nio.ch=ALL-UNNAMED", "-Xmx512m"),
            List.of("serve", "--types", "exchange.jar", "--secret-file", "secret", "--journal", "data/journal",
                "--listen", "127.0.0.1:" + port, "--respond", "127.0.0.1:" + (port + 1), "--stats"), directory);
        Tests.await(() -> null != server.valueOf("ready ") || !server.isAlive(), "the server");
        assertTrue(server.isAlive(), () -> server.lines().toString());
        return server;
    }

    private ChildJvm client()
    {
        return new ChildJvm(OrderClient.class, List.of("--add-opens", "java.base/sun.nio.ch=ALL-UNNAMED", "-Xmx512m"),
            List.of("--server", "127.0.0.1:" + port, "--respond", "127.0.0.1:" + (port + 1), "--orders",
                Integer.toString(2 * PAIRS), "--warm-up", "0", "--rate", "1000", "--patience", "60"), directory);
    }

    /** Orders are under way, for a line of statistics and a part of the next one's time. */
    private static void awaitOrders(final ChildJvm server, final ChildJvm client)
    {
        Tests.await(() -> null != client.valueOf(FROM) || !client.isAlive(), "the first order");
        final long before = statistics(server);
        Tests.await(() -> statistics(server) > before + 1, "orders");
        assertTrue(client.isAlive(), () -> client.lines().toString());
    }

    private static long statistics(final ChildJvm server)
    {
        return server.lines().stream().filter((line) -> line.startsWith("server ")).count();
    }

    private static String done(final int accepted, final int trades)
    {
        return String.format(Locale.ROOT, DONE, accepted, accepted, trades, trades);
    }

    private static String last(final ChildJvm client)
    {
        return client.lines().get(client.lines().size() - 1);
    }

    /** The trades of the ledger, each of which is there once and is the work of two orders. */
    private long trades() throws SQLException
    {
        final String url = "jdbc:h2:file:" + directory.resolve("data/ledger");
        try (Connection ledger = DriverManager.getConnection(url);
            ResultSet trade = ledger.createStatement().executeQuery("SELECT COUNT(*), COUNT(DISTINCT trade), " +
                "MAX(trade), SUM(quantity), COUNT(DISTINCT buyer) + COUNT(DISTINCT seller) FROM trade"))
        {
            trade.next();
            final long trades = trade.getLong(1);
            assertEquals(List.of(trades, trades, trades, 2L),
                List.of(trade.getLong(2), trade.getLong(3), trade.getLong(4), trade.getLong(5)));
            return trades;
        }
    }
}
