package io.escapement.arena.program;

import io.escapement.accounts.Accounts;
import io.escapement.accounts.AccountsContext;
import io.escapement.accounts.PasswordCost;
import io.escapement.arena.ArenaTypes;
import io.escapement.engine.DrainReport;
import io.escapement.engine.Engine;
import io.escapement.engine.EngineContext;
import io.escapement.engine.spi.PlacementStrategy;
import io.escapement.rooms.RoomType;
import org.agrona.CloseHelper;

/** The game's server: accounts on a database, an engine with the lobby open, both closed in order. */
public final class ArenaServer implements AutoCloseable
{
    /** The lobby is the first room of the first loop, so that a client need not be told. */
    public static final long LOBBY_ROOM_ID = 1;

    private final Accounts accounts;
    private final Engine engine;

    private ArenaServer(final Accounts accounts, final Engine engine)
    {
        this.accounts = accounts;
        this.engine = engine;
    }

    /**
     * Start a server.
     *
     * @param database      where accounts are.
     * @param isDemo        whether accounts with passwords that are cheap to try are made and let in.
     * @param engineContext with everything but the rooms, the placement and the services of the game.
     * @return the server, with its lobby open.
     */
    public static ArenaServer launch(
        final AccountsContext database, final boolean isDemo, final EngineContext engineContext)
    {
        final Accounts accounts = Accounts.launch(
            database.demoAccounts(isDemo).passwordCost(isDemo ? PasswordCost.DEMO : PasswordCost.STANDARD));
        try
        {
            for (final RoomType type : new ArenaTypes(new DatabaseCharacters()).all())
            {
                engineContext.roomType(type);
            }
            engineContext.trunks().logInService(accounts.logIn());
            final Engine engine = Engine.launch(engineContext
                .placement(ArenaServer::loopFor)
                .service(DatabaseCharacters.SERVICE_ID, "accounts", accounts.workers(), accounts::service));
            if (LOBBY_ROOM_ID != engine.openRoom(ArenaTypes.LOBBY).roomId())
            {
                throw new IllegalStateException("the lobby is not room " + LOBBY_ROOM_ID);
            }
            return new ArenaServer(accounts, engine);
        }
        catch (final RuntimeException ex)
        {
            accounts.close();
            throw ex;
        }
    }

    /**
     * The engine.
     *
     * @return it.
     */
    public Engine engine()
    {
        return engine;
    }

    /**
     * Stop in good order: players are told, rooms close, what is to be saved is saved.
     *
     * @param timeoutNs how long rooms and saves may take.
     * @return what was still held.
     */
    public DrainReport drain(final long timeoutNs)
    {
        final DrainReport report = engine.drain(timeoutNs);
        accounts.flush(timeoutNs);
        accounts.close();
        return report;
    }

    /**
     * Saves that the database has not taken yet.
     *
     * @return the number.
     */
    public int heldSaves()
    {
        return accounts.pendingSaves();
    }

    @Override
    public void close()
    {
        CloseHelper.closeAll(engine, accounts);
    }

    private static int loopFor(final int typeId, final int[] roomsByLoop)
    {
        return ArenaTypes.LOBBY == typeId ? 0 : PlacementStrategy.LEAST_LOADED.loopFor(typeId, roomsByLoop);
    }
}
