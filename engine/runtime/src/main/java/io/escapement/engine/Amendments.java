package io.escapement.engine;

import io.escapement.config.ConfigException;
import io.escapement.rooms.log.ProposalWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;

/** Failures of rooms that an operator adds to a log, see {@link Durability#amendments}. */
final class Amendments
{
    private static final String OPTION = "durability.amendments";
    private static final int NUMBERS = 4;

    /** Fails a room in a future turn. */
    interface Target
    {
        void failAt(long proposal, long roomId, long callback);
    }

    /** {loop, proposal, room, callback} of each failure. */
    private final List<long[]> failures;

    private Amendments(final List<long[]> failures)
    {
        this.failures = failures;
    }

    /** Read a file. If {@code file} is null or does not exist, the amendments are empty. */
    static Amendments read(final Path file, final int loops)
    {
        final List<long[]> failures = new ArrayList<>();
        if (null != file && Files.exists(file))
        {
            try
            {
                int number = 0;
                for (final String line : Files.readAllLines(file))
                {
                    number++;
                    if (!line.isBlank() && !line.startsWith("#"))
                    {
                        failures.add(parse(line, file + ":" + number, loops));
                    }
                }
            }
            catch (final IOException ex)
            {
                throw new ConfigException(OPTION, file, "the file cannot be read: " + ex);
            }
        }
        return new Amendments(failures);
    }

    private static long[] parse(final String line, final String place, final int loops)
    {
        final String[] words = line.trim().split("\\s+");
        final long[] numbers = new long[NUMBERS];
        boolean isGood = NUMBERS == words.length;
        for (int i = 0; isGood && i < NUMBERS; i++)
        {
            try
            {
                numbers[i] = Long.parseLong(words[i]);
            }
            catch (final NumberFormatException ex)
            {
                isGood = false;
            }
        }
        ConfigException.check(isGood && numbers[0] >= 0 && numbers[0] < loops && numbers[1] > 0 && numbers[3] > 0,
            OPTION, place, "must be the numbers of a loop, a proposal, a room and a callback: " + line);
        return numbers;
    }

    /** Failed messages of a loop, as a journal has them. */
    List<byte[]> messages(final int loop)
    {
        final List<byte[]> messages = new ArrayList<>();
        final ProposalWriter writer = new ProposalWriter(loop);
        apply(loop, (proposal, roomId, callback) ->
        {
            final byte[] message = new byte[ProposalWriter.FAILED_LENGTH];
            writer.failed(new UnsafeBuffer(message), 0, proposal, roomId, callback);
            messages.add(message);
        });
        return messages;
    }

    void apply(final int loop, final Target target)
    {
        for (final long[] failure : failures)
        {
            if (failure[0] == loop)
            {
                target.failAt(failure[1], failure[2], failure[3]);
            }
        }
    }
}
