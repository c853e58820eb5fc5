package io.escapement.engine.ledger;

import io.escapement.rooms.CloseReason;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.agrona.DirectBuffer;
import org.agrona.collections.LongArrayList;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A room that notes all that reaches it: messages with a hash chain a seat, numbered signals of the program and of
 * other rooms, timers, frames, and its requests with their replies. Those in a wrong order count as faults.
 *
 * <pre>
 *   message  {client: 8, number: 8}                   answered by {client, number, position, chain}
 *   signal   {number: 8}, from a room or the program  one above the last of the same sender
 * </pre>
 */
public class HistoryRoom implements RoomLogic
{
    /** Type of the rooms. */
    public static final int TYPE = 5;
    /** Service of their requests. */
    public static final int SERVICE = 9;
    /** Length of a message. */
    public static final int MESSAGE_LENGTH = 16;
    /** Length of an answer. */
    public static final int ANSWER_LENGTH = 32;
    /** Length of a request: {room: 8, position: 8}. */
    public static final int REQUEST_LENGTH = 16;

    /** The sender of signals of the program. */
    public static final long PROGRAM = 0;
    private static final int REQUEST_EVERY = 4;
    private static final int SIGNAL_EVERY = 3;
    private static final int FRAME_RATE = 20;
    private static final long TIMER_NS = TimeUnit.MILLISECONDS.toNanos(5);
    private static final long MIX = 0x9E37_79B9_7F4A_7C15L;

    /** Pairs of {client, number}, in the order in which the messages ran. */
    final LongArrayList ledger = new LongArrayList();
    final Map<Long, Long> chainByClientMap = new TreeMap<>();
    final Map<Long, Long> signalsByRoomMap = new TreeMap<>();
    /** Positions of the messages that made a request. */
    final LongArrayList requests = new LongArrayList();
    /** Correlation ids of those without a reply. */
    private final LongArrayList open = new LongArrayList();
    long replies;
    /** Signals to a room that has closed. Their refusals come as replies do. */
    long refusedSignals;
    long signalsSent;
    long timers;
    long frames;
    long lastFrame;
    long missedFrames;
    long faults;
    private final UnsafeBuffer bytes = new UnsafeBuffer(new byte[ANSWER_LENGTH]);
    private long partner;
    private Room room;
    private long roomId;
    private boolean isClosed;

    /**
     * The type of the rooms.
     *
     * @param rooms makes them.
     */
    public static RoomType type(final Supplier<RoomLogic> rooms)
    {
        return RoomType.of(TYPE, "history", 1, rooms).seats(16).timers(4).requests(4_096)
            .graceNs(TimeUnit.HOURS.toNanos(1));
    }

    @Override
    public void onOpen(final Room opened, final DirectBuffer args, final int offset, final int length)
    {
        room = opened;
        roomId = opened.roomId();
        partner = length >= Long.BYTES ? args.getLong(offset) : 0;
        room.after(TIMER_NS, 1, 0);
        room.frameRate(FRAME_RATE);
    }

    @Override
    public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
    {
        final long client = buffer.getLong(offset);
        final long number = buffer.getLong(offset + 8);
        final long position = ledger.size() / 2;
        ledger.addLong(client);
        ledger.addLong(number);
        final long chain = chain(chainByClientMap.getOrDefault(client, 0L), number);
        chainByClientMap.put(client, chain);
        bytes.putLong(0, client);
        bytes.putLong(8, number);
        bytes.putLong(16, answered(position));
        bytes.putLong(24, chain);
        room.sendEvent(from, bytes, 0, ANSWER_LENGTH);
        if (0 == position % REQUEST_EVERY)
        {
            bytes.putLong(0, roomId);
            bytes.putLong(8, position);
            open.addLong(room.async(SERVICE, client, bytes, 0, REQUEST_LENGTH));
            requests.addLong(position);
        }
        if (0 != partner && 0 == position % SIGNAL_EVERY)
        {
            bytes.putLong(0, ++signalsSent);
            room.signal(partner, bytes, 0, Long.BYTES);
        }
    }

    /** The position that is answered. */
    public long answered(final long position)
    {
        return position;
    }

    @Override
    public void onSignal(final long from, final DirectBuffer buffer, final int offset, final int length)
    {
        final long number = buffer.getLong(offset);
        final long last = signalsByRoomMap.getOrDefault(from, 0L);
        faults += number == last + 1 ? 0 : 1;
        signalsByRoomMap.put(from, number);
    }

    @Override
    public void onReply(
        final long correlationId, final int status, final DirectBuffer buffer, final int offset, final int length)
    {
        final int at = open.indexOf(correlationId);
        if (at < 0)
        {
            refusedSignals++;
            return;
        }
        open.removeAt(at);
        faults += 0 == status ? 0 : 1;
        replies++;
    }

    @Override
    public void onTimer(final long handle, final int kind, final long tag)
    {
        faults += tag == timers ? 0 : 1;
        timers++;
        room.after(TIMER_NS, 1, timers);
    }

    @Override
    public void onFrame(final long frame, final long elapsedNs)
    {
        faults += frame > lastFrame ? 0 : 1;
        lastFrame = frame;
        missedFrames = room.missedFrames();
        frames++;
    }

    /** Goes on until the host closes it, so that there is load in a drain. */
    @Override
    public void onDrain(final Room drained, final long deadlineNs)
    {
    }

    @Override
    public void onClose(final CloseReason reason)
    {
        isClosed = true;
    }

    /** Whether the room has closed, so that what was under way to it is not awaited. */
    public boolean isClosed()
    {
        return isClosed;
    }

    /** Id of the room. */
    public long roomId()
    {
        return roomId;
    }

    /** Number of messages that have run. */
    public long messages()
    {
        return ledger.size() / 2;
    }

    /** Number of requests without a reply. */
    public long openRequests()
    {
        return requests.size() - replies;
    }

    /** Signals that this room has sent to its partner. */
    public long signalsSent()
    {
        return signalsSent;
    }

    /** Number of the last signal from a room, or of the program. */
    public long lastSignal(final long from)
    {
        return signalsByRoomMap.getOrDefault(from, 0L);
    }

    @Override
    public void onSnapshot(final StateWriter writer)
    {
        writer.putLong(partner);
        writer.putLong(replies);
        writer.putLong(signalsSent);
        writer.putLong(timers);
        writer.putLong(frames);
        writer.putLong(lastFrame);
        writer.putLong(missedFrames);
        writer.putLong(faults);
        writer.putLong(refusedSignals);
        write(writer, ledger);
        write(writer, requests);
        write(writer, open);
        write(writer, chainByClientMap);
        write(writer, signalsByRoomMap);
    }

    @Override
    public void onRestore(final Room restored, final int version, final StateReader reader)
    {
        room = restored;
        roomId = restored.roomId();
        partner = reader.getLong();
        replies = reader.getLong();
        signalsSent = reader.getLong();
        timers = reader.getLong();
        frames = reader.getLong();
        lastFrame = reader.getLong();
        missedFrames = reader.getLong();
        faults = reader.getLong();
        refusedSignals = reader.getLong();
        read(reader, ledger);
        read(reader, requests);
        read(reader, open);
        read(reader, chainByClientMap);
        read(reader, signalsByRoomMap);
    }

    /** The chain of a seat after its next message. */
    public static long chain(final long before, final long number)
    {
        return (before ^ number) * MIX + 1;
    }

    private static void write(final StateWriter writer, final LongArrayList list)
    {
        writer.putInt(list.size());
        for (int i = 0; i < list.size(); i++)
        {
            writer.putLong(list.getLong(i));
        }
    }

    private static void write(final StateWriter writer, final Map<Long, Long> map)
    {
        writer.putInt(map.size());
        map.forEach((key, value) ->
        {
            writer.putLong(key);
            writer.putLong(value);
        });
    }

    private static void read(final StateReader reader, final LongArrayList list)
    {
        final int size = reader.getInt();
        for (int i = 0; i < size; i++)
        {
            list.addLong(reader.getLong());
        }
    }

    private static void read(final StateReader reader, final Map<Long, Long> map)
    {
        final int size = reader.getInt();
        for (int i = 0; i < size; i++)
        {
            final long key = reader.getLong();
            map.put(key, reader.getLong());
        }
    }
}
