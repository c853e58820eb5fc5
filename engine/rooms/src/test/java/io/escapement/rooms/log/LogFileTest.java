package io.escapement.rooms.log;

import io.escapement.codecs.layout.SchemaRules;
import io.escapement.codecs.room.FailedDecoder;
import io.escapement.codecs.room.LogHeaderEncoder;
import io.escapement.codecs.room.MessageHeaderDecoder;
import io.escapement.codecs.room.MessageHeaderEncoder;
import io.escapement.codecs.room.ProposalDecoder;
import io.escapement.codecs.room.ProposalEncoder;
import io.escapement.codecs.room.StateHashDecoder;
import io.escapement.codecs.room.StateHashEncoder;
import io.escapement.rooms.DamagedRecordException;
import io.escapement.rooms.output.ByteSink;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.function.Consumer;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class LogFileTest
{
    private static final int STATE_HASH_LENGTH = MessageHeaderEncoder.ENCODED_LENGTH + StateHashEncoder.BLOCK_LENGTH;

    private final ByteSink sink = new ByteSink();
    private final ExpandableArrayBuffer body = new ExpandableArrayBuffer();
    private final ProposalReader proposal = new ProposalReader();
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();

    @Test
    void shouldReadWhatWasWrittenAgainAndAgain()
    {
        final LogFile log = Logs.open(Logs.small());
        assertReadsSmall(log);
        log.rewind();
        assertReadsSmall(log);
        log.rewind();
        assertTrue(log.next());
        assertTrue(log.next());
        log.rewind();
        assertReadsSmall(log);
    }

    @Test
    void shouldReadALogFromAFile(@TempDir final Path directory) throws IOException
    {
        final Path path = directory.resolve("small.log");
        Files.write(path, Logs.small().toArray());
        assertReadsSmall(LogFile.open(path));
        assertReadsSmall(LogFile.openUnfinished(path));
        assertThrows(UncheckedIOException.class, () -> LogFile.open(directory.resolve("absent.log")));
    }

    @Test
    void shouldReadALogWithoutProposals()
    {
        new LogWriter(sink, new HostConfig()).end();
        final LogFile log = Logs.open(sink);
        assertEquals(new HostConfig(), log.config());
        assertEquals(0, log.proposals());
        assertFalse(log.next());
    }

    @Test
    void shouldKeepBigProposals()
    {
        final int[] lengths = new int[480];
        Arrays.fill(lengths, 1_900);
        final LogWriter writer = new LogWriter(sink, Logs.config());
        Logs.propose(writer, 1, lengths);
        Logs.propose(writer, 2, 1);
        writer.end();
        final LogFile log = Logs.open(sink);
        assertProposal(log, 1, lengths);
        assertProposal(log, 2, 1);
        assertFalse(log.next());
    }

    @Test
    void shouldBeginEveryCommandAtAMultipleOfEight()
    {
        final LogFile log = Logs.open(Logs.large(new Random(3), 50));
        while (log.next())
        {
            if (0 == proposal.wrap(log.buffer(), log.offset(), log.length()))
            {
                while (proposal.nextCommand())
                {
                    assertEquals(0, (log.offset() + proposal.commandOffset()) % Long.BYTES);
                }
            }
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
        final UnsafeBuffer buffer = new UnsafeBuffer(bytes);
        final int[] starts = Logs.starts(bytes, LogRecords.LOG);
        // File header, log header, proposal 1, hashes, proposal 2, failure, proposal 3, hashes, end, length.
        final int[] proposalsBefore = {0, 0, 0, 1, 1, 2, 2, 3, 3, 3};
        assertEquals(proposalsBefore.length, starts.length);
        for (int record = 2; record < starts.length - 1; record++)
        {
            for (int length = starts[record]; length < starts[record + 1]; length++)
            {
                final LogFile log = LogFile.openUnfinished(buffer, 0, length);
                assertFalse(log.isFinished());
                assertEquals(proposalsBefore[record], log.proposals(), "cut to " + length);
                int messages = 0;
                while (log.next())
                {
                    messages++;
                }
                assertEquals(record - 2, messages, "cut to " + length);
            }
        }
        for (int length = 0; length < starts[2]; length++)
        {
            final int cut = length;
            assertThrows(DamagedRecordException.class, () -> LogFile.openUnfinished(buffer, 0, cut), "cut to " + cut);
        }
    }

    @Test
    void shouldReadAFinishedLogThatMightBeUnfinished()
    {
        final ByteSink small = Logs.small();
        assertReadsSmall(LogFile.openUnfinished(small.buffer(), 0, small.length()));
    }

    @Test
    void shouldRefuseRecordsThatNoWriterProduces()
    {
        assertDamaged("no header", (log) -> Logs.propose(log, 1));
        assertDamaged("no header", LogWriter::end);
        assertDamaged("kind 99", (log) -> header(log).append(99, body, 0, 8));
        assertDamaged("kind " + LogHeaderEncoder.TEMPLATE_ID, (log) -> header(header(log)));
        for (final int kind : new int[]{
            ProposalDecoder.TEMPLATE_ID, FailedDecoder.TEMPLATE_ID, StateHashDecoder.TEMPLATE_ID})
        {
            assertDamaged("message is refused: TOO_SHORT", (log) -> header(log).append(kind, body, 0, 7));
        }
        assertDamaged("template", (log) ->
            header(log).append(FailedDecoder.TEMPLATE_ID, stateHash(), 0, STATE_HASH_LENGTH));
        assertDamaged("template", (log) ->
            header(log).append(StateHashDecoder.TEMPLATE_ID, failed(), 0, ProposalWriter.FAILED_LENGTH));
        assertDamaged("refused", (log) -> header(log).append(stateHash(), 0, STATE_HASH_LENGTH + 1));
        assertDamaged("the proposal is refused: TRAILING_BYTES", (log) -> counting(header(log), 0));
        assertDamaged("the proposal is refused: TOO_SHORT", (log) -> counting(header(log), 2));
        assertDamaged("the proposal is refused: BAD_VALUE", (log) -> counting(header(log), -1));
    }

    /** Append a proposal with one command, a right checksum, and another number of commands. */
    private static void counting(final LogWriter log, final int commands)
    {
        final ProposalWriter one = new ProposalWriter(0);
        final UnsafeBuffer signal = Logs.signal(1, 2);
        one.add(signal, 0, signal.capacity());
        final UnsafeBuffer bytes = new UnsafeBuffer(new byte[one.finish(0, 1, 0, 0, 0)]);
        one.buffer().getBytes(0, bytes, 0, bytes.capacity());
        new ProposalEncoder().wrap(bytes, MessageHeaderEncoder.ENCODED_LENGTH).commandCount(commands)
            .check(ProposalReader.computeCheck(new RecordChecksum(), bytes, 0, bytes.capacity()));
        log.append(bytes, 0, bytes.capacity());
    }

    @Test
    void shouldRefuseAnInvalidHeader()
    {
        final int length = Logs.config().encode(body, 0);
        assertDamaged("refused", (log) -> log.append(body, 0, length - 1));
        assertDamaged("refused", (log) -> log.append(body, 0, length + 1));
        body.putByte(length - 1, (byte)-1);
        assertDamaged("US-ASCII", (log) -> log.append(body, 0, length));
    }

    private void assertReadsSmall(final LogFile log)
    {
        assertEquals(Logs.config(), log.config());
        assertNull(log.snapshot());
        assertEquals(3, log.proposals());
        assertTrue(log.isFinished());
        assertProposal(log, 1, 3, 8);
        assertHashes(log, 1, 0xABCDEF);
        assertProposal(log, 2, 1);
        assertTrue(log.next());
        final FailedDecoder failed = new FailedDecoder().wrapAndApplyHeader(log.buffer(), log.offset(), header);
        assertEquals(2, failed.proposal());
        assertEquals(5, failed.roomId());
        assertEquals(17, failed.callback());
        assertProposal(log, 3);
        assertHashes(log, 3, -1);
        assertFalse(log.next());
        assertFalse(log.next());
    }

    private void assertProposal(final LogFile log, final long number, final int... lengths)
    {
        assertTrue(log.next());
        assertEquals(0, proposal.wrap(log.buffer(), log.offset(), log.length()));
        assertEquals(number, proposal.number());
        assertEquals(1_000 * number, proposal.nowNs());
        assertEquals(11 * (number - 1), proposal.outputHash());
        assertEquals(lengths.length, proposal.commands());
        assertEquals(Math.min(1, lengths.length), proposal.returns());
        for (int i = 0; i < lengths.length; i++)
        {
            assertTrue(proposal.nextCommand());
            assertEquals(Logs.signal(i, lengths[i]), new UnsafeBuffer(
                proposal.buffer(), proposal.commandOffset(), proposal.commandLength()), "command " + i);
        }
    }

    private void assertHashes(final LogFile log, final long turn, final long hash)
    {
        assertTrue(log.next());
        assertEquals(StateHashDecoder.TEMPLATE_ID, SchemaRules.templateId(log.buffer(), log.offset()));
        final StateHashDecoder hashes = new StateHashDecoder().wrapAndApplyHeader(log.buffer(), log.offset(), header);
        assertEquals(turn, hashes.turn());
        assertEquals(11 * turn, hashes.outputHash());
        assertEquals(hash, hashes.hash());
    }

    private static void assertDamaged(final String reason, final Consumer<LogWriter> content)
    {
        final ByteSink sink = new ByteSink();
        content.accept(new LogWriter(sink, LogRecords.LOG));
        final DamagedRecordException ex = assertThrows(
            DamagedRecordException.class, () -> LogFile.openUnfinished(sink.buffer(), 0, sink.length()), reason);
        assertTrue(ex.reason().contains(reason), ex.getMessage());
    }

    private static LogWriter header(final LogWriter log)
    {
        final ExpandableArrayBuffer bytes = new ExpandableArrayBuffer();
        log.append(bytes, 0, Logs.config().encode(bytes, 0));
        return log;
    }

    private ExpandableArrayBuffer stateHash()
    {
        new StateHashEncoder().wrapAndApplyHeader(body, 0, new MessageHeaderEncoder()).turn(1).outputHash(0).hash(0);
        return body;
    }

    private ExpandableArrayBuffer failed()
    {
        new ProposalWriter(0).failed(body, 0, 1, 1, 1);
        return body;
    }
}
