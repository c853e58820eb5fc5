package io.escapement.engine.internal.durable;

import io.escapement.codecs.room.LogHeaderDecoder;
import io.escapement.codecs.room.MessageHeaderDecoder;
import io.escapement.rooms.log.LogRecords;
import io.escapement.testsupport.Tests;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.agrona.concurrent.CachedNanoClock;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import static io.escapement.engine.internal.durable.SteppedJournal.LOOP;
import static io.escapement.engine.internal.durable.SteppedJournal.RECORDED;
import static io.escapement.engine.internal.durable.SteppedJournal.SYNCED;
import static io.escapement.engine.internal.durable.SteppedJournal.isPrefix;
import static io.escapement.engine.internal.durable.SteppedJournal.same;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Damaged files, without a tail. The rule: a journal is refused, or recovered to a prefix of what was written that has
 * everything which a later whole record proves. Nothing else is ever passed on.
 */
class JournalDamageTest
{
    private static final int MESSAGES = 600;
    private static final int LONGEST = 1_000;
    private static final int TRUNCATED = 65_536;

    private final Random random = new Random(64);
    private final List<byte[]> written = new ArrayList<>();
    private final List<Long> ends = new ArrayList<>();
    private MemoryDisk disk;
    private String newest;

    /** The result of a recovery. */
    private record Outcome(String refusal, List<byte[]> messages, RecoveryReport report)
    {
    }

    @BeforeEach
    void writeJournal() throws Exception
    {
        final SteppedJournal engine = new SteppedJournal(SYNCED, new MemoryDisk(512), new MemoryTails());
        for (int i = 0; i < MESSAGES; i++)
        {
            final byte[] message = SteppedJournal.message(random, LONGEST);
            ends.add(engine.propose(message));
            written.add(message);
            engine.agent.doWork();
            engine.poll();
        }
        engine.stepUntilIdle();
        disk = engine.disk;
        final List<String> segments = JournalNames.segments(disk.list(), LOOP);
        assertTrue(segments.size() > 1);
        newest = segments.get(segments.size() - 1);
    }

    @Test
    void shouldRecoverWhatIsWholeOfEveryTruncation() throws Exception
    {
        final byte[] bytes = disk.bytes(newest);
        final int end = (int)(ends.get(ends.size() - 1) - JournalNames.position(newest));
        final int step = Tests.isFull() ? 1 : 307;
        final int first = Math.max(0, end - TRUNCATED);
        assertTrue(end - first > 60_000, () -> "only " + end);
        for (int length = end; length >= first; length -= length > end - 300 ? 1 : step)
        {
            disk.put(newest, Arrays.copyOf(bytes, length));
            final Outcome outcome = recover();
            final int whole = wholeUpTo(JournalNames.position(newest) + length);
            assertEquals(null, outcome.refusal);
            assertEquals(whole, outcome.messages.size(), "truncated to " + length);
            assertTrue(isPrefix(outcome.messages, written));
        }
    }

    @Test
    void shouldRefuseOrCutAtEveryFlippedBit() throws Exception
    {
        final List<String> segments = JournalNames.segments(disk.list(), LOOP);
        final int flips = Tests.isFull() ? 100_000 : 300;
        int cuts = 0;
        int refusals = 0;
        for (int i = 0; i < flips; i++)
        {
            final String name = segments.get(random.nextInt(segments.size()));
            final byte[] bytes = disk.bytes(name);
            final int used = (int)Math.min(bytes.length, ends.get(ends.size() - 1) - JournalNames.position(name));
            final int offset = random.nextInt(used);
            final byte[] damaged = bytes.clone();
            damaged[offset] ^= (byte)(1 << random.nextInt(8));
            disk.put(name, damaged);
            final Outcome outcome = recover();
            disk.put(name, bytes);
            final String where = name + " at " + offset + ": " + outcome.refusal;
            if (null == outcome.refusal)
            {
                cuts++;
                final long position = JournalNames.position(name) + offset;
                final boolean isZeros = outcome.messages.size() == MESSAGES;
                assertTrue(isZeros || outcome.messages.size() == wholeUpTo(position), where);
                assertTrue(isPrefix(outcome.messages, written), where);
                // Each record proves that all before it were synced, so only the last one may be cut off.
                assertTrue(outcome.messages.size() >= MESSAGES - 1, where);
            }
            else
            {
                refusals++;
                assertTrue(outcome.refusal.startsWith("fake/" + name), where);
            }
        }
        assertTrue(refusals > flips * 9 / 10, refusals + " refusals, " + cuts + " cuts");
    }

    @Test
    void shouldRefuseEveryFlippedBitOfAJournalThatWasClosed() throws Exception
    {
        final SteppedJournal engine = new SteppedJournal(SYNCED, disk.copy(), new MemoryTails());
        engine.propose(written.get(0));
        engine.journal.close();
        disk = engine.disk;
        final List<String> segments = JournalNames.segments(disk.list(), LOOP);
        final String name = segments.get(segments.size() - 1);
        final byte[] bytes = disk.bytes(name);
        assertEquals(MESSAGES + 1, recover().messages.size());
        final int endRecord = LogRecords.recordLength(0);
        for (int offset = 0; offset < bytes.length; offset++)
        {
            final byte[] damaged = bytes.clone();
            damaged[offset] ^= 16;
            disk.put(name, damaged);
            final Outcome outcome = recover();
            // The end record itself has no later one. Without it the journal has the same messages, not closed.
            assertEquals(offset >= bytes.length - endRecord, null == outcome.refusal, "at " + offset);
            assertTrue(null != outcome.refusal || outcome.messages.size() == MESSAGES + 1);
        }
    }

    @Test
    void shouldRefuseAZeroedPage() throws Exception
    {
        final byte[] bytes = disk.bytes(newest);
        final int end = (int)(ends.get(ends.size() - 1) - JournalNames.position(newest));
        for (int page = 0; page + 4_096 < end - 4_096; page += 4_096)
        {
            final byte[] damaged = bytes.clone();
            Arrays.fill(damaged, page, page + 4_096, (byte)0);
            disk.put(newest, damaged);
            final String refusal = recover().refusal;
            assertTrue(null != refusal && refusal.startsWith("fake/" + newest), page + ": " + refusal);
        }
    }

    @Test
    void shouldRefuseSwappedAndRepeatedRecords() throws Exception
    {
        final byte[] bytes = disk.bytes(newest);
        final UnsafeBuffer buffer = new UnsafeBuffer(bytes);
        int offset = LogRecords.FILE_HEADER_LENGTH;
        offset += LogRecords.recordLength(LogRecords.bodyLength(buffer, offset));
        final int one = LogRecords.recordLength(LogRecords.bodyLength(buffer, offset));
        final int two = LogRecords.recordLength(LogRecords.bodyLength(buffer, offset + one));

        final byte[] swapped = bytes.clone();
        System.arraycopy(bytes, offset + one, swapped, offset, two);
        System.arraycopy(bytes, offset, swapped, offset + two, one);
        disk.put(newest, swapped);
        assertTrue(recover().refusal.contains("damaged at offset " + offset), recover().refusal);

        final byte[] repeated = new byte[bytes.length + one];
        System.arraycopy(bytes, 0, repeated, 0, offset + one);
        System.arraycopy(bytes, offset, repeated, offset + one, bytes.length - offset);
        disk.put(newest, repeated);
        // All records behind the repeated one have moved, so none of them proves anything.
        assertEquals(wholeUpTo(JournalNames.position(newest) + offset + one), recover().messages.size());
    }

    @Test
    void shouldRefuseAStaleSegmentUnderANewName() throws Exception
    {
        final List<String> segments = JournalNames.segments(disk.list(), LOOP);
        disk.put(newest, disk.bytes(segments.get(0)));
        // Its records are of other positions, so it is no segment here, and the one before ends as a torn journal does.
        final Outcome outcome = recover();
        assertEquals(wholeUpTo(JournalNames.position(newest)), outcome.messages.size());
        assertTrue(outcome.report.notes().toString().contains("1 segments"), () -> "" + outcome.report);
    }

    @Test
    void shouldRefuseAMissingSegment() throws Exception
    {
        final List<String> segments = JournalNames.segments(disk.list(), LOOP);
        final MemoryDisk whole = disk.copy();
        disk.delete(segments.get(0));
        assertTrue(recover().refusal.startsWith("fake/" + JournalNames.segment(LOOP, 0)));
        disk = whole.copy();
        disk.delete(newest);
        // As after a power loss that took the name. Without a tail, nothing proves that the segment was there.
        assertEquals(wholeUpTo(JournalNames.position(newest)), recover().messages.size());
        if (segments.size() > 2)
        {
            disk = whole.copy();
            disk.delete(segments.get(1));
            assertTrue(recover().refusal.startsWith("fake/" + segments.get(0)), recover().refusal);
        }
    }

    @Test
    void shouldRefuseASegmentThatContinuesAnotherOne() throws Exception
    {
        // Two copies go on with different messages of one length. Positions, numbers and ids are the same.
        final List<MemoryDisk> copies = List.of(disk.copy(), disk.copy());
        final byte[] message = SteppedJournal.message(random, LONGEST);
        for (final MemoryDisk copy : copies)
        {
            final SteppedJournal engine = new SteppedJournal(SYNCED, copy, new MemoryTails());
            message[message.length - 1]++;
            engine.propose(message);
            engine.stepUntilIdle();
            new SteppedJournal(SYNCED, copy, engine.tails).stepUntilIdle();
        }
        disk = copies.get(0);
        assertEquals(MESSAGES + 1, recover().messages.size());
        final List<String> segments = JournalNames.segments(disk.list(), LOOP);
        final String last = segments.get(segments.size() - 1);
        disk.put(last, copies.get(1).bytes(last));
        final String refusal = recover().refusal;
        assertTrue(null != refusal && refusal.startsWith("fake/" + last) && refusal.contains("it does not continue"),
            refusal);
    }

    @Test
    void shouldRefuseASegmentThatSkipsMessages() throws Exception
    {
        final UnsafeBuffer bytes = new UnsafeBuffer(disk.bytes(newest));
        final int record = LogRecords.FILE_HEADER_LENGTH;
        final int firstNumber = record + LogRecords.HEADER_LENGTH + MessageHeaderDecoder.ENCODED_LENGTH +
            LogHeaderDecoder.firstNumberEncodingOffset();
        final long number = bytes.getLong(firstNumber);
        bytes.putLong(firstNumber, number + 1);
        new LogRecords().seal(bytes, record, SegmentHeader.KIND, LogRecords.bodyLength(bytes, record), 0,
            JournalNames.position(newest) + record);
        disk.put(newest, bytes.byteArray());
        final String refusal = recover().refusal;
        assertTrue(refusal.endsWith("its first message is " + (number + 1) + ", expected " + number), refusal);
    }

    @Test
    void shouldRefuseWhatTheTailProves() throws Exception
    {
        final SteppedJournal engine = new SteppedJournal(RECORDED, new MemoryDisk(512), new MemoryTails());
        for (int i = 0; i < 20; i++)
        {
            engine.propose(written.get(i));
            engine.poll();
        }
        engine.clock.advance(SteppedJournal.SYNC_INTERVAL_NS);
        engine.stepUntilIdle();
        final String segment = JournalNames.segment(LOOP, 0);
        final byte[] bytes = engine.disk.bytes(segment);
        // The last record: no later one proves it, but the tail does.
        final int last = (int)engine.log.proposedPosition() - 10;
        bytes[last] ^= 1;
        engine.disk.put(segment, bytes);
        final String refusal =
            assertThrows(JournalException.class, () -> engine.afterKill(RECORDED)).getMessage();
        assertTrue(refusal.startsWith("fake/" + segment + ": damaged at offset"), refusal);
        engine.tails.clear();
        final SteppedJournal next = engine.afterKill(RECORDED);
        assertEquals(19, next.recovered.size());
        assertTrue(next.report.notes().get(0).contains("cut off at offset"), () -> "" + next.report);
        assertTrue(next.report.notes().toString().contains("the tail is missing"), () -> "" + next.report);
    }

    @Test
    void shouldGoOnBehindACut() throws Exception
    {
        final byte[] bytes = disk.bytes(newest);
        final int length = (int)(ends.get(MESSAGES - 3) - JournalNames.position(newest)) + 5;
        disk.put(newest, Arrays.copyOf(bytes, length));
        final SteppedJournal engine = new SteppedJournal(SYNCED, disk, new MemoryTails());
        assertEquals(MESSAGES - 2, engine.recovered.size());
        engine.propose(written.get(0));
        engine.stepUntilIdle();
        final List<byte[]> expected = new ArrayList<>(written.subList(0, MESSAGES - 2));
        expected.add(written.get(0));
        final SteppedJournal next = engine.afterKill(SYNCED);
        assertTrue(same(expected, next.recovered));
        assertEquals(MESSAGES, next.log.nextNumber());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2, 9})
    void shouldNameOtherVersions(final int version) throws Exception
    {
        disk.put(newest, SteppedJournal.inVersion(disk.bytes(newest), version));
        final String refusal = recover().refusal;
        assertEquals("fake/" + newest + ": format version " + version + ", supported is 1", refusal);
    }

    private Outcome recover() throws Exception
    {
        final List<byte[]> messages = new ArrayList<>();
        final JournalAbout about = JournalAbout.read(disk);
        final Recovery recovery = new Recovery(new DryDisk(disk), new MemoryTails(), about, 77, LOOP, true);
        try (RecoveredLoop loop = recovery.run(SteppedJournal.header(), new CachedNanoClock()))
        {
            messages.addAll(SteppedJournal.messages(loop));
            return new Outcome(null, messages, loop.report());
        }
        catch (final JournalException ex)
        {
            return new Outcome(ex.getMessage(), messages, null);
        }
    }

    private int wholeUpTo(final long position)
    {
        int count = 0;
        while (count < ends.size() && ends.get(count) <= position)
        {
            count++;
        }
        return count;
    }
}
