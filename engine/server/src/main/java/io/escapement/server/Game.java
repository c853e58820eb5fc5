package io.escapement.server;

import io.escapement.console.RoomView;
import io.escapement.engine.Engine;
import io.escapement.engine.EngineContext;
import io.escapement.engine.spi.LogInService;
import io.escapement.gateway.GatewayContext;
import io.escapement.rooms.RoomType;
import java.util.Map;

/**
 * A game, as {@link Escapement} serves it: its room types, and a server's other parts. Every method but
 * {@link #roomTypes()} has a default. Its jar names its class in the file
 * {@code META-INF/services/io.escapement.rooms.RoomType$Provider}. A provider that is no game is served by the
 * defaults.
 */
public interface Game extends RoomType.Provider
{
    /** Result of {@link #accountsServiceId()} if a game's rooms do not use accounts. */
    int NO_ACCOUNTS = 0;

    /** Name of the game in lines for people, and in the demo's JSON. */
    default String name()
    {
        return getClass().getSimpleName();
    }

    /** The page of {@code /}: a path below META-INF/resources of the game's jar. Null without a page. */
    default String page()
    {
        return null;
    }

    /**
     * Set options of the engine, such as its placement, its services and the counters of its monitor. The room types,
     * the trunks and the log-in are set by the server.
     *
     * @param context with a {@code monitor} and {@code trunks}.
     */
    default void configure(final EngineContext context)
    {
    }

    /**
     * Set options of a gateway, such as its limits. Called by each process that serves players in browsers. The port,
     * the trunks and the pages are set by the program.
     *
     * @param context with the options of the command line.
     */
    default void configure(final GatewayContext context)
    {
    }

    /**
     * Open the rooms of the start. Called after the launch, and each time this server starts to lead.
     *
     * @param engine that leads. {@link Engine#openRoomOnce(int)} finds the rooms that a log has kept.
     */
    default void openRooms(final Engine engine)
    {
    }

    /**
     * The service by which rooms use the accounts of {@code escapement-accounts}. The server launches it and logs
     * players in by it, unless the command line asks for another log-in.
     *
     * @return its id, or {@link #NO_ACCOUNTS}.
     */
    default int accountsServiceId()
    {
        return NO_ACCOUNTS;
    }

    /** The game's own log-in. If null, players have accounts, or are guests. */
    default LogInService logIn()
    {
        return null;
    }

    /** How the console draws rooms, by the id of their type. */
    default Map<Integer, RoomView> views()
    {
        return Map.of();
    }

    /** Rooms of the start without play, such as a lobby: statistics leave them out. */
    default int otherRooms()
    {
        return 0;
    }

    /** Name of the counter with the frames that statistics show, by default the frames of all rooms. */
    default String frames()
    {
        return "room-frames run";
    }

    /** The game's bots, for one crowd. Null without bots. */
    default BotProvider bots()
    {
        return null;
    }
}
