package io.escapement.rooms.host;

import io.escapement.codecs.layout.SchemaRules;
import io.escapement.codecs.room.FailedDecoder;
import io.escapement.rooms.DamagedRecordException;
import io.escapement.rooms.log.LogFile;
import io.escapement.rooms.log.LogReader;
import io.escapement.rooms.log.LogRecords;
import io.escapement.rooms.log.LogWriter;
import io.escapement.rooms.log.ProposalReader;
import io.escapement.rooms.log.ProposalWriter;
import io.escapement.rooms.output.ByteSink;
import io.escapement.rooms.replay.Replay;
import io.escapement.rooms.replay.RoomCut;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static io.escapement.rooms.host.Sender.own;
import static io.escapement.rooms.host.Sender.roomId;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Logs of hosts with the state of a loop, and logs of another version. */
class LoopReplayTest
{
    private final List<String> events = new ArrayList<>();
    private final HostRig rig = Sender.rig(events);
    private final ByteSink log = rig.log;

    @Test
    void shouldReplayWhatRoomsSentToEachOther()
    {
        record(Sender.SIGNAL);
        final Replay replay = new Replay(reader(log), rig.context()).run();
        assertTrue(replay.isSame(), replay.difference());
        assertEquals(rig.host.turn(), replay.turns());
        assertEquals(rig.host.stateHash(), replay.host().stateHash());
        assertEquals(rig.host.loopState().limits(), replay.host().loopState().limits());
        assertEquals(1, replay.host().loopState().returns());
    }

    /** The room fails at the return, which runs first in the turn. */
    @Test
    void shouldReplayAReturnThatOverflowsTheStack()
    {
        record(Sender.OVERFLOW);
        assertEquals(2, rig.host.openRooms());
        final LogFile reader = reader(log);
        int failures = 0;
        while (reader.next())
        {
            failures += FailedDecoder.TEMPLATE_ID == SchemaRules.templateId(reader.buffer(), reader.offset()) ? 1 : 0;
        }
        assertEquals(1, failures);
        final Replay replay = new Replay(reader(log), rig.context()).run();
        assertTrue(replay.isSame(), replay.difference());
        assertEquals(rig.host.stateHash(), replay.host().stateHash());
    }

    @Test
    void shouldNameALogWhoseReturnsAreNotThoseOfItsRooms()
    {
        record(Sender.SIGNAL);
        final Replay changed = new Replay(reader(rewritten(false)), rig.context()).run();
        assertEquals(3, changed.firstDifferentTurn());
        assertTrue(changed.difference().contains("return 0 of proposal 3 is not what the rooms of this host sent"),
            changed.difference());
        final Replay missing = new Replay(reader(rewritten(true)), rig.context()).run();
        // A proposal may leave returns to the next one, so the first difference is in the state at the end.
        assertEquals(6, missing.firstDifferentTurn());
        assertTrue(missing.difference().contains("state hash"), missing.difference());
    }

    /** The room alone gets returns and messages of other loops from the log, and needs no state of a loop. */
    @Test
    void shouldCutARoomThatGotReturnsAndMessagesOfOtherLoops()
    {
        record(Sender.SIGNAL);
        final ByteSink out = new ByteSink();
        final RoomCut cut = new RoomCut(reader(log), own(2), rig::context, out).run();
        assertTrue(cut.isSame(), cut.difference());
        assertEquals(4, cut.commands());
        assertEquals(rig.host.stateHash(own(2)), cut.stateHash());
        final LogFile alone = reader(out);
        assertFalse(alone.config().loopLimits().isKeeping());
        final Replay replay = new Replay(alone, rig.context()).run();
        assertTrue(replay.isSame(), replay.difference());
        assertEquals(rig.host.stateHash(own(2)), replay.host().stateHash(own(2)));
        assertEquals(1, replay.host().incarnation());
    }

    @Test
    void shouldNameTheVersionOfALogOfAnotherSchema()
    {
        record(Sender.SIGNAL);
        final ByteSink newer = inVersion(log, 5);
        final String message = assertThrows(DamagedRecordException.class, () -> reader(newer)).getMessage();
        assertTrue(message.contains("version 5 of room.xml, this build reads version 0"), message);
    }

    /** Rooms 1 to 3: a return, messages of other loops, requests, an incarnation; one more return waits at the end. */
    private void record(final long firstSignal)
    {
        rig.turn(() ->
        {
            for (int i = 1; i <= 3; i++)
            {
                rig.open(own(i), 0, 0);
            }
        });
        rig.turn(() ->
        {
            rig.signal(own(1), Sender.SIGNAL, own(2));
            if (Sender.OVERFLOW == firstSignal)
            {
                rig.signal(own(3), Sender.SIGNAL_OVERFLOW, own(2));
            }
        });
        rig.turn(() ->
        {
            rig.loopCommand(0, 1, own(2), 41);
            rig.loopCommand(0, 2, own(3), 42);
            rig.signal(own(3), Sender.ASYNC, 1);
        });
        rig.turn(() ->
        {
            rig.resumed(1, 90_000);
            rig.signal(own(1), Sender.SIGNAL, roomId(2, 7));
        });
        rig.turn(() -> rig.command(rig.encoder.taken(rig.buffer, 0, 1, 2)));
        rig.turn(() -> rig.signal(own(2), Sender.SIGNAL, own(3)));
        rig.finish();
    }

    /** The log with another payload in the return of its third turn, or without it. */
    private ByteSink rewritten(final boolean isDropped)
    {
        final LogFile old = reader(log);
        final ByteSink out = new ByteSink();
        final LogWriter writer = new LogWriter(out, old.config());
        final ProposalReader turn = new ProposalReader();
        final ProposalWriter proposal = new ProposalWriter(Sender.LOOP);
        while (old.next())
        {
            if (0 != turn.wrap(old.buffer(), old.offset(), old.length()))
            {
                writer.append(old.buffer(), old.offset(), old.length());
                continue;
            }
            proposal.clear();
            for (int i = 0; turn.nextCommand(); i++)
            {
                final int length = turn.commandLength();
                final UnsafeBuffer command = new UnsafeBuffer(new byte[length]);
                command.putBytes(0, turn.buffer(), turn.commandOffset(), length);
                final boolean isReturn = i < turn.returns();
                if (isReturn)
                {
                    command.putByte(length - 1, (byte)(command.getByte(length - 1) + 1));
                }
                if (isReturn && !isDropped)
                {
                    proposal.addReturn(command, 0, length);
                }
                else if (!isReturn)
                {
                    proposal.add(command, 0, length);
                }
            }
            writer.append(proposal.buffer(), 0, proposal.finish(
                turn.incarnation(), turn.number(), turn.nowNs(), turn.hashedTurn(), turn.outputHash()));
        }
        writer.end();
        return out;
    }

    private static LogFile reader(final ByteSink log)
    {
        return LogFile.open(log.buffer(), 0, log.length());
    }

    private static ByteSink inVersion(final ByteSink log, final int version)
    {
        final LogReader records = new LogReader(log.buffer(), 0, log.length(), LogRecords.LOG);
        final ByteSink out = new ByteSink();
        final LogWriter writer = new LogWriter(out, LogRecords.LOG);
        while (records.next())
        {
            final UnsafeBuffer message = message(records, version);
            writer.append(records.kind(), message, 0, message.capacity());
        }
        writer.end();
        return out;
    }

    private static UnsafeBuffer message(final LogReader records, final int version)
    {
        final UnsafeBuffer message = new UnsafeBuffer(new byte[records.bodyLength()]);
        message.putBytes(0, records.buffer(), records.bodyOffset(), records.bodyLength());
        message.putShort(6, (short)version, ByteOrder.LITTLE_ENDIAN);
        return message;
    }
}
