package io.escapement.examples.auction;

import io.escapement.examples.Examples;
import io.escapement.examples.auction.codecs.Side;
import io.escapement.examples.common.ExampleServer;
import io.escapement.examples.common.WebPlayer;
import io.escapement.testsupport.Tests;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The whole auction in one process, with traders on the JDK's WebSocket, its ledger and its report. */
class AuctionTest
{
    private static final String ANN = "the key of Ann, a guest";
    private static final String BEN = "the key of Ben, a guest";

    @TempDir
    private Path directory;

    @Test
    void shouldTradeAndBookEachTradeOnceThroughARestart() throws SQLException
    {
        try (ExampleServer server = launch();
            WebPlayer ann = new WebPlayer(server.url(), ANN).join(AuctionCommand.ROOM_ID, "");
            WebPlayer ben = new WebPlayer(server.url(), BEN).join(AuctionCommand.ROOM_ID, ""))
        {
            ann.say(AuctionCommand.ROOM_ID, Orders.place(7, Side.SELL, 120, 10));
            await(ann, "accepted 7 as 1 120 x 10 SELL");
            ben.say(AuctionCommand.ROOM_ID, Orders.place(8, Side.BUY, 125, 4));
            await(ann, "1: order 1 120 x 4 rest 6 SELL");
            await(ben, "1: order 2 120 x 4 rest 0 BUY");
            await(ben, "top 0 x 0, 120 x 6, last 120, trades 1, booked 1, volume 4");
            server.stop();
        }
        assertEquals("1 trades, 480 paid", ledger());
        try (ExampleServer server = launch();
            WebPlayer ann = new WebPlayer(server.url(), ANN).join(AuctionCommand.ROOM_ID, "");
            WebPlayer ben = new WebPlayer(server.url(), BEN).join(AuctionCommand.ROOM_ID, ""))
        {
            await(ann, "accepted 0 as 1 120 x 6 SELL");
            ben.say(AuctionCommand.ROOM_ID, Orders.place(9, Side.BUY, 120, 1));
            await(ben, "top 0 x 0, 120 x 5, last 120, trades 2, booked 2, volume 5");
            server.stop();
        }
        assertEquals("2 trades, 600 paid", ledger());
    }

    @Test
    void shouldReportTheLatencyOfOrders()
    {
        final StringWriter out = new StringWriter();
        final int status = Examples.commandLine().setOut(new PrintWriter(out))
            .execute("auction-latency", "--orders", "2000", "--warm-up", "1000", "--rate", "4000");
        assertEquals(0, status, out.toString());
        assertTrue(out.toString().contains(
            "3,000 accepted, 0 refused, 1,500 trades, 1,500 in the ledger"), out.toString());
        assertTrue(out.toString().contains("Total count    =         2000"), out.toString());
    }

    private ExampleServer launch()
    {
        final AuctionCommand auction = new AuctionCommand();
        Examples.commandLine().addSubcommand("tested", auction).parseArgs("tested", "--journal", directory.toString());
        final ExampleServer server = auction.launch();
        Tests.await(server::isReady, "the gateway");
        return server;
    }

    private static void await(final WebPlayer trader, final String text)
    {
        Tests.await(() -> trader.payloads().stream().map(Orders::text).anyMatch(text::equals),
            () -> text + ", but " + trader.payloads().stream().map(Orders::text).toList());
    }

    private String ledger() throws SQLException
    {
        try (Connection connection = DriverManager.getConnection(AuctionCommand.ledgerUrl(directory));
            ResultSet sums = connection.createStatement().executeQuery(
                "SELECT COUNT(*), SUM(price * quantity) FROM trade"))
        {
            sums.next();
            return sums.getLong(1) + " trades, " + sums.getLong(2) + " paid";
        }
    }
}
