package io.escapement.arena.client;

import io.escapement.arena.simulation.ArenaRules;
import java.util.Arrays;

/** The player at each index, according to the messages received so far. */
final class Roster
{
    private static final int PLAYERS = ArenaRules.PLAYER_LIMIT;

    private final Violations violations;
    private final long[] playerIds = new long[PLAYERS];
    private final long[] newUntil = new long[PLAYERS];
    private final boolean[] isPresent = new boolean[PLAYERS];

    Roster(final Violations violations)
    {
        this.violations = violations;
    }

    void clear()
    {
        Arrays.fill(isPresent, false);
    }

    /** False if the message is invalid. */
    boolean enter(final int player, final long playerId, final long newUntilSubStep)
    {
        if (player >= PLAYERS)
        {
            violations.add("entered at an invalid index", player, playerId);
            return false;
        }
        isPresent[player] = true;
        playerIds[player] = playerId;
        newUntil[player] = newUntilSubStep;
        return true;
    }

    /** False if the message is invalid. */
    boolean leave(final int player, final long playerId)
    {
        if (player >= PLAYERS || !isPresent[player] || playerIds[player] != playerId)
        {
            violations.add("left without having entered", player, playerId);
            return false;
        }
        isPresent[player] = false;
        return true;
    }

    long playerId(final int player)
    {
        return isPresent[player] ? playerIds[player] : 0;
    }

    /** Sub-step until which the player is a newcomer, or 0. */
    long newUntil(final int player)
    {
        return isPresent[player] ? newUntil[player] : 0;
    }
}
