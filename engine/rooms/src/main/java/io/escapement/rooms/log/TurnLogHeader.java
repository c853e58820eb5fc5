package io.escapement.rooms.log;

import io.escapement.codecs.RoomCommands;
import io.escapement.codecs.room.LogHeaderDecoder;
import io.escapement.codecs.room.LogHeaderEncoder;
import io.escapement.codecs.room.MessageHeaderDecoder;
import io.escapement.codecs.room.MessageHeaderEncoder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * What a replay needs to know of the host that wrote a log. Filled by its fluent setters, then handed to a
 * {@link TurnLogWriter}, which encodes it at once.
 */
public final class TurnLogHeader
{
    private long epochMs;
    private long wheelTickNs;
    private int roomLimit;
    private int linkLimit;
    private int timerLimit;
    private int seatLimit;
    private int phaseGroups;
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
        /**
         * Refuses a name that the log cannot hold.
         */
        public Type
        {
            requireName(name, RoomCommands.MAX_TYPE_NAME_LENGTH);
        }
    }

    /**
     * Set the wall time of host time 0.
     *
     * @param epochMs in milliseconds since 1970.
     * @return this for a fluent API.
     */
    public TurnLogHeader epochMs(final long epochMs)
    {
        this.epochMs = epochMs;
        return this;
    }

    /**
     * Wall time of host time 0.
     *
     * @return milliseconds since 1970.
     */
    public long epochMs()
    {
        return epochMs;
    }

    /**
     * Set the tick of the timing wheel.
     *
     * @param wheelTickNs in nanoseconds.
     * @return this for a fluent API.
     */
    public TurnLogHeader wheelTickNs(final long wheelTickNs)
    {
        this.wheelTickNs = wheelTickNs;
        return this;
    }

    /**
     * Tick of the timing wheel.
     *
     * @return nanoseconds.
     */
    public long wheelTickNs()
    {
        return wheelTickNs;
    }

    /**
     * Set the number of rooms the host has place for.
     *
     * @param roomLimit number of rooms.
     * @return this for a fluent API.
     */
    public TurnLogHeader roomLimit(final int roomLimit)
    {
        this.roomLimit = roomLimit;
        return this;
    }

    /**
     * Rooms the host has place for.
     *
     * @return number of rooms.
     */
    public int roomLimit()
    {
        return roomLimit;
    }

    /**
     * Set the number of links the host has place for.
     *
     * @param linkLimit number of links.
     * @return this for a fluent API.
     */
    public TurnLogHeader linkLimit(final int linkLimit)
    {
        this.linkLimit = linkLimit;
        return this;
    }

    /**
     * Links the host has place for.
     *
     * @return number of links.
     */
    public int linkLimit()
    {
        return linkLimit;
    }

    /**
     * Set the number of timers the host has place for.
     *
     * @param timerLimit number of timers.
     * @return this for a fluent API.
     */
    public TurnLogHeader timerLimit(final int timerLimit)
    {
        this.timerLimit = timerLimit;
        return this;
    }

    /**
     * Timers the host has place for.
     *
     * @return number of timers.
     */
    public int timerLimit()
    {
        return timerLimit;
    }

    /**
     * Set the number of seats the host has place for.
     *
     * @param seatLimit number of seats.
     * @return this for a fluent API.
     */
    public TurnLogHeader seatLimit(final int seatLimit)
    {
        this.seatLimit = seatLimit;
        return this;
    }

    /**
     * Seats the host has place for.
     *
     * @return number of seats.
     */
    public int seatLimit()
    {
        return seatLimit;
    }

    /**
     * Set the number of phase groups that a frame rate is spread over.
     *
     * @param phaseGroups number of groups.
     * @return this for a fluent API.
     */
    public TurnLogHeader phaseGroups(final int phaseGroups)
    {
        this.phaseGroups = phaseGroups;
        return this;
    }

    /**
     * Phase groups that a frame rate is spread over.
     *
     * @return number of groups.
     */
    public int phaseGroups()
    {
        return phaseGroups;
    }

    /**
     * Add a registered room type.
     *
     * @param typeId       stable id.
     * @param version      version of the logic.
     * @param settingsHash hash of the type's limits and policies.
     * @param name         in US-ASCII, up to {@link RoomCommands#MAX_TYPE_NAME_LENGTH} characters.
     * @return this for a fluent API.
     */
    public TurnLogHeader addType(final int typeId, final int version, final long settingsHash, final String name)
    {
        if (RoomCommands.MAX_LOG_TYPES == types.size())
        {
            throw new IllegalStateException("more than " + RoomCommands.MAX_LOG_TYPES + " types");
        }

        types.add(new Type(typeId, version, settingsHash, name));
        return this;
    }

    /**
     * The registered room types, in the order they were added.
     *
     * @return a view that cannot be changed.
     */
    public List<Type> types()
    {
        return Collections.unmodifiableList(types);
    }

    /**
     * Set the build that writes the log.
     *
     * @param build in US-ASCII, up to {@link RoomCommands#MAX_BUILD_LENGTH} characters.
     * @return this for a fluent API.
     */
    public TurnLogHeader build(final String build)
    {
        requireName(build, RoomCommands.MAX_BUILD_LENGTH);
        this.build = build;
        return this;
    }

    /**
     * Build that wrote the log.
     *
     * @return its name; empty when it is not known.
     */
    public String build()
    {
        return build;
    }

    /**
     * Encodes a LogHeader message with its message header.
     *
     * @param buffer that takes the message.
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
            .phaseGroups(phaseGroups);

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
     * Decodes a LogHeader message that {@link RoomCommands#validateLogRecord} passed.
     *
     * @param buffer that holds the message.
     * @param offset of its message header.
     * @return a new header.
     * @throws IllegalArgumentException when a name in it is not in US-ASCII.
     */
    public static TurnLogHeader decode(final DirectBuffer buffer, final int offset)
    {
        final LogHeaderDecoder decoder = new LogHeaderDecoder();
        decoder.wrapAndApplyHeader(buffer, offset, new MessageHeaderDecoder());

        final TurnLogHeader header = new TurnLogHeader()
            .epochMs(decoder.epochMs())
            .wheelTickNs(decoder.wheelTickNs())
            .roomLimit(decoder.roomLimit())
            .linkLimit(decoder.linkLimit())
            .timerLimit(decoder.timerLimit())
            .seatLimit(decoder.seatLimit())
            .phaseGroups(decoder.phaseGroups());

        for (final LogHeaderDecoder.TypesDecoder type : decoder.types())
        {
            header.addType(type.typeId(), type.version(), type.settingsHash(), type.name());
        }

        return header.build(decoder.build());
    }

    /**
     * {@inheritDoc}
     */
    @Override
    public boolean equals(final Object o)
    {
        return o instanceof TurnLogHeader that &&
            epochMs == that.epochMs &&
            wheelTickNs == that.wheelTickNs &&
            roomLimit == that.roomLimit &&
            linkLimit == that.linkLimit &&
            timerLimit == that.timerLimit &&
            seatLimit == that.seatLimit &&
            phaseGroups == that.phaseGroups &&
            types.equals(that.types) &&
            build.equals(that.build);
    }

    /**
     * {@inheritDoc}
     */
    @Override
    public int hashCode()
    {
        return Objects.hash(
            epochMs, wheelTickNs, roomLimit, linkLimit, timerLimit, seatLimit, phaseGroups, types, build);
    }

    /**
     * {@inheritDoc}
     */
    @Override
    public String toString()
    {
        return "TurnLogHeader{" +
            "epochMs=" + epochMs +
            ", wheelTickNs=" + wheelTickNs +
            ", roomLimit=" + roomLimit +
            ", linkLimit=" + linkLimit +
            ", timerLimit=" + timerLimit +
            ", seatLimit=" + seatLimit +
            ", phaseGroups=" + phaseGroups +
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
                throw new IllegalArgumentException("name is not in US-ASCII: " + name);
            }
        }
    }
}
