package io.escapement.rooms.log;

import io.escapement.codecs.RoomCommands;
import io.escapement.codecs.room.LogHeaderDecoder;
import io.escapement.codecs.room.LogHeaderEncoder;
import io.escapement.codecs.room.MessageHeaderDecoder;
import io.escapement.codecs.room.MessageHeaderEncoder;
import io.escapement.rooms.loop.LoopLimits;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/** The configuration of the host that wrote a log. A replay needs it. */
public final class HostConfig
{
    /** The version of this build of Escapement. */
    public static final String CURRENT_BUILD = BuildVersion.read();

    private long epochMs;
    private long wheelTickNs;
    private int roomLimit;
    private int linkLimit;
    private int timerLimit;
    private int seatLimit;
    private int phaseGroups;
    private LoopLimits loopLimits = LoopLimits.NOTHING;
    private final List<Type> types = new ArrayList<>();
    private String build = "";

    /**
     * A registered room type.
     *
     * @param typeId       stable id.
     * @param version      version of the logic.
     * @param settingsHash hash of the type's limits and policies.
     * @param name         in US-ASCII, up to {@link RoomCommands#MAX_TYPE_NAME_LENGTH} characters.
     */
    public record Type(int typeId, int version, long settingsHash, String name)
    {
        /** Refuse a name that the log cannot hold. */
        public Type
        {
            requireName(name, RoomCommands.MAX_TYPE_NAME_LENGTH);
        }
    }

    /**
     * Set the wall-clock time of host time 0.
     *
     * @param epochMs in milliseconds since 1970.
     */
    public HostConfig epochMs(final long epochMs)
    {
        this.epochMs = epochMs;
        return this;
    }

    /** Wall-clock time of host time 0, in milliseconds since 1970. */
    public long epochMs()
    {
        return epochMs;
    }

    /**
     * Set the tick of the timing wheel.
     *
     * @param wheelTickNs in nanoseconds.
     */
    public HostConfig wheelTickNs(final long wheelTickNs)
    {
        this.wheelTickNs = wheelTickNs;
        return this;
    }

    /** Tick of the timing wheel in nanoseconds. */
    public long wheelTickNs()
    {
        return wheelTickNs;
    }

    /**
     * Set the limit of open rooms.
     *
     * @param roomLimit number of rooms.
     */
    public HostConfig roomLimit(final int roomLimit)
    {
        this.roomLimit = roomLimit;
        return this;
    }

    /** Limit of open rooms. */
    public int roomLimit()
    {
        return roomLimit;
    }

    /**
     * Set the limit of links.
     *
     * @param linkLimit number of links.
     */
    public HostConfig linkLimit(final int linkLimit)
    {
        this.linkLimit = linkLimit;
        return this;
    }

    /** Limit of links. */
    public int linkLimit()
    {
        return linkLimit;
    }

    /**
     * Set the limit of timers.
     *
     * @param timerLimit number of timers.
     */
    public HostConfig timerLimit(final int timerLimit)
    {
        this.timerLimit = timerLimit;
        return this;
    }

    /** Limit of timers. */
    public int timerLimit()
    {
        return timerLimit;
    }

    /**
     * Set the limit of seats.
     *
     * @param seatLimit number of seats.
     */
    public HostConfig seatLimit(final int seatLimit)
    {
        this.seatLimit = seatLimit;
        return this;
    }

    /** Limit of seats. */
    public int seatLimit()
    {
        return seatLimit;
    }

    /**
     * Set the number of phase groups that a frame rate is spread over.
     *
     * @param phaseGroups number of groups.
     */
    public HostConfig phaseGroups(final int phaseGroups)
    {
        this.phaseGroups = phaseGroups;
        return this;
    }

    /** Number of phase groups that a frame rate is spread over. */
    public int phaseGroups()
    {
        return phaseGroups;
    }

    /**
     * Set the limits of the loop's state.
     *
     * @param loopLimits of the host.
     */
    public HostConfig loopLimits(final LoopLimits loopLimits)
    {
        this.loopLimits = loopLimits;
        return this;
    }

    /** Limits of the loop's state. */
    public LoopLimits loopLimits()
    {
        return loopLimits;
    }

    /**
     * Add a registered room type.
     *
     * @param typeId       stable id.
     * @param version      version of the logic.
     * @param settingsHash hash of the type's limits and policies.
     * @param name         in US-ASCII, up to {@link RoomCommands#MAX_TYPE_NAME_LENGTH} characters.
     */
    public HostConfig addType(final int typeId, final int version, final long settingsHash, final String name)
    {
        if (RoomCommands.MAX_LOG_TYPES == types.size())
        {
            throw new IllegalStateException("more than " + RoomCommands.MAX_LOG_TYPES + " types");
        }

        types.add(new Type(typeId, version, settingsHash, name));
        return this;
    }

    /** The registered room types, in the order they were added: an unmodifiable view. */
    public List<Type> types()
    {
        return Collections.unmodifiableList(types);
    }

    /**
     * Set the version of the application that writes the log, by default empty.
     *
     * @param build in US-ASCII, up to {@link RoomCommands#MAX_BUILD_LENGTH} characters.
     */
    public HostConfig build(final String build)
    {
        requireName(build, RoomCommands.MAX_BUILD_LENGTH);
        this.build = build;
        return this;
    }

    /** Version of the application that wrote the log. Empty when unknown. */
    public String build()
    {
        return build;
    }

    /**
     * Encode a LogHeader message with its message header, as of a log in one piece.
     *
     * @param buffer for the message.
     * @param offset of the message.
     * @return length of the message in bytes.
     */
    public int encode(final MutableDirectBuffer buffer, final int offset)
    {
        final LogHeaderEncoder encoder = new LogHeaderEncoder();
        encoder
            .wrapAndApplyHeader(buffer, offset, new MessageHeaderEncoder())
            .epochMs(epochMs)
            .wheelTickNs(wheelTickNs)
            .roomLimit(roomLimit)
            .linkLimit(linkLimit)
            .timerLimit(timerLimit)
            .seatLimit(seatLimit)
            .phaseGroups(phaseGroups)
            .loop(loopLimits.loop())
            .loops(loopLimits.loops())
            .openRequestLimit(loopLimits.openRequests())
            .loopQueueLength(loopLimits.queueLength())
            .journalId(0)
            .position(0)
            .firstNumber(1)
            .incarnation(0)
            .checkBefore(0);

        final LogHeaderEncoder.TypesEncoder typesEncoder = encoder.typesCount(types.size());
        for (final Type type : types)
        {
            typesEncoder
                .next()
                .typeId(type.typeId())
                .version(type.version())
                .settingsHash(type.settingsHash())
                .name(type.name());
        }

        encoder.build(build);

        return MessageHeaderEncoder.ENCODED_LENGTH + encoder.encodedLength();
    }

    /**
     * Decode a LogHeader message that {@link RoomCommands#validateLogRecord} passed.
     *
     * @param buffer that holds the message.
     * @param offset of its message header.
     * @return a new header.
     * @throws IllegalArgumentException when a name is not US-ASCII, or a limit of the loop's state is out of range.
     */
    public static HostConfig decode(final DirectBuffer buffer, final int offset)
    {
        final LogHeaderDecoder decoder = new LogHeaderDecoder();
        decoder.wrapAndApplyHeader(buffer, offset, new MessageHeaderDecoder());

        final HostConfig header = new HostConfig()
            .epochMs(decoder.epochMs())
            .wheelTickNs(decoder.wheelTickNs())
            .roomLimit(decoder.roomLimit())
            .linkLimit(decoder.linkLimit())
            .timerLimit(decoder.timerLimit())
            .seatLimit(decoder.seatLimit())
            .phaseGroups(decoder.phaseGroups())
            .loopLimits(new LoopLimits(
                decoder.loop(), decoder.loops(), decoder.openRequestLimit(), decoder.loopQueueLength()));

        for (final LogHeaderDecoder.TypesDecoder type : decoder.types())
        {
            header.addType(type.typeId(), type.version(), type.settingsHash(), type.name());
        }

        return header.build(decoder.build());
    }

    /**
     * Whether hosts with these settings and with the other settings compute the same, as far as settings decide. The
     * time of the host and the build may differ, and so may versions of room types if only one of the two has the type.
     *
     * @param that other settings.
     */
    public boolean isLike(final HostConfig that)
    {
        boolean isLike = hasLimitsOf(that) && types.size() == that.types.size();
        for (final Type type : types)
        {
            isLike &= that.hasLike(type);
        }
        return isLike;
    }

    private boolean hasLimitsOf(final HostConfig that)
    {
        return wheelTickNs == that.wheelTickNs &&
            roomLimit == that.roomLimit &&
            linkLimit == that.linkLimit &&
            timerLimit == that.timerLimit &&
            seatLimit == that.seatLimit &&
            phaseGroups == that.phaseGroups &&
            loopLimits.equals(that.loopLimits);
    }

    private boolean hasLike(final Type type)
    {
        for (final Type own : types)
        {
            if (own.typeId == type.typeId && own.name.equals(type.name) &&
                (own.version != type.version || own.settingsHash == type.settingsHash))
            {
                return true;
            }
        }
        return false;
    }

    /** A copy for the log of one room. It does not keep the messages that the room sends. */
    public HostConfig alone()
    {
        final HostConfig copy = new HostConfig().epochMs(epochMs).wheelTickNs(wheelTickNs).roomLimit(roomLimit)
            .linkLimit(linkLimit).timerLimit(timerLimit).seatLimit(seatLimit).phaseGroups(phaseGroups).build(build);
        copy.types.addAll(types);
        return copy;
    }

    @Override
    public boolean equals(final Object o)
    {
        return o instanceof HostConfig that &&
            epochMs == that.epochMs &&
            hasLimitsOf(that) &&
            types.equals(that.types) &&
            build.equals(that.build);
    }

    @Override
    public int hashCode()
    {
        return Objects.hash(
            epochMs, wheelTickNs, roomLimit, linkLimit, timerLimit, seatLimit, phaseGroups, loopLimits, types,
            build);
    }

    @Override
    public String toString()
    {
        return "HostConfig{" +
            "epochMs=" + epochMs +
            ", wheelTickNs=" + wheelTickNs +
            ", roomLimit=" + roomLimit +
            ", linkLimit=" + linkLimit +
            ", timerLimit=" + timerLimit +
            ", seatLimit=" + seatLimit +
            ", phaseGroups=" + phaseGroups +
            ", loopLimits=" + loopLimits +
            ", types=" + types +
            ", build='" + build + '\'' +
            '}';
    }

    private static void requireName(final String name, final int maxLength)
    {
        if (name.length() > maxLength)
        {
            throw new IllegalArgumentException("name is longer than " + maxLength + ": " + name);
        }

        for (int i = 0; i < name.length(); i++)
        {
            if (name.charAt(i) > 0x7F)
            {
                throw new IllegalArgumentException("name is not US-ASCII: " + name);
            }
        }
    }
}
