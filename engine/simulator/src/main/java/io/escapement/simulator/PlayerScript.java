package io.escapement.simulator;

import java.util.SplittableRandom;
import org.agrona.MutableDirectBuffer;

/** Makes the messages of a simulation's players. All its decisions depend on the random numbers that it gets. */
public interface PlayerScript
{
    /**
     * Make the next message of a player to a room.
     *
     * @param playerId of the player, from 1.
     * @param roomId   of the room.
     * @param random   of the simulation.
     * @param buffer   for the message, of 512 bytes.
     * @return length of the message, or 0 to send no message now.
     */
    int message(long playerId, long roomId, SplittableRandom random, MutableDirectBuffer buffer);
}
