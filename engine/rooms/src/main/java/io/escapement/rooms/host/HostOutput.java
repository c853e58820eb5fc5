package io.escapement.rooms.host;

import io.escapement.codecs.RoomCommands;
import io.escapement.codecs.room.RefusalCode;
import io.escapement.rooms.StateHash;
import io.escapement.rooms.internal.loop.LoopLedger;
import io.escapement.rooms.output.NoOutputs;
import io.escapement.rooms.output.Outputs;
import org.agrona.DirectBuffer;

/**
 * All output of a host. Messages to players, the directory and the program are passed on. Commands to rooms and
 * requests wait in the state of the loop. Both are hashed if turns are logged, so that a replay names the first turn
 * that differs. Flushes are not hashed, because they depend on no room.
 */
final class HostOutput
{
    private static final int MESSAGE = 1;
    private static final int LINK = 2;
    private static final int COMMAND = 3;
    private static final int EDGE = 4;
    private static final int PROGRAM = 5;
    private static final int AGAIN = 6;

    private static final int CLASS_SHIFT = 8;
    private static final int AUDIENCE_SHIFT = 16;
    /** Stands for the embedding program, which gets the answers to its questions. */
    private static final long PROGRAM_ROOM = 0;
    private static final int NONE = RefusalCode.NONE.value();

    private static final Outputs MUTED = new NoOutputs();

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
        outputs = value ? target : MUTED;
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

    void message(
        final int link,
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
            hash.putLong(
                MESSAGE | outputClass << CLASS_SHIFT | audience << AUDIENCE_SHIFT | (long)link << Integer.SIZE);
            hash.putLong(roomId);
            hash.putLong(selector);
            hash.putBytes(buffer, offset, length);
        }
        outputs.message(link, roomId, outputClass, audience, selector, buffer, offset, length);
    }

    /** The message of the call before, whose bytes are in the hash already, for seats on another link. */
    void again(
        final int link,
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
            hash.putLong(AGAIN | (long)link << Integer.SIZE);
        }
        outputs.again(link, roomId, outputClass, audience, selector, buffer, offset, length);
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

    /** A command to a room of any loop, or an answer to the program. */
    void toRoom(final long roomId, final DirectBuffer buffer, final int offset, final int length)
    {
        // A room that sends anything else to room 0 gets a refusal: there is no such room.
        if (PROGRAM_ROOM == roomId && RoomCommands.isAnswer(buffer, offset))
        {
            put(PROGRAM, buffer, offset, length);
            outputs.toProgram(buffer, offset, length);
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
