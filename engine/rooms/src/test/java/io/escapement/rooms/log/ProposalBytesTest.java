package io.escapement.rooms.log;

import io.escapement.codecs.RoomCommands;
import io.escapement.codecs.room.RefusalCode;
import io.escapement.codecs.room.RoomEncoder;
import io.escapement.testsupport.Allocations;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class ProposalBytesTest
{
    private static final long SEED = 0x9E0_905A1L;
    private static final int FORGERIES = 50_000;
    private static final int AT = 8;

    private final ProposalWriter writer = new ProposalWriter(3);
    private final ProposalReader reader = new ProposalReader();
    private final RoomEncoder encoder = new RoomEncoder();
    private final UnsafeBuffer command = new UnsafeBuffer(new byte[RoomCommands.MAX_COMMAND_LENGTH]);

    @Test
    void shouldReadWhatItWrites()
    {
        final SplittableRandom random = new SplittableRandom(SEED);
        for (int round = 0; round < 200; round++)
        {
            writer.clear();
            final List<byte[]> expected = new ArrayList<>();
            final int returns = random.nextInt(4);
            final int commands = returns + random.nextInt(8);
            for (int i = 0; i < commands; i++)
            {
                final int length = signal(random.nextInt(100));
                expected.add(Arrays.copyOf(command.byteArray(), length));
                if (i < returns)
                {
                    writer.addReturn(command, 0, length);
                }
                else
                {
                    writer.add(command, 0, length);
                }
            }
            final UnsafeBuffer copy = moved(writer.finish(5, 6, 7, 8, 9));
            assertEquals(0, reader.wrap(copy, AT, copy.capacity() - AT), "round " + round);
            assertEquals(List.of(3L, 5L, 6L, 7L, 8L, 9L), List.of((long)reader.loop(), (long)reader.incarnation(),
                reader.number(), reader.nowNs(), reader.hashedTurn(), reader.outputHash()));
            assertEquals(returns, reader.returns());
            assertEquals(commands, reader.commands());
            for (final byte[] bytes : expected)
            {
                assertTrue(reader.nextCommand());
                assertEquals(0, reader.commandOffset() % Long.BYTES);
                final byte[] read = new byte[reader.commandLength()];
                reader.buffer().getBytes(reader.commandOffset(), read);
                assertArrayEquals(bytes, read);
            }
            assertFalse(reader.nextCommand());
        }
    }

    @Test
    void shouldCompleteAProposalAgainWithAnotherTime()
    {
        writer.add(command, 0, signal(8));
        writer.finish(1, 2, 3, 4, 5);
        final int length = writer.finish(1, 2, 33, 4, 5);
        assertEquals(0, reader.wrap(writer.buffer(), 0, length));
        assertEquals(33, reader.nowNs());
    }

    @Test
    void shouldRefuseAReturnBehindAnotherCommand()
    {
        writer.addReturn(command, 0, signal(8));
        writer.add(command, 0, signal(8));
        assertThrows(IllegalStateException.class, () -> writer.addReturn(command, 0, signal(8)));
    }

    @Test
    void shouldHoldCommandsUpToItsLimit()
    {
        int commands = 0;
        while (writer.hasRoom(ProposalWriter.MAX_LENGTH))
        {
            writer.add(command, 0, RoomCommands.MAX_COMMAND_LENGTH);
            commands++;
        }
        assertEquals((ProposalWriter.MAX_LENGTH - ProposalReader.HEADER_LENGTH) / 2_056, commands);
        assertEquals(0, reader.wrap(writer.buffer(), 0, writer.finish(1, 1, 0, 0, 0)));
        final byte[] tooLong = new byte[ProposalWriter.MAX_LENGTH + 1];
        writer.buffer().getBytes(0, tooLong, 0, ProposalWriter.MAX_LENGTH);
        assertEquals(RefusalCode.TOO_LONG.value(), reader.wrap(new UnsafeBuffer(tooLong), 0, tooLong.length));
        assertThrows(IllegalArgumentException.class, () -> writer.add(command, 0, RoomCommands.MAX_COMMAND_LENGTH));
    }

    @Test
    void shouldDetectEveryFlippedBitAndEveryTruncation()
    {
        final byte[] bytes = sample();
        for (int bit = 0; bit < 8 * bytes.length; bit++)
        {
            final byte[] flipped = bytes.clone();
            flipped[bit / 8] ^= 1 << bit % 8;
            assertFalse(reader.isWhole(new UnsafeBuffer(flipped), 0, flipped.length), "bit " + bit);
        }
        for (int length = 0; length < bytes.length; length++)
        {
            assertFalse(reader.isWhole(new UnsafeBuffer(Arrays.copyOf(bytes, length)), 0, length), "length " + length);
            assertNotEquals(0, reader.wrap(new UnsafeBuffer(Arrays.copyOf(bytes, length)), 0, length));
            assertFalse(reader.nextCommand());
            // Bytes of the record behind it do not help.
            assertNotEquals(0, reader.wrap(new UnsafeBuffer(bytes), 0, length), "length " + length);
        }
        assertTrue(reader.isWhole(new UnsafeBuffer(bytes), 0, bytes.length));
        assertEquals(0, reader.wrap(new UnsafeBuffer(bytes), 0, bytes.length));
    }

    /** Wrong lengths and counts, as a writer with a fault would produce. */
    @Test
    void shouldStayInsideAForgedProposal()
    {
        final SplittableRandom random = new SplittableRandom(SEED);
        final byte[] bytes = sample();
        int accepted = 0;
        for (int i = 0; i < FORGERIES; i++)
        {
            // A buffer of exactly this length: a read behind it fails.
            final UnsafeBuffer forged = new UnsafeBuffer(Arrays.copyOf(bytes, random.nextInt(8, bytes.length + 24)));
            for (int change = random.nextInt(3); change >= 0; change--)
            {
                final int at = 4 * random.nextInt(forged.capacity() / 4);
                forged.putInt(at, random.nextBoolean() ? random.nextInt() : random.nextInt(-2, 200), LITTLE_ENDIAN);
            }
            if (0 == reader.wrap(forged, 0, forged.capacity()))
            {
                accepted++;
                int commands = 0;
                int end = ProposalReader.HEADER_LENGTH;
                while (reader.nextCommand())
                {
                    commands++;
                    assertEquals(end + Integer.BYTES, reader.commandOffset(), "seed " + SEED + ", forgery " + i);
                    end += ProposalReader.entryLength(reader.commandLength());
                }
                assertEquals(forged.capacity(), end, "seed " + SEED + ", forgery " + i);
                assertEquals(reader.commands(), commands);
                assertTrue(reader.returns() <= commands && reader.number() > 0 && reader.incarnation() >= 0);
            }
        }
        assertTrue(accepted > 100, accepted + " were accepted: too few forgeries reach the entries");
    }

    @Test
    void shouldRefuseOtherRecords()
    {
        final UnsafeBuffer failed = new UnsafeBuffer(new byte[ProposalWriter.FAILED_LENGTH]);
        writer.failed(failed, 0, 1, 2, 3);
        assertEquals(RefusalCode.UNKNOWN_TEMPLATE.value(), reader.wrap(failed, 0, failed.capacity()));
        assertFalse(ProposalReader.isProposal(failed, 0, failed.capacity()));
        assertEquals(0, RoomCommands.validateLogRecord(failed, 0, failed.capacity()));
        final byte[] sample = sample();
        assertTrue(ProposalReader.isProposal(new UnsafeBuffer(sample), 0, sample.length));
        assertFalse(ProposalReader.isProposal(new UnsafeBuffer(sample), 0, 7));
    }

    @Test
    void shouldNotAllocate()
    {
        final int length = signal(40);
        final UnsafeBuffer direct = new UnsafeBuffer(BufferUtil.allocateDirectAligned(64 * 1_024, 64));
        assertEquals(0, Allocations.least(6, () ->
        {
            for (int i = 1; i < 2_000; i++)
            {
                writer.clear();
                writer.addReturn(command, 0, length);
                for (int k = 0; k < 10; k++)
                {
                    writer.add(command, 0, length);
                }
                final int size = writer.finish(1, i, i, 0, 0);
                direct.putBytes(0, writer.buffer(), 0, size);
                assertTrue(reader.isWhole(direct, 0, size));
                assertEquals(0, reader.wrap(direct, 0, size));
                while (reader.nextCommand())
                {
                    assertEquals(length, reader.commandLength());
                }
            }
        }));
    }

    private int signal(final int payloadLength)
    {
        command.setMemory(1_024, payloadLength, (byte)0x5A);
        return encoder.signal(command, 0, 1, 2, 3, command, 1_024, payloadLength);
    }

    private byte[] sample()
    {
        writer.clear();
        writer.addReturn(command, 0, signal(3));
        writer.add(command, 0, signal(0));
        writer.add(command, 0, signal(21));
        final byte[] bytes = new byte[writer.finish(1, 2, 3, 4, 5)];
        writer.buffer().getBytes(0, bytes);
        return bytes;
    }

    private UnsafeBuffer moved(final int length)
    {
        final UnsafeBuffer copy = new UnsafeBuffer(new byte[AT + length]);
        copy.putBytes(AT, writer.buffer(), 0, length);
        return copy;
    }
}
