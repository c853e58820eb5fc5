package io.escapement.server;

import io.escapement.accounts.Accounts;
import io.escapement.accounts.AccountsContext;
import io.escapement.accounts.PasswordCost;
import io.escapement.engine.DrainReport;
import io.escapement.engine.Engine;
import io.escapement.engine.EngineContext;
import io.escapement.rooms.RoomType;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.agrona.CloseHelper;

/** A game's server: an engine with the rooms of the start, and the accounts on a database if the players have any. */
final class GameServer implements AutoCloseable
{
    private final Game game;
    private final Accounts accounts;
    private final Engine engine;
    private final int recoveredRooms;
    private boolean isLeading;

    private GameServer(final Game game, final Accounts accounts, final Engine engine, final int recoveredRooms)
    {
        this.game = game;
        this.accounts = accounts;
        this.engine = engine;
        this.recoveredRooms = recoveredRooms;
    }

    /**
     * Start a server.
     *
     * @param game          that is served.
     * @param versions      of its rooms.
     * @param database      of the accounts by which players log in, or null: then the trunks have another log-in.
     * @param isDemo        whether to accept accounts with weak password hashing, for bots and tests.
     * @param engineContext of which this sets the room types and, with accounts, the log-in and the accounts' service.
     * @return the server, with the rooms of the start.
     */
    static GameServer launch(
        final Game game,
        final List<RoomType> versions,
        final AccountsContext database,
        final boolean isDemo,
        final EngineContext engineContext)
    {
        versions.forEach(engineContext::roomType);
        final AtomicReference<Accounts> opened = new AtomicReference<>();
        final AtomicReference<Engine> launched = new AtomicReference<>();
        if (null != database)
        {
            // A bot's account may be lost in a power failure, and thousands of bots sign up at once.
            database.demoAccounts(isDemo).forceCommits(!isDemo)
                .passwordCost(isDemo ? PasswordCost.DEMO : PasswordCost.STANDARD);
            database.bannedListener((playerIds) -> remove(launched.get(), playerIds));
            engineContext.trunks().logInService((trunkId, credentials, reply) ->
                opened.get().logIn().logIn(trunkId, credentials, reply));
            if (Game.NO_ACCOUNTS != game.accountsServiceId())
            {
                engineContext.service(game.accountsServiceId(), "accounts", database.serviceWorkers(),
                    () -> opened.get().service());
            }
        }
        game.configure(engineContext);
        engineContext.conclude();
        final Accounts accounts = null == database ? null : Accounts.launch(database);
        opened.set(accounts);
        try
        {
            final Engine engine = Engine.launch(engineContext);
            launched.set(engine);
            final GameServer server = new GameServer(game, accounts, engine, versions.stream().map(RoomType::id)
                .distinct().mapToInt((typeId) -> engine.recoveredRooms(typeId).size()).sum());
            server.leadOrClose();
            return server;
        }
        catch (final RuntimeException ex)
        {
            CloseHelper.close(accounts);
            throw ex;
        }
    }

    /** As the other, of the types of a command line. */
    static GameServer launch(
        final Types types, final AccountsContext database, final boolean isDemo, final EngineContext engineContext)
    {
        return launch(types.game(), types.types(), database, isDemo, engineContext);
    }

    /** Remove banned players, unless the engine is not launched yet: the call is repeated each second. */
    private static void remove(final Engine engine, final long[] playerIds)
    {
        if (null != engine)
        {
            engine.operator().removePlayers(playerIds);
        }
    }

    /** The engine that runs the rooms. */
    Engine engine()
    {
        return engine;
    }

    /**
     * Open the rooms of the start if this server starts to lead. The launch calls this. A member of a cluster calls it
     * periodically, because it may start to lead at any time.
     *
     * @return whether it leads.
     */
    boolean lead()
    {
        if (!engine.isLeader())
        {
            isLeading = false;
        }
        else if (!isLeading)
        {
            game.openRooms(engine);
            isLeading = true;
        }
        return isLeading;
    }

    private void leadOrClose()
    {
        try
        {
            lead();
        }
        catch (final RuntimeException ex)
        {
            engine.close();
            throw ex;
        }
    }

    /** Number of rooms that the journal had open. */
    int recoveredRooms()
    {
        return recoveredRooms;
    }

    /**
     * Stop in order: notify players, close rooms, flush saves.
     *
     * @param timeoutNs for the rooms, and again for the saves.
     * @return what remained after the timeout.
     */
    DrainReport drain(final long timeoutNs)
    {
        final DrainReport report = engine.drain(timeoutNs);
        closeAccounts(timeoutNs);
        return report;
    }

    /**
     * Stop and keep the rooms in the journal for the next start: flush saves, without a notice to players.
     *
     * @param timeoutNs for the saves.
     */
    void stop(final long timeoutNs)
    {
        engine.close();
        closeAccounts(timeoutNs);
    }

    /** Number of saves that the database has not stored yet. */
    int heldSaves()
    {
        return null == accounts ? 0 : accounts.pendingSaves();
    }

    @Override
    public void close()
    {
        CloseHelper.closeAll(engine, accounts);
    }

    private void closeAccounts(final long timeoutNs)
    {
        if (null != accounts)
        {
            accounts.flush(timeoutNs);
            accounts.close();
        }
    }
}
