package io.escapement.arena.client;

import io.escapement.arena.simulation.ArenaRules;
import io.escapement.arena.simulation.Fixed;
import io.escapement.arena.world.World;
import io.escapement.rooms.RoomRandom;

/**
 * Decides for a bot: it runs about, goes for who is nearest, swings when it is close, shoots when it is not, dashes and
 * chats now and then. The same seed and the same states give the same decisions.
 */
public final class BotBrain
{
    private static final int CLOSE = 2 * Fixed.UNIT;
    private static final int FAR = 16 * Fixed.UNIT;
    private static final int LEAST_RUN = 10;
    private static final int RUN_SPREAD = 40;
    /** One in so many thoughts; at 60 Hz a bot thinks 60 times a second. */
    private static final int SHOT_ODDS = 20;
    private static final int SWING_ODDS = 6;
    private static final int DASH_ODDS = 90;
    private static final int CHAT_ODDS = 1_200;
    private static final String[] WORDS = {"hello", "nice one", "ouch", "again!", "good game", "\u00e0 bient\u00f4t"};

    private final RoomRandom random;
    private long turnAt;
    private int aimX;
    private int aimY;
    private long distance;

    /**
     * A brain.
     *
     * @param seed of its decisions.
     */
    public BotBrain(final long seed)
    {
        random = new RoomRandom(seed);
    }

    /**
     * Decide and act. To be called once after each state.
     *
     * @param client to act through.
     */
    public void think(final ArenaClient client)
    {
        if (!client.canAct())
        {
            return;
        }
        final long now = client.world().subStep();
        final boolean hasAim = aim(client);
        if (now >= turnAt)
        {
            turnAt = now + LEAST_RUN + random.nextInt(RUN_SPREAD);
            turn(client, hasAim);
        }
        if (hasAim && distance < CLOSE && 0 == random.nextInt(SWING_ODDS))
        {
            client.melee(aimX, aimY);
        }
        else if (hasAim && distance < FAR && 0 == random.nextInt(SHOT_ODDS))
        {
            client.shoot(aimX, aimY);
        }
        else if (0 == random.nextInt(DASH_ODDS))
        {
            client.dash(direction(), 1 + random.nextInt(ArenaRules.DIRECTION_LIMIT));
        }
        if (0 == random.nextInt(CHAT_ODDS))
        {
            client.say(WORDS[random.nextInt(WORDS.length)]);
        }
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
            client.run(aimX, aimY);
        }
        else
        {
            client.run(direction(), direction());
        }
    }

    /** Towards the nearest living enemy, a vector one unit long; false if there is none. */
    private boolean aim(final ArenaClient client)
    {
        final World world = client.world();
        int nearest = -1;
        for (int player = 0; player < ArenaRules.PLAYER_LIMIT; player++)
        {
            if (player != client.index() && world.isLiving(player))
            {
                final long away = Fixed.length(world.x(player) - client.x(), world.y(player) - client.y());
                if (away > 0 && (nearest < 0 || away < distance))
                {
                    nearest = player;
                    distance = away;
                }
            }
        }
        if (nearest < 0)
        {
            return false;
        }
        final int dx = world.x(nearest) - client.x();
        final int dy = world.y(nearest) - client.y();
        aimX = Fixed.scale(dx, dx, dy, Fixed.UNIT);
        aimY = Fixed.scale(dy, dx, dy, Fixed.UNIT);
        return 0 != (aimX | aimY);
    }

    private int direction()
    {
        return random.nextInt(2 * ArenaRules.DIRECTION_LIMIT + 1) - ArenaRules.DIRECTION_LIMIT;
    }
}
