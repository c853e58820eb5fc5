package io.escapement.rooms.log;

import io.escapement.rooms.output.ByteSink;
import io.escapement.testsupport.Allocations;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;

class LogAllocationTest
{
    private static final int ROUNDS = 8;
    private static final int TURNS = 2_000;
    private static final int COMMANDS_PER_TURN = 50;

    private final UnsafeBuffer command = Logs.signal(1, 33);
    private final UnsafeBuffer failed = new UnsafeBuffer(new byte[ProposalWriter.FAILED_LENGTH]);
    private final ProposalWriter proposal = new ProposalWriter(0);
    private final ProposalReader reader = new ProposalReader();
    private final ByteSink sink = new ByteSink();
    private long number;
    private long received;

    @Test
    void shouldWriteTurnsWithoutAllocating()
    {
        final LogWriter log = new LogWriter(sink, Logs.config());
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
        final LogWriter log = new LogWriter(sink, Logs.config());
        writeTurns(log);
        log.end();
        final LogFile file = Logs.open(sink);
        assertEquals(0, Allocations.least(ROUNDS, () ->
        {
            received = 0;
            readTurns(file);
        }));
        assertEquals((long)TURNS * COMMANDS_PER_TURN * command.capacity(), received);
    }

    private void writeTurns(final LogWriter log)
    {
        for (int i = 0; i < TURNS; i++)
        {
            number++;
            proposal.clear();
            for (int j = 0; j < COMMANDS_PER_TURN; j++)
            {
                proposal.add(command, 0, command.capacity());
            }
            log.append(proposal.buffer(), 0, proposal.finish(0, number, number, number - 1, i));
            log.append(failed, 0, proposal.failed(failed, 0, number, i, i));
        }
    }

    private void readTurns(final LogFile file)
    {
        file.rewind();
        while (file.next())
        {
            if (0 == reader.wrap(file.buffer(), file.offset(), file.length()))
            {
                while (reader.nextCommand())
                {
                    received += reader.commandLength();
                }
            }
        }
    }
}
