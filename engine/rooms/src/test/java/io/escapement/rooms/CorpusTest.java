package io.escapement.rooms;

import io.escapement.codecs.room.AskDecoder;
import io.escapement.codecs.room.FailedAtDecoder;
import io.escapement.codecs.room.MessageHeaderDecoder;
import io.escapement.codecs.room.OpenRoomDecoder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.fail;

/**
 * The same turns give the same output bytes, codes and observations of rooms in each later commit. {@link CorpusFile}
 * has the format, {@link CorpusWriter} made the files. No file may change: a commit that needs it changes the meaning
 * of a host for its users.
 */
class CorpusTest
{
    /** No command has this id. */
    private static final int NO_TEMPLATE = 28;

    static List<String> names()
    {
        return CorpusFile.NAMES;
    }

    @ParameterizedTest
    @MethodSource("names")
    void shouldGiveTheSameOutputAndObservationsTwice(final String name)
    {
        final CorpusFile file = CorpusFile.read(name);
        run(file, false);
        run(file, false);
    }

    @ParameterizedTest
    @MethodSource("names")
    void shouldContinueTheSameFromEachSnapshot(final String name)
    {
        run(CorpusFile.read(name), true);
    }

    @Test
    void shouldRunEachCallback()
    {
        final Map<String, Integer> countByCallbackMap = new TreeMap<>();
        for (final String name : CorpusFile.NAMES)
        {
            run(CorpusFile.read(name), false).countByCallbackMap
                .forEach((callback, count) -> countByCallbackMap.merge(callback, count, Integer::sum));
        }
        final List<String> missing = new ArrayList<>();
        for (final CorpusRoom.Callback callback : CorpusRoom.Callback.values())
        {
            if (countByCallbackMap.getOrDefault(callback.name(), 0) < 5)
            {
                missing.add(callback.name());
            }
        }
        assertEquals(List.of(), missing, countByCallbackMap.toString());
    }

    @Test
    void shouldContainEachCommand()
    {
        final Set<Integer> missing = new TreeSet<>();
        for (int template = OpenRoomDecoder.TEMPLATE_ID; template <= AskDecoder.TEMPLATE_ID; template++)
        {
            missing.add(template);
        }
        missing.remove(NO_TEMPLATE);
        // Only the log of a host that has run contains it.
        missing.remove(FailedAtDecoder.TEMPLATE_ID);
        final MessageHeaderDecoder header = new MessageHeaderDecoder();
        for (final String name : CorpusFile.NAMES)
        {
            for (final CorpusFile.Turn turn : CorpusFile.read(name).turns())
            {
                for (final byte[] command : turn.commands())
                {
                    if (command.length >= MessageHeaderDecoder.ENCODED_LENGTH)
                    {
                        missing.remove(header.wrap(new UnsafeBuffer(command), 0).templateId());
                    }
                }
            }
        }
        assertEquals(Set.of(), missing);
    }

    private static CorpusObserver run(final CorpusFile file, final boolean isRestored)
    {
        final CorpusHost host = new CorpusHost(file.options(), null);
        for (int i = 0; i < file.turns().size(); i++)
        {
            final CorpusFile.Turn turn = file.turns().get(i);
            final List<String> actual = host.turn(turn.nowNs(), turn.isHeld(), turn.commands());
            if (turn.hasSnapshot())
            {
                actual.add(host.snapshot());
            }
            compare(file.name() + ".txt", i + 1, turn, actual, host.observer);
            if (isRestored && turn.hasSnapshot())
            {
                host.restore();
            }
        }
        return host.observer;
    }

    private static void compare(
        final String file,
        final int number,
        final CorpusFile.Turn turn,
        final List<String> actual,
        final CorpusObserver observer)
    {
        final List<String> expected = turn.expected();
        for (int i = 0; i < Math.max(expected.size(), actual.size()); i++)
        {
            final String wanted = i < expected.size() ? expected.get(i) : "nothing more";
            final String got = i < actual.size() ? actual.get(i) : "nothing more";
            if (!wanted.equals(got))
            {
                fail(file + " line " + (turn.line() + 1 + turn.commands().size() + i) + ", turn " + number + " at " +
                    turn.nowNs() + " ns\nexpected: " + wanted + "\nactual:   " + got + "\nactual turn: " +
                    String.join("\n  ", actual) + "\nthe logic noticed:" + observer.text());
            }
        }
    }
}
