package io.escapement.arena.world;

import io.escapement.arena.codecs.ArenaEncoder;
import io.escapement.arena.codecs.DeltaEncoder;
import io.escapement.arena.codecs.FullStateEncoder;
import io.escapement.arena.codecs.MessageHeaderEncoder;
import io.escapement.arena.simulation.ArenaPlayers;
import io.escapement.arena.simulation.ArenaRules;
import io.escapement.arena.simulation.ArenaShots;
import io.escapement.arena.simulation.ArenaSimulation;
import org.agrona.MutableDirectBuffer;

/**
 * Encodes the state of a simulation as a delta to the state sent before, or as a full state. Does not allocate after
 * the first message of each kind.
 */
public final class WorldWriter
{
    /** The longest delta or full state, in bytes. */
    public static final int MAX_LENGTH = MessageHeaderEncoder.ENCODED_LENGTH + FullStateEncoder.BLOCK_LENGTH +
        3 * 4 + 2 * 4 + ArenaRules.PLAYER_LIMIT * 64 + ArenaRules.SHOT_LIMIT * 16;

    /** Largest score that fits the 16 bits on the wire; 65 535 is the null value. */
    private static final int MAX_SCORE = 65_534;

    private final World world;
    private final ArenaSimulation simulation;
    private final ArenaEncoder messages = new ArenaEncoder();
    private final int[] moves = new int[ArenaRules.PLAYER_LIMIT];
    private final int[] changes = new int[ArenaRules.PLAYER_LIMIT];
    private final int[] shots = new int[ArenaRules.SHOT_LIMIT];
    private int moveCount;
    private int changeCount;
    private int shotCount;

    /** @param world the state that has been sent, or an empty world at first. */
    public WorldWriter(final World world, final ArenaSimulation simulation)
    {
        this.world = world;
        this.simulation = simulation;
        if (World.NO_SEQUENCE == world.sequence)
        {
            world.sequence = 0;
        }
    }

    /**
     * Encode the differences from the extrapolated world, and apply them to the world.
     *
     * @param buffer to write to.
     * @param offset in the buffer.
     * @return length of the message, at most {@link #MAX_LENGTH}.
     */
    public int delta(final MutableDirectBuffer buffer, final int offset)
    {
        world.extrapolate(simulation.subStep());
        world.sequence++;
        comparePlayers();
        compareShots();

        final DeltaEncoder delta = messages.delta(buffer, offset, world.sequence, world.subStep);
        final DeltaEncoder.MovesEncoder moved = delta.movesCount(moveCount);
        for (int i = 0; i < moveCount; i++)
        {
            final int player = moves[i];
            moved.next().x(world.x[player]).y(world.y[player])
                .vx((short)world.vx[player]).vy((short)world.vy[player])
                .playerIndex((short)player).flags((short)world.flags[player]);
        }
        final DeltaEncoder.ChangesEncoder changed = delta.changesCount(changeCount);
        for (int i = 0; i < changeCount; i++)
        {
            final int player = changes[i];
            changed.next().playerIndex((short)player).dashEndsAt(world.dashEndsAt[player])
                .facingX(world.facingX[player]).facingY(world.facingY[player])
                .dashVx((short)world.dashVx[player]).dashVy((short)world.dashVy[player])
                .kills(world.kills[player]).deaths(world.deaths[player]).health((short)world.health[player]);
        }
        final DeltaEncoder.ShotsEncoder flying = delta.shotsCount(shotCount);
        for (int i = 0; i < shotCount; i++)
        {
            final int shot = shots[i];
            flying.next().x(world.shotX[shot]).y(world.shotY[shot])
                .vx((short)world.shotVx[shot]).vy((short)world.shotVy[shot])
                .shotIndex((short)shot).owner((byte)world.shotOwner[shot]);
        }
        return MessageHeaderEncoder.ENCODED_LENGTH + delta.encodedLength();
    }

    /**
     * Encode the whole world. The next delta builds on it.
     *
     * @param buffer to write to.
     * @param offset in the buffer.
     * @return length of the message, at most {@link #MAX_LENGTH}.
     */
    public int fullState(final MutableDirectBuffer buffer, final int offset)
    {
        int players = 0;
        for (int player = 0; player < ArenaRules.PLAYER_LIMIT; player++)
        {
            players += world.isInGame(player) ? 1 : 0;
        }
        int flying = 0;
        for (int shot = 0; shot < ArenaRules.SHOT_LIMIT; shot++)
        {
            flying += world.shotOwner[shot] >= 0 ? 1 : 0;
        }

        final FullStateEncoder fullState = messages.fullState(buffer, offset, world.sequence, world.subStep);
        final FullStateEncoder.PlayersEncoder group = fullState.playersCount(players);
        for (int player = 0; player < ArenaRules.PLAYER_LIMIT; player++)
        {
            if (world.isInGame(player))
            {
                group.next().x(world.x[player]).y(world.y[player])
                    .vx((short)world.vx[player]).vy((short)world.vy[player])
                    .playerIndex((short)player).flags((short)world.flags[player])
                    .dashEndsAt(world.dashEndsAt[player])
                    .facingX(world.facingX[player]).facingY(world.facingY[player])
                    .dashVx((short)world.dashVx[player]).dashVy((short)world.dashVy[player])
                    .kills(world.kills[player]).deaths(world.deaths[player]).health((short)world.health[player]);
            }
        }
        final FullStateEncoder.ShotsEncoder shotGroup = fullState.shotsCount(flying);
        for (int shot = 0; shot < ArenaRules.SHOT_LIMIT; shot++)
        {
            if (world.shotOwner[shot] >= 0)
            {
                shotGroup.next().x(world.shotX[shot]).y(world.shotY[shot])
                    .vx((short)world.shotVx[shot]).vy((short)world.shotVy[shot])
                    .shotIndex((short)shot).owner((byte)world.shotOwner[shot]);
            }
        }
        return MessageHeaderEncoder.ENCODED_LENGTH + fullState.encodedLength();
    }

    private void comparePlayers()
    {
        final ArenaPlayers players = simulation.players();
        moveCount = 0;
        changeCount = 0;
        for (int player = 0; player < ArenaRules.PLAYER_LIMIT; player++)
        {
            if (takeMove(players, player))
            {
                moves[moveCount++] = player;
            }
            if (takeRest(players, player))
            {
                changes[changeCount++] = player;
            }
        }
    }

    private boolean takeMove(final ArenaPlayers players, final int player)
    {
        final int flags = players.flags(player);
        final int x = players.x(player);
        final int y = players.y(player);
        final int vx = players.vx(player);
        final int vy = players.vy(player);
        final boolean isMove = flags != world.flags[player] || x != world.x[player] || y != world.y[player] ||
            vx != world.vx[player] || vy != world.vy[player];
        world.flags[player] = flags;
        world.x[player] = x;
        world.y[player] = y;
        world.vx[player] = vx;
        world.vy[player] = vy;
        return isMove;
    }

    private boolean takeRest(final ArenaPlayers players, final int player)
    {
        final boolean isAbsent = 0 == (players.flags(player) & ArenaPlayers.IN_GAME);
        // A delta must not contain values of absent players, because a full state omits them.
        final int facingX = isAbsent ? 0 : players.facingX(player);
        final int facingY = isAbsent ? 0 : players.facingY(player);
        final int dashVx = players.dashVx(player);
        final int dashVy = players.dashVy(player);
        final int kills = Math.min(MAX_SCORE, players.kills(player));
        final int deaths = Math.min(MAX_SCORE, players.deaths(player));
        final int health = players.health(player);
        final long dashEndsAt = isAbsent ? 0 : dashEndsAt(players, player);
        final boolean isChange = facingX != world.facingX[player] || facingY != world.facingY[player] ||
            dashVx != world.dashVx[player] || dashVy != world.dashVy[player] || kills != world.kills[player] ||
            deaths != world.deaths[player] || health != world.health[player] ||
            dashEndsAt != world.dashEndsAt[player];
        world.facingX[player] = facingX;
        world.facingY[player] = facingY;
        world.dashVx[player] = dashVx;
        world.dashVy[player] = dashVy;
        world.kills[player] = kills;
        world.deaths[player] = deaths;
        world.health[player] = health;
        world.dashEndsAt[player] = dashEndsAt;
        return isChange;
    }

    private long dashEndsAt(final ArenaPlayers players, final int player)
    {
        final int left = players.dashLeft(player);
        final long before = world.dashEndsAt[player];
        // The end of a dash that is over does not change.
        return left > 0 ? simulation.subStep() + left : before <= simulation.subStep() ? before : 0;
    }

    private void compareShots()
    {
        final ArenaShots flying = simulation.shots();
        shotCount = 0;
        for (int shot = 0; shot < ArenaRules.SHOT_LIMIT; shot++)
        {
            final int owner = flying.owner(shot);
            final boolean isFlying = owner >= 0;
            final int x = isFlying ? flying.x(shot) : 0;
            final int y = isFlying ? flying.y(shot) : 0;
            final int vx = isFlying ? flying.vx(shot) : 0;
            final int vy = isFlying ? flying.vy(shot) : 0;
            if (owner != world.shotOwner[shot] || x != world.shotX[shot] || y != world.shotY[shot] ||
                vx != world.shotVx[shot] || vy != world.shotVy[shot])
            {
                shots[shotCount++] = shot;
                world.shotOwner[shot] = owner;
                world.shotX[shot] = x;
                world.shotY[shot] = y;
                world.shotVx[shot] = vx;
                world.shotVy[shot] = vy;
            }
        }
    }
}
