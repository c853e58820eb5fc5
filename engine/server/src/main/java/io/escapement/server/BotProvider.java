package io.escapement.server;

import io.escapement.client.ClientSeat;
import io.escapement.client.TrunkClient;
import java.util.List;
import org.agrona.DirectBuffer;

/**
 * Makes the bots of a crowd. The crowd has a {@link Host} for each thread, and each bot runs in the thread of its host.
 * The provider's own methods are called while no bot runs.
 */
public interface BotProvider
{
    /** Ids of a bot's joins: the bot's number times this, and 1 more, so that a game may join two rooms at once. */
    int JOINS_PER_BOT = 2;

    /**
     * Refuse options that the game does not have.
     *
     * @param options of the crowd.
     * @throws IllegalArgumentException with the option, its value and the remedy, separated by colons.
     */
    default void check(final BotOptions options)
    {
    }

    /**
     * Make a bot.
     *
     * @param number  of the bot, from 0; the bots of a room have consecutive numbers.
     * @param options of the crowd.
     * @param host    of the bot, the same object for all bots of a thread.
     * @param trunk   that carries the bot. Its log-ins have the number as id, its joins see {@link #JOINS_PER_BOT}.
     */
    Bot newBot(int number, BotOptions options, Host host, TrunkClient trunk);

    /** A line for people about the game that the bots have seen. */
    default String summary()
    {
        return "";
    }

    /** Counts and paces the bots of a thread. */
    interface Host
    {
        /** A log-in was accepted. */
        void onLogIn();

        /** A join, a leave or a message was sent. */
        void onSent();

        /** The server or the game refused something. */
        void onRefused();

        /** A ping was answered after this time. Slow pings delay the bots that enter. */
        void onPing(long ns);

        /** A bot has waited this long for a message. */
        void onWait(long ns);

        /** A room has had this many messages more of a bot than were sent, or less if negative. */
        void onDelivered(long more);

        /** Add to a figure of the game in the statistics. */
        void count(String name, long more);

        /** Whether a bot that plays may leave now, to enter again later. */
        boolean tryLeave(long nowNs);
    }

    /** A bot as a state machine. It never blocks: an action that fails is repeated in a later turn. */
    interface Bot
    {
        /**
         * Do all actions that are due.
         *
         * @return when to act next, {@link Long#MAX_VALUE} for never.
         */
        long act(long nowNs);

        /**
         * The answer to a log-in.
         *
         * @return false if it was refused. The bot must then enter again later.
         */
        boolean onLogIn(int status, long playerId, byte[] token);

        /** The bot has a seat, new or kept. It attaches itself to the seat. */
        void onJoined(ClientSeat seat, long nowNs);

        /**
         * A seat is left.
         *
         * @return whether the bot must enter again later.
         */
        boolean onLeft(ClientSeat seat);

        /**
         * A join was refused.
         *
         * @return whether the bot must enter again later.
         */
        boolean onJoinRefused(long roomId, int code);

        /** A message of some bot of the host was refused. */
        void onSendRefused(long roomId, int seatIndex);

        /** A message of a room. */
        void onMessage(ClientSeat seat, DirectBuffer buffer, int offset, int length, boolean isState);

        /** Leave, in the next turns. */
        void stop();

        /** Whether it plays now. */
        boolean isPlaying();

        /** Whether it plays or has played. */
        boolean hasPlayed();

        /** Whether it must leave a seat. */
        boolean isSeated();

        /** Whether this is its player. */
        boolean isPlayer(long playerId);

        /** Breaches of the game's rules that it has seen. */
        long violationCount();

        /** The first of them. */
        List<String> violations();

        /** The game as this bot sees it, in lines of text. Null while it sees no game. */
        default String picture()
        {
            return null;
        }
    }
}
