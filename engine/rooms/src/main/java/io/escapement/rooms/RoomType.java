package io.escapement.rooms;

import java.util.function.Supplier;

/**
 * A kind of room: its stable id, the version of its logic, and what a room of it may use. A host freezes the type when
 * it registers it.
 *
 * <p>Limits are reserved when a room opens, so a room finds out nothing of its neighbours by reaching them.
 */
public final class RoomType
{
    /** Who gets a seat. */
    public enum Admission
    {
        /** Anyone, while there is a seat that is neither taken nor reserved. */
        OPEN,
        /** Only a player for whom a seat is reserved, so that the last seat goes to one player only. */
        BY_RESERVATION
    }

    /** When what a room sent leaves for its players. */
    public enum Flush
    {
        /** At the end of each turn: least delay. */
        TURN,
        /** After each frame of the room: fewest packets. Rooms without frames flush at the end of the turn. */
        FRAME,
        /** When the interval has passed since the first message that waits. */
        INTERVAL
    }

    /** Seat indexes and the seats of one room fit into 16 bits. */
    public static final int MAX_SEATS = 65_535;

    /** More timers than this in one room are a design mistake, not a need. */
    public static final int MAX_TIMERS = 1 << 24;

    /** A room's buffer for one flush; above it a trunk's windows would not hold the output anyway. */
    public static final int MAX_OUTPUT_LIMIT = 16 * 1024 * 1024;

    /** Open requests are kept in a sorted array that is searched by halves and closed by moving. */
    public static final int MAX_REQUESTS = 4_096;

    /** Groups are bit sets that every leaving seat is taken out of. */
    public static final int MAX_GROUPS = 64;

    /** Frames one turn may run for one room before it skips. */
    public static final int MAX_CATCH_UP = 64;

    private static final long DEFAULT_GRACE_NS = 30_000_000_000L;

    private final int id;
    private final String name;
    private final int version;
    private final Supplier<? extends RoomLogic> logic;
    private int seats = 16;
    private int timers = 64;
    private int outputLimit = 64 * 1024;
    private int requests = 64;
    private int groups = 8;
    private int catchUp = 1;
    private long graceNs = DEFAULT_GRACE_NS;
    private long flushIntervalNs;
    private Admission admission = Admission.OPEN;
    private Flush flush = Flush.TURN;
    private boolean ephemeral;
    private boolean frozen;

    private RoomType(final int id, final String name, final int version, final Supplier<? extends RoomLogic> logic)
    {
        this.id = inRange("id", id, 1, Integer.MAX_VALUE);
        this.name = name;
        this.version = inRange("version", version, 0, Integer.MAX_VALUE);
        this.logic = logic;
        if (name.isEmpty() || name.length() > 64 || !name.chars().allMatch((c) -> c > 32 && c < 127))
        {
            throw new IllegalArgumentException("name must be 1 to 64 printable ASCII characters: '" + name + "'");
        }
    }

    /**
     * Name a kind of room.
     *
     * @param id      stable over versions and never given to another type, above 0.
     * @param name    for people, 1 to 64 printable ASCII characters.
     * @param version of the logic: it goes up when the same commands would give another result.
     * @param logic   makes one instance a room.
     * @return the type with default limits.
     */
    public static RoomType of(
        final int id, final String name, final int version, final Supplier<? extends RoomLogic> logic)
    {
        return new RoomType(id, name, version, logic);
    }

    /**
     * Seats of a room: memory of about 100 bytes each.
     *
     * @param value 1 to {@link #MAX_SEATS}.
     * @return this.
     */
    public RoomType seats(final int value)
    {
        checkNotFrozen();
        seats = inRange("seats", value, 1, MAX_SEATS);
        return this;
    }

    /**
     * Timers of a room: memory of about 70 bytes each.
     *
     * @param value 0 to {@link #MAX_TIMERS}.
     * @return this.
     */
    public RoomType timers(final int value)
    {
        checkNotFrozen();
        timers = inRange("timers", value, 0, MAX_TIMERS);
        return this;
    }

    /**
     * Bytes a room may send between two flushes, 16 of header for each message included. It is the size of a buffer
     * that each room has. State over the limit is dropped and told by onStateLost; a seat that misses an event for it
     * goes away.
     *
     * @param bytes 1,024 to {@link #MAX_OUTPUT_LIMIT}.
     * @return this.
     */
    public RoomType outputLimit(final int bytes)
    {
        checkNotFrozen();
        outputLimit = inRange("outputLimit", bytes, 1_024, MAX_OUTPUT_LIMIT);
        return this;
    }

    /**
     * Requests a room may have open.
     *
     * @param value 0 to {@link #MAX_REQUESTS}.
     * @return this.
     */
    public RoomType requests(final int value)
    {
        checkNotFrozen();
        requests = inRange("requests", value, 0, MAX_REQUESTS);
        return this;
    }

    /**
     * Groups a room may make.
     *
     * @param value 0 to {@link #MAX_GROUPS}.
     * @return this.
     */
    public RoomType groups(final int value)
    {
        checkNotFrozen();
        groups = inRange("groups", value, 0, MAX_GROUPS);
        return this;
    }

    /**
     * How long the seat of an away player is held.
     *
     * @param value in nanoseconds, 0 or more; 0 frees the seat at once.
     * @return this.
     */
    public RoomType graceNs(final long value)
    {
        checkNotFrozen();
        if (value < 0)
        {
            throw new IllegalArgumentException("graceNs must not be negative: " + value);
        }
        graceNs = value;
        return this;
    }

    /**
     * Who gets a seat.
     *
     * @param value the policy.
     * @return this.
     */
    public RoomType admission(final Admission value)
    {
        checkNotFrozen();
        admission = value;
        return this;
    }

    /**
     * When output leaves.
     *
     * @param value {@link Flush#TURN} or {@link Flush#FRAME}.
     * @return this.
     */
    public RoomType flush(final Flush value)
    {
        checkNotFrozen();
        if (Flush.INTERVAL == value)
        {
            throw new IllegalArgumentException("an interval needs its length: use flushEveryNs");
        }
        flush = value;
        return this;
    }

    /**
     * Hold output back for an interval.
     *
     * @param intervalNs in nanoseconds, above 0; kept to within one tick of the timing wheel.
     * @return this.
     */
    public RoomType flushEveryNs(final long intervalNs)
    {
        checkNotFrozen();
        if (intervalNs <= 0)
        {
            throw new IllegalArgumentException("flushEveryNs must be above 0: " + intervalNs);
        }
        flush = Flush.INTERVAL;
        flushIntervalNs = intervalNs;
        return this;
    }

    /**
     * Run up to so many late frames in one turn, then skip. 1 is plain skipping: the one frame that runs spans all
     * that are due.
     *
     * @param frames 1 to {@link #MAX_CATCH_UP}.
     * @return this.
     */
    public RoomType catchUp(final int frames)
    {
        checkNotFrozen();
        catchUp = inRange("catchUp", frames, 1, MAX_CATCH_UP);
        return this;
    }

    /**
     * Rooms of this type may use closures, and are neither recorded nor part of a snapshot.
     *
     * @return this.
     */
    public RoomType ephemeral()
    {
        checkNotFrozen();
        ephemeral = true;
        return this;
    }

    /**
     * No setting can be changed from now on.
     *
     * @return this.
     */
    public RoomType freeze()
    {
        frozen = true;
        return this;
    }

    /**
     * Stable id.
     *
     * @return the id.
     */
    public int id()
    {
        return id;
    }

    /**
     * Name for people.
     *
     * @return the name.
     */
    public String name()
    {
        return name;
    }

    /**
     * Version of the logic.
     *
     * @return the version.
     */
    public int version()
    {
        return version;
    }

    /**
     * Make the logic of a new room.
     *
     * @return a new instance.
     */
    public RoomLogic newLogic()
    {
        return logic.get();
    }

    /**
     * Seats of a room.
     *
     * @return the number.
     */
    public int seats()
    {
        return seats;
    }

    /**
     * Timers of a room.
     *
     * @return the number.
     */
    public int timers()
    {
        return timers;
    }

    /**
     * Bytes a room may send between two flushes.
     *
     * @return the number.
     */
    public int outputLimit()
    {
        return outputLimit;
    }

    /**
     * Requests a room may have open.
     *
     * @return the number.
     */
    public int requests()
    {
        return requests;
    }

    /**
     * Groups a room may make.
     *
     * @return the number.
     */
    public int groups()
    {
        return groups;
    }

    /**
     * How long an away player's seat is held.
     *
     * @return nanoseconds.
     */
    public long graceNs()
    {
        return graceNs;
    }

    /**
     * Who gets a seat.
     *
     * @return the policy.
     */
    public Admission admission()
    {
        return admission;
    }

    /**
     * When output leaves.
     *
     * @return the policy.
     */
    public Flush flush()
    {
        return flush;
    }

    /**
     * How long output is held, for {@link Flush#INTERVAL}.
     *
     * @return nanoseconds.
     */
    public long flushIntervalNs()
    {
        return flushIntervalNs;
    }

    /**
     * Late frames that one turn may run.
     *
     * @return the number.
     */
    public int catchUp()
    {
        return catchUp;
    }

    /**
     * Whether closures are allowed and recording is not done.
     *
     * @return true for an ephemeral type.
     */
    public boolean isEphemeral()
    {
        return ephemeral;
    }

    /**
     * A hash of every setting that a room's behaviour depends on, for the header of a log.
     *
     * @return the hash.
     */
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
        hash.putBoolean(ephemeral);
        return hash.value();
    }

    @Override
    public String toString()
    {
        return name + "(type " + id + ", version " + version + ")";
    }

    private void checkNotFrozen()
    {
        if (frozen)
        {
            throw new IllegalStateException(this + " is registered with a host and cannot be changed");
        }
    }

    private static int inRange(final String option, final int value, final int least, final int most)
    {
        if (value < least || value > most)
        {
            throw new IllegalArgumentException(option + " must be " + least + " to " + most + ": " + value);
        }
        return value;
    }
}
