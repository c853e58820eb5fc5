package io.escapement.examples.exchange;

import io.escapement.engine.Engine;
import io.escapement.engine.EngineContext;
import io.escapement.rooms.RoomType;
import io.escapement.server.Game;
import java.util.List;

/** The server finds this class through {@code META-INF/services}. It has one book, and a ledger in a database. */
public final class ExchangeGame implements Game
{
    /** The book is the first room. */
    static final long ROOM_ID = 1;

    /** A file that has a trade before the service replies. */
    private static final String LEDGER = "jdbc:h2:file:./data/ledger;WRITE_DELAY=0";

    private final String ledgerUrl;

    /** For the server. The system property exchange.ledger names another database. */
    public ExchangeGame()
    {
        this(System.getProperty("exchange.ledger", LEDGER));
    }

    ExchangeGame(final String ledgerUrl)
    {
        this.ledgerUrl = ledgerUrl;
    }

    @Override
    public String page()
    {
        return "examples/exchange/index.html";
    }

    @Override
    public List<RoomType> roomTypes()
    {
        return List.of(BookRoom.type());
    }

    @Override
    public void configure(final EngineContext context)
    {
        context.service(BookRoom.LEDGER, "ledger", 1, () -> new Ledger(ledgerUrl));
    }

    @Override
    public void openRooms(final Engine engine)
    {
        engine.openRoomOnce(BookRoom.TYPE_ID);
    }
}
