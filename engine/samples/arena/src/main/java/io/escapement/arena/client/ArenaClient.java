package io.escapement.arena.client;

import io.escapement.arena.protocol.ArenaMessages;
import io.escapement.arena.simulation.ArenaMap;
import io.escapement.arena.simulation.ArenaRules;
import io.escapement.arena.simulation.Fixed;
import io.escapement.arena.world.World;
import java.util.List;
import org.agrona.DirectBuffer;

/**
 * The client of one player in an arena. It applies the events and states of the player's seat to a world, and moves its
 * own player at once. It sends claims at its sampling rate, and checks the server against the rules. Not thread-safe.
 * After the welcome only chat and violations allocate.
 */
public final class ArenaClient
{
    private static final int PLAYERS = ArenaRules.PLAYER_LIMIT;

    private final ClientCommons commons;
    private final ArenaSender sender;
    private final OwnPlayer own;
    private final ShownArena shown;

    /**
     * A client before its first welcome.
     *
     * @param commons  of all clients of this thread.
     * @param sampling fewest sub-steps between two claims, 1 to {@link ArenaRules#SAMPLING_LIMIT}.
     * @param watched  how many other players it shows, 0 to 15: the players at the indices after its own. Showing a
     *                 player costs as much as moving it. A process with many bots therefore watches few in each.
     * @param output   where its messages go.
     */
    public ArenaClient(
        final ClientCommons commons, final int sampling, final int watched, final ArenaSender.Output output)
    {
        if (sampling < 1 || sampling > ArenaRules.SAMPLING_LIMIT || watched < 0 || watched >= PLAYERS)
        {
            throw new IllegalArgumentException("sampling " + sampling + ", watched " + watched);
        }
        this.commons = commons;
        sender = new ArenaSender(output);
        own = new OwnPlayer(sender, sampling);
        shown = new ShownArena(commons, own, watched);
    }

    /** Receive an event or a state of the seat. */
    public void onMessage(final DirectBuffer buffer, final int offset, final int length)
    {
        commons.onMessage(shown, buffer, offset, length);
    }

    /** The connection is lost, or the seat left. Start over with the next welcome. */
    public void onAway()
    {
        shown.clear();
    }

    /**
     * Run in a direction from now on.
     *
     * @param dirX direction, at most {@link ArenaRules#DIRECTION_LIMIT} either way. Both 0 to stop.
     * @param dirY direction.
     */
    public void run(final int dirX, final int dirY)
    {
        final boolean isRest = 0 == (dirX | dirY);
        own.steer(
            isRest ? 0 : Fixed.scale(dirX, dirX, dirY, ArenaRules.RUN_SPEED),
            isRest ? 0 : Fixed.scale(dirY, dirX, dirY, ArenaRules.RUN_SPEED));
    }

    /**
     * Dash.
     *
     * @param dirX direction, not 0 both.
     * @param dirY direction.
     * @return false if it is too early for one, by the rules or by the sampling rate.
     */
    public boolean dash(final int dirX, final int dirY)
    {
        return own.dash(dirX, dirY);
    }

    /**
     * Swing.
     *
     * @param dirX direction, not 0 both.
     * @param dirY direction.
     * @return false if the player is dead or busy.
     */
    public boolean melee(final int dirX, final int dirY)
    {
        return own.melee(dirX, dirY);
    }

    /**
     * Shoot.
     *
     * @param dirX direction, not 0 both.
     * @param dirY direction.
     * @return false if the player is dead or busy, or it is too early.
     */
    public boolean shoot(final int dirX, final int dirY)
    {
        return own.shoot(dirX, dirY);
    }

    /** Send a chat message of up to {@link ArenaMessages#TEXT_LIMIT} bytes of UTF-8. */
    public void chat(final String text)
    {
        sender.roomChat(text);
    }

    /**
     * Whether the player may act.
     *
     * @return true while it lives and the world has been shown since it spawned.
     */
    public boolean canAct()
    {
        return shown.canAct();
    }

    /**
     * Index of the own player.
     *
     * @return from 0, or -1 before the welcome.
     */
    public int index()
    {
        return shown.index();
    }

    /** Where the own player is shown. Only while it {@link #canAct()}. */
    public int x()
    {
        return own.x();
    }

    /** Where the own player is shown. Only while it {@link #canAct()}. */
    public int y()
    {
        return own.y();
    }

    /**
     * The map.
     *
     * @return the map, or null before the welcome.
     */
    public ArenaMap map()
    {
        return shown.map();
    }

    /** The state of the arena, as received. */
    public World world()
    {
        return shown.world;
    }

    /** The player at an index, or 0. */
    public long playerId(final int player)
    {
        return shown.roster.playerId(player);
    }

    /** Whether the player at an index is a newcomer at the time of the {@link #world()}. */
    public boolean isNewcomer(final int player)
    {
        return shown.world.subStep() < shown.roster.newUntil(player);
    }

    /** The first violations of the rules by the server. */
    public List<String> violations()
    {
        return shown.violations.texts();
    }

    /** Number of violations of the rules by the server. */
    public long violationCount()
    {
        return shown.violations.count();
    }

    /** Counts of received messages, updated in place. */
    public ClientStats stats()
    {
        return shown.stats;
    }
}
