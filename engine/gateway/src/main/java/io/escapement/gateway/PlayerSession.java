package io.escapement.gateway;

import java.util.ArrayList;

/** The state of a player from Welcome on, even without a connection. */
final class PlayerSession
{
    private static final byte[] NO_TOKEN = {};

    final ArrayList<Place> places = new ArrayList<>(2);
    long tokenHigh;
    long tokenLow;
    /** Null while detached. */
    PlayerConnection connection;
    long detachedNs;
    /** Other workers read it, when a connection to them shows the token. */
    volatile boolean isLoggedIn;
    boolean isLogInOpen;
    /** Number of its log-in, counted over all workers. */
    long logInOrder;
    long playerId;
    byte[] playerToken = NO_TOKEN;
    boolean isOver;
    /** The engine has lost its seats. The session closes with its connection, which must be closed. */
    boolean isVoid;

    Place placeIn(final long roomId)
    {
        for (int i = 0; i < places.size(); i++)
        {
            if (places.get(i).roomId == roomId)
            {
                return places.get(i);
            }
        }
        return null;
    }
}
