package io.escapement.arena.program;

import io.escapement.accounts.Accounts;
import io.escapement.accounts.AccountsContext;
import io.escapement.accounts.PasswordCost;
import io.escapement.arena.ArenaTypes;
import io.escapement.arena.DatabaseCharacters;
import io.escapement.arena.lobby.LobbyRoom;
import io.escapement.arena.lobby.MatchTypes;
import io.escapement.engine.DrainReport;
import io.escapement.engine.Engine;
import io.escapement.engine.EngineContext;
import io.escapement.engine.RoomHandle;
import io.escapement.engine.spi.PlacementStrategy;
import io.escapement.rooms.RoomType;
import java.util.List;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;

/** The game's server: the accounts on a database, and an engine with an open lobby. */
public final class ArenaServer implements AutoCloseable
{
    /** The lobby is the first room of the first loop, so clients know its id. */
    public static final long LOBBY_ROOM_ID = 1;

    private final Accounts accounts;
    private final Engine engine;
    private final int recoveredRooms;
    private boolean isLobbyOpened;

    private ArenaServer(final Accounts accounts, final Engine engine, final int recoveredRooms)
    {
        this.accounts = accounts;
        this.engine = engine;
        this.recoveredRooms = recoveredRooms;
    }

    /**
     * Start a server.
     *
     * @param database      of the accounts.
     * @param isDemo        whether to accept accounts with weak password hashing, for bots and tests.
     * @param engineContext of which this sets the room types, the placement, the log-in and the services.
     * @return the server, with an open lobby.
     */
    public static ArenaServer launch(
        final AccountsContext database, final boolean isDemo, final EngineContext engineContext)
    {
        return launch(database, isDemo, engineContext, new ArenaTypes().roomTypes());
    }

    static ArenaServer launch(
        final AccountsContext database,
        final boolean isDemo,
        final EngineContext engineContext,
        final List<RoomType> types)
    {
        final Accounts accounts = Accounts.launch(
            // Nobody misses an account of a bot after a power failure, and thousands of them sign up at once.
            database.demoAccounts(isDemo).forceCommits(!isDemo)
                .passwordCost(isDemo ? PasswordCost.DEMO : PasswordCost.STANDARD));
        try
        {
            types.forEach(engineContext::roomType);
            engineContext.trunks().logInService(accounts.logIn());
            final Engine engine = Engine.launch(engineContext
                .placement(ArenaServer::loopFor)
                .service(DatabaseCharacters.SERVICE_ID, "accounts", accounts.workers(), accounts::service));
            final ArenaServer server = new ArenaServer(accounts, engine, types.stream().map(RoomType::id).distinct()
                .mapToInt((typeId) -> engine.recoveredRooms(typeId).size()).sum());
            server.leadOrClose();
            return server;
        }
        catch (final RuntimeException ex)
        {
            accounts.close();
            throw ex;
        }
    }

    /** The engine that runs the rooms. */
    public Engine engine()
    {
        return engine;
    }

    /**
     * Open the lobby if this server leads and there is none. The launch does so; a member of a cluster does it again
     * and again, since it may begin to lead at any time.
     *
     * @return whether it leads.
     */
    public boolean lead()
    {
        if (!engine.isLeader())
        {
            isLobbyOpened = false;
            return false;
        }
        if (!isLobbyOpened)
        {
            final List<RoomHandle> recovered = engine.recoveredRooms(LobbyRoom.TYPE_ID);
            final RoomHandle lobby = recovered.isEmpty() ? engine.openRoom(LobbyRoom.TYPE_ID) : recovered.get(0);
            if (LOBBY_ROOM_ID != lobby.roomId())
            {
                throw new IllegalStateException("the lobby is not room " + LOBBY_ROOM_ID + ", but " + lobby.roomId());
            }
            openMatchmakers();
            isLobbyOpened = true;
        }
        return true;
    }

    /** The lobby finds them in the directory. */
    private void openMatchmakers()
    {
        final DirectBuffer settings = MatchTypes.settings(LOBBY_ROOM_ID);
        for (final RoomType type : MatchTypes.all())
        {
            if (engine.recoveredRooms(type.id()).isEmpty())
            {
                engine.openRoom(type.id(), settings, 0, settings.capacity());
            }
        }
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

    /** Number of rooms beside the arenas: the lobby and the matchmakers, which have no frames. */
    static int otherRooms()
    {
        return 1 + MatchTypes.all().size();
    }

    /** Number of rooms that the journal had open, the lobby included. */
    public int recoveredRooms()
    {
        return recoveredRooms;
    }

    /**
     * Stop in order: notify players, close rooms, flush saves.
     *
     * @param timeoutNs for the rooms, and again for the saves.
     * @return what remained after the timeout.
     */
    public DrainReport drain(final long timeoutNs)
    {
        final DrainReport report = engine.drain(timeoutNs);
        accounts.flush(timeoutNs);
        accounts.close();
        return report;
    }

    /**
     * Stop and keep the rooms in the journal for the next start: flush saves, notify nobody.
     *
     * @param timeoutNs for the saves.
     */
    public void stop(final long timeoutNs)
    {
        engine.close();
        accounts.flush(timeoutNs);
        accounts.close();
    }

    /** Number of saves that the database has not stored yet. */
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
        return LobbyRoom.TYPE_ID == typeId ? 0 : PlacementStrategy.LEAST_LOADED.loopFor(typeId, roomsByLoop);
    }
}
