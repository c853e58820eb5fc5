package io.escapement.rooms.internal.loop;

import io.escapement.codecs.RoomCommands;
import io.escapement.codecs.TrunkMessages;
import io.escapement.codecs.layout.SchemaRules;
import io.escapement.codecs.room.AskDecoder;
import io.escapement.codecs.room.MessageHeaderDecoder;
import io.escapement.codecs.room.OpenRoomDecoder;
import io.escapement.codecs.room.RefusalCode;
import io.escapement.codecs.room.RefusalDecoder;
import io.escapement.codecs.room.ReplyDecoder;
import io.escapement.codecs.room.RequestDecoder;
import io.escapement.codecs.room.ReserveDecoder;
import io.escapement.codecs.room.RoomEncoder;
import io.escapement.codecs.room.RoomLayout;
import io.escapement.codecs.room.SignalDecoder;
import io.escapement.codecs.trunk.RoomMessage;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import io.escapement.rooms.loop.LoopLimits;
import io.escapement.rooms.loop.LoopState;
import java.nio.ByteOrder;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** The state of a loop: changed by the commands and the output of its host, in the same way on every host. */
public final class LoopLedger implements LoopState
{
    private static final int NONE = RefusalCode.NONE.value();
    private static final int NO_MESSAGES = 0;
    /** The edge opens rooms as a service of no number would. */
    private static final int OF_THE_EDGE = -1;

    private final LoopLimits limits;
    private final CommandFifo returns = new CommandFifo();
    /** By loop. Null for this loop. */
    private final CommandFifo[] messages;
    /** Number of the last message that arrived from each loop. */
    private final long[] arrived;
    private final boolean[] isTakenDue;
    private final OpenRequests requests;
    /** The room that was opened for a request of another, while it is open. */
    private final PairTable roomByOriginTable = new PairTable();
    private final RoomEncoder commands = new RoomEncoder();
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final SignalDecoder signal = new SignalDecoder();
    private final ReserveDecoder reserve = new ReserveDecoder();
    private final AskDecoder ask = new AskDecoder();
    private final RequestDecoder request = new RequestDecoder();
    private final OpenRoomDecoder openRoom = new OpenRoomDecoder();
    private final UnsafeBuffer scratch = new UnsafeBuffer(new byte[RoomCommands.MAX_COMMAND_LENGTH]);
    private final UnsafeBuffer returned = new UnsafeBuffer(new byte[RoomCommands.MAX_COMMAND_LENGTH]);
    private long lastSerial;

    /**
     * Start with no waiting command.
     *
     * @param limits of the state.
     */
    public LoopLedger(final LoopLimits limits)
    {
        this.limits = limits;
        messages = new CommandFifo[limits.loops()];
        for (int i = 0; i < messages.length; i++)
        {
            messages[i] = i == limits.loop() ? null : new CommandFifo();
        }
        arrived = new long[messages.length];
        isTakenDue = new boolean[messages.length];
        requests = new OpenRequests(limits.openRequests());
    }

    // Output of rooms

    /**
     * Keep a command for a room until it has run: a Signal, a Reserve or an Ask if there is space, an answer always.
     * A command that is not kept is refused to its room.
     *
     * @param roomId of the receiver.
     * @param buffer with the command.
     * @param offset of its header.
     * @param length of the command in bytes.
     * @return 0, or the code of its refusal.
     */
    public int send(final long roomId, final DirectBuffer buffer, final int offset, final int length)
    {
        if (!limits.isKeeping())
        {
            return NONE;
        }
        final int code;
        switch (SchemaRules.templateId(buffer, offset))
        {
            case SignalDecoder.TEMPLATE_ID ->
            {
                code = keep(roomId, false, buffer, offset, length);
                if (NONE != code)
                {
                    signal.wrapAndApplyHeader(buffer, offset, header);
                    refuse(code, true, signal.fromRoomId(), signal.correlationId());
                }
            }
            case ReserveDecoder.TEMPLATE_ID ->
            {
                code = keep(roomId, false, buffer, offset, length);
                if (NONE != code)
                {
                    reserve.wrapAndApplyHeader(buffer, offset, header);
                    refuse(code, false, reserve.fromRoomId(), reserve.correlationId());
                }
            }
            case AskDecoder.TEMPLATE_ID ->
            {
                code = keep(roomId, false, buffer, offset, length);
                if (NONE != code)
                {
                    ask.wrapAndApplyHeader(buffer, offset, header);
                    refuse(code, false, ask.fromRoomId(), ask.correlationId());
                }
            }
            // An answer to a room of no loop is of a sender that no room was.
            case ReplyDecoder.TEMPLATE_ID, RefusalDecoder.TEMPLATE_ID ->
                code = keep(roomId, true, buffer, offset, length);
            default -> throw new IllegalStateException(
                "not a command that rooms send: template " + SchemaRules.templateId(buffer, offset));
        }
        return code;
    }

    private int keep(
        final long roomId, final boolean isAnswer, final DirectBuffer buffer, final int offset, final int length)
    {
        final int loop = TrunkMessages.loopOf(roomId);
        if (loop >= messages.length)
        {
            return RefusalCode.UNKNOWN_ROOM.value();
        }
        final CommandFifo queue = loop == limits.loop() ? returns : messages[loop];
        if (!isAnswer && queue.length() + CommandFifo.entryLength(length) > limits.queueLength())
        {
            return RefusalCode.QUEUE_FULL.value();
        }
        queue.add(buffer, offset, length);
        return NONE;
    }

    /**
     * Keep a request, to a service or for a new room, until its answer runs. A request that is not kept is refused to
     * its room.
     *
     * @param roomId        of the room that makes it.
     * @param correlationId of the request.
     * @param buffer        with the request.
     * @param offset        of its header.
     * @param length        of the request in bytes.
     * @return 0, or the code of its refusal.
     */
    public int request(
        final long roomId, final long correlationId, final DirectBuffer buffer, final int offset, final int length)
    {
        if (!limits.isKeeping())
        {
            return NONE;
        }
        if (requests.isFull())
        {
            final int code = RefusalCode.QUEUE_FULL.value();
            refuse(code, false, roomId, correlationId);
            return code;
        }
        requests.add(roomId, correlationId, serviceOf(buffer, offset), buffer, offset, length);
        return NONE;
    }

    /**
     * Refuse the command of a room. If twice the limit of bytes waits, a signal is dropped, because its sender does not
     * wait: a room may send any number of signals in a callback.
     */
    private void refuse(final int code, final boolean isSignal, final long roomId, final long correlationId)
    {
        if (!isSignal || returns.length() <= 2 * limits.queueLength())
        {
            keep(roomId, true, scratch, 0, commands.refusal(scratch, 0, roomId, correlationId, code));
        }
    }

    // Commands of the host

    /**
     * Whether a command is the next command from a room of this loop to another.
     *
     * @param buffer with the command.
     * @param offset of its header.
     * @param length of the command in bytes.
     */
    public boolean isNextReturn(final DirectBuffer buffer, final int offset, final int length)
    {
        if (0 == returns.count() || length != returns.oldestLength())
        {
            return false;
        }
        int i = 0;
        for (; i <= length - Long.BYTES; i += Long.BYTES)
        {
            if (buffer.getLong(offset + i) != returns.buffer().getLong(returns.oldestOffset() + i))
            {
                return false;
            }
        }
        for (; i < length; i++)
        {
            if (buffer.getByte(offset + i) != returns.buffer().getByte(returns.oldestOffset() + i))
            {
                return false;
            }
        }
        return true;
    }

    /** Remove the next return, which is run from other memory. */
    public void dropReturn()
    {
        returns.drop();
    }

    /**
     * Remove the next return and copy it, because the room that runs it may add others.
     *
     * @return length of the command, which is in {@link #returned()}.
     */
    public int takeReturn()
    {
        final int length = returns.oldestLength();
        returned.putBytes(0, returns.buffer(), returns.oldestOffset(), length);
        returns.drop();
        return length;
    }

    /** Buffer with the command that {@link #takeReturn()} took, at 0. */
    public DirectBuffer returned()
    {
        return returned;
    }

    /**
     * A message from another loop is about to run.
     *
     * @param fromLoop the other loop.
     * @param number   of the message.
     * @return 0 if it is the next command, otherwise the code of its refusal. OLD_SEQUENCE if it has run.
     */
    public int messageArrived(final int fromLoop, final long number)
    {
        if (!isOther(fromLoop) || number <= 0 || number > arrived[fromLoop] + 1)
        {
            return RefusalCode.BAD_VALUE.value();
        }
        // A sender that repeats a message has not got the Taken for it.
        isTakenDue[fromLoop] = true;
        if (number <= arrived[fromLoop])
        {
            return RefusalCode.OLD_SEQUENCE.value();
        }
        arrived[fromLoop] = number;
        return NONE;
    }

    /**
     * Another loop has run our messages up to a number.
     *
     * @param fromLoop the other loop.
     * @param upTo     number of the last command.
     * @return 0, or the code of the refusal.
     */
    public int messagesTaken(final int fromLoop, final long upTo)
    {
        if (!isOther(fromLoop) || upTo < 0 || upTo > messages[fromLoop].last())
        {
            return RefusalCode.BAD_VALUE.value();
        }
        final CommandFifo queue = messages[fromLoop];
        for (long kept = upTo - (queue.last() - queue.count()); kept > 0; kept--)
        {
            queue.drop();
        }
        return NONE;
    }

    /**
     * A Reply or a Refusal runs.
     *
     * @param roomId        of the room that it is for, open or not.
     * @param correlationId of the request.
     */
    public void answered(final long roomId, final long correlationId)
    {
        requests.remove(roomId, correlationId);
    }

    /**
     * An OpenRoom runs.
     *
     * @param roomId that it names.
     */
    public void named(final long roomId)
    {
        if (TrunkMessages.loopOf(roomId) == limits.loop())
        {
            lastSerial = Math.max(lastSerial, RoomMessage.numberOf(roomId));
        }
    }

    /**
     * The open room that was opened for a request.
     *
     * @param openerRoomId  of the requesting room.
     * @param correlationId of the request.
     * @return its id, or 0.
     */
    public long openedFor(final long openerRoomId, final long correlationId)
    {
        return roomByOriginTable.get(openerRoomId, correlationId);
    }

    /**
     * A room opens.
     *
     * @param openerRoomId  of the room that requested it, or 0.
     * @param correlationId of the request.
     * @param roomId        of the new room.
     */
    public void roomOpened(final long openerRoomId, final long correlationId, final long roomId)
    {
        if (0 != openerRoomId)
        {
            roomByOriginTable.put(openerRoomId, correlationId, roomId);
        }
    }

    /**
     * A room closes.
     *
     * @param openerRoomId  of the room that requested it, or 0.
     * @param correlationId of the request.
     */
    public void roomClosed(final long openerRoomId, final long correlationId)
    {
        if (0 != openerRoomId)
        {
            roomByOriginTable.remove(openerRoomId, correlationId);
        }
    }

    /** An incarnation starts: messages sent in the last incarnation may be lost. */
    public void sendAgain()
    {
        requests.sendAgain();
        for (int loop = 0; loop < messages.length; loop++)
        {
            if (isOther(loop))
            {
                messages[loop].sendAgain();
                isTakenDue[loop] = NO_MESSAGES != arrived[loop];
            }
        }
    }

    // Who leads

    @Override
    public LoopLimits limits()
    {
        return limits;
    }

    @Override
    public int returns()
    {
        return returns.count();
    }

    @Override
    public int readReturns(final int skip, final Receiver receiver)
    {
        int at = returns.oldestOffset();
        int read = 0;
        for (int i = 0; i < returns.count(); i++)
        {
            final int length = returns.lengthAt(at);
            if (i >= skip)
            {
                if (!receiver.onCommand(returns.buffer(), at, length))
                {
                    return read;
                }
                read++;
            }
            at += CommandFifo.entryLength(length);
        }
        return read;
    }

    @Override
    public int openRequests()
    {
        return requests.size();
    }

    @Override
    public int untaken(final int toLoop)
    {
        return isOther(toLoop) ? messages[toLoop].count() : 0;
    }

    @Override
    public long lastSerial()
    {
        return lastSerial;
    }

    @Override
    public boolean hasUnsent()
    {
        for (int loop = 0; loop < messages.length; loop++)
        {
            if (isTakenDue[loop] || isOther(loop) && 0 != messages[loop].unsent())
            {
                return true;
            }
        }
        return requests.hasUnsent();
    }

    @Override
    public int sendMessages(final int toLoop, final Receiver receiver)
    {
        if (!isOther(toLoop))
        {
            return 0;
        }
        final CommandFifo queue = messages[toLoop];
        int sent = 0;
        while (0 != queue.unsent())
        {
            final int length = commands.loopCommand(scratch, 0, queue.unsentNumber(), limits.loop(),
                queue.buffer(), queue.unsentOffset(), queue.unsentLength());
            if (!receiver.onCommand(scratch, 0, length))
            {
                break;
            }
            queue.sent();
            sent++;
        }
        return sent;
    }

    @Override
    public int sendTaken(final int toLoop, final Receiver receiver)
    {
        final boolean isSent = isOther(toLoop) && isTakenDue[toLoop] && receiver.onCommand(
            scratch, 0, commands.taken(scratch, 0, arrived[toLoop], limits.loop()));
        if (isSent)
        {
            isTakenDue[toLoop] = false;
        }
        return isSent ? 1 : 0;
    }

    @Override
    public int sendRequests(final Receiver receiver)
    {
        return requests.send(receiver);
    }

    // Snapshots

    /**
     * Write everything but the origins of rooms, which are written with the rooms.
     *
     * @param writer a snapshot or a hash.
     */
    public void write(final StateWriter writer)
    {
        writer.putLong(lastSerial);
        returns.write(writer);
        for (int loop = 0; loop < messages.length; loop++)
        {
            if (isOther(loop))
            {
                writer.putLong(arrived[loop]);
                messages[loop].write(writer);
            }
        }
        requests.write(writer);
    }

    /**
     * Read into a new ledger.
     *
     * @param reader of a snapshot.
     */
    public void read(final StateReader reader)
    {
        final ExpandableArrayBuffer restored = new ExpandableArrayBuffer();
        lastSerial = reader.getLong();
        check(lastSerial >= 0 && lastSerial <= RoomMessage.MAX_NUMBER, "serial " + lastSerial);
        returns.read(reader, restored, (buffer, length) -> checkToRoom(limits.loop(), buffer, length));
        for (int loop = 0; loop < messages.length; loop++)
        {
            if (isOther(loop))
            {
                final int toLoop = loop;
                arrived[loop] = reader.getLong();
                check(arrived[loop] >= 0, "message " + arrived[loop] + " of loop " + loop);
                messages[loop].read(reader, restored, (buffer, length) -> checkToRoom(toLoop, buffer, length));
            }
        }
        requests.read(reader, restored, this::addRequest);
        sendAgain();
    }

    private int serviceOf(final DirectBuffer buffer, final int offset)
    {
        return RequestDecoder.TEMPLATE_ID == header.wrap(buffer, offset).templateId() ?
            request.wrapAndApplyHeader(buffer, offset, header).serviceId() : OF_THE_EDGE;
    }

    private static void checkToRoom(final int loop, final DirectBuffer buffer, final int length)
    {
        check(NONE == RoomCommands.validateCommand(buffer, 0, length), "a command that waits is malformed");
        final boolean isToRoom = switch (SchemaRules.templateId(buffer, 0))
        {
            case SignalDecoder.TEMPLATE_ID,
                ReserveDecoder.TEMPLATE_ID,
                AskDecoder.TEMPLATE_ID,
                ReplyDecoder.TEMPLATE_ID,
                RefusalDecoder.TEMPLATE_ID -> true;
            default -> false;
        };
        // The id of the room is the first field of each.
        final long roomId = isToRoom ? buffer.getLong(MessageHeaderDecoder.ENCODED_LENGTH, ByteOrder.LITTLE_ENDIAN) : 0;
        check(isToRoom && TrunkMessages.loopOf(roomId) == loop, "a command that waits for loop " + loop);
    }

    private void addRequest(final DirectBuffer buffer, final int length)
    {
        check(NONE == RoomLayout.RULES.validate(buffer, 0, length), "an open request is malformed");
        final int templateId = header.wrap(buffer, 0).templateId();
        final long roomId;
        final long correlationId;
        switch (templateId)
        {
            case RequestDecoder.TEMPLATE_ID ->
            {
                request.wrapAndApplyHeader(buffer, 0, header);
                roomId = request.roomId();
                correlationId = request.correlationId();
            }
            case OpenRoomDecoder.TEMPLATE_ID ->
            {
                openRoom.wrapAndApplyHeader(buffer, 0, header);
                roomId = openRoom.openerRoomId();
                correlationId = openRoom.correlationId();
            }
            default -> throw new IllegalStateException("no open request: template " + templateId);
        }
        check(0 != roomId && !requests.contains(roomId, correlationId), "an open request of no room, or twice");
        requests.add(roomId, correlationId, serviceOf(buffer, 0), buffer, 0, length);
    }

    private static void check(final boolean isPossible, final String reason)
    {
        if (!isPossible)
        {
            throw new IllegalStateException(reason);
        }
    }

    private boolean isOther(final int loop)
    {
        return loop >= 0 && loop < messages.length && loop != limits.loop();
    }
}
