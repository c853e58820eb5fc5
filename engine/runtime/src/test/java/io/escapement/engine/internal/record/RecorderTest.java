package io.escapement.engine.internal.record;

import io.escapement.engine.internal.monitor.EngineCounters;
import io.escapement.rooms.log.TurnLog;
import io.escapement.rooms.log.TurnLogHeader;
import io.escapement.rooms.log.TurnLogReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The recorder without a thread: the logs of two loops, moved to files by duty cycles run by hand. */
class RecorderTest
{
    private final List<Throwable> errors = new ArrayList<>();

    @TempDir
    Path parent;

    @Test
    void shouldMoveTheRecordsOfEachLoopToItsFile() throws IOException
    {
        final Path directory = parent.resolve("new").resolve("directory");
        final EngineCounters counters = new EngineCounters();
        final Recorder recorder = new Recorder(directory, counters, errors::add);
        final TurnLog[] logs = {recorder.begin(0, header()), recorder.begin(1, header())};
        recorder.doWork();
        assertEquals(0, recorder.doWork(), "nothing is queued");
        for (int loop = 0; loop < 2; loop++)
        {
            for (int turn = 1; turn <= 10 * (loop + 1); turn++)
            {
                logs[loop].turnStart(turn, turn);
                logs[loop].turnEnd(turn);
            }
        }
        final long before = Files.size(Recorder.file(directory, 1));
        assertTrue(recorder.doWork() > 0);
        assertEquals(0, recorder.doWork());
        assertTrue(Files.size(Recorder.file(directory, 1)) > before, "a duty cycle writes to the file");
        assertEquals(Files.size(Recorder.file(directory, 1)), counters.value("escapement loop 1: bytes recorded"));
        assertEquals(0, counters.value("escapement loop 1: bytes that wait for the recorder"));
        assertEquals(0, counters.value("escapement loop 1: recordings that ended early"));
        logs[0].turnStart(11, 11);
        logs[0].turnEnd(11);
        recorder.onClose();
        assertEquals(11, TurnLogReader.open(Recorder.file(directory, 0)).turnCount(), "close writes the rest");
        assertEquals(20, TurnLogReader.open(Recorder.file(directory, 1)).turnCount());
        assertEquals(List.of(), errors);
        assertEquals(0, recorder.doWork());
    }

    @Test
    void shouldBeginANewRunBesideEarlierOnes() throws IOException
    {
        for (final String expected : List.of("", "run-2", "run-3"))
        {
            final Recorder recorder = new Recorder(parent, new EngineCounters(), errors::add);
            recorder.begin(0, header());
            recorder.begin(1, header());
            recorder.onClose();
            assertEquals(parent.resolve(expected), recorder.directory());
            assertTrue(Files.exists(Recorder.file(recorder.directory(), 1)));
        }
        assertEquals(0, TurnLogReader.open(Recorder.file(parent, 0)).turnCount(), "the first is as it was");
        assertEquals(List.of(), errors);
    }

    private static TurnLogHeader header()
    {
        return new TurnLogHeader().wheelTickNs(1 << 20).build("test").addType(1, 1, 0, "type");
    }
}
