package io.escapement.examples.auction;

import io.escapement.engine.Engine;
import io.escapement.engine.EngineContext;
import io.escapement.examples.common.ExampleCommand;
import io.escapement.examples.common.Hall;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.agrona.concurrent.UnsafeBuffer;
import picocli.CommandLine.Command;

/** An auction in a browser: {@code engine/bin/example auction}. */
@Command(name = "auction", description = "An order book by price and time, with a ledger that books each trade once.")
public final class AuctionCommand extends ExampleCommand
{
    /** Room of the only auction, behind the hall. */
    public static final long ROOM_ID = Hall.ROOM_ID + 1;

    /** For the command line. */
    public AuctionCommand()
    {
    }

    @Override
    protected EngineContext engine()
    {
        final String url = ledgerUrl(journal());
        return new EngineContext().roomType(Hall.type(AuctionRoom.TYPE_ID, false)).roomType(AuctionRoom.type())
            .service(AuctionRoom.LEDGER, "ledger", 1, () -> new Ledger(url));
    }

    /** A database in memory; or a file, which has a trade before the reply leaves. */
    static String ledgerUrl(final Path journal)
    {
        return null == journal ? "jdbc:h2:mem:" :
            "jdbc:h2:file:" + journal.resolve("ledger").toAbsolutePath() + ";WRITE_DELAY=0";
    }

    @Override
    protected String page()
    {
        return "examples/auction/index.html";
    }

    @Override
    protected void openRooms(final Engine engine)
    {
        final UnsafeBuffer name = new UnsafeBuffer("Brass gears".getBytes(StandardCharsets.UTF_8));
        engine.openRoom(AuctionRoom.TYPE_ID, name, 0, name.capacity());
    }
}
