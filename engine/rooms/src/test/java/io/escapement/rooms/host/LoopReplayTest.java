package io.escapement.rooms.host;

import io.escapement.codecs.SchemaRules;
import io.escapement.codecs.room.FailedAtDecoder;
import io.escapement.codecs.room.SignalDecoder;
import io.escapement.rooms.DamagedRecordException;
import io.escapement.rooms.internal.records.RecordHeader;
import io.escapement.rooms.internal.records.RecordReader;
import io.escapement.rooms.internal.records.RecordWriter;
import io.escapement.rooms.log.TurnLogReader;
import io.escapement.rooms.log.TurnLogWriter;
import io.escapement.rooms.output.ByteSink;
import io.escapement.rooms.replay.Replay;
import io.escapement.rooms.replay.RoomCut;
import java.nio.ByteOrder;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static io.escapement.rooms.host.LoopRig.own;
import static io.escapement.rooms.host.LoopRig.roomId;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Logs of hosts with the state of a loop, and logs of another version. */
class LoopReplayTest
{
    private final LoopRig rig = new LoopRig();
    private final ByteSink log = new ByteSink();

    @Test
    void shouldReplayWhatRoomsSentToEachOther()
    {
        record(LoopRig.SIGNAL);
        final Replay replay = new Replay(reader(log), rig.context()).run();
        assertTrue(replay.isSame(), replay.difference());
        assertEquals(rig.host.turn(), replay.turns());
        assertEquals(rig.host.stateHash(), replay.host().stateHash());
        assertEquals(rig.host.loopState().limits(), replay.host().loopState().limits());
        assertEquals(1, replay.host().loopState().returns());
    }

    /** The FailedAt command is before the return, which runs first in the turn. */
    @Test
    void shouldReplayAReturnThatOverflowsTheStack()
    {
        record(LoopRig.OVERFLOW);
        assertEquals(2, rig.host.openRooms());
        final TurnLogReader reader = reader(log);
        final int[] failures = {0};
        while (reader.nextTurn())
        {
            reader.forEachCommand((buffer, offset, length) ->
                failures[0] += FailedAtDecoder.TEMPLATE_ID == SchemaRules.templateId(buffer, offset) ? 1 : 0);
        }
        assertEquals(1, failures[0]);
        final Replay replay = new Replay(reader(log), rig.context()).run();
        assertTrue(replay.isSame(), replay.difference());
        assertEquals(rig.host.stateHash(), replay.host().stateHash());
    }

    @Test
    void shouldNameALogWhoseReturnsAreNotThoseOfItsRooms()
    {
        record(LoopRig.SIGNAL);
        final Replay changed = new Replay(reader(rewritten(false)), rig.context()).run();
        assertEquals(3, changed.firstDifferentTurn());
        assertTrue(changed.difference().contains("template 10 is not what the rooms of the host sent next"),
            changed.difference());
        final Replay missing = new Replay(reader(rewritten(true)), rig.context()).run();
        assertEquals(3, missing.firstDifferentTurn());
        assertTrue(missing.difference().contains("the log lacks 1 commands that the rooms of the host have sent"),
            missing.difference());
    }

    /** The room alone gets returns and messages of other loops from the log, and needs no state of a loop. */
    @Test
    void shouldCutARoomThatGotReturnsAndMessagesOfOtherLoops()
    {
        record(LoopRig.SIGNAL);
        final ByteSink out = new ByteSink();
        final RoomCut cut = new RoomCut(reader(log), own(2), rig::context, out).run();
        assertTrue(cut.isSame(), cut.difference());
        assertEquals(4, cut.commands());
        assertEquals(rig.host.stateHash(own(2)), cut.stateHash());
        final TurnLogReader alone = reader(out);
        assertFalse(alone.header().loopLimits().isKeeping());
        final Replay replay = new Replay(alone, rig.context()).run();
        assertTrue(replay.isSame(), replay.difference());
        assertEquals(rig.host.stateHash(own(2)), replay.host().stateHash(own(2)));
        assertEquals(1, replay.host().incarnation());
    }

    @Test
    void shouldNameTheVersionOfALogOfAnotherSchema()
    {
        record(LoopRig.SIGNAL);
        final ByteSink newer = inVersion(log, 5);
        final String message = assertThrows(DamagedRecordException.class, () -> reader(newer)).getMessage();
        assertTrue(message.contains("version 5 of room.xml, this build reads version 0"), message);
    }

    /** Rooms 1 to 3: a return, messages of other loops, requests, an incarnation; one more return waits at the end. */
    private void record(final long firstSignal)
    {
        final TurnLogWriter writer = rig.record(log);
        rig.turn(() ->
        {
            for (int i = 1; i <= 3; i++)
            {
                rig.open(own(i), 0, 0);
            }
        });
        rig.turn(() ->
        {
            rig.request(own(1), LoopRig.SIGNAL, own(2));
            if (LoopRig.OVERFLOW == firstSignal)
            {
                rig.request(own(3), LoopRig.SIGNAL_OVERFLOW, own(2));
            }
        });
        rig.turn(() ->
        {
            rig.loopCommand(0, 1, own(2), 41);
            rig.loopCommand(0, 2, own(3), 42);
            rig.request(own(3), LoopRig.ASYNC, 1);
        });
        rig.turn(() ->
        {
            rig.request(own(1), LoopRig.SIGNAL, roomId(2, 7));
            rig.resumed(1, 90_000);
        });
        rig.turn(() -> rig.command(rig.encoder.taken(rig.buffer, 0, 2, 1)));
        rig.turn(() -> rig.request(own(2), LoopRig.SIGNAL, own(3)));
        rig.host.logStateHash();
        writer.close();
    }

    /** The log with another payload in its return, or without it. */
    private ByteSink rewritten(final boolean isDropped)
    {
        final TurnLogReader reader = reader(log);
        final ByteSink out = new ByteSink();
        final TurnLogWriter writer = new TurnLogWriter(out, reader.header());
        while (reader.nextTurn())
        {
            final long turn = reader.turn();
            writer.turnStart(turn, reader.nowNs());
            final int[] place = {0};
            reader.forEachCommand((buffer, offset, length) ->
            {
                final UnsafeBuffer command = new UnsafeBuffer(new byte[length]);
                command.putBytes(0, buffer, offset, length);
                final boolean isReturn = 3 == turn && 0 == place[0]++;
                if (isReturn)
                {
                    assertEquals(SignalDecoder.TEMPLATE_ID, SchemaRules.templateId(command, 0));
                    command.putByte(length - 1, (byte)(command.getByte(length - 1) + 1));
                }
                // Without the return, another command would be compared in its place: drop all of the turn.
                if (!isDropped || 3 != turn)
                {
                    writer.command(command, 0, length);
                }
            });
            writer.turnEnd(reader.outputHash());
        }
        writer.close();
        return out;
    }

    private static TurnLogReader reader(final ByteSink log)
    {
        return TurnLogReader.open(log.buffer(), 0, log.length());
    }

    private static ByteSink inVersion(final ByteSink log, final int version)
    {
        final RecordReader records = new RecordReader(log.buffer(), 0, log.length(), RecordHeader.LOG);
        final ByteSink out = new ByteSink();
        final RecordWriter writer = new RecordWriter(out, RecordHeader.LOG);
        while (records.next())
        {
            final UnsafeBuffer message = message(records, version);
            writer.append(records.kind(), message, 0, message.capacity());
        }
        final UnsafeBuffer end = message(records, version);
        writer.end(end, 0, end.capacity());
        return out;
    }

    private static UnsafeBuffer message(final RecordReader records, final int version)
    {
        final UnsafeBuffer message = new UnsafeBuffer(new byte[records.bodyLength()]);
        message.putBytes(0, records.buffer(), records.bodyOffset(), records.bodyLength());
        message.putShort(6, (short)version, ByteOrder.LITTLE_ENDIAN);
        return message;
    }
}
