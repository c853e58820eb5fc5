package io.escapement.rooms.replay;

import io.escapement.codecs.layout.SchemaRules;
import io.escapement.codecs.room.FailedDecoder;
import io.escapement.codecs.room.HostResumedDecoder;
import io.escapement.codecs.room.MessageHeaderDecoder;
import io.escapement.codecs.room.ProposalDecoder;
import io.escapement.rooms.host.RoomHost;
import io.escapement.rooms.log.LogSource;
import io.escapement.rooms.log.ProposalReader;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.collections.IntArrayList;
import org.agrona.collections.Long2LongHashMap;
import org.agrona.collections.LongArrayList;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The turns after a start of a log in memory, with the commands that concern one room. Each turn of the host has an
 * entry, by which it is found.
 */
final class LogPart
{
    static final long NO_CALLBACK = 0;

    private static final long NS_PER_MS = 1_000_000;

    private final long roomId;
    private final LongArrayList numbers = new LongArrayList();
    private final LongArrayList times = new LongArrayList();
    /** In milliseconds since 1970. */
    private final LongArrayList dates = new LongArrayList();
    private final IntArrayList incarnations = new IntArrayList();
    private final IntArrayList offsets = new IntArrayList();
    private final Long2LongHashMap failedByNumberMap = new Long2LongHashMap(NO_CALLBACK);
    private final ExpandableArrayBuffer commands = new ExpandableArrayBuffer();

    LogPart(final long roomId)
    {
        this.roomId = roomId;
    }

    void clear()
    {
        numbers.clear();
        times.clear();
        dates.clear();
        incarnations.clear();
        offsets.clear();
        failedByNumberMap.clear();
    }

    /**
     * Read the turns up to a limit.
     *
     * @param log  which is at its start.
     * @param last number of the turn before the first.
     * @param host as it was at the start.
     * @param end  number of the first turn that is not read.
     */
    void read(final LogSource log, final long last, final RoomHost host, final long end)
    {
        final ProposalReader turn = new ProposalReader();
        final FailedDecoder failed = new FailedDecoder();
        long number = last;
        int incarnation = host.incarnation();
        long originMs = originMs(host);
        int position = 0;
        while (log.next())
        {
            final int templateId = SchemaRules.templateId(log.buffer(), log.offset());
            if (FailedDecoder.TEMPLATE_ID == templateId)
            {
                failed.wrapAndApplyHeader(log.buffer(), log.offset(), new MessageHeaderDecoder());
                if (failed.roomId() == roomId)
                {
                    failedByNumberMap.put(failed.proposal(), failed.callback());
                }
            }
            if (ProposalDecoder.TEMPLATE_ID != templateId || !isNext(turn, log, number, incarnation))
            {
                continue;
            }
            if (turn.number() >= end)
            {
                break;
            }
            number = turn.number();
            incarnation = turn.incarnation();
            numbers.addLong(number);
            times.addLong(turn.nowNs());
            final long dateMs = dateOf(turn, originMs);
            originMs = dateMs - turn.nowNs() / NS_PER_MS;
            dates.addLong(dateMs);
            incarnations.addInt(incarnation);
            offsets.addInt(position);
            position = append(turn, position);
        }
        offsets.addInt(position);
    }

    /** The date of the host time 0. */
    static long originMs(final RoomHost host)
    {
        return host.epochMs() - host.nowNs() / NS_PER_MS;
    }

    /** The date of a turn. The turn may start an incarnation with another origin. */
    static long dateOf(final ProposalReader turn, final long originMs)
    {
        final HostResumedDecoder resumed = RoomTurns.resumed(turn);
        return (null == resumed ? originMs : resumed.epochMs()) + turn.nowNs() / NS_PER_MS;
    }

    int size()
    {
        return numbers.size();
    }

    long number(final int entry)
    {
        return numbers.getLong(entry);
    }

    long nowNs(final int entry)
    {
        return times.getLong(entry);
    }

    int incarnation(final int entry)
    {
        return incarnations.getInt(entry);
    }

    /** The callback in which the room failed by the log, or {@link #NO_CALLBACK}. */
    long failedCallback(final int entry)
    {
        return failedByNumberMap.get(numbers.getLong(entry));
    }

    /** The last entry up to a turn, -1 without such an entry. */
    int lastUpTo(final long turn)
    {
        int last = -1;
        while (last + 1 < numbers.size() && numbers.getLong(last + 1) <= turn)
        {
            last++;
        }
        return last;
    }

    /** The last entry before the first entry after a date, -1 without such an entry. */
    int lastUpToDate(final long epochMs)
    {
        int last = -1;
        while (last + 1 < dates.size() && dates.getLong(last + 1) <= epochMs)
        {
            last++;
        }
        return last;
    }

    boolean hasCommands(final int entry)
    {
        return offsets.getInt(entry) != offsets.getInt(entry + 1);
    }

    /** Bytes of the commands after an entry, up to another. */
    int lengthBetween(final int from, final int to)
    {
        return offsets.getInt(to + 1) - offsets.getInt(from + 1);
    }

    void forEachCommand(final int entry, final RoomTurns.Target taker)
    {
        int offset = offsets.getInt(entry);
        while (offset < offsets.getInt(entry + 1))
        {
            final int length = commands.getInt(offset);
            taker.add(commands, offset + Integer.BYTES, length);
            offset += Integer.BYTES + length;
        }
    }

    /** The commands to the room itself. */
    List<RoomPast.Input> inputs(final int entry)
    {
        final List<RoomPast.Input> found = new ArrayList<>();
        forEachCommand(entry, (buffer, offset, length) ->
        {
            if (RoomTurns.isTo(roomId, buffer, offset))
            {
                found.add(new RoomPast.Input(number(entry), nowNs(entry), new UnsafeBuffer(buffer, offset, length)));
            }
        });
        return found;
    }

    /** Remove the commands to the room of turns after another, unless they are kept. */
    void keepOnly(final long afterTurn, final Predicate<RoomPast.Input> isKept)
    {
        int to = 0;
        int from = 0;
        for (int entry = 0; entry < size(); entry++)
        {
            final int end = offsets.getInt(entry + 1);
            offsets.setInt(entry, to);
            while (from < end)
            {
                final int offset = from + Integer.BYTES;
                final int length = commands.getInt(from);
                if (number(entry) <= afterTurn || !RoomTurns.isTo(roomId, commands, offset) || isKept.test(
                    new RoomPast.Input(number(entry), nowNs(entry), new UnsafeBuffer(commands, offset, length))))
                {
                    commands.putBytes(to, commands, from, Integer.BYTES + length);
                    to += Integer.BYTES + length;
                }
                from = offset + length;
            }
        }
        offsets.setInt(size(), to);
    }

    private int append(final ProposalReader turn, final int from)
    {
        final int[] position = {from};
        RoomTurns.gather(turn, roomId, (buffer, offset, length) ->
        {
            commands.putInt(position[0], length);
            commands.putBytes(position[0] + Integer.BYTES, buffer, offset, length);
            position[0] += Integer.BYTES + length;
        });
        return position[0];
    }

    /** Whether the host that wrote the log has run a further proposal. */
    private static boolean isNext(
        final ProposalReader turn, final LogSource log, final long last, final int incarnation)
    {
        if (log.isReplicated() && !turn.isWhole(log.buffer(), log.offset(), log.length()) ||
            0 != turn.wrap(log.buffer(), log.offset(), log.length()))
        {
            throw new IllegalStateException("the proposal after " + last + " is damaged");
        }
        if (turn.number() <= last || turn.incarnation() < incarnation)
        {
            return false;
        }
        final boolean isNext = turn.number() == last + 1 &&
            (turn.incarnation() == incarnation || RoomTurns.beginsIncarnation(turn));
        if (!isNext && !log.isReplicated())
        {
            throw new IllegalStateException("proposal " + turn.number() + " cannot follow proposal " + last);
        }
        return isNext;
    }
}
