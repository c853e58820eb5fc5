package io.escapement.arena.client;

import io.escapement.arena.simulation.ArenaRules;
import io.escapement.arena.simulation.Fixed;
import io.escapement.arena.world.World;
import io.escapement.rooms.RoomRandom;
import java.util.function.LongPredicate;

/**
 * The decisions of a bot: it runs, follows the nearest player, swings at short range, shoots at long range, and
 * sometimes dashes and chats. It seldom attacks a newcomer, and its shots at a newcomer pass by. The same seed and the
 * same states give the same decisions.
 */
public final class BotBrain
{
    /** Squared distances. */
    private static final long CLOSE = 4L * Fixed.UNIT * Fixed.UNIT;
    private static final long FAR = 256L * Fixed.UNIT * Fixed.UNIT;
    private static final int LEAST_RUN = 10;
    private static final int RUN_SPREAD = 40;
    /** Sub-steps between decisions: 15 per second at any frame rate from 15 Hz, more than a player makes. */
    private static final int DECISION_TIME = ArenaRules.SUB_STEPS_PER_SECOND / 15;
    /** A shot in every fifth decision on average. */
    private static final int SHOT_ODDS = 5;
    private static final int SWING_ODDS = 2;
    /** A newcomer is attacked this many times less often. */
    private static final int NEWCOMER_PATIENCE = 5;
    /** A shot at a newcomer passes it at a third of the distance, to either side. */
    private static final int NEWCOMER_MISS = 3;
    private static final int DASH_ODDS = 22;
    private static final int CHAT_ODDS = 300;
    private static final String[] WORDS = {"hello", "nice one", "ouch", "again!", "good game", "\u00e0 bient\u00f4t"};

    private final RoomRandom random;
    private final LongPredicate isBot;
    private long decideAt;
    private long turnAt;
    private int aimX;
    private int aimY;
    private long distance;
    private boolean isAimAtNewcomer;

    /**
     * A brain before its first decision.
     *
     * @param seed  of its decisions.
     * @param isBot whether the player with this id is a bot, which is no newcomer.
     */
    public BotBrain(final long seed, final LongPredicate isBot)
    {
        random = new RoomRandom(seed);
        this.isBot = isBot;
    }

    /** Decide and act, unless the last decision was just made. Called once after each state. */
    public void think(final ArenaClient client)
    {
        final long now = client.world().subStep();
        if (now < decideAt && decideAt - now <= DECISION_TIME || !client.canAct())
        {
            return;
        }
        decideAt = now + DECISION_TIME;
        final boolean hasAim = aim(client);
        if (now >= turnAt)
        {
            turnAt = now + LEAST_RUN + random.nextInt(RUN_SPREAD);
            turn(client, hasAim);
        }
        final int patience = isAimAtNewcomer ? NEWCOMER_PATIENCE : 1;
        if (hasAim && distance < CLOSE && 0 == random.nextInt(SWING_ODDS * patience))
        {
            client.melee(unit(aimX), unit(aimY));
        }
        else if (hasAim && distance < FAR && 0 == random.nextInt(SHOT_ODDS * patience))
        {
            shoot(client);
        }
        else if (0 == random.nextInt(DASH_ODDS))
        {
            client.dash(direction(), 1 + random.nextInt(ArenaRules.DIRECTION_LIMIT));
        }
        if (0 == random.nextInt(CHAT_ODDS))
        {
            client.chat(WORDS[random.nextInt(WORDS.length)]);
        }
    }

    private void shoot(final ArenaClient client)
    {
        final int side = isAimAtNewcomer ? 1 - 2 * random.nextInt(2) : 0;
        final int x = aimX - side * aimY / NEWCOMER_MISS;
        final int y = aimY + side * aimX / NEWCOMER_MISS;
        client.shoot(Fixed.scale(x, x, y, Fixed.UNIT), Fixed.scale(y, x, y, Fixed.UNIT));
    }

    private void turn(final ArenaClient client, final boolean hasAim)
    {
        final int choice = random.nextInt(8);
        if (0 == choice)
        {
            client.run(0, 0);
        }
        else if (hasAim && choice < 5)
        {
            client.run(unit(aimX), unit(aimY));
        }
        else
        {
            client.run(direction(), direction());
        }
    }

    /** Take aim at the nearest living enemy. Returns false without an enemy. */
    private boolean aim(final ArenaClient client)
    {
        final World world = client.world();
        int nearest = -1;
        for (int player = 0; player < ArenaRules.PLAYER_LIMIT; player++)
        {
            if (player != client.index() && world.isLiving(player))
            {
                final long away = square(world.x(player) - client.x()) + square(world.y(player) - client.y());
                if (away > 0 && (nearest < 0 || away < distance))
                {
                    nearest = player;
                    distance = away;
                }
            }
        }
        if (nearest >= 0)
        {
            aimX = world.x(nearest) - client.x();
            aimY = world.y(nearest) - client.y();
            isAimAtNewcomer = client.isNewcomer(nearest) && !isBot.test(client.playerId(nearest));
        }
        return nearest >= 0;
    }

    /** Part of the aim, in a vector one unit long. */
    private int unit(final int part)
    {
        return Fixed.scale(part, aimX, aimY, Fixed.UNIT);
    }

    private static long square(final long value)
    {
        return value * value;
    }

    private int direction()
    {
        return random.nextInt(2 * ArenaRules.DIRECTION_LIMIT + 1) - ArenaRules.DIRECTION_LIMIT;
    }
}
