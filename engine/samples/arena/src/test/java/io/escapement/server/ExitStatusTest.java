package io.escapement.server;

import io.escapement.testsupport.RealTime;
import io.escapement.testsupport.Tests;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.agrona.IoUtil;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

/** The exit statuses and signals of engine/guide/deploy.md, each by running the program. */
@RealTime("signals, and processes that are killed")
class ExitStatusTest
{
    private final String listen = Program.freeEndpoint();
    private final String respond = Program.freeEndpoint();
    /** No other server has its media driver there, or in Aeron's directory of this user. */
    private final Path memory = Tests.newDirectory();
    private final List<String> user = List.of("-Descapement.memory.dir=" + memory,
        "-Duser.name=tests" + ProcessHandle.current().pid());

    @TempDir
    private Path directory;

    /** Processes that were killed leave their files. */
    @AfterEach
    void deleteMemory()
    {
        IoUtil.delete(memory.toFile(), true);
    }

    @ParameterizedTest
    @CsvSource({"INT, 2", "HUP, 1"})
    void shouldDrainOnASignal(final String signal, final int number) throws IOException
    {
        assumeFalse(isIgnored(number), "these tests run in the background of a shell, which ignores SIG" + signal);
        try (Program server = server())
        {
            server.signal(signal);
            assertEquals(0, server.awaitEnd(60), server.lines::toString);
            assertEquals("drained clean=1", server.line("drained "), server.lines::toString);
        }
    }

    /** Whether this process ignores a signal; its children then do so as well. */
    private static boolean isIgnored(final int signal) throws IOException
    {
        final Path status = Path.of("/proc/self/status");
        return Files.exists(status) && Files.readAllLines(status).stream()
            .filter((line) -> line.startsWith("SigIgn:"))
            .map((line) -> new BigInteger(line.substring("SigIgn:".length()).trim(), 16))
            .anyMatch((mask) -> mask.testBit(signal - 1));
    }

    @Test
    void shouldEndAtOnceWhenItIsKilled()
    {
        try (Program server = server())
        {
            server.signal("KILL");
            assertEquals(137, server.awaitEnd(30), server.lines::toString);
        }
    }

    @Test
    void shouldEndBotsOnASignal()
    {
        try (Program server = server(); Program bots = bots("--seconds", "100"))
        {
            bots.awaitLine("warm ");
            bots.signal("TERM");
            assertEquals(143, bots.awaitEnd(30), bots.lines::toString);
            assertEquals(0, server.end(), server.lines::toString);
        }
    }

    @Test
    void shouldSayWhyBotsCannotConnect()
    {
        try (Program bots = bots("--seconds", "1"))
        {
            assertEquals(1, bots.awaitEnd(60), bots.lines::toString);
            final String last = bots.lines.get(bots.lines.size() - 1);
            assertTrue(last.startsWith("escapement: the engine at " + listen + ": HANDSHAKE_TIMEOUT: "), last);
        }
    }

    @Test
    void shouldSayThatTheSecretsDiffer()
    {
        final Path secret = Tests.writeSecret(directory.resolve("secret"), "not the secret of demo servers");
        try (Program server = server(); Program bots = bots("--secret-file", secret.toString()))
        {
            assertEquals(1, bots.awaitEnd(60), bots.lines::toString);
            assertTrue(bots.line("escapement: ").contains("BAD_CREDENTIALS: it refused the credentials"),
                bots.lines::toString);
            server.awaitLine("WARNING: a handshake of 127.0.0.1, identity \"bots-");
        }
    }

    @Test
    void shouldEndTheProcessesOfADemoWithItAndDeleteItsFiles()
    {
        try (Program demo = demo())
        {
            final List<ProcessHandle> children = children(demo);
            assertEquals(1, directory.toFile().list().length);
            demo.signal("TERM");
            assertEquals(143, demo.awaitEnd(30), demo.lines::toString);
            assertEquals(0, directory.toFile().list().length);
            Tests.await(() -> children.stream().noneMatch(ProcessHandle::isAlive),
                "the server and the bots to end");
        }
    }

    @Test
    void shouldEndTheProcessesOfADemoThatIsKilled()
    {
        try (Program demo = demo())
        {
            final List<ProcessHandle> children = children(demo);
            demo.signal("KILL");
            Tests.await(() -> children.stream().noneMatch(ProcessHandle::isAlive),
                "the server and the bots to end");
        }
    }

    @Test
    void shouldFindTheServerToMeasure()
    {
        assertEquals("escapement: no server of this user runs on this host", stat(1).substring(0, 52));
        try (Program server = server())
        {
            final String printed = server.line("serving ");
            final String found = printed.substring(printed.lastIndexOf(' ') + 1);
            assertTrue(stat(0).contains("escapement loop 0: turns"));
            assertTrue(stat(0, "--aeron-dir", found).contains("escapement loop 0: turns"));
            try (Program other = new Program(user, "serve", "--demo-accounts", "--listen", Program.freeEndpoint(),
                "--respond", Program.freeEndpoint(), "--database", "jdbc:h2:mem:other"))
            {
                other.awaitLine("ready ");
                final String list = stat(2);
                assertTrue(list.startsWith("several servers run, choose one:"), list);
                assertTrue(list.contains("--aeron-dir " + found), list);
                assertEquals(3, list.lines().count(), list);
            }
        }
    }

    @Test
    void shouldNameTheFlagThatIsMissing() throws IOException, InterruptedException
    {
        final Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp", System.getProperty("java.class.path"), Escapement.class.getName(), "serve")
            .redirectErrorStream(true).start();
        final String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(2, process.waitFor());
        assertEquals("escapement: java needs a flag: --add-opens java.base/jdk.internal.misc=ALL-UNNAMED",
            text.strip());
    }

    @Test
    void shouldNotSayThatItIsReadyWithAHeapThatHasNoPlaceForRooms()
    {
        try (Program server = new Program(List.of("-Xmx64m"), with()))
        {
            assertEquals(2, server.awaitEnd(60), server.lines::toString);
            assertTrue(server.lines.get(0).startsWith("escapement: -Xmx: 1 loops x ("), server.lines::toString);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        --trunk-limit 0                                   | --trunk-limit: 0: 1 or more
        --trunk-limit 100000                              | --trunk-limit:
        --term-length 70000                               | --term-length: 70000: a power of two from 65536
        --queue-length 1                                  | --queue-length:
        --metrics-host no-such-host --metrics-port 0      | --metrics-host:
        --metrics-port 70000                              | --metrics-port:
        --profile none                                    | --profile:
        --profile solo --aeron-dir x                      | --profile: solo: is for an embedded driver
        --driver-dir x --aeron-dir y                      | --driver-dir: x: is for an embedded driver
        --driver-group x                                  | --driver-group: x: set --driver-dir too
        --driver-dir no-such --driver-group no-such-group | --driver-group: no-such-group: there is no
        --driver-dir pom.xml                              | --driver-dir: pom.xml: is a file
        --warm-up=-1                                      | --warm-up: -1: 0 or more
        --warm-up-log none                                | --warm-up-log: none: name the directory
        --loops 5000                                      | --loops:
        --cores 99                                        | --cores:
        --database jdbc:none                              | --database:
        --database jdbc:postgresql://a:b@localhost/x      | --database:
        --secret-file none                                | --secret-file:
        --token-key-file none                             | --token-key-file: none: cannot be read
        --listen nowhere                                  | --listen: nowhere: expected HOST:PORT
        """)
    void shouldNameTheOptionOfTheCommandLine(final String options, final String start)
    {
        final String text = Program.complaint(2, with(options.split(" +")));
        final String complaint = text.lines().filter((line) -> line.startsWith("escapement: ")).findFirst().orElse("");
        assertTrue(complaint.startsWith("escapement: " + start), text);
        assertFalse(complaint.matches(".*\\b(trunks\\.\\w+|[a-z]+[A-Z]\\w*|escapement\\.guard\\S*)\\b.*"), complaint);
    }

    private String[] with(final String... options)
    {
        final List<String> all = new ArrayList<>(List.of("serve", "--demo-accounts"));
        all.addAll(List.of(options));
        for (final String[] option : new String[][]{
            {"--listen", listen}, {"--respond", respond}, {"--database", "jdbc:h2:mem:options"},
            {"--journal", "none"}})
        {
            if (!all.contains(option[0]))
            {
                all.addAll(List.of(option));
            }
        }
        return all.toArray(String[]::new);
    }

    private String stat(final int status, final String... options)
    {
        final String[] arguments = new String[options.length + 3];
        System.arraycopy(new String[]{"stat", "--seconds", "0.2"}, 0, arguments, 0, 3);
        System.arraycopy(options, 0, arguments, 3, options.length);
        try (Program stat = new Program(user, arguments))
        {
            assertEquals(status, stat.awaitEnd(30), stat.lines::toString);
            return String.join("\n", stat.lines);
        }
    }

    private Program server()
    {
        final Program server = new Program(user, "serve", "--demo-accounts", "--listen", listen,
            "--respond", respond, "--database", "jdbc:h2:mem:exit");
        server.awaitLine("ready ");
        return server;
    }

    private Program bots(final String... options)
    {
        final List<String> all = new ArrayList<>(List.of("bots", "--server", listen, "--respond", respond,
            "--rooms", "1", "--seats", "2", "--trunks", "1", "--warm-up", "2"));
        all.addAll(List.of(options));
        return new Program(user, all.toArray(String[]::new));
    }

    private Program demo()
    {
        return new Program(List.of(user.get(0), user.get(1), "-Djava.io.tmpdir=" + directory),
            "demo", "--rooms", "1", "--seats", "2", "--trunks", "1", "--warm-up", "99");
    }

    /** The server and the bots, once they play. */
    private static List<ProcessHandle> children(final Program demo)
    {
        demo.awaitLine("   warm ");
        final List<ProcessHandle> children = ProcessHandle.of(demo.pid()).orElseThrow().descendants().toList();
        assertEquals(2, children.size(), children::toString);
        return children;
    }
}
