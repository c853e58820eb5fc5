package io.escapement.matchmaking;

import io.escapement.config.ConfigException;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.StateHash;
import java.util.concurrent.TimeUnit;

/**
 * The options of a {@link Matchmaker}, which cannot change any more once it has a type. A recorded matchmaker replays
 * with the options that it was recorded with: the log's header has their hash, and a replay with others is refused.
 */
public final class MatchmakerContext
{
    /** Default of {@link #waitingLimit(int)}. */
    public static final int WAITING_LIMIT_DEFAULT = 10_000;

    /** Default and limit of {@link #askedLimit(int)}. */
    public static final int ASKED_LIMIT_DEFAULT = RoomType.MAX_QUESTIONS;

    /** Default of {@link #initialRange(int)}. */
    public static final int INITIAL_RANGE_DEFAULT = 50;

    /** Default of {@link #rangePerSecond(int)}. */
    public static final int RANGE_PER_SECOND_DEFAULT = 10;

    /** Default of {@link #maxRange(int)}. */
    public static final int MAX_RANGE_DEFAULT = 500;

    /** Default of {@link #timeoutNs(long)}: one minute. */
    public static final long TIMEOUT_NS_DEFAULT = TimeUnit.MINUTES.toNanos(1);

    /** Default of {@link #reservationNs(long)}: ten seconds. */
    public static final long RESERVATION_NS_DEFAULT = TimeUnit.SECONDS.toNanos(10);

    /** The value of {@link #findTypeId()} when players cannot find rooms. */
    public static final int NO_TYPE = 0;

    /** The value of {@link #ratingService()} when players send their ratings. */
    public static final int NO_SERVICE = -1;

    static final int MAX_RATING = 0xFFFE;

    /** In a longer time the range of a ticket could overflow. */
    static final long MAX_TIMEOUT_NS = TimeUnit.DAYS.toNanos(1);

    private final int roomTypeId;
    private final int players;
    private int waitingLimit = WAITING_LIMIT_DEFAULT;
    private int askedLimit = ASKED_LIMIT_DEFAULT;
    private int initialRange = INITIAL_RANGE_DEFAULT;
    private int rangePerSecond = RANGE_PER_SECOND_DEFAULT;
    private int maxRange = MAX_RANGE_DEFAULT;
    private long timeoutNs = TIMEOUT_NS_DEFAULT;
    private long reservationNs = RESERVATION_NS_DEFAULT;
    private int ratingService = NO_SERVICE;
    private int findTypeId = NO_TYPE;
    private boolean isConcluded;

    /**
     * Options for matches of a number of players.
     *
     * @param roomTypeId type of the rooms that are opened for matches, with at least as many seats.
     * @param players    of each match, 1 to 62. A party has at most as many.
     */
    public MatchmakerContext(final int roomTypeId, final int players)
    {
        this.roomTypeId = roomTypeId;
        this.players = inRange("players", players, 1, MatchSearch.MAX_PLAYERS);
    }

    /** Type of the rooms that are opened for matches. */
    public int roomTypeId()
    {
        return roomTypeId;
    }

    /** Players of each match. */
    public int players()
    {
        return players;
    }

    /**
     * Players that may have a ticket at a time. More are refused. Default {@value #WAITING_LIMIT_DEFAULT}.
     *
     * @param value 1 to 65,535.
     */
    public MatchmakerContext waitingLimit(final int value)
    {
        checkNotConcluded();
        waitingLimit = inRange("waitingLimit", value, 1, 0xFFFF);
        return this;
    }

    /** Players that may have a ticket at a time. */
    public int waitingLimit()
    {
        return waitingLimit;
    }

    /**
     * Players without a seat that other rooms may have asked for at a time, by EnqueuePlayer. Default and most
     * {@value #ASKED_LIMIT_DEFAULT}.
     *
     * @param value 0 or more; 0 refuses all.
     */
    public MatchmakerContext askedLimit(final int value)
    {
        checkNotConcluded();
        askedLimit = inRange("askedLimit", value, 0, ASKED_LIMIT_DEFAULT);
        return this;
    }

    /** Players without a seat that other rooms may have asked for at a time. */
    public int askedLimit()
    {
        return askedLimit;
    }

    /**
     * The rating difference in a match that a ticket accepts when it starts to wait. Default
     * {@value #INITIAL_RANGE_DEFAULT}.
     *
     * @param value 0 to 65,534.
     */
    public MatchmakerContext initialRange(final int value)
    {
        checkNotConcluded();
        initialRange = inRange("initialRange", value, 0, MAX_RATING);
        return this;
    }

    /** The rating difference in a match that a new ticket accepts. */
    public int initialRange()
    {
        return initialRange;
    }

    /**
     * How much wider the range of a ticket is after each second of waiting. Default
     * {@value #RANGE_PER_SECOND_DEFAULT}.
     *
     * @param value 0 to 65,534.
     */
    public MatchmakerContext rangePerSecond(final int value)
    {
        checkNotConcluded();
        rangePerSecond = inRange("rangePerSecond", value, 0, MAX_RATING);
        return this;
    }

    /** How much wider the range of a ticket is after each second. */
    public int rangePerSecond()
    {
        return rangePerSecond;
    }

    /**
     * The widest range. Default {@value #MAX_RANGE_DEFAULT}.
     *
     * @param value 0 to 65,534.
     */
    public MatchmakerContext maxRange(final int value)
    {
        checkNotConcluded();
        maxRange = inRange("maxRange", value, 0, MAX_RATING);
        return this;
    }

    /** The widest range. */
    public int maxRange()
    {
        return maxRange;
    }

    /**
     * How long a ticket waits for a match, and a party for its members, before it is removed. Default one minute.
     *
     * @param value in nanoseconds, above 0, up to a day.
     */
    public MatchmakerContext timeoutNs(final long value)
    {
        checkNotConcluded();
        ConfigException.check(
            value > 0 && value <= MAX_TIMEOUT_NS, "timeoutNs", value, "must be 1 to " + MAX_TIMEOUT_NS + ", a day");
        timeoutNs = value;
        return this;
    }

    /** How long a ticket waits. */
    public long timeoutNs()
    {
        return timeoutNs;
    }

    /**
     * How long the seats of a match are reserved. Default ten seconds.
     *
     * @param value in nanoseconds, above 0.
     */
    public MatchmakerContext reservationNs(final long value)
    {
        checkNotConcluded();
        ConfigException.check(value > 0, "reservationNs", value, "must be above 0");
        reservationNs = value;
        return this;
    }

    /** How long the seats of a match are reserved. */
    public long reservationNs()
    {
        return reservationNs;
    }

    /**
     * Ask a service for the rating of each player, by ReadRating. Without a service the player sends its rating. Do
     * this only if users cannot change their clients.
     *
     * @param serviceId of the service.
     */
    public MatchmakerContext ratingService(final int serviceId)
    {
        checkNotConcluded();
        ratingService = serviceId;
        return this;
    }

    /** The service that has the ratings, or {@link #NO_SERVICE}. */
    public int ratingService()
    {
        return ratingService;
    }

    /**
     * Let players find open rooms of a type by their labels. The matchmaker subscribes to the directory. By default
     * they cannot, and receive NO_ROOM.
     *
     * @param typeId of the rooms.
     */
    public MatchmakerContext findTypeId(final int typeId)
    {
        checkNotConcluded();
        findTypeId = inRange("findTypeId", typeId, 1, Integer.MAX_VALUE);
        return this;
    }

    /** The type of the rooms that players can find, or {@link #NO_TYPE}. */
    public int findTypeId()
    {
        return findTypeId;
    }

    /** Check the options against each other, and refuse every later change. {@link Matchmaker#type} calls it. */
    MatchmakerContext conclude()
    {
        ConfigException.check(initialRange <= maxRange, "initialRange", initialRange,
            "must be at most maxRange, which is " + maxRange);
        isConcluded = true;
        return this;
    }

    /** Of all options, because each changes the behaviour of a matchmaker. */
    long hash()
    {
        final StateHash hash = new StateHash();
        hash.putInt(roomTypeId);
        hash.putInt(players);
        hash.putInt(waitingLimit);
        hash.putInt(askedLimit);
        hash.putInt(initialRange);
        hash.putInt(rangePerSecond);
        hash.putInt(maxRange);
        hash.putLong(timeoutNs);
        hash.putLong(reservationNs);
        hash.putInt(ratingService);
        hash.putInt(findTypeId);
        return hash.value();
    }

    private void checkNotConcluded()
    {
        if (isConcluded)
        {
            throw new IllegalStateException("a matchmaker's type has these options: set them before");
        }
    }

    private static int inRange(final String option, final int value, final int least, final int most)
    {
        ConfigException.check(value >= least && value <= most, option, value, "must be " + least + " to " + most);
        return value;
    }
}
