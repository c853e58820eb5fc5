package io.escapement.engine.internal.durable;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Names of the files in a journal's directory. Because a position has 20 digits, names sort by position. */
final class JournalNames
{
    /** Held by the engine that runs on the directory. */
    static final String LOCK = "escapement.lock";
    /** The journal's id, and where its tails are. */
    static final String ABOUT = "escapement.journal";
    /** A file that is being written. It is renamed when it is complete. */
    static final String UNFINISHED = ".unfinished";
    /** Added to the name of a snapshot that does not verify. */
    static final String DAMAGED = ".damaged";

    private static final String SEGMENT = ".journal";
    private static final String SNAPSHOT = ".snapshot";
    private static final Pattern NAME = Pattern.compile("loop-(\\d{1,4})\\.(\\d{20})(\\.journal|\\.snapshot)");

    private JournalNames()
    {
    }

    static String segment(final int loop, final long position)
    {
        return name(loop, position, SEGMENT);
    }

    static String snapshot(final int loop, final long position)
    {
        return name(loop, position, SNAPSHOT);
    }

    /** The file of zeros that becomes the next segment. */
    static String spare(final int loop)
    {
        return "loop-" + loop + ".spare" + UNFINISHED;
    }

    static String tail(final long journalId, final int loop)
    {
        return "escapement-" + String.format("%016x", journalId) + "-loop-" + loop + ".tail";
    }

    /** Start of a segment, or the position of a snapshot. */
    static long position(final String name)
    {
        final Matcher matcher = NAME.matcher(name);
        if (!matcher.matches())
        {
            throw new IllegalArgumentException("not a segment or snapshot: " + name);
        }
        return Long.parseLong(matcher.group(2));
    }

    /** Segments of a loop, by position. */
    static List<String> segments(final List<String> names, final int loop)
    {
        return of(names, loop, SEGMENT);
    }

    /** Snapshots of a loop, by position. */
    static List<String> snapshots(final List<String> names, final int loop)
    {
        return of(names, loop, SNAPSHOT);
    }

    /** Numbers of the loops that have files. */
    static List<Integer> loops(final List<String> names)
    {
        return names.stream().map(NAME::matcher).filter(Matcher::matches).map((matcher) -> matcher.group(1))
            .map(Integer::valueOf).distinct().sorted().toList();
    }

    private static String name(final int loop, final long position, final String kind)
    {
        return "loop-" + loop + "." + String.format("%020d", position) + kind;
    }

    private static List<String> of(final List<String> names, final int loop, final String kind)
    {
        final List<String> found = new ArrayList<>();
        for (final String name : names)
        {
            final Matcher matcher = NAME.matcher(name);
            if (matcher.matches() && kind.equals(matcher.group(3)) && loop == Integer.parseInt(matcher.group(1)))
            {
                found.add(name);
            }
        }
        Collections.sort(found);
        return found;
    }
}
