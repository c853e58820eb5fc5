package io.escapement.arena.client;

import io.escapement.arena.simulation.ArenaRules;
import java.util.Arrays;

/** Who plays at which index, as far as the client was told. */
final class Roster
{
    private static final int PLAYERS = ArenaRules.PLAYER_LIMIT;

    private final Violations violations;
    private final long[] playerIds = new long[PLAYERS];
    private final boolean[] isHere = new boolean[PLAYERS];

    Roster(final Violations violations)
    {
        this.violations = violations;
    }

    void clear()
    {
        Arrays.fill(isHere, false);
    }

    /** Whether that can be. */
    boolean enter(final int player, final long playerId)
    {
        if (player >= PLAYERS)
        {
            violations.add("somebody entered nowhere", player, playerId);
            return false;
        }
        isHere[player] = true;
        playerIds[player] = playerId;
        return true;
    }

    /** Whether that can be. */
    boolean leave(final int player, final long playerId)
    {
        if (player >= PLAYERS || !isHere[player] || playerIds[player] != playerId)
        {
            violations.add("somebody left who was not here", player, playerId);
            return false;
        }
        isHere[player] = false;
        return true;
    }

    long playerId(final int player)
    {
        return isHere[player] ? playerIds[player] : 0;
    }
}
