package io.escapement.rooms;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * One scenario of the corpus. Lines of a turn, in order:
 * <pre>
 *   host NAME=VALUE ...          the options of the host; first line of the file
 *   t TIME [hold]                a turn; hold: each receiver outside of the loop accepts one command at most
 *   c BYTES                      a command
 *   r COUNT                      commands of the loop's own rooms that ran first
 *   m LINK ROOM CLASS AUDIENCE SELECTOR BYTES    a message; " stands for the bytes of the message before
 *   a LINK BYTES                 to a trunk
 *   d BYTES                      to the directory
 *   p BYTES                      to the program
 *   f                            output so far was flushed
 *   = CODE ...                   the code of each command; left out if all are 0
 *   l LOOP BYTES                 to a room of another loop
 *   k LOOP BYTES                 a Taken
 *   q BYTES                      a request to a service, or for a new room
 *   o HASH                       of what the logic noticed in this turn; left out if no callback ran
 *   s HASH                       of what the logic of each room wrote to a snapshot after this turn
 * </pre>
 */
record CorpusFile(String name, Map<String, Long> options, List<CorpusFile.Turn> turns)
{
    /** The scenarios. */
    static final List<String> NAMES = List.of("seats", "joins", "links", "reservations", "timers", "output", "returns",
        "loops", "services", "directory", "sync", "faults", "limits", "reload", "end", "random-1", "random-2",
        "random-3");

    /** The lines of a turn, and what has to come out of it. */
    record Turn(int line, long nowNs, boolean isHeld, List<byte[]> commands, List<String> expected)
    {
        boolean hasSnapshot()
        {
            return !expected.isEmpty() && expected.get(expected.size() - 1).startsWith("s ");
        }
    }

    static CorpusFile read(final String name)
    {
        final List<Turn> turns = new ArrayList<>();
        final String[] lines = text(name).split("\n");
        for (int i = 1; i < lines.length; i++)
        {
            final String line = lines[i];
            if (line.startsWith("t "))
            {
                final String[] words = line.split(" ");
                turns.add(new Turn(
                    i + 1, Long.parseLong(words[1]), words.length > 2, new ArrayList<>(), new ArrayList<>()));
                continue;
            }
            final Turn turn = turns.get(turns.size() - 1);
            if (line.startsWith("c "))
            {
                turn.commands.add(CorpusText.bytes(line.substring(2)));
            }
            else
            {
                turn.expected.add(line);
            }
        }
        return new CorpusFile(name, options(lines[0]), turns);
    }

    static Map<String, Long> options(final String line)
    {
        final Map<String, Long> options = new HashMap<>();
        final String[] words = line.split(" ");
        for (int i = 1; i < words.length; i++)
        {
            final int equals = words[i].indexOf('=');
            options.put(words[i].substring(0, equals), Long.parseLong(words[i].substring(equals + 1)));
        }
        return options;
    }

    private static String text(final String name)
    {
        try (InputStream in = CorpusFile.class.getResourceAsStream("corpus/" + name + ".txt"))
        {
            return new String(in.readAllBytes(), StandardCharsets.US_ASCII);
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
    }
}
