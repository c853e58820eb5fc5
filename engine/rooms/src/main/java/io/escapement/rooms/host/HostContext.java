package io.escapement.rooms.host;

import io.escapement.config.ConfigException;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.log.HostConfig;
import io.escapement.rooms.loop.LoopLimits;
import io.escapement.rooms.output.HostListener;
import io.escapement.rooms.output.Outputs;
import java.util.ArrayList;
import java.util.List;

/** Options of a {@link RoomHost}, which freezes them. */
public final class HostContext
{
    /** Shortest tick of the wheel. With a shorter one the wheel advances more often than timers fire. */
    public static final long MIN_WHEEL_TICK_NS = 1L << 14;

    /** Longest tick of the wheel. With a longer one timers are later than a slow frame. */
    public static final long MAX_WHEEL_TICK_NS = 1L << 30;

    /** Most phase groups of a rate. More would only add wake-ups. */
    public static final int MAX_PHASE_GROUPS = 64;

    private static final int ROOM_LIMIT_DEFAULT = 1_024;
    private static final int SEAT_LIMIT_DEFAULT = 65_536;
    private static final int TIMER_LIMIT_DEFAULT = 262_144;
    private static final int LINK_LIMIT_DEFAULT = 256;
    private static final int PHASE_GROUPS_DEFAULT = 4;
    private static final long WHEEL_TICK_DEFAULT_NS = 1L << 20;
    private static final int BUILD_LENGTH_LIMIT = 128;


    private final TypeVersions types = new TypeVersions();
    private int roomLimit = ROOM_LIMIT_DEFAULT;
    private int seatLimit = SEAT_LIMIT_DEFAULT;
    private int timerLimit = TIMER_LIMIT_DEFAULT;
    private int linkLimit = LINK_LIMIT_DEFAULT;
    private int phaseGroups = PHASE_GROUPS_DEFAULT;
    private long wheelTickNs = WHEEL_TICK_DEFAULT_NS;
    private long epochMs;
    private String build = HostConfig.CURRENT_BUILD;
    private LoopLimits loopState = LoopLimits.of(0, 1);
    private Outputs outputs;
    private boolean isHashed;
    private HostListener listener = HostListener.NONE;
    private HostLogger logger = new HostLogger(null);
    private boolean isMuted;
    private boolean isOtherAccepted;
    private boolean isConcluded;

    /**
     * Register a room type, or another version of one. Rooms open with the oldest version of their type until a Reload
     * names another, which then takes over rooms from their snapshots.
     *
     * @param type frozen by this call.
     */
    public HostContext roomType(final RoomType type)
    {
        checkOpen();
        types.add(type);
        return this;
    }

    /**
     * Rooms that can be open at the same time. Costs the memory of a table.
     *
     * @param value 1 to 1,000,000.
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
     */
    public HostContext seatLimit(final int value)
    {
        checkOpen();
        seatLimit = inRange("seatLimit", value, 1, 16_000_000);
        return this;
    }

    /**
     * Timers that all rooms together can reserve. The wheel is sized for them, at about 60 bytes each.
     *
     * @param value 0 to 16,000,000.
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
     */
    public HostContext linkLimit(final int value)
    {
        checkOpen();
        linkLimit = inRange("linkLimit", value, 1, 65_536);
        return this;
    }

    /**
     * Restore a snapshot even if it is of a host with other limits or other versions of room types. A logic gets the
     * version of the snapshot in {@code onRestore}. Rooms and links must fit in the limits. Ticks, phase groups and
     * limits of the loop's state must be the same. Default: false.
     *
     * @param value whether to accept it.
     */
    public HostContext acceptOtherSettings(final boolean value)
    {
        checkOpen();
        isOtherAccepted = value;
        return this;
    }

    /**
     * Phase groups over which the rooms of one rate are spread. More of them mean smaller bursts and more wake-ups.
     *
     * @param value 1 to {@link #MAX_PHASE_GROUPS}.
     */
    public HostContext phaseGroups(final int value)
    {
        checkOpen();
        phaseGroups = inRange("phaseGroups", value, 1, MAX_PHASE_GROUPS);
        return this;
    }

    /**
     * Tick of the timing wheel. A timer is late by at most one tick and one turn.
     *
     * @param value in nanoseconds, a power of two from {@link #MIN_WHEEL_TICK_NS} to {@link #MAX_WHEEL_TICK_NS}.
     */
    public HostContext wheelTickNs(final long value)
    {
        checkOpen();
        ConfigException.check(
            value >= MIN_WHEEL_TICK_NS && value <= MAX_WHEEL_TICK_NS && 1 == Long.bitCount(value),
            "wheelTickNs", value, "must be a power of two from " + MIN_WHEEL_TICK_NS + " to " + MAX_WHEEL_TICK_NS);
        wheelTickNs = value;
        return this;
    }

    /**
     * Wall time of host time 0.
     *
     * @param value in milliseconds since 1970.
     */
    public HostContext epochMs(final long value)
    {
        checkOpen();
        epochMs = value;
        return this;
    }

    /**
     * Name of the build, for logs and snapshots.
     *
     * @param value up to 128 ASCII characters.
     */
    public HostContext build(final String value)
    {
        checkOpen();
        ConfigException.check(
            value.length() <= BUILD_LENGTH_LIMIT && value.chars().allMatch((c) -> c >= 32 && c < 127),
            "build", value, "must be up to " + BUILD_LENGTH_LIMIT + " printable ASCII characters");
        build = value;
        return this;
    }

    /**
     * The place of the host among the loops of its engine, and how many commands of its rooms may wait. The application
     * that runs the host sends them from {@link RoomHost#loopState()}. The default fits an engine with one loop.
     *
     * @param value the limits.
     */
    public HostContext loopState(final LoopLimits value)
    {
        checkOpen();
        ConfigException.check(null != value, "loopState", null, "must be set");
        loopState = value;
        return this;
    }

    /**
     * Receiver of all output of the host. Required.
     *
     * @param value the outputs.
     */
    public HostContext outputs(final Outputs value)
    {
        checkOpen();
        outputs = value;
        return this;
    }

    /** Hash all output of the host, which a log compares. */
    public HostContext hashOutput()
    {
        checkOpen();
        isHashed = true;
        return this;
    }

    /**
     * Listener to events of the host. A replay has none.
     *
     * @param value the listener.
     */
    public HostContext listener(final HostListener value)
    {
        checkOpen();
        listener = value;
        return this;
    }

    /**
     * The logger of {@code Room.logger()}. The default drops every message. An engine sets a logger for its live rooms.
     *
     * @param value the logger.
     */
    public HostContext logger(final System.Logger value)
    {
        checkOpen();
        logger = new HostLogger(value);
        return this;
    }

    /** Do not log, whatever logger was set. A replay does this because its rooms have logged before. */
    public HostContext silent()
    {
        checkOpen();
        logger = new HostLogger(null);
        return this;
    }

    /** Hold all output back until {@link RoomHost#live}, even while the host is restored. */
    public HostContext muted()
    {
        checkOpen();
        isMuted = true;
        return this;
    }

    /** Check that the needed options are set, and freeze all of them. Safe to call twice. */
    public HostContext conclude()
    {
        if (!isConcluded)
        {
            ConfigException.check(null != outputs, "outputs", null, "must be set");
            ConfigException.check(!types.all().isEmpty(), "roomType", "none", "register at least one room type");
            checkEphemeral();
            types.fixFirst();
            isConcluded = true;
        }
        return this;
    }

    /** Closures cannot be written down. Therefore no log or snapshot has a part of a host that runs them. */
    private void checkEphemeral()
    {
        RoomType recorded = null;
        for (final RoomType type : types.all())
        {
            recorded = type.isEphemeral() ? recorded : type;
        }
        for (final RoomType type : types.all())
        {
            ConfigException.check(null == recorded || !type.isEphemeral(), "roomType", type,
                "is ephemeral and " + recorded + " is not: either all room types of an engine are, or none");
            ConfigException.check(!isHashed || !type.isEphemeral(), "hashOutput", type,
                "is ephemeral, and can be neither recorded nor replayed");
        }
    }

    /** Whether the rooms run closures, so that there is neither a log nor a snapshot of them. */
    public boolean isEphemeral()
    {
        return types.first().get(0).isEphemeral();
    }

    /**
     * The header of a log that a host of this context writes. It has the version of each type with which rooms open at
     * first. The log itself names the others.
     */
    public HostConfig header()
    {
        final HostConfig header = limits().build(build);
        for (final RoomType type : types.first())
        {
            final HostConfig.Type logged = logged(type);
            header.addType(logged.typeId(), logged.version(), logged.settingsHash(), logged.name());
        }
        return header;
    }

    private static HostConfig.Type logged(final RoomType type)
    {
        return new HostConfig.Type(type.id(), type.version(), type.settingsHash(), type.name());
    }

    /**
     * Copy the options that a replay must share from the header of a log. Rooms open with the versions of their types
     * that it has, as far as they are registered.
     *
     * @param header of the log.
     */
    public HostContext like(final HostConfig header)
    {
        types.beginAs(header);
        return epochMs(header.epochMs()).wheelTickNs(header.wheelTickNs()).roomLimit(header.roomLimit())
            .linkLimit(header.linkLimit()).timerLimit(header.timerLimit()).seatLimit(header.seatLimit())
            .phaseGroups(header.phaseGroups()).loopState(header.loopLimits());
    }

    /** All versions of all room types that a log can have. */
    public List<HostConfig.Type> registered()
    {
        final List<HostConfig.Type> registered = new ArrayList<>();
        for (final RoomType type : types.all())
        {
            registered.add(logged(type));
        }
        return registered;
    }

    /**
     * Whether a version of a room type is registered.
     *
     * @param typeId  of the type.
     * @param version of its logic.
     */
    public boolean isRegistered(final int typeId, final int version)
    {
        return null != types.find(typeId, version);
    }

    TypeVersions types()
    {
        return types;
    }

    /** The part of the header that is neither the types nor the build. */
    HostConfig limits()
    {
        return new HostConfig().epochMs(epochMs).wheelTickNs(wheelTickNs).roomLimit(roomLimit).linkLimit(linkLimit)
            .timerLimit(timerLimit).seatLimit(seatLimit).phaseGroups(phaseGroups).loopLimits(loopState);
    }

    Outputs outputs()
    {
        return outputs;
    }

    boolean isHashed()
    {
        return isHashed;
    }

    HostListener listener()
    {
        return listener;
    }

    HostLogger logger()
    {
        return logger;
    }

    boolean isMuted()
    {
        return isMuted;
    }

    private void checkOpen()
    {
        if (isConcluded)
        {
            throw new IllegalStateException("the context is frozen: set options before the host is made");
        }
    }

    private static int inRange(final String option, final int value, final int least, final int most)
    {
        ConfigException.check(value >= least && value <= most, option, value, "must be " + least + " to " + most);
        return value;
    }

    boolean isOtherAccepted()
    {
        return isOtherAccepted;
    }
}
