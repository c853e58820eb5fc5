package io.escapement.rooms.log;

import io.escapement.codecs.RoomCommands;
import io.escapement.codecs.room.FailedAtDecoder;
import io.escapement.codecs.room.LogEndEncoder;
import io.escapement.codecs.room.LogHeaderEncoder;
import io.escapement.codecs.room.MessageHeaderDecoder;
import io.escapement.codecs.room.MessageHeaderEncoder;
import io.escapement.codecs.room.StateHashEncoder;
import io.escapement.codecs.room.TurnEncoder;
import io.escapement.rooms.DamagedRecordException;
import io.escapement.rooms.internal.records.RecordHeader;
import io.escapement.rooms.internal.records.RecordWriter;
import io.escapement.rooms.output.ByteSink;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import static org.agrona.BitUtil.align;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class TurnLogTest
{
    private static final int END_LENGTH =
        RecordHeader.recordLength(MessageHeaderEncoder.ENCODED_LENGTH + LogEndEncoder.BLOCK_LENGTH);

    private final Commands commands = new Commands();
    private final ByteSink sink = new ByteSink();
    private final ExpandableArrayBuffer body = new ExpandableArrayBuffer();
    private final MessageHeaderEncoder headerEncoder = new MessageHeaderEncoder();

    @Test
    void shouldReadWrittenTurns()
    {
        final TurnLogReader reader = Logs.open(Logs.small());
        assertReadsSmall(reader);
        reader.rewind();
        assertReadsSmall(reader);
    }

    @Test
    void shouldRewindFromTheMiddle()
    {
        final TurnLogReader reader = Logs.open(Logs.small());
        assertTrue(reader.nextTurn());
        assertTrue(reader.nextTurn());
        reader.rewind();

        assertReadsSmall(reader);
    }

    @Test
    void shouldReadALogFromAFile(@TempDir final Path directory) throws IOException
    {
        final Path path = directory.resolve("small.log");
        Files.write(path, Logs.small().toArray());

        assertReadsSmall(TurnLogReader.open(path));
        assertReadsSmall(TurnLogReader.openUnfinished(path));
        assertThrows(UncheckedIOException.class, () -> TurnLogReader.open(directory.resolve("absent.log")));
    }

    @Test
    void shouldReadALogWithoutTurns()
    {
        new TurnLogWriter(sink, new TurnLogHeader()).close();
        final TurnLogReader reader = Logs.open(sink);

        assertEquals(new TurnLogHeader(), reader.header());
        assertEquals(0, reader.turnCount());
        assertFalse(reader.nextTurn());
    }

    @Test
    void shouldKeepBigTurns()
    {
        final List<byte[]> expected = new ArrayList<>();
        for (int i = 0; i < 3000; i++)
        {
            expected.add(commands.message(i, i, i % RoomCommands.MAX_PAYLOAD_LENGTH));
        }

        final TurnLogWriter log = new TurnLogWriter(sink, Logs.header());
        log.turnStart(100, -5);
        expected.forEach((bytes) -> Logs.command(log, bytes));
        log.turnEnd(1);
        log.turnStart(101, -5);
        Logs.command(log, commands.closeRoom(1));
        log.turnEnd(2);
        log.close();
        assertTrue(sink.length() > 2_000_000, "length " + sink.length());

        final TurnLogReader reader = Logs.open(sink);
        assertTrue(reader.nextTurn());
        assertEquals(100, reader.turn());
        assertEquals(-5, reader.nowNs());
        assertCommands(expected, reader);
        assertTrue(reader.nextTurn());
        assertCommands(List.of(commands.closeRoom(1)), reader);
        assertFalse(reader.nextTurn());
    }

    @Test
    void shouldPutFailuresBeforeCommands()
    {
        final List<byte[]> expected = new ArrayList<>();
        final TurnLogWriter log = new TurnLogWriter(sink, Logs.header());
        log.turnStart(1, 0);
        for (int i = 0; i < 200; i++)
        {
            final byte[] bytes = commands.message(i, i, 50);
            expected.add(bytes);
            Logs.command(log, bytes);
            log.failedAt(i, 1000 + i);
        }

        log.turnEnd(1);
        log.close();

        final TurnLogReader reader = Logs.open(sink);
        assertTrue(reader.nextTurn());
        assertEquals(400, reader.commandCount());
        final List<byte[]> actual = Logs.commands(reader);
        for (int i = 0; i < 200; i++)
        {
            assertFailedAt(i, 1000 + i, actual.get(i));
            assertArrayEquals(expected.get(i), actual.get(200 + i));
        }
    }

    @Test
    void shouldBeginEveryCommandAtAMultipleOfEight()
    {
        final TurnLogReader reader = Logs.open(Logs.large(new Random(3), 50));
        while (reader.nextTurn())
        {
            reader.forEachCommand((buffer, offset, length) -> assertEquals(align(offset, 8), offset));
        }
    }

    @Test
    void shouldWriteTheSameBytesForTheSameTurns()
    {
        assertArrayEquals(Logs.large(new Random(4), 100).toArray(), Logs.large(new Random(4), 100).toArray());
    }

    @Test
    void shouldReadAnUnfinishedLogUpToItsLastWholeRecord()
    {
        final byte[] bytes = Logs.small().toArray();
        final int[] starts = Logs.starts(bytes, RecordHeader.LOG);
        // File header, log header, turn 1, state hash, turn 2, turn 3, state hash, end, length.
        final int[] turnsBefore = {0, 0, 0, 1, 1, 2, 3, 3, 3};
        for (int record = 2; record < starts.length - 1; record++)
        {
            for (int length = starts[record]; length < starts[record + 1]; length++)
            {
                final TurnLogReader reader = TurnLogReader.openUnfinished(new UnsafeBuffer(bytes), 0, length);
                assertFalse(reader.finished());
                assertEquals(turnsBefore[record], reader.turnCount(), "cut to " + length);
                for (int turn = 1; turn <= turnsBefore[record]; turn++)
                {
                    assertTrue(reader.nextTurn());
                    assertEquals(turn, reader.turn());
                }

                assertFalse(reader.nextTurn());
                assertEquals(0, reader.commandCount());
            }
        }

        assertThrows(
            DamagedRecordException.class,
            () -> TurnLogReader.openUnfinished(new UnsafeBuffer(bytes), 0, starts[2] - 1));
    }

    @Test
    void shouldReadTheStateHashBeforeATruncation()
    {
        final byte[] bytes = Logs.small().toArray();
        final TurnLogReader reader =
            TurnLogReader.openUnfinished(new UnsafeBuffer(bytes), 0, bytes.length - END_LENGTH);

        assertTrue(reader.nextTurn());
        assertTrue(reader.nextTurn());
        assertTrue(reader.nextTurn());
        assertEquals(-1, reader.stateHash());
        assertFalse(reader.nextTurn());
    }

    @Test
    void shouldReadAFinishedLogThatMightBeUnfinished()
    {
        final ByteSink small = Logs.small();
        final TurnLogReader reader = TurnLogReader.openUnfinished(small.buffer(), 0, small.length());

        assertTrue(reader.finished());
        assertReadsSmall(reader);
    }

    @Test
    void shouldStayUnfinishedWhenClosedWithinATurn()
    {
        final TurnLogWriter log = new TurnLogWriter(sink, Logs.header());
        log.turnStart(1, 0);
        log.turnEnd(0);
        log.turnStart(2, 0);
        log.close();
        log.close();

        assertThrows(DamagedRecordException.class, () -> Logs.open(sink));
        assertEquals(1, TurnLogReader.openUnfinished(sink.buffer(), 0, sink.length()).turnCount());
    }

    @Test
    void shouldRefuseCallsOutOfOrder()
    {
        final TurnLogWriter log = new TurnLogWriter(sink, Logs.header());
        final byte[] command = commands.closeRoom(1);
        assertRefused(() -> Logs.command(log, command));
        assertRefused(() -> log.failedAt(1, 1));
        assertRefused("no turn was started", () -> log.turnEnd(0));
        assertRefused(() -> log.stateHash(1, 0));
        assertRefused(() -> log.turnStart(0, 0));

        log.turnStart(5, 100);
        assertRefused("turn 5 has not ended", () -> log.turnStart(6, 100));
        assertRefused(() -> log.stateHash(5, 0));
        assertThrows(
            IllegalArgumentException.class, () -> log.command(new UnsafeBuffer(command), 0, Long.BYTES - 1));
        log.turnEnd(0);
        assertRefused(() -> log.turnStart(5, 100));
        assertRefused(() -> log.turnStart(7, 100));
        assertRefused(() -> log.turnStart(6, 99));
        assertRefused(() -> log.stateHash(4, 0));
        log.stateHash(5, 0);
        assertRefused(() -> log.stateHash(5, 0));

        log.close();
        log.close();
        assertRefused("the log is closed", () -> log.turnStart(6, 100));
        assertRefused("the log is closed", () -> log.turnEnd(0));
        assertRefused(() -> log.stateHash(5, 0));
        assertEquals(1, Logs.open(sink).turnCount());
    }

    @Test
    void shouldContinueAfterRefusingATurnOverTheLimit()
    {
        final UnsafeBuffer big = new UnsafeBuffer(commands.message(1, 1, RoomCommands.MAX_PAYLOAD_LENGTH));
        final TurnLogWriter log = new TurnLogWriter((buffer, offset, length) -> {}, Logs.header());
        log.turnStart(1, 0);
        for (int i = 0; i < RecordHeader.MAX_RECORD_LENGTH / TurnLogs.entryLength(big.capacity()); i++)
        {
            log.command(big, 0, big.capacity());
        }

        assertRefused(() -> log.command(big, 0, big.capacity()));
        assertDoesNotThrow(() -> log.turnEnd(0));
    }

    @Test
    void shouldCountFailuresTowardsTheLimitOfATurn()
    {
        final UnsafeBuffer big = new UnsafeBuffer(commands.message(1, 1, RoomCommands.MAX_PAYLOAD_LENGTH));
        final TurnLogWriter log = new TurnLogWriter((buffer, offset, length) -> {}, Logs.header());
        log.turnStart(1, 0);
        for (int i = 0; i < RecordHeader.MAX_RECORD_LENGTH / TurnLogs.entryLength(big.capacity()) - 1; i++)
        {
            log.command(big, 0, big.capacity());
        }

        // More than fit in the place of the last command.
        assertRefused("is over", () ->
        {
            for (int i = 0; i < big.capacity(); i++)
            {
                log.failedAt(1, 1);
            }
        });
        assertDoesNotThrow(() -> log.turnEnd(0));
    }

    @Test
    void shouldRefuseRecordsThatNoWriterProduces()
    {
        assertDamaged("kind", (records) -> turn(records, 1, 0, 0));
        assertDamaged("kind", (records) -> header(records, (log) -> records.append(99, body, 0, 8)));
        assertDamaged("kind", (records) -> header(records, (log) -> header(records, (again) -> {})));
        assertDamaged("no header", RecordWriter::end);
        assertDamaged("cannot follow", (records) -> header(records, (log) -> turn(log, 0, 0, 0)));
        assertDamaged("cannot follow", (records) -> header(records, TurnLogTest.this::gap));
        assertDamaged(
            "goes back",
            (records) -> header(
                records,
                (log) ->
                {
                    turn(log, 1, 10, 0);
                    turn(log, 2, 9, 0);
                }));
        assertDamaged("command count", (records) -> header(records, (log) -> turn(log, 1, 0, 1)));
        assertDamaged("command count", (records) -> header(records, (log) -> turn(log, 1, 0, -1)));
        assertDamaged("bytes after", (records) -> header(records, (log) -> turn(log, 1, 0, 0, new byte[16])));
        assertDamaged("length 0", (records) -> header(records, (log) -> turn(log, 1, 0, 1, new byte[16])));
        assertDamaged("fewer", (records) -> header(records, (log) -> turn(log, 1, 0, 2, entry(commands.closeRoom(1)))));
        assertDamaged("state hash", (records) -> header(records, (log) -> stateHash(log, 0)));
        assertDamaged(
            "state hash",
            (records) -> header(
                records,
                (log) ->
                {
                    turn(log, 1, 10, 0);
                    stateHash(log, 1);
                    stateHash(log, 1);
                }));
        assertDamaged(
            "the end record counts 7 turns",
            (records) -> header(
                records,
                (log) ->
                {
                    turn(log, 1, 10, 0);
                    end(log, 7);
                }));
        assertDamaged("message is refused: TOO_SHORT", (records) -> header(records, RecordWriter::end));
        assertDamaged(
            "message is refused: TOO_SHORT",
            (records) -> header(records, (log) -> log.append(TurnEncoder.TEMPLATE_ID, body, 0, Long.BYTES - 1)));
        assertDamaged(
            "template",
            (records) -> header(
                records,
                (log) ->
                {
                    new StateHashEncoder().wrapAndApplyHeader(body, 0, headerEncoder).turn(1).hash(0);
                    log.append(TurnEncoder.TEMPLATE_ID, body, 0,
                        MessageHeaderEncoder.ENCODED_LENGTH + StateHashEncoder.BLOCK_LENGTH);
                }));
        assertDamaged(
            "template",
            (records) -> header(
                records,
                (log) ->
                {
                    turn(log, 1, 0, 0);
                    log.append(StateHashEncoder.TEMPLATE_ID, body, 0, TurnLogs.TURN_LENGTH);
                }));
    }

    @Test
    void shouldRefuseAnInvalidHeader()
    {
        final int length = Logs.header().encode(body, 0);
        assertDamaged("refused", (records) -> records.append(LogHeaderEncoder.TEMPLATE_ID, body, 0, length - 1));
        assertDamaged("refused", (records) -> records.append(LogHeaderEncoder.TEMPLATE_ID, body, 0, length + 1));

        body.putByte(length - 1, (byte)-1);
        assertDamaged("US-ASCII", (records) -> records.append(LogHeaderEncoder.TEMPLATE_ID, body, 0, length));
    }

    @Test
    void shouldRefuseInvalidCommands()
    {
        final byte[] good = commands.message(1, 2, 3);
        assertDoesNotThrow(() -> openTurnOf(1, entry(good)));

        final byte[] otherSchema = good.clone();
        otherSchema[4]++;
        assertDamagedCommand(entry(otherSchema));

        final byte[] newer = good.clone();
        newer[6] = 99;
        assertDamagedCommand(entry(newer));

        final byte[] noCommand = good.clone();
        noCommand[2] = TurnEncoder.TEMPLATE_ID;
        assertDamagedCommand(entry(noCommand));

        final byte[] longBlock = good.clone();
        longBlock[0] = (byte)good.length;
        assertDamagedCommand(entry(longBlock));

        final byte[] padded = entry(good);
        padded[padded.length - 1] = 1;
        assertDamagedCommand(padded);

        final byte[] tooLong = entry(good);
        tooLong[0] = 127;
        assertDamagedCommand(tooLong);

        final byte[] unpadded = Arrays.copyOf(entry(good), Integer.BYTES + good.length);
        assertDamagedCommand(unpadded);
    }

    @Test
    void shouldRefuseAFailureAfterACommand()
    {
        final ByteSink small = Logs.small();
        final TurnLogReader reader = Logs.open(small);
        reader.nextTurn();
        reader.nextTurn();
        final List<byte[]> inOrder = Logs.commands(reader);
        assertDoesNotThrow(() -> openTurnOf(2, entry(inOrder.get(0)), entry(inOrder.get(1))));

        final DamagedRecordException ex = assertThrows(
            DamagedRecordException.class, () -> openTurnOf(2, entry(inOrder.get(1)), entry(inOrder.get(0))));
        assertTrue(ex.reason().contains("FailedAt after"), ex.reason());
    }

    private void assertReadsSmall(final TurnLogReader reader)
    {
        assertEquals(Logs.header(), reader.header());
        assertEquals(3, reader.turnCount());
        assertEquals(0, reader.turn());
        assertEquals(0, reader.commandCount());

        assertTrue(reader.nextTurn());
        assertEquals(1, reader.turn());
        assertEquals(1_000, reader.nowNs());
        assertEquals(11, reader.outputHash());
        assertTrue(reader.hasStateHash());
        assertEquals(0xABCDEF, reader.stateHash());
        assertCommands(List.of(commands.linkUp(1), commands.openRoom(5)), reader);

        assertTrue(reader.nextTurn());
        assertEquals(2, reader.turn());
        assertEquals(2_000, reader.nowNs());
        assertEquals(22, reader.outputHash());
        assertFalse(reader.hasStateHash());
        assertThrows(IllegalStateException.class, reader::stateHash);
        final List<byte[]> actual = Logs.commands(reader);
        assertEquals(2, actual.size());
        assertFailedAt(5, 17, actual.get(0));
        assertArrayEquals(commands.message(5, 1, 3), actual.get(1));

        assertTrue(reader.nextTurn());
        assertEquals(3, reader.turn());
        assertEquals(2_000, reader.nowNs());
        assertEquals(33, reader.outputHash());
        assertEquals(-1, reader.stateHash());
        assertCommands(List.of(), reader);

        assertFalse(reader.nextTurn());
        assertFalse(reader.nextTurn());
        assertEquals(0, reader.turn());
    }

    private static void assertCommands(final List<byte[]> expected, final TurnLogReader reader)
    {
        assertEquals(expected.size(), reader.commandCount());
        final List<byte[]> actual = Logs.commands(reader);
        assertEquals(expected.size(), actual.size());
        for (int i = 0; i < expected.size(); i++)
        {
            assertArrayEquals(expected.get(i), actual.get(i), "command " + i);
        }
    }

    private static void assertFailedAt(final long roomId, final long callback, final byte[] bytes)
    {
        final FailedAtDecoder decoder = new FailedAtDecoder();
        decoder.wrapAndApplyHeader(new UnsafeBuffer(bytes), 0, new MessageHeaderDecoder());
        assertEquals(MessageHeaderDecoder.ENCODED_LENGTH + FailedAtDecoder.BLOCK_LENGTH, bytes.length);
        assertEquals(roomId, decoder.roomId());
        assertEquals(callback, decoder.callback());
    }

    private static void assertRefused(final Runnable call)
    {
        assertRefused("", call);
    }

    private static void assertRefused(final String reason, final Runnable call)
    {
        final String message = assertThrows(IllegalStateException.class, call::run).getMessage();
        assertTrue(message.contains(reason), message);
    }

    private void assertDamaged(final String reason, final Consumer<RecordWriter> content)
    {
        final ByteSink sink = new ByteSink();
        final RecordWriter records = new RecordWriter(sink, RecordHeader.LOG);
        content.accept(records);
        final DamagedRecordException ex = assertThrows(
            DamagedRecordException.class, () -> TurnLogReader.openUnfinished(sink.buffer(), 0, sink.length()), reason);
        assertTrue(ex.reason().contains(reason), ex.getMessage());
    }

    private void assertDamagedCommand(final byte[] entry)
    {
        final int turnStart =
            RecordHeader.FILE_HEADER_LENGTH + RecordHeader.recordLength(Logs.header().encode(body, 0));
        final DamagedRecordException ex =
            assertThrows(DamagedRecordException.class, () -> openTurnOf(1, entry));
        assertTrue(ex.offset() >= turnStart + RecordHeader.LENGTH + TurnLogs.TURN_LENGTH, ex.getMessage());
    }

    private void openTurnOf(final int commandCount, final byte[]... entries)
    {
        final ByteSink sink = new ByteSink();
        final RecordWriter records = new RecordWriter(sink, RecordHeader.LOG);
        header(
            records,
            (log) ->
            {
                turn(log, 1, 0, commandCount, entries);
                end(log, 1);
            });
        Logs.open(sink);
    }

    private void gap(final RecordWriter records)
    {
        turn(records, 3, 0, 0);
        turn(records, 5, 0, 0);
    }

    private void header(final RecordWriter records, final Consumer<RecordWriter> content)
    {
        records.append(LogHeaderEncoder.TEMPLATE_ID, body, 0, Logs.header().encode(body, 0));
        content.accept(records);
    }

    private void turn(
        final RecordWriter records,
        final long turn,
        final long nowNs,
        final int commandCount,
        final byte[]... entries)
    {
        new TurnEncoder()
            .wrapAndApplyHeader(body, 0, headerEncoder)
            .turn(turn)
            .nowNs(nowNs)
            .outputHash(0)
            .commandCount(commandCount);
        int length = TurnLogs.TURN_LENGTH;
        for (final byte[] entry : entries)
        {
            body.putBytes(length, entry);
            length += entry.length;
        }

        records.append(TurnEncoder.TEMPLATE_ID, body, 0, length);
    }

    private void stateHash(final RecordWriter records, final long turn)
    {
        new StateHashEncoder().wrapAndApplyHeader(body, 0, headerEncoder).turn(turn).hash(0);
        records.append(
            StateHashEncoder.TEMPLATE_ID,
            body,
            0,
            MessageHeaderEncoder.ENCODED_LENGTH + StateHashEncoder.BLOCK_LENGTH);
    }

    private void end(final RecordWriter records, final long turns)
    {
        new LogEndEncoder().wrapAndApplyHeader(body, 0, headerEncoder).turns(turns);
        records.end(body, 0, MessageHeaderEncoder.ENCODED_LENGTH + LogEndEncoder.BLOCK_LENGTH);
    }

    private static byte[] entry(final byte[] command)
    {
        final byte[] entry = new byte[TurnLogs.entryLength(command.length)];
        new UnsafeBuffer(entry).putInt(0, command.length, ByteOrder.LITTLE_ENDIAN);
        System.arraycopy(command, 0, entry, Integer.BYTES, command.length);

        return entry;
    }
}
