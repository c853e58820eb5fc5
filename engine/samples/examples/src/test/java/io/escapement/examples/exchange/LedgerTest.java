package io.escapement.examples.exchange;

import io.escapement.engine.spi.AsyncService;
import io.escapement.examples.exchange.codecs.MessageHeaderEncoder;
import io.escapement.examples.exchange.codecs.TradeEncoder;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;

class LedgerTest
{
    private static final String URL = "jdbc:h2:mem:ledger-test";

    @Test
    void shouldBookATradeOnceHoweverOftenItArrives() throws SQLException
    {
        try (Connection connection = DriverManager.getConnection(URL))
        {
            final Ledger ledger = new Ledger(URL);
            assertEquals(0, ledger.onRequest(new Trades(1, 2, 3)));
            assertEquals(0, ledger.onRequest(new Trades(1, 2, 3)));
            assertEquals(0, ledger.onRequest(new Trades(3, 4)));
            try (ResultSet trades = connection.createStatement().executeQuery(
                "SELECT COUNT(*), MAX(trade), SUM(quantity), MIN(buyer), MAX(seller) FROM trade WHERE book = 77"))
            {
                trades.next();
                assertEquals("4 4 40 5 6", trades.getLong(1) + " " + trades.getLong(2) + " " + trades.getLong(3) + " " +
                    trades.getLong(4) + " " + trades.getLong(5));
            }
        }
    }

    /** A request with trades of 10 each. */
    private static final class Trades implements AsyncService.Request
    {
        private static final int LENGTH = MessageHeaderEncoder.ENCODED_LENGTH + TradeEncoder.BLOCK_LENGTH;
        private final UnsafeBuffer bytes;

        Trades(final long... numbers)
        {
            bytes = new UnsafeBuffer(new byte[numbers.length * LENGTH]);
            for (int i = 0; i < numbers.length; i++)
            {
                new TradeEncoder().wrapAndApplyHeader(bytes, i * LENGTH, new MessageHeaderEncoder())
                    .bookId(77).tradeId(numbers[i]).buyer(5).seller(6).price(3).quantity(10);
            }
        }

        @Override
        public long orderKey()
        {
            return 77;
        }

        @Override
        public DirectBuffer buffer()
        {
            return bytes;
        }

        @Override
        public int offset()
        {
            return 0;
        }

        @Override
        public int length()
        {
            return bytes.capacity();
        }

        @Override
        public MutableDirectBuffer reply()
        {
            return new UnsafeBuffer(new byte[0]);
        }
    }
}
