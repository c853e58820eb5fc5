package io.escapement.rooms.host;

import io.escapement.rooms.RoomType;
import io.escapement.rooms.log.TurnLog;
import io.escapement.rooms.log.TurnLogHeader;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** What a {@link RoomHost} is made of. {@link #conclude()} checks it and freezes it. */
public final class HostContext
{
    /** Least tick of the wheel: below it the wheel turns more than it fires. */
    public static final long MIN_WHEEL_TICK_NS = 1L << 14;

    /** Greatest tick of the wheel: above it timers are later than a slow frame. */
    public static final long MAX_WHEEL_TICK_NS = 1L << 30;

    /** Phase groups a rate is spread over: more than a frame has flushes for would only add wake-ups. */
    public static final int MAX_PHASE_GROUPS = 64;

    private static final System.Logger SILENT = new SilentLogger();

    private final List<RoomType> types = new ArrayList<>();
    private int roomLimit = 1_024;
    private int seatLimit = 65_536;
    private int timerLimit = 262_144;
    private int linkLimit = 256;
    private int phaseGroups = 4;
    private long wheelTickNs = 1L << 20;
    private long epochMs;
    private String build = "unknown";
    private Outputs outputs;
    private TurnLog turnLog;
    private HostListener listener = HostListener.NONE;
    private System.Logger logger = SILENT;
    private boolean isConcluded;

    /**
     * Register a kind of room.
     *
     * @param type frozen from now on.
     * @return this.
     */
    public HostContext roomType(final RoomType type)
    {
        checkOpen();
        for (final RoomType other : types)
        {
            if (other.id() == type.id())
            {
                throw new IllegalArgumentException("roomType: " + type + " has the id of " + other);
            }
        }
        types.add(type.freeze());
        return this;
    }

    /**
     * Rooms that can be open at one time. They share nothing that grows, so this is memory for a table.
     *
     * @param value 1 to 1,000,000.
     * @return this.
     */
    public HostContext roomLimit(final int value)
    {
        checkOpen();
        roomLimit = inRange("roomLimit", value, 1, 1_000_000);
        return this;
    }

    /**
     * Seats that all rooms together can reserve.
     *
     * @param value 1 to 16,000,000.
     * @return this.
     */
    public HostContext seatLimit(final int value)
    {
        checkOpen();
        seatLimit = inRange("seatLimit", value, 1, 16_000_000);
        return this;
    }

    /**
     * Timers that all rooms together can reserve; the wheel is sized for them, at about 60 bytes each.
     *
     * @param value 0 to 16,000,000.
     * @return this.
     */
    public HostContext timerLimit(final int value)
    {
        checkOpen();
        timerLimit = inRange("timerLimit", value, 0, 16_000_000);
        return this;
    }

    /**
     * Links: trunks that can be attached at one time.
     *
     * @param value 1 to 65,536.
     * @return this.
     */
    public HostContext linkLimit(final int value)
    {
        checkOpen();
        linkLimit = inRange("linkLimit", value, 1, 65_536);
        return this;
    }

    /**
     * Phase groups that the rooms of one rate are spread over: more of them make bursts smaller and wake-ups more.
     *
     * @param value 1 to {@link #MAX_PHASE_GROUPS}.
     * @return this.
     */
    public HostContext phaseGroups(final int value)
    {
        checkOpen();
        phaseGroups = inRange("phaseGroups", value, 1, MAX_PHASE_GROUPS);
        return this;
    }

    /**
     * Tick of the timing wheel: timers are late by at most this and the turn.
     *
     * @param value in nanoseconds, a power of two from {@link #MIN_WHEEL_TICK_NS} to {@link #MAX_WHEEL_TICK_NS}.
     * @return this.
     */
    public HostContext wheelTickNs(final long value)
    {
        checkOpen();
        if (value < MIN_WHEEL_TICK_NS || value > MAX_WHEEL_TICK_NS || 1 != Long.bitCount(value))
        {
            throw new IllegalArgumentException("wheelTickNs must be a power of two from " + MIN_WHEEL_TICK_NS +
                " to " + MAX_WHEEL_TICK_NS + ": " + value);
        }
        wheelTickNs = value;
        return this;
    }

    /**
     * Wall time of host time 0.
     *
     * @param value in milliseconds since 1970.
     * @return this.
     */
    public HostContext epochMs(final long value)
    {
        checkOpen();
        epochMs = value;
        return this;
    }

    /**
     * Build to name in logs and snapshots.
     *
     * @param value up to 128 ASCII characters.
     * @return this.
     */
    public HostContext build(final String value)
    {
        checkOpen();
        if (value.length() > 128 || !value.chars().allMatch((c) -> c >= 32 && c < 127))
        {
            throw new IllegalArgumentException("build must be up to 128 printable ASCII characters: '" + value + "'");
        }
        build = value;
        return this;
    }

    /**
     * Where everything goes that leaves the host. Needed.
     *
     * @param value the outputs.
     * @return this.
     */
    public HostContext outputs(final Outputs value)
    {
        checkOpen();
        outputs = value;
        return this;
    }

    /**
     * Where turns are recorded; null, the default, records nothing.
     *
     * @param value the log.
     * @return this.
     */
    public HostContext turnLog(final TurnLog value)
    {
        checkOpen();
        turnLog = value;
        return this;
    }

    /**
     * Who watches. A replay leaves it out.
     *
     * @param value the listener.
     * @return this.
     */
    public HostContext listener(final HostListener value)
    {
        checkOpen();
        listener = value;
        return this;
    }

    /**
     * The logger of {@code Room.logger()}. The default logs nothing; an engine sets one for its live rooms.
     *
     * @param value the logger.
     * @return this.
     */
    public HostContext logger(final System.Logger value)
    {
        checkOpen();
        logger = value;
        return this;
    }

    /** Log nothing, whatever logger was set. A replay does this, since its rooms have logged before. */
    public HostContext silent()
    {
        return logger(SILENT);
    }

    /** Check that the needed options are set, and freeze all of them. Safe to call twice. */
    public HostContext conclude()
    {
        if (!isConcluded)
        {
            if (null == outputs)
            {
                throw new IllegalStateException("outputs must be set");
            }
            if (types.isEmpty())
            {
                throw new IllegalStateException("roomType: at least one must be registered");
            }
            types.sort(Comparator.comparingInt(RoomType::id));
            isConcluded = true;
        }
        return this;
    }

    /**
     * The header of a log that a host of this context writes.
     *
     * @return the header.
     */
    public TurnLogHeader header()
    {
        final TurnLogHeader header = new TurnLogHeader().epochMs(epochMs).wheelTickNs(wheelTickNs)
            .roomLimit(roomLimit).linkLimit(linkLimit).timerLimit(timerLimit).seatLimit(seatLimit)
            .phaseGroups(phaseGroups).build(build);
        types.sort(Comparator.comparingInt(RoomType::id));
        for (final RoomType type : types)
        {
            if (!type.isEphemeral())
            {
                header.addType(type.id(), type.version(), type.settingsHash(), type.name());
            }
        }
        return header;
    }

    /**
     * Take every setting that a replay must share from a log's header.
     *
     * @param header of the log.
     * @return this.
     */
    public HostContext like(final TurnLogHeader header)
    {
        return epochMs(header.epochMs()).wheelTickNs(header.wheelTickNs()).roomLimit(header.roomLimit())
            .linkLimit(header.linkLimit()).timerLimit(header.timerLimit()).seatLimit(header.seatLimit())
            .phaseGroups(header.phaseGroups());
    }

    List<RoomType> types()
    {
        return types;
    }

    int roomLimit()
    {
        return roomLimit;
    }

    int seatLimit()
    {
        return seatLimit;
    }

    int timerLimit()
    {
        return timerLimit;
    }

    int linkLimit()
    {
        return linkLimit;
    }

    int phaseGroups()
    {
        return phaseGroups;
    }

    long wheelTickNs()
    {
        return wheelTickNs;
    }

    long epochMs()
    {
        return epochMs;
    }

    Outputs outputs()
    {
        return outputs;
    }

    TurnLog turnLog()
    {
        return turnLog;
    }

    HostListener listener()
    {
        return listener;
    }

    System.Logger logger()
    {
        return logger;
    }

    private void checkOpen()
    {
        if (isConcluded)
        {
            throw new IllegalStateException("the context is concluded and cannot be changed");
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
