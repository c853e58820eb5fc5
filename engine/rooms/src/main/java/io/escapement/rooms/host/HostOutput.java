package io.escapement.rooms.host;

import io.escapement.codecs.RoomCommands;
import io.escapement.codecs.room.RefusalCode;
import io.escapement.rooms.StateHash;
import io.escapement.rooms.internal.loop.LoopLedger;
import io.escapement.rooms.output.NoOutputs;
import io.escapement.rooms.output.Outputs;
import org.agrona.DirectBuffer;

/**
 * All output of a host. Messages to players, the directory and the application are passed on. Commands to rooms and
 * requests wait in the state of the loop. Both are hashed if turns are logged, so that a replay names the first
 * differing turn. Flushes are not hashed, because they do not depend on a room.
 */
final class HostOutput
{
    private static final int TO_SEAT = 1;
    private static final int LINK = 2;
    private static final int COMMAND = 3;
    private static final int EDGE = 4;
    private static final int APPLICATION = 5;
    private static final int TO_LINKS = 6;

    private static final int CLASS_SHIFT = 8;
    private static final int AUDIENCE_SHIFT = 16;
    /** Stands for the application, which gets the answers to its questions. */
    private static final long PROGRAM_ROOM = 0;
    private static final int NONE = RefusalCode.NONE.value();

    private final Outputs target;
    private Outputs outputs;
    private final LoopLedger loop;
    private final RefusalCounts refusals;
    /** Null if no log has it. */
    private final StateHash hash;

    HostOutput(final Outputs outputs, final LoopLedger loop, final RefusalCounts refusals, final boolean isHashed)
    {
        target = outputs;
        this.outputs = outputs;
        this.loop = loop;
        this.refusals = refusals;
        hash = isHashed ? new StateHash() : null;
    }

    /** Whether output leaves. It is hashed in any case. */
    void live(final boolean value)
    {
        outputs = value ? target : NoOutputs.NONE;
    }

    void flush()
    {
        outputs.flush();
    }

    /** The running hash; 0 if no log has it. */
    long hash()
    {
        return null == hash ? 0 : hash.value();
    }

    void hash(final long value)
    {
        if (null != hash)
        {
            hash.value(value);
        }
    }

    void toSeat(
        final int link,
        final long roomId,
        final int outputClass,
        final long seatIndex,
        final DirectBuffer buffer,
        final int offset,
        final int length)
    {
        if (null != hash)
        {
            hash.putLongs(TO_SEAT | outputClass << CLASS_SHIFT, roomId, seatIndex, link);
            hash.putBytes(buffer, offset, length);
        }
        outputs.message(link, roomId, outputClass, Outputs.ONE, seatIndex, buffer, offset, length);
    }

    /**
     * A message to the seats of an audience. Its bytes and the room's links are hashed once, however many links it
     * leaves through.
     */
    void toLinks(
        final SeatTable seats,
        final long roomId,
        final int outputClass,
        final int audience,
        final long selector,
        final DirectBuffer buffer,
        final int offset,
        final int length)
    {
        if (null != hash)
        {
            hash.putLongs(TO_LINKS | outputClass << CLASS_SHIFT | audience << AUDIENCE_SHIFT, roomId, selector,
                seats.linkHash());
            hash.putBytes(buffer, offset, length);
        }
        // A replay has no other use for the links.
        if (NoOutputs.NONE != outputs)
        {
            outputs.toLinks(seats, roomId, outputClass, audience, selector, buffer, offset, length);
        }
    }

    void toLink(final int link, final DirectBuffer buffer, final int offset, final int length)
    {
        if (null != hash)
        {
            hash.putLong(LINK | (long)link << Integer.SIZE);
            hash.putBytes(buffer, offset, length);
        }
        outputs.toLink(link, buffer, offset, length);
    }

    /** A command to a room of any loop, or an answer to the application. */
    void toRoom(final long roomId, final DirectBuffer buffer, final int offset, final int length)
    {
        // A room that sends anything else to room 0 gets a refusal: there is no such room.
        if (PROGRAM_ROOM == roomId && RoomCommands.isAnswer(buffer, offset))
        {
            put(APPLICATION, buffer, offset, length);
            outputs.toApplication(buffer, offset, length);
            return;
        }
        onCommand(buffer, offset, length);
        countUnlessNone(loop.send(roomId, buffer, offset, length));
    }

    /** A request to a service, or for a new room. */
    void request(
        final long roomId, final long correlationId, final DirectBuffer buffer, final int offset, final int length)
    {
        onCommand(buffer, offset, length);
        countUnlessNone(loop.request(roomId, correlationId, buffer, offset, length));
    }

    void toEdge(final DirectBuffer buffer, final int offset, final int length)
    {
        put(EDGE, buffer, offset, length);
        outputs.toEdge(buffer, offset, length);
    }

    private void onCommand(final DirectBuffer buffer, final int offset, final int length)
    {
        put(COMMAND, buffer, offset, length);
        outputs.onCommand(buffer, offset, length);
    }

    private void put(final int kind, final DirectBuffer buffer, final int offset, final int length)
    {
        if (null != hash)
        {
            hash.putLong(kind);
            hash.putBytes(buffer, offset, length);
        }
    }

    private void countUnlessNone(final int code)
    {
        if (NONE != code)
        {
            refusals.counted(code);
        }
    }
}
