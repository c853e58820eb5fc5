package io.escapement.rooms.log;

import com.sun.management.ThreadMXBean;
import io.escapement.rooms.output.ByteSink;
import java.lang.management.ManagementFactory;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import static org.junit.jupiter.api.Assertions.assertEquals;

@Timeout(30)
class TurnLogAllocationTest
{
    private static final int TURNS = 2_000;
    private static final int COMMANDS_PER_TURN = 50;
    private static final int FAILED_AT_LENGTH = 24;

    private final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
    private final UnsafeBuffer command = new UnsafeBuffer(new Commands().message(1, 1, 33));
    private final ByteSink sink = new ByteSink();
    private long turn;
    private long received;

    @Test
    void shouldWriteTurnsWithoutAllocating()
    {
        final TurnLogWriter log = new TurnLogWriter(sink, Logs.header());
        writeTurns(log);
        sink.reset();
        writeTurns(log);
        sink.reset();

        final long before = threads.getCurrentThreadAllocatedBytes();
        writeTurns(log);
        final long allocated = threads.getCurrentThreadAllocatedBytes() - before;

        assertEquals(0, allocated);
    }

    @Test
    void shouldReadTurnsWithoutAllocating()
    {
        final TurnLogWriter log = new TurnLogWriter(sink, Logs.header());
        writeTurns(log);
        log.close();
        final TurnLogReader reader = Logs.open(sink);
        final TurnLogReader.CommandHandler handler = (buffer, offset, length) -> received += length;
        readTurns(reader, handler);
        readTurns(reader, handler);

        final long before = threads.getCurrentThreadAllocatedBytes();
        readTurns(reader, handler);
        final long allocated = threads.getCurrentThreadAllocatedBytes() - before;

        assertEquals(0, allocated);
        assertEquals(3L * TURNS * (COMMANDS_PER_TURN * command.capacity() + FAILED_AT_LENGTH), received);
    }

    private void writeTurns(final TurnLogWriter log)
    {
        for (int i = 0; i < TURNS; i++)
        {
            turn++;
            log.turnStart(turn, turn);
            for (int j = 0; j < COMMANDS_PER_TURN; j++)
            {
                log.command(command, 0, command.capacity());
            }

            log.failedAt(turn, i);
            log.turnEnd(turn);
            log.stateHash(turn, turn);
        }
    }

    private void readTurns(final TurnLogReader reader, final TurnLogReader.CommandHandler handler)
    {
        reader.rewind();
        while (reader.nextTurn())
        {
            reader.forEachCommand(handler);
        }
    }
}
