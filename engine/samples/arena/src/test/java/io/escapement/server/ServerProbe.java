package io.escapement.server;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Reads the figures of a JVM on Linux that a leak would let grow. The JVM tracks its native memory. */
final class ServerProbe
{
    /** Of the JVM. */
    static final String TRACKING = "-XX:NativeMemoryTracking=summary";

    static final Pattern HEAP = Pattern.compile("generation +total \\d+K, used (\\d+)K");
    static final Pattern METASPACE = Pattern.compile(" Metaspace +used (\\d+)K");
    /** Direct buffers, also Netty's buffers without a cleaner, which no MBean counts. */
    static final Pattern DIRECT = Pattern.compile("Other \\(reserved=\\d+KB, committed=(\\d+)KB\\)");

    private static final Pattern RESIDENT = Pattern.compile("VmRSS:\\s+(\\d+) kB");
    private static final Pattern THREADS = Pattern.compile("Threads:\\s+(\\d+)");
    private static final int RADIX = 16;
    private static final int SHARED_AT = 3;
    private static final int KIB = 1_024;
    /** The first collection leaves buffers to their cleaners, and the second collection the cleaners. */
    private static final String COMMANDS = "GC.run\nGC.run\nGC.heap_info\nVM.native_memory summary scale=KB\n";

    private final Path process;
    private final String pid;
    private final Path journal;
    private final Path commands;
    private final Set<String> seen = new HashSet<>();
    /*
     * The units are for a short run, which loads and compiles classes to its end. A driver keeps the buffers of a trunk
     * for some seconds. A snapshot deletes files of the journal every five minutes.
     */
    private final Curve heap = new Curve("heap KiB", 3, 3_072);
    private final Curve metaspace = new Curve("metaspace KiB", 1, 1_536);
    private final Curve direct = new Curve("direct KiB", 2, 2_048);
    private final Curve mapped = new Curve("mapped KiB", 0, 8_192);
    private final Curve descriptors = new Curve("descriptors", 0, 8);
    private final Curve mappings = new Curve("mappings", 1, 12);
    private final Curve threads = new Curve("threads", 0, 2);
    private final Curve resident = new Curve("resident KiB", 3, 24_576);
    private final Curve journalLength = new Curve("journal KiB", 10, 1_024, 1_800);

    /**
     * A probe of a process.
     *
     * @param pid       of the process.
     * @param journal   directory of its journal.
     * @param directory for a file of this probe.
     */
    ServerProbe(final long pid, final Path journal, final Path directory) throws IOException
    {
        this.pid = Long.toString(pid);
        this.journal = journal;
        process = Path.of("/proc", this.pid);
        commands = Files.writeString(directory.resolve("jcmd"), COMMANDS);
        // The first command starts a thread of the JVM.
        jcmd();
    }

    /** All curves, in the order of the columns. */
    List<Curve> curves()
    {
        return List.of(
            heap, metaspace, direct, mapped, descriptors, mappings, threads, resident, journalLength);
    }

    /** Collect garbage, and add a sample to each curve. */
    void sample(final long atSeconds) throws IOException
    {
        final String text = jcmd();
        heap.add(atSeconds, sum(text, HEAP));
        metaspace.add(atSeconds, sum(text, METASPACE));
        direct.add(atSeconds, sum(text, DIRECT));
        final List<String> maps = Files.readAllLines(process.resolve("maps"));
        long mappedLength = 0;
        for (final String line : maps)
        {
            mappedLength += sharedLength(line);
        }
        mapped.add(atSeconds, mappedLength / KIB);
        mappings.add(atSeconds, maps.size());
        final String status = Files.readString(process.resolve("status"));
        threads.add(atSeconds, sum(status, THREADS));
        resident.add(atSeconds, sum(status, RESIDENT));
        try (Stream<Path> open = Files.list(process.resolve("fd")))
        {
            descriptors.add(atSeconds, open.count());
        }
        seen.addAll(names());
        journalLength.add(atSeconds, length(journal.toFile()) / KIB);
    }

    /** Number of files with this suffix that samples have seen in the journal, and that are gone. */
    int deletedFiles(final String suffix)
    {
        final List<String> present = names();
        return (int)seen.stream().filter((name) -> name.endsWith(suffix) && !present.contains(name)).count();
    }

    private List<String> names()
    {
        return List.of(Objects.requireNonNull(journal.toFile().list()));
    }

    /** The sum of the numbers that a pattern finds. */
    static long sum(final String text, final Pattern pattern)
    {
        final Matcher matcher = pattern.matcher(text);
        long sum = 0;
        boolean isFound = false;
        while (matcher.find())
        {
            isFound = true;
            sum += Long.parseLong(matcher.group(1));
        }
        if (!isFound)
        {
            throw new IllegalStateException("no " + pattern + " in " + text);
        }
        return sum;
    }

    /** Bytes of a line of maps, such as {@code 7f00-7f10 rw-s 0 00:18 12 /dev/shm/x}, if the mapping is shared. */
    private static long sharedLength(final String line)
    {
        final int dash = line.indexOf('-');
        final int space = line.indexOf(' ');
        return 's' != line.charAt(space + 1 + SHARED_AT) ? 0 :
            Long.parseUnsignedLong(line.substring(dash + 1, space), RADIX) -
            Long.parseUnsignedLong(line.substring(0, dash), RADIX);
    }

    /** A file that a snapshot has deleted in the meantime has no bytes. */
    private static long length(final File file)
    {
        final File[] children = file.listFiles();
        long length = null == children ? file.length() : 0;
        for (int i = 0; null != children && i < children.length; i++)
        {
            length += length(children[i]);
        }
        return length;
    }

    private String jcmd() throws IOException
    {
        final Process jcmd = new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(), pid, "-f", commands.toString())
            .redirectErrorStream(true).start();
        return new String(jcmd.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
}
