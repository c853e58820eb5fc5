package io.escapement.examples.exchange;

import io.escapement.engine.spi.AsyncService;
import io.escapement.examples.exchange.codecs.MessageHeaderDecoder;
import io.escapement.examples.exchange.codecs.TradeDecoder;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * Books trades in a database, each once. The book and the number of the trade are the key. A repeated request, after a
 * failure or a restart, therefore has no effect. It runs in a thread of the engine's services and may block.
 */
final class Ledger implements AsyncService
{
    private final TradeDecoder trade = new TradeDecoder();
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final Connection connection;
    private final PreparedStatement insert;

    Ledger(final String url)
    {
        try
        {
            connection = DriverManager.getConnection(url);
            try (Statement create = connection.createStatement())
            {
                create.execute("CREATE TABLE IF NOT EXISTS trade (book BIGINT, trade BIGINT, buyer BIGINT, " +
                    "seller BIGINT, price INT, quantity INT, PRIMARY KEY (book, trade))");
            }
            connection.setAutoCommit(false);
            insert = connection.prepareStatement("MERGE INTO trade KEY (book, trade) VALUES (?, ?, ?, ?, ?, ?)");
        }
        catch (final SQLException ex)
        {
            throw new IllegalStateException("the ledger cannot open " + url + ": " + ex.getMessage(), ex);
        }
    }

    @Override
    public int onRequest(final Request request) throws SQLException
    {
        final int recordLength = MessageHeaderDecoder.ENCODED_LENGTH + TradeDecoder.BLOCK_LENGTH;
        for (int at = 0; at < request.length(); at += recordLength)
        {
            trade.wrapAndApplyHeader(request.buffer(), request.offset() + at, header);
            insert.setLong(1, trade.bookId());
            insert.setLong(2, trade.tradeId());
            insert.setLong(3, trade.buyer());
            insert.setLong(4, trade.seller());
            insert.setInt(5, trade.price());
            insert.setInt(6, trade.quantity());
            insert.addBatch();
        }
        insert.executeBatch();
        connection.commit();
        return 0;
    }
}
