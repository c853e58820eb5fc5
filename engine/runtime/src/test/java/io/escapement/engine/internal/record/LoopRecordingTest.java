package io.escapement.engine.internal.record;

import io.escapement.codecs.RoomCommandEncoder;
import io.escapement.rooms.log.TurnLogHeader;
import io.escapement.rooms.log.TurnLogReader;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A complete recording, one whose disk is too slow, and one that exceeds the maximum length. */
class LoopRecordingTest
{
    private static final int SMALL = 16 * 1_024;

    private final List<Throwable> errors = new ArrayList<>();
    private final UnsafeBuffer command = new UnsafeBuffer(new byte[64]);
    private final int length = new RoomCommandEncoder().closeRoom(command, 0, 5);
    private long turn;

    @TempDir
    Path directory;

    @Test
    void shouldHoldEveryTurnInOrder() throws IOException
    {
        final LoopRecording recording = recording(SMALL, Long.MAX_VALUE);
        for (int i = 0; i < 10_000; i++)
        {
            turn(recording);
            recording.drain();
        }
        recording.close();
        assertEquals(List.of(), errors);
        final TurnLogReader log = TurnLogReader.open(directory.resolve("log"));
        assertEquals(10_000, log.turnCount());
        for (long i = 1; i <= 10_000; i++)
        {
            assertTrue(log.nextTurn());
            assertEquals(i, log.turn());
        }
    }

    @Test
    void shouldEndAtAWholeTurnAndReportThatWhenTheDiskIsTooSlow() throws IOException
    {
        final LoopRecording recording = recording(SMALL, Long.MAX_VALUE);
        for (int i = 0; i < 10_000; i++)
        {
            turn(recording);
        }
        assertTrue(recording.isOver());
        recording.drain();
        recording.drain();
        turn(recording);
        recording.close();
        assertEquals(1, errors.size(), errors::toString);
        assertTrue(errors.get(0).getMessage().contains("the disk was too slow"), errors::toString);
        shouldReadAsUnfinished(100);
    }

    @Test
    void shouldEndWhereAReaderWould() throws IOException
    {
        final LoopRecording recording = recording(SMALL, 100_000);
        for (int i = 0; i < 10_000; i++)
        {
            turn(recording);
            recording.drain();
        }
        recording.close();
        assertTrue(recording.isOver());
        assertEquals(2, errors.size(), errors::toString);
        shouldReadAsUnfinished(500);
    }

    @Test
    void shouldNotWriteOverAnother() throws IOException
    {
        recording(SMALL, Long.MAX_VALUE).close();
        assertThrows(FileAlreadyExistsException.class, () -> recording(SMALL, Long.MAX_VALUE));
    }

    private void shouldReadAsUnfinished(final int atLeast)
    {
        final TurnLogReader log = TurnLogReader.openUnfinished(directory.resolve("log"));
        long turns = 0;
        while (log.nextTurn())
        {
            turns++;
            assertEquals(turns, log.turn());
        }
        assertTrue(turns > atLeast && turns < 10_000, "turns: " + turns);
        assertFalse(log.finished());
    }

    private LoopRecording recording(final int bufferLength, final long maxFileLength) throws IOException
    {
        final TurnLogHeader header = new TurnLogHeader().wheelTickNs(1 << 20).build("test")
            .addType(1, 1, 0, "type");
        return new LoopRecording(directory.resolve("log"), header, bufferLength, maxFileLength, errors::add);
    }

    private void turn(final LoopRecording recording)
    {
        turn++;
        recording.turnStart(turn, turn * 1_000);
        recording.command(command, 0, length);
        recording.turnEnd(7);
    }
}
