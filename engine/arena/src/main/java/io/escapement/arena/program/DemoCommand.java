package io.escapement.arena.program;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.agrona.IoUtil;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** A server and bots on this machine, and a table of how they do. */
@Command(
    name = "demo",
    sortOptions = false,
    description = "Run a server and bots on this machine, and print how they do, a line a second.",
    footer = {"",
        "Exit status 0: at most 1 in 1,000 room-frames missed, ping p99 at most 40 ms, nothing wrong seen by the " +
            "bots, a clean drain."})
final class DemoCommand implements Callable<Integer>
{
    private static final double MOST_MISSED = 1e-3;
    private static final double LONGEST_PING_MS = 40;
    private static final long START_NS = TimeUnit.SECONDS.toNanos(60);
    private static final int ROWS_A_HEADER = 20;
    private static final List<String> SERVER_FLAGS = List.of(
        "--add-opens", "java.base/jdk.internal.misc=ALL-UNNAMED", "-XX:+UseZGC", "-Xms768m", "-Xmx768m",
        "-XX:+AlwaysPreTouch", "-XX:+PerfDisableSharedMem");
    private static final List<String> BOTS_FLAGS = List.of(
        "--add-opens", "java.base/jdk.internal.misc=ALL-UNNAMED", "-XX:+UseSerialGC", "-Xms512m", "-Xmx1500m",
        "-XX:+PerfDisableSharedMem");

    @Spec
    private CommandSpec spec;

    @Option(names = "--rooms", defaultValue = "16", description = "Arenas; ${DEFAULT-VALUE} unless given.")
    private int rooms;

    @Option(names = "--seats", defaultValue = "16", description = "Players in each; ${DEFAULT-VALUE} unless given.")
    private int seats;

    @Option(names = "--trunks", defaultValue = "16",
        description = "Connections that carry them; ${DEFAULT-VALUE} unless given.")
    private int trunks;

    @Option(names = "--sampling", defaultValue = "10",
        description = "How often a player tells of itself at most, a second.")
    private int sampling;

    @Option(names = "--seconds", defaultValue = "60",
        description = "How long it counts; ${DEFAULT-VALUE} unless given.")
    private int seconds;

    @Option(names = "--warm-up", defaultValue = "20",
        description = "Seconds before that; ${DEFAULT-VALUE} unless given.")
    private int warmUp;

    @Option(names = "--database", paramLabel = "URL", description = "JDBC URL; a new H2 file unless given.")
    private String database;

    @Option(names = "--record", paramLabel = "DIR", description = "Record every command, for replay.")
    private Path record;

    @Option(names = "--idle", defaultValue = "PARK", description = "What the server does with nothing to do.")
    private String idle;

    @Option(names = "--json", description = "End with one line that holds one JSON object.")
    private boolean isJson;

    private final ConcurrentLinkedQueue<String> serverLines = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<String> botLines = new ConcurrentLinkedQueue<>();
    private PrintWriter out;
    private Line server = new Line(ServeCommand.STATS);
    private Line total;
    private boolean isReady;
    private boolean isDrained;
    private boolean isCounting;
    private double framesPerSecond;
    private long frames;
    private long missed;
    private int rows;

    @Override
    public Integer call() throws IOException
    {
        out = spec.commandLine().getOut();
        final Path directory = Files.createTempDirectory("escapement-demo");
        final String ingress = freeEndpoint();
        final String response = freeEndpoint();
        try (ChildJvm serve = new ChildJvm(
            "server", SERVER_FLAGS, serve(directory, ingress, response), serverLines::add))
        {
            awaitReady(serve);
            final int botStatus;
            try (ChildJvm bots = new ChildJvm("bots", BOTS_FLAGS, bots(ingress, response), botLines::add))
            {
                while (bots.isAlive() && serve.isAlive())
                {
                    readLines();
                    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
                }
                botStatus = bots.awaitEnd(1);
                readLines();
            }
            final int serverStatus = serve.end();
            readLines();
            return verdict(botStatus, serverStatus);
        }
        finally
        {
            IoUtil.delete(directory.toFile(), true);
        }
    }

    private int verdict(final int botStatus, final int serverStatus)
    {
        final double missedShare = missed / (double)Math.max(1, frames + missed);
        final boolean isGood = null != total && 0 == botStatus && 0 == serverStatus && isDrained &&
            missedShare <= MOST_MISSED && total.number("ping99") <= LONGEST_PING_MS;
        final Line end = null == total ? new Line(BotsCommand.TOTAL) : total;
        print(String.format(Locale.ROOT, "%s: %d players in %d rooms, ping p99 %.2f ms, %.5f of the room-frames " +
            "missed, %d violations, drain %s", isGood ? "good" : "NOT GOOD", rooms * seats, rooms, end.number("ping99"),
            missedShare, end.whole("violations"), isDrained ? "CLEAN" : "NOT CLEAN"));
        print(String.format(Locale.ROOT, "others are shown within %.3f units of where the server holds them (median; " +
            "99 %% within %.3f)", end.number("shownOff50"), end.number("shownOff99")));
        if (isJson)
        {
            final double fps = framesPerSecond / Math.max(1, rooms);
            print(String.format(Locale.ROOT, "{\"demo\":\"arena\",\"players\":%d,\"rooms\":%d,\"fps\":%.2f," +
                "\"pingP50Ms\":%.3f,\"pingP99Ms\":%.3f,\"pingP999Ms\":%.3f,\"missedShare\":%.6f,\"violations\":%d," +
                "\"drain\":\"%s\"}", rooms * seats, rooms, fps, end.number("ping50"), end.number("ping99"),
                end.number("ping999"), missedShare, end.whole("violations"), isDrained ? "CLEAN" : "NOT CLEAN"));
        }
        return isGood ? 0 : 1;
    }

    private void awaitReady(final ChildJvm serve)
    {
        final long startNs = System.nanoTime();
        while (!isReady)
        {
            readLines();
            if (!serve.isAlive() || System.nanoTime() - startNs > START_NS)
            {
                throw new IllegalStateException("the server did not start");
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
        }
    }

    private void readLines()
    {
        for (String text = serverLines.poll(); null != text; text = serverLines.poll())
        {
            onServerLine(text);
        }
        for (String text = botLines.poll(); null != text; text = botLines.poll())
        {
            onBotLine(text);
        }
    }

    private void onServerLine(final String text)
    {
        final Line stats = Line.parse(ServeCommand.STATS, text);
        if (null != stats)
        {
            server = stats;
            if (isCounting)
            {
                frames += stats.whole("frames");
                missed += stats.whole("missed");
                framesPerSecond = stats.number("framesPerSecond");
            }
        }
        else if (text.startsWith(ServeCommand.READY + " "))
        {
            isReady = true;
        }
        else if (text.startsWith(ServeCommand.DRAINED + " clean="))
        {
            isDrained = text.endsWith("=1");
        }
        else
        {
            print("server: " + text);
        }
    }

    private void onBotLine(final String text)
    {
        for (final String word : new String[]{"enter", BotsCommand.WARM, BotsCommand.STATS})
        {
            final Line stats = Line.parse(word, text);
            if (null != stats)
            {
                isCounting = BotsCommand.STATS.equals(word);
                row(word, stats);
                return;
            }
        }
        final Line end = Line.parse(BotsCommand.TOTAL, text);
        if (null == end)
        {
            print("bots: " + text);
        }
        else
        {
            total = end;
            isCounting = false;
        }
    }

    private void row(final String word, final Line bots)
    {
        if (0 == rows++ % ROWS_A_HEADER)
        {
            print("       players rooms   fps  late p50    p99  p99.9 ms  ping p50    p99  p99.9 ms  commands/s" +
                "   MB/s out  missed dropped wrong  cpu");
        }
        print(String.format(Locale.ROOT,
            "%-6s %7d %5d %5.1f  %8.3f %6.2f %6.2f     %8.2f %6.2f %6.2f     %,10.0f %10.1f  %6d %7d %5d %4.2f",
            BotsCommand.STATS.equals(word) ? "" : word, bots.whole("players"), server.whole("rooms"),
            server.number("framesPerSecond") / Math.max(1, server.number("rooms")),
            server.number("late50"), server.number("late99"), server.number("late999"),
            bots.number("ping50"), bots.number("ping99"), bots.number("ping999"),
            server.number("commands"), bots.number("bytes") / 1e6, server.whole("missed"), server.whole("dropped"),
            bots.whole("violations"), server.number("cpu")));
    }

    private void print(final String text)
    {
        ServeCommand.tell(out, text);
    }

    private List<String> serve(final Path directory, final String ingress, final String response)
    {
        final List<String> arguments = new ArrayList<>(List.of("serve", "--demo-accounts", "--stats",
            "--listen", ingress, "--respond", response, "--idle", idle,
            "--database", null == database ? "jdbc:h2:file:" + directory.resolve("accounts") : database));
        if (null != record)
        {
            arguments.addAll(List.of("--record", record.toString()));
        }
        return arguments;
    }

    private List<String> bots(final String ingress, final String response)
    {
        return List.of("bots", "--server", ingress, "--respond", response, "--rooms", Integer.toString(rooms),
            "--seats", Integer.toString(seats), "--trunks", Integer.toString(trunks),
            "--sampling", Integer.toString(sampling), "--seconds", Integer.toString(seconds),
            "--warm-up", Integer.toString(warmUp), "--run", Long.toString(System.currentTimeMillis() % 1_000_000));
    }

    static String freeEndpoint() throws IOException
    {
        try (DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress()))
        {
            return "127.0.0.1:" + socket.getLocalPort();
        }
    }
}
