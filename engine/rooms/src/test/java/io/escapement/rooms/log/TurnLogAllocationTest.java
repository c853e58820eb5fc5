package io.escapement.rooms.log;

import io.escapement.rooms.output.ByteSink;
import io.escapement.testsupport.Allocations;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;

class TurnLogAllocationTest
{
    private static final int ROUNDS = 8;
    private static final int TURNS = 2_000;
    private static final int COMMANDS_PER_TURN = 50;
    private static final int FAILED_AT_LENGTH = 24;

    private final UnsafeBuffer command = new UnsafeBuffer(new Commands().message(1, 1, 33));
    private final ByteSink sink = new ByteSink();
    private long turn;
    private long received;

    @Test
    void shouldWriteTurnsWithoutAllocating()
    {
        final TurnLogWriter log = new TurnLogWriter(sink, Logs.header());
        // The sink grows in the first round.
        assertEquals(0, Allocations.least(ROUNDS, () ->
        {
            sink.reset();
            writeTurns(log);
        }));
    }

    @Test
    void shouldReadTurnsWithoutAllocating()
    {
        final TurnLogWriter log = new TurnLogWriter(sink, Logs.header());
        writeTurns(log);
        log.close();
        final TurnLogReader reader = Logs.open(sink);
        final TurnLogReader.CommandHandler handler = (buffer, offset, length) -> received += length;
        assertEquals(0, Allocations.least(ROUNDS, () ->
        {
            received = 0;
            readTurns(reader, handler);
        }));
        assertEquals((long)TURNS * (COMMANDS_PER_TURN * command.capacity() + FAILED_AT_LENGTH), received);
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
