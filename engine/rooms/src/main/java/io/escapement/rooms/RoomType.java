package io.escapement.rooms;

import io.escapement.codecs.sync.SyncSchema;
import io.escapement.config.ConfigException;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * A kind of room: its id, the version of its logic, and its limits. Registering the type with an engine or a host
 * freezes it. A setter called later throws {@link IllegalStateException}.
 *
 * <pre>{@code
 *   static RoomType type()
 *   {
 *       return RoomType.of(2, "quiet", 1, QuietRoom::new)
 *           .seats(32)
 *           .timers(1)
 *           .graceNs(TimeUnit.SECONDS.toNanos(10));
 *   }
 * }</pre>
 *
 * <p>A room reserves all of its limits when it opens. Therefore one room never exhausts the memory of another. If the
 * limits of a room do not fit the host, the host refuses the room.
 */
public final class RoomType
{
    /**
     * Provides the room types of a jar that a running application loads. The jar names its class in the file {@code
     * META-INF/services/io.escapement.rooms.RoomType$Provider}.
     */
    @FunctionalInterface
    public interface Provider
    {
        /** New types, each with a version above the application's. */
        List<RoomType> roomTypes();
    }

    /** Who is admitted to a free seat. */
    public enum Admission
    {
        /** Every player, while a seat is neither taken nor reserved. */
        OPEN,
        /** Only a player with a reservation, so that two players are never sent to the same last seat. */
        BY_RESERVATION
    }

    /** When the output of a room leaves for its players. */
    public enum Flush
    {
        /** At the end of each turn: lowest latency. */
        TURN,
        /** After each frame of the room: fewest packets. Rooms without frames flush at the end of the turn. */
        FRAME,
        /** One interval after the first message that waits. Set by {@link RoomType#flushEveryNs(long)}. */
        INTERVAL
    }

    /** Default of {@link #seats(int)}. */
    public static final int SEATS_DEFAULT = 16;

    /** Most seats of a room: its seat indexes fit 16 bits. */
    public static final int MAX_SEATS = 65_535;

    /** Most spectators of a room: with the players' seats, their indexes fit 16 bits. */
    public static final int MAX_SPECTATORS = 16_384;

    /** Default of {@link #timers(int)}. */
    public static final int TIMERS_DEFAULT = 64;

    /** Most timers of a room. A room that needs more has a design mistake. */
    public static final int MAX_TIMERS = 1 << 24;

    /** Default of {@link #outputLimit(int)}. */
    public static final int OUTPUT_LIMIT_DEFAULT = 64 * 1024;

    /** Least output buffer of a room, in bytes. */
    public static final int MIN_OUTPUT_LIMIT = 1_024;

    /** Largest output buffer of a room, in bytes. The window of a trunk could not hold more. */
    public static final int MAX_OUTPUT_LIMIT = 16 * 1024 * 1024;

    /** Default of {@link #requests(int)}. */
    public static final int REQUESTS_DEFAULT = 64;

    /** Most open requests of a room: they are a sorted array with binary search, and closing one moves the rest. */
    public static final int MAX_REQUESTS = 4_096;

    /** Most questions that a room may have without an answer: as many as its requests. */
    public static final int MAX_QUESTIONS = MAX_REQUESTS;

    /** Default of {@link #groups(int)}. */
    public static final int GROUPS_DEFAULT = 8;

    /** Most groups of a room: each leaving seat is removed from every group. */
    public static final int MAX_GROUPS = 64;

    /** Default of {@link #catchUp(int)}. */
    public static final int CATCH_UP_DEFAULT = 1;

    /** Most late frames that one turn may run for a room. */
    public static final int MAX_CATCH_UP = 64;

    /** Default of {@link #graceNs(long)}: 30 seconds. */
    public static final long GRACE_NS_DEFAULT = 30_000_000_000L;

    /** Most bytes of data of a seat: each room has them for all its seats. */
    public static final int MAX_SEAT_DATA = 4_096;

    /** Most joins of a room that wait: they are found by walking an array. */
    public static final int MAX_JOIN_REQUESTS = 1_024;

    /** Default of {@link #joinTimeoutNs(long)}: shorter than a gateway waits for an answer. */
    public static final long JOIN_TIMEOUT_NS_DEFAULT = 5_000_000_000L;

    /** The value of {@link #closeWhenEmptyNs()} for rooms that stay open without players. */
    public static final long NEVER = -1;

    private static final int MAX_NAME_LENGTH = 64;
    /** A hash of the settings has this before the value of a newer option, so that two options are never mixed up. */
    private static final int EMPTY_OPTION = 1;
    private static final int SEAT_DATA_OPTION = 2;
    private static final int QUESTIONS_OPTION = 3;
    private static final int SPECTATORS_OPTION = 4;
    private static final int JOIN_REQUESTS_OPTION = 5;
    private static final int LOGIC_OPTION = 16;

    private final int id;
    private final String name;
    private int version;
    private final Supplier<? extends RoomLogic> logic;
    private int seats = SEATS_DEFAULT;
    private int timers = TIMERS_DEFAULT;
    private int outputLimit = OUTPUT_LIMIT_DEFAULT;
    private int requests = REQUESTS_DEFAULT;
    private int groups = GROUPS_DEFAULT;
    private int catchUp = CATCH_UP_DEFAULT;
    private long graceNs = GRACE_NS_DEFAULT;
    private long flushIntervalNs;
    private long closeWhenEmptyNs = NEVER;
    private int seatData;
    private int questions;
    private int spectators;
    private int joinRequests;
    private long joinTimeoutNs = JOIN_TIMEOUT_NS_DEFAULT;
    private long logicSettings;
    private boolean hasLogicSettings;
    private Admission admission = Admission.OPEN;
    private Flush flush = Flush.TURN;
    private boolean isFed = true;
    private SyncSchema schema;
    private Class<?> messagesAnchor;
    private String messagesResource;
    private boolean isEphemeral;
    private boolean isFrozen;

    private RoomType(final int id, final String name, final int version, final Supplier<? extends RoomLogic> logic)
    {
        this.id = inRange("id", id, 1, Integer.MAX_VALUE);
        this.name = Objects.requireNonNull(name, "name");
        this.logic = Objects.requireNonNull(logic, "logic");
        ConfigException.check(
            !name.isEmpty() && name.length() <= MAX_NAME_LENGTH && name.chars().allMatch((c) -> c > ' ' && c < 127),
            "name", "'" + name + "'", "must be 1 to " + MAX_NAME_LENGTH + " printable ASCII characters without spaces");
        version(version);
    }

    /**
     * Define a kind of room, with default limits.
     *
     * @param id      above 0, the same in all versions, and never given to another type.
     * @param name    for people: 1 to 64 printable ASCII characters without spaces.
     * @param version of the logic: increase it when the same commands would produce another result. A reload replaces
     *                the logic of open rooms with the logic of a higher version, if both are registered.
     * @param logic   creates the logic of each new room.
     */
    public static RoomType of(
        final int id, final String name, final int version, final Supplier<? extends RoomLogic> logic)
    {
        return new RoomType(id, name, version, logic);
    }

    /**
     * Seats of a room, at about 100 bytes of memory each. Default {@value #SEATS_DEFAULT}.
     *
     * @param value 1 to {@value #MAX_SEATS}.
     */
    public RoomType seats(final int value)
    {
        checkNotFrozen();
        seats = inRange("seats", value, 1, MAX_SEATS - spectators);
        return this;
    }

    /** Seats of a room. */
    public int seats()
    {
        return seats;
    }

    /**
     * Seats of a room that only watch, in addition to {@link #seats(int)}. A spectator gets the room's states, and no
     * events. It sends no messages. Its seat has the index {@link Room#seatLimit()} or higher, and a share of the
     * host's limit of seats. Default 0: no spectators.
     *
     * @param value 0 to {@value #MAX_SPECTATORS}. With the seats at most {@value #MAX_SEATS}.
     */
    public RoomType spectators(final int value)
    {
        checkNotFrozen();
        spectators = inRange("spectators", value, 0, Math.min(MAX_SPECTATORS, MAX_SEATS - seats));
        return this;
    }

    /** Seats of a room that only watch. */
    public int spectators()
    {
        return spectators;
    }

    /**
     * Timers of a room, at about 70 bytes of memory each. Default {@value #TIMERS_DEFAULT}.
     *
     * @param value 0 to {@value #MAX_TIMERS}.
     */
    public RoomType timers(final int value)
    {
        checkNotFrozen();
        timers = inRange("timers", value, 0, MAX_TIMERS);
        return this;
    }

    /** Timers of a room. */
    public int timers()
    {
        return timers;
    }

    /**
     * Bytes that a room may send between two flushes, including a header of 16 bytes for each message: the size of the
     * buffer that each room has. State beyond the limit is dropped, and the logic gets onStateLost. If a seat misses an
     * event, it goes away. Default {@value #OUTPUT_LIMIT_DEFAULT}.
     *
     * @param bytes {@value #MIN_OUTPUT_LIMIT} to {@value #MAX_OUTPUT_LIMIT}.
     */
    public RoomType outputLimit(final int bytes)
    {
        checkNotFrozen();
        outputLimit = inRange("outputLimit", bytes, MIN_OUTPUT_LIMIT, MAX_OUTPUT_LIMIT);
        return this;
    }

    /** Bytes that a room may send between two flushes. */
    public int outputLimit()
    {
        return outputLimit;
    }

    /**
     * Requests that a room may have open at a time, see {@link Room#requestsLeft()}. The default is
     * {@value #REQUESTS_DEFAULT}.
     *
     * @param value 0 to {@value #MAX_REQUESTS}.
     */
    public RoomType requests(final int value)
    {
        checkNotFrozen();
        requests = inRange("requests", value, 0, MAX_REQUESTS);
        return this;
    }

    /** Requests that a room may have open. */
    public int requests()
    {
        return requests;
    }

    /**
     * Questions that a room may have without an answer, see {@link RoomLogic#onAsk}. One more is refused with {@code
     * QUEUE_FULL}. Default 0: rooms of the type take no questions, which are refused with {@code UNKNOWN_MESSAGE}.
     *
     * @param value 0 to {@value #MAX_QUESTIONS}.
     */
    public RoomType questions(final int value)
    {
        checkNotFrozen();
        questions = inRange("questions", value, 0, MAX_QUESTIONS);
        return this;
    }

    /** Questions that a room may have without an answer. */
    public int questions()
    {
        return questions;
    }

    /**
     * Groups that a room may create. Default {@value #GROUPS_DEFAULT}.
     *
     * @param value 0 to {@value #MAX_GROUPS}.
     */
    public RoomType groups(final int value)
    {
        checkNotFrozen();
        groups = inRange("groups", value, 0, MAX_GROUPS);
        return this;
    }

    /** Groups that a room may create. */
    public int groups()
    {
        return groups;
    }

    /**
     * How long the seat of an away player is held. Default 30 seconds.
     *
     * @param value in nanoseconds, 0 or more; 0 frees the seat immediately.
     */
    public RoomType graceNs(final long value)
    {
        checkNotFrozen();
        ConfigException.check(value >= 0, "graceNs", value, "must be 0 or more; 0 frees the seat immediately");
        graceNs = value;
        return this;
    }

    /** How long the seat of an away player is held, in nanoseconds. */
    public long graceNs()
    {
        return graceNs;
    }

    /**
     * Close a room with {@link CloseReason#EMPTY} after it has been empty for a while: no player, present or away, and
     * no reservation. Spectators do not count. The time starts when the room opens, and restarts when the last seat is
     * freed. By default a room stays open until it is closed. {@link Room#closeWhenEmpty} changes the time of a room.
     *
     * @param delayNs in nanoseconds, above 0; accurate to one tick of the timing wheel.
     */
    public RoomType closeWhenEmptyNs(final long delayNs)
    {
        checkNotFrozen();
        ConfigException.check(delayNs > 0, "closeWhenEmptyNs", delayNs, "must be above 0");
        closeWhenEmptyNs = delayNs;
        return this;
    }

    /** How long a room stays open without players, in nanoseconds, or {@link #NEVER}. */
    public long closeWhenEmptyNs()
    {
        return closeWhenEmptyNs;
    }

    /**
     * Bytes that each seat has for the room's logic, see {@link Room#data}: part of the room's snapshot and hash, and
     * zero for each new player. Default 0.
     *
     * @param bytes 0 to {@value #MAX_SEAT_DATA}.
     */
    public RoomType seatData(final int bytes)
    {
        checkNotFrozen();
        seatData = inRange("seatData", bytes, 0, MAX_SEAT_DATA);
        return this;
    }

    /** Bytes that each seat has for the room's logic. */
    public int seatData()
    {
        return seatData;
    }

    /**
     * Joins of a room that may wait for its decision at a time, after {@link RoomLogic#LATER}. Each holds a seat, and
     * needs about 40 bytes of memory. While as many wait, all other new players are refused with {@code JOIN_LIMIT},
     * before the logic is asked. Default 0: the logic decides at once.
     *
     * @param value 0 to {@value #MAX_JOIN_REQUESTS}.
     */
    public RoomType joinRequests(final int value)
    {
        checkNotFrozen();
        joinRequests = inRange("joinRequests", value, 0, MAX_JOIN_REQUESTS);
        return this;
    }

    /** Joins of a room that may wait for its decision. */
    public int joinRequests()
    {
        return joinRequests;
    }

    /**
     * How long a join may wait for the room's decision before it is refused with {@code JOIN_TIMEOUT}. Default 5
     * seconds. A gateway gives a join up after its {@code requestNs}, 10 seconds by default.
     *
     * @param value in nanoseconds, above 0.
     */
    public RoomType joinTimeoutNs(final long value)
    {
        checkNotFrozen();
        ConfigException.check(value > 0, "joinTimeoutNs", value, "must be above 0");
        joinTimeoutNs = value;
        return this;
    }

    /** How long a join may wait for the room's decision, in nanoseconds. */
    public long joinTimeoutNs()
    {
        return joinTimeoutNs;
    }

    /**
     * Who is admitted to a free seat. Default {@link Admission#OPEN}.
     *
     * @param value the policy.
     */
    public RoomType admission(final Admission value)
    {
        checkNotFrozen();
        admission = value;
        return this;
    }

    /** Who is admitted to a free seat. */
    public Admission admission()
    {
        return admission;
    }

    /**
     * When the output of a room leaves. Default {@link Flush#TURN}.
     *
     * @param value {@link Flush#TURN} or {@link Flush#FRAME}.
     */
    public RoomType flush(final Flush value)
    {
        checkNotFrozen();
        ConfigException.check(Flush.INTERVAL != value, "flush", value, "call flushEveryNs, which sets the interval");
        flush = value;
        return this;
    }

    /**
     * Hold output for an interval, to send fewer packets.
     *
     * @param intervalNs in nanoseconds, above 0; accurate to one tick of the timing wheel.
     */
    public RoomType flushEveryNs(final long intervalNs)
    {
        checkNotFrozen();
        ConfigException.check(intervalNs > 0, "flushEveryNs", intervalNs, "must be above 0");
        flush = Flush.INTERVAL;
        flushIntervalNs = intervalNs;
        return this;
    }

    /** When the output of a room leaves. */
    public Flush flush()
    {
        return flush;
    }

    /** How long output is held, in nanoseconds, for {@link Flush#INTERVAL}. */
    public long flushIntervalNs()
    {
        return flushIntervalNs;
    }

    /**
     * Whether states for all seats of a room may be sent through the feed of its loop. The feed shows them to each of
     * its trunks, with or without seats in the room. Default true. A state for one seat or a group is not.
     *
     * @param value false for states that only the trunks of the room may see.
     */
    public RoomType feed(final boolean value)
    {
        checkNotFrozen();
        isFed = value;
        return this;
    }

    /** Whether states for all seats may leave through a feed. */
    public boolean isFed()
    {
        return isFed;
    }

    /**
     * The schema of the state that rooms of this type synchronise. A server's gateway shows it to pages. Default none.
     *
     * @param value of the rooms' {@link io.escapement.rooms.sync.SyncedState}.
     */
    public RoomType schema(final SyncSchema value)
    {
        checkNotFrozen();
        schema = value;
        return this;
    }

    /**
     * The SBE schema of the messages between players and rooms, in XML. A debugger shows messages with it. Default
     * none: a debugger shows bytes.
     *
     * @param anchor   a class of the game. Its loader has the schema.
     * @param resource of the anchor, as for {@link Class#getResource}.
     */
    public RoomType messages(final Class<?> anchor, final String resource)
    {
        checkNotFrozen();
        messagesAnchor = anchor;
        messagesResource = resource;
        return this;
    }

    /** The class with the loader of the message schema, or null. */
    public Class<?> messagesAnchor()
    {
        return messagesAnchor;
    }

    /** The schema of the messages, as a resource of {@link #messagesAnchor()}. */
    public String messagesResource()
    {
        return messagesResource;
    }

    /** The schema of the state that rooms synchronise, or null. */
    public SyncSchema schema()
    {
        return schema;
    }

    /**
     * Late frames that one turn may run before it skips. With the default of {@value #CATCH_UP_DEFAULT} one frame runs,
     * and its elapsed time spans all frames that are due.
     *
     * @param frames 1 to {@value #MAX_CATCH_UP}.
     */
    public RoomType catchUp(final int frames)
    {
        checkNotFrozen();
        catchUp = inRange("catchUp", frames, 1, MAX_CATCH_UP);
        return this;
    }

    /** Late frames that one turn may run. */
    public int catchUp()
    {
        return catchUp;
    }

    /**
     * A hash of the settings that the logic has in addition to the options here, such as a map or the fields of its
     * supplier. It is in the headers of logs and snapshots. A replay with other settings is refused and does not
     * diverge.
     *
     * @param hash such as {@link StateHash#value()}.
     */
    public RoomType logicSettings(final long hash)
    {
        checkNotFrozen();
        logicSettings = hash;
        hasLogicSettings = true;
        return this;
    }

    /** The hash of the settings of the logic, or 0. */
    public long logicSettings()
    {
        return logicSettings;
    }

    /**
     * Allow closures. Rooms of this type are neither recorded nor part of a snapshot. All other types of the engine
     * must be ephemeral.
     */
    public RoomType ephemeral()
    {
        checkNotFrozen();
        isEphemeral = true;
        return this;
    }

    /** Whether closures are allowed, and rooms are not recorded. */
    public boolean isEphemeral()
    {
        return isEphemeral;
    }

    /** Id of the type. */
    public int id()
    {
        return id;
    }

    /** Name for people. */
    public String name()
    {
        return name;
    }

    /**
     * Another version of the logic than {@link #of} names, such as the number of a build.
     *
     * @param value 0 or more.
     */
    public RoomType version(final int value)
    {
        checkNotFrozen();
        version = inRange("version", value, 0, Integer.MAX_VALUE);
        return this;
    }

    /** Version of the logic. */
    public int version()
    {
        return version;
    }

    /**
     * Create the logic of a new room.
     *
     * @return a new instance.
     */
    public RoomLogic newLogic()
    {
        return logic.get();
    }

    /** Refuse every later change. Called by the engine or the host that registers the type. */
    public RoomType freeze()
    {
        ConfigException.check(null == schema || outputLimit > schema.maxFullStateLength(), "outputLimit", outputLimit,
            "must be above the longest full state of the state " + (null == schema ? "" : schema.name() + ", " +
            schema.maxFullStateLength()));
        isFrozen = true;
        return this;
    }

    /** A hash of every setting that the behaviour of a room depends on, for the header of a log. */
    public long settingsHash()
    {
        final StateHash hash = new StateHash();
        hash.putInt(seats);
        hash.putInt(timers);
        hash.putInt(outputLimit);
        hash.putInt(requests);
        hash.putInt(groups);
        hash.putInt(catchUp);
        hash.putLong(graceNs);
        hash.putLong(flushIntervalNs);
        hash.putInt(admission.ordinal());
        hash.putInt(flush.ordinal());
        hash.putBoolean(isEphemeral);
        // Some options are newer than some logs. They count only if they are used, so that those logs still match.
        if (NEVER != closeWhenEmptyNs)
        {
            hash.putInt(EMPTY_OPTION);
            hash.putLong(closeWhenEmptyNs);
        }
        if (0 != seatData)
        {
            hash.putInt(SEAT_DATA_OPTION);
            hash.putInt(seatData);
        }
        if (0 != questions)
        {
            hash.putInt(QUESTIONS_OPTION);
            hash.putInt(questions);
        }
        if (0 != spectators)
        {
            hash.putInt(SPECTATORS_OPTION);
            hash.putInt(spectators);
        }
        if (0 != joinRequests)
        {
            hash.putInt(JOIN_REQUESTS_OPTION);
            hash.putInt(joinRequests);
            hash.putLong(joinTimeoutNs);
        }
        if (hasLogicSettings)
        {
            hash.putInt(LOGIC_OPTION);
            hash.putLong(logicSettings);
        }
        return hash.value();
    }

    @Override
    public String toString()
    {
        return name + "(type " + id + ", version " + version + ")";
    }

    private void checkNotFrozen()
    {
        if (isFrozen)
        {
            throw new IllegalStateException(
                this + " is registered with a host and can no longer change: set its limits before");
        }
    }

    private static int inRange(final String option, final int value, final int least, final int most)
    {
        ConfigException.check(value >= least && value <= most, option, value, "must be " + least + " to " + most);
        return value;
    }
}
