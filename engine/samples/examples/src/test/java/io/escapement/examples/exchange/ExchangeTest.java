package io.escapement.examples.exchange;

import io.escapement.examples.common.WebPlayer;
import io.escapement.examples.exchange.codecs.Side;
import io.escapement.server.LocalServer;
import io.escapement.testsupport.Tests;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** The whole exchange in one process, with traders on the JDK's WebSocket, and its ledger. */
class ExchangeTest
{
    private static final String ANN = "the key of Ann, a guest";
    private static final String BEN = "the key of Ben, a guest";

    @TempDir
    private Path directory;

    @Test
    void shouldTradeAndBookEachTradeOnceThroughARestart() throws SQLException
    {
        try (LocalServer server = launch();
            WebPlayer ann = new WebPlayer(server.url(), ANN).join(ExchangeGame.ROOM_ID, "");
            WebPlayer ben = new WebPlayer(server.url(), BEN).join(ExchangeGame.ROOM_ID, ""))
        {
            ann.say(ExchangeGame.ROOM_ID, Orders.place(7, Side.SELL, 120, 10));
            await(ann, "accepted 7 as 1 120 x 10 SELL");
            ben.say(ExchangeGame.ROOM_ID, Orders.place(8, Side.BUY, 125, 4));
            await(ann, "1: order 1 120 x 4 rest 6 SELL");
            await(ben, "1: order 2 120 x 4 rest 0 BUY");
            await(ben, "top 0 x 0, 120 x 6, last 120, trades 1, booked 1, volume 4");
            server.stop();
        }
        assertEquals("1 trades, 480 paid", ledger());
        try (LocalServer server = launch();
            WebPlayer ann = new WebPlayer(server.url(), ANN).join(ExchangeGame.ROOM_ID, "");
            WebPlayer ben = new WebPlayer(server.url(), BEN).join(ExchangeGame.ROOM_ID, ""))
        {
            await(ann, "accepted 0 as 1 120 x 6 SELL");
            ben.say(ExchangeGame.ROOM_ID, Orders.place(9, Side.BUY, 120, 1));
            await(ben, "top 0 x 0, 120 x 5, last 120, trades 2, booked 2, volume 5");
            server.stop();
        }
        assertEquals("2 trades, 600 paid", ledger());
    }

    private LocalServer launch()
    {
        final LocalServer server = LocalServer.launch(new ExchangeGame(ledgerUrl()), 0, directory.resolve("journal"));
        Tests.await(server::isReady, "the gateway");
        return server;
    }

    private String ledgerUrl()
    {
        return "jdbc:h2:file:" + directory.resolve("ledger") + ";WRITE_DELAY=0";
    }

    private static void await(final WebPlayer trader, final String text)
    {
        Tests.await(() -> trader.payloads().stream().map(Orders::text).anyMatch(text::equals),
            () -> text + ", but " + trader.payloads().stream().map(Orders::text).toList());
    }

    private String ledger() throws SQLException
    {
        try (Connection connection = DriverManager.getConnection(ledgerUrl());
            ResultSet sums = connection.createStatement().executeQuery(
                "SELECT COUNT(*), SUM(price * quantity) FROM trade"))
        {
            sums.next();
            return sums.getLong(1) + " trades, " + sums.getLong(2) + " paid";
        }
    }
}
