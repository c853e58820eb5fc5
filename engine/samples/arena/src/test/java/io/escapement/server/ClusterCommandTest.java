package io.escapement.server;

import io.escapement.testsupport.RealTime;
import io.escapement.testsupport.Tests;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The servers of a cluster on this machine: their options, and what their user sees when one is killed. */
@RealTime("three processes elect a leader, which is killed")
class ClusterCommandTest
{
    private static final int NODES = 3;
    private static final int ANSWERS = 20;
    private static final String LEADS = " leads; to kill it: kill -9 ";

    @TempDir
    Path directory;

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        cluster --nodes 0                                   | --nodes: 0: 1 to 9
        cluster --nodes 10                                  | --nodes: 10: 1 to 9
        cluster --port 65530                                | --port: 65530: 1 to 65505, for 30 ports
        demo --cluster --record x                           | --record: the log of --cluster is a recording
        demo --cluster --journal none                       | --journal: the servers of --cluster have a log
        demo --cluster --json                               | --json: not with --cluster
        serve --member 1                                    | --member: 1: set --cluster too
        serve --amendments x                                | --amendments: x: set --cluster too
        serve --cluster a:9000 --journal x                  | --journal: x: the servers of --cluster have a log
        serve --cluster a:9000 --tail x                     | --tail: x: the servers of --cluster have none
        serve --journal none --tail x                       | --tail: x: rooms are in memory: set --journal too
        serve --journal none --acknowledge SYNCED           | --acknowledge: SYNCED: rooms are in memory
        serve --journal x --record y                        | --journal: x: is a recording: remove --record
        serve --journal x --tail /no/such                   | --tail: /no/such: create it, or name
        serve --journal x --acknowledge MEMORY              | --acknowledge: MEMORY: use RECORDED
        serve --cluster a:9000 --record x                   | --record: x: the log of --cluster is a recording
        serve --cluster a:9000 --web-port 1                 | --web-port: 1: with --cluster start escapement gateway
        serve --cluster a                                   | --cluster: a:
        serve --cluster a:9000,a:9001                       | --cluster: a:9000,a:9001: the nodes of a
        serve --cluster a:9000 --log-term-length 5          | --log-term-length: 5:
        serve --cluster a:9000 --acknowledge MEMORY         | --acknowledge: MEMORY:
        serve --cluster a:9000 --data x                     | --member: -1: use 0 to 0
        serve --cluster 127.0.0.1:9000 --member 0           | --data: null: name a directory
        serve --cluster 10.0.0.1:9000 --member 0 --data x   | --cluster-key-file: null: give all nodes
        serve --cluster a:9000 --cluster-key-file /no/such  | --cluster-key-file: /no/such: cannot be
        serve --cluster-key-file x                          | --cluster-key-file: x: set --cluster too
        serve --cluster a:9000 --amendments pom.xml         | --amendments: pom.xml:1: must be
        """)
    void shouldNameTheOption(final String line, final String start)
    {
        final List<String> arguments = new ArrayList<>(List.of(line.split(" +")));
        if ("serve".equals(arguments.get(0)))
        {
            arguments.addAll(List.of("--demo-accounts", "--database", "jdbc:h2:mem:member", "--listen",
                Program.freeEndpoint(), "--respond", Program.freeEndpoint()));
        }
        final String text = Program.complaint(2, arguments.toArray(String[]::new));
        assertTrue(text.startsWith("escapement: " + start), text);
    }

    @Test
    void shouldElectAnotherLeaderAndStartTheKilledServerAgain() throws IOException
    {
        try (Program cluster = new Program("cluster", "--nodes", Integer.toString(NODES), "--port",
            Integer.toString(ClusterProcesses.freePorts(NODES)), "--data", directory.toString()))
        {
            final String first = leader(cluster, null);
            final long pid = Long.parseLong(first.substring(first.lastIndexOf(' ') + 1));
            ProcessHandle.of(pid).orElseThrow().destroyForcibly();
            final String second = leader(cluster, first);
            Program.awaitReady(cluster.line("web http://").substring("web ".length()));
            assertTrue(!first.equals(second));
            cluster.awaitLine(first.substring(0, first.indexOf(LEADS)) + " has ended, and is started again in 3 s");
            final String up = first.substring(0, first.indexOf(LEADS)) + " is up";
            Tests.await(() -> 2 == cluster.lines.stream().filter(up::equals).count(),
                () -> "it again: " + cluster.lines);
            final Path used = directory.resolve("server-0");
            assertEquals(List.of("escapement: " + used + ": a node uses it"), replay(ReplayCommand.DIFFERENT, used));
            assertEquals(0, cluster.end(), cluster.lines::toString);
            long last = Long.MAX_VALUE;
            for (int i = 0; i < NODES; i++)
            {
                // same: N turns, ...
                last = Math.min(last, Long.parseLong(
                    replay(0, directory.resolve("server-" + i)).get(0).split(" ")[1]));
                cluster.awaitLine("server " + i + ": stopped rooms are kept in " + directory.resolve("server-" + i));
                assertTrue(Files.isDirectory(directory.resolve("server-" + i).resolve("archive")));
            }
            cluster.awaitLine("stopped rooms are kept in " + directory);
            final Set<List<String>> states = new HashSet<>();
            for (int i = 0; i < NODES; i++)
            {
                final Path data = directory.resolve("server-" + i);
                states.add(replay(0, data, "--until", Long.toString(last)));
                assertTrue(replay(0, data, "--room", "1").get(0).contains("room 1 alone: "));
            }
            assertEquals(1, states.size(), states::toString);
        }
    }

    /** Replay a log. Returns what is printed. */
    private static List<String> replay(final int status, final Path data, final String... options)
    {
        final StringWriter out = new StringWriter();
        final List<String> arguments = new ArrayList<>(List.of("replay", data.toString()));
        arguments.addAll(List.of(options));
        assertEquals(status, Escapement.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(out))
            .execute(arguments.toArray(String[]::new)), out::toString);
        return out.toString().lines().toList();
    }

    /** An answer may be lost with a leader that has run its request; no request runs twice. */
    @Test
    void shouldKeepTheSeatOfAPlayerAtAGateway() throws IOException
    {
        try (Program cluster = new Program("cluster", "--nodes", Integer.toString(NODES), "--port",
            Integer.toString(ClusterProcesses.freePorts(NODES)), "--data", directory.toString(), "--web-port", "0"))
        {
            final String first = leader(cluster, null);
            cluster.awaitLine("web http://");
            final String url = cluster.line("web http://").substring("web ".length());
            Program.awaitReady(url);
            try (WebPlayer player = new WebPlayer(url, "ann"))
            {
                player.ask(1);
                player.await(WebPlayer.PAGE + 1);
                final long pid = Long.parseLong(first.substring(first.lastIndexOf(' ') + 1));
                ProcessHandle.of(pid).orElseThrow().destroyForcibly();
                player.ask(2);
                player.await(WebPlayer.AWAY);
                player.ask(3);
                Tests.await(() -> player.received().contains(WebPlayer.UNREACHABLE) ||
                    player.received().contains(WebPlayer.PAGE + 3), () -> "a refusal or an answer: " +
                    player.received());
                player.await(WebPlayer.BACK);
                leader(cluster, first);
                int number = 3;
                do
                {
                    // The seat is back a little later than the engine: until then the gateway refuses.
                    final String answer = WebPlayer.PAGE + ++number;
                    final int before = player.received().size();
                    player.ask(number);
                    Tests.await(() -> player.received().size() > before,
                        () -> answer + " in " + player.received());
                }
                while (!player.received().contains(WebPlayer.PAGE + number));
                for (int i = 0; i < ANSWERS; i++)
                {
                    player.ask(++number);
                    player.await(WebPlayer.PAGE + number);
                }
                final List<String> received = List.copyOf(player.received());
                assertEquals(1, received.stream().filter((line) -> line.startsWith("joined")).count(),
                    () -> "it joins once, and keeps its seat: " + received);
                final List<String> pages =
                    received.stream().filter((line) -> line.startsWith(WebPlayer.PAGE)).toList();
                assertEquals(pages.stream().distinct().toList(), pages, "an answer came twice");
                assertEquals(List.of(), received.stream().filter((line) -> line.startsWith("closed") ||
                    line.startsWith("template") || line.startsWith("refused") &&
                        !line.equals(WebPlayer.UNREACHABLE)).toList());
            }
        }
    }

    @Test
    void shouldLoseNothingInADemoThatKillsTheLeader()
    {
        try (Program demo = new Program(List.of("-Djava.io.tmpdir=" + directory), "demo", "--cluster", "--rooms", "2",
            "--seats", "4", "--trunks", "2", "--warm-up", "2", "--seconds", "40"))
        {
            assertEquals(0, demo.awaitEnd(180), demo.lines::toString);
            final String verdict = demo.line("PASSED: ");
            assertTrue(verdict.endsWith(", lost 0, doubled 0"), verdict);
            assertTrue(Integer.parseInt(verdict.split(" ")[1]) > 1, verdict);
            assertEquals(0, directory.toFile().list().length);
        }
    }

    private static String leader(final Program cluster, final String before)
    {
        final String[] found = new String[1];
        Tests.await(() ->
        {
            for (final String line : cluster.lines)
            {
                found[0] = line.contains(LEADS) ? line : found[0];
            }
            return null != found[0] && !found[0].equals(before);
        }, () -> "a leader after " + before + " in " + cluster.lines);
        return found[0];
    }
}
