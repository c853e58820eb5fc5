package io.escapement.server;

import io.escapement.testsupport.RealTime;
import io.escapement.testsupport.Tests;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.agrona.IoUtil;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** A running server: its ports and files, against the tables of .github/SECURITY.md, and another user next to it. */
@RealTime("a server with all its ports, and another user")
class DoorsTest
{
    private static final Pattern ROW = Pattern.compile("\\| `(udp|tcp) ([a-z-]+)` \\|.*");
    private static final Pattern FILES =
        Pattern.compile("\\| `([a-z]+)` \\|[^|]*\\|[^|]*\\| (0\\d{3} )?\\| (0\\d{3}) \\|.*");
    private static final String OTHER_USER = "nobody";

    private final String listen = Program.freeEndpoint();
    private final String respond = Program.freeEndpoint();
    private final int metrics = Tests.freePort();
    private final int web = Tests.freePort();
    private final int console = Tests.freePort();
    private final Path memory = Tests.newDirectory();

    @TempDir
    private Path directory;

    @AfterEach
    void deleteMemory()
    {
        IoUtil.delete(memory.toFile(), true);
    }

    @Test
    void shouldHaveOpenWhatThePageSays() throws IOException
    {
        try (Program server = server())
        {
            final Set<String> documented = new TreeSet<>();
            for (final String line : Files.readAllLines(page()))
            {
                final Matcher row = ROW.matcher(line);
                if (row.matches() && !line.contains("| a member of a cluster") && !line.contains("`--feed-group`"))
                {
                    documented.add(row.group(1) + " " + row.group(2));
                }
            }
            final Set<String> open = new TreeSet<>();
            for (final String protocol : List.of("udp", "tcp"))
            {
                ports(server.pid(), protocol).forEach((port) -> open.add(protocol + " " + name(port)));
            }
            assertEquals(documented, open);
        }
    }

    /** Files of all libraries, after a player has logged in. */
    @Test
    void shouldHaveFilesWithTheModesOfThePage() throws IOException
    {
        try (Program server = server())
        {
            final Set<String> documented = new TreeSet<>();
            for (final String line : Files.readAllLines(page()))
            {
                final Matcher row = FILES.matcher(line);
                if (row.matches())
                {
                    documented.add(row.group(1) + " file " + row.group(3));
                    if (null != row.group(2))
                    {
                        documented.add(row.group(1) + " directory " + row.group(2).strip());
                    }
                }
            }
            final Set<String> found = new TreeSet<>();
            for (final Path place : List.of(directory, memory))
            {
                try (Stream<Path> files = Files.walk(place).filter((file) -> !file.equals(directory)))
                {
                    for (final Path file : files.toList())
                    {
                        found.add(kind(file) + (Files.isDirectory(file) ? " directory " : " file ") + mode(file));
                    }
                }
            }
            assertEquals(documented, found);
            assertEquals(0, server.end(), server.lines::toString);
        }
    }

    /** Another user reads nothing of a running server, and what that user plants is neither followed nor taken. */
    @Test
    void shouldKeepOutAnotherUser() throws IOException, InterruptedException
    {
        assumeTrue(0 == run("runuser", "-u", OTHER_USER, "--", "true"), "only root can be another user");
        Files.setPosixFilePermissions(directory.getParent(), PosixFilePermissions.fromString("rwxr-xr-x"));
        final Path letters = Files.createDirectories(directory.resolve("letters"));
        Files.createFile(letters.resolve("letter"));
        final Path planted = Path.of("/dev/shm", "aeron-root-8388608-00c0ffee00c0ffee");
        // A start deletes what killed drivers have left, and this looks as if one had.
        assertEquals(0, run("runuser", "-u", OTHER_USER, "--", "ln", "-sfn", letters.toString(), planted.toString()));
        try (Program server = server())
        {
            for (final Path place : List.of(directory, memory))
            {
                assertFalse(0 == run("runuser", "-u", OTHER_USER, "--", "ls", place.toString()), place.toString());
                assertFalse(0 == run("runuser", "-u", OTHER_USER, "--", "touch", place.resolve("planted").toString()));
            }
            assertEquals(0, server.end(), server.lines::toString);
        }
        finally
        {
            Files.deleteIfExists(planted);
        }
        assertTrue(Files.exists(letters.resolve("letter"), LinkOption.NOFOLLOW_LINKS));
    }

    /** Root's tests run it as root, and /proc/self is a link of root's for every user. */
    @Test
    void shouldRunAsAnotherUser() throws IOException, InterruptedException
    {
        final List<String> command = new ArrayList<>(List.of("setpriv", "--reuid=" + OTHER_USER, "--clear-groups",
            // The classes may be where only root reads.
            "--inh-caps=+dac_read_search", "--ambient-caps=+dac_read_search"));
        assumeTrue(0 == run(Stream.concat(command.stream(), Stream.of("true")).toArray(String[]::new)),
            "only root can be another user");
        Files.setOwner(Files.createDirectories(
            memory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"))),
            memory.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(OTHER_USER));
        command.addAll(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Descapement.memory.dir=" + memory));
        command.addAll(ChildCommand.program());
        command.addAll(List.of("serve", "--demo-accounts", "--listen", listen, "--respond", respond,
            "--database", "jdbc:h2:mem:doors", "--journal", "none", "--trunk-limit", "4"));
        final Process server = new ProcessBuilder(command).redirectErrorStream(true).start();
        try (BufferedReader lines = server.inputReader())
        {
            SmallMemoryTest.linesUntilReady(lines);
        }
        finally
        {
            server.destroy();
            assertTrue(server.waitFor(60, TimeUnit.SECONDS));
        }
    }

    private Program server()
    {
        final Program server = new Program(List.of("-Descapement.memory.dir=" + memory,
            "-Djava.io.tmpdir=" + directory), "serve", "--demo-accounts", "--listen", listen, "--respond", respond,
            "--database", "jdbc:h2:file:" + directory.resolve("accounts"), "--journal",
            directory.resolve("journal").toString(), "--metrics-port", Integer.toString(metrics),
            "--web-port", Integer.toString(web), "--console-port", Integer.toString(console));
        // Its gateway has a trunk then.
        server.awaitLine("web http://");
        Program.awaitReady(server.line("web http://").substring("web ".length()));
        return server;
    }

    private String kind(final Path file)
    {
        final String path = file.toString();
        return path.startsWith(directory.resolve("journal").toString()) ? "journal" :
            path.startsWith(directory.resolve("accounts.").toString()) ? "accounts" :
            path.startsWith(memory.resolve("tails-").toString()) ? "tails" :
            path.startsWith(memory.toString()) ? "driver" : path;
    }

    private static String mode(final Path file) throws IOException
    {
        return String.format("%04o", 0777 & (int)Files.getAttribute(file, "unix:mode"));
    }

    private String name(final int port)
    {
        return port == port(listen) ? "listen" : port == port(respond) ? "respond" : port == metrics ? "metrics" :
            port == web ? "web" : port == console ? "console" : "system";
    }

    private static int port(final String endpoint)
    {
        return Integer.parseInt(endpoint.substring(endpoint.lastIndexOf(':') + 1));
    }

    /** Ports that a process receives at, by the sockets that it has open. */
    private static Set<Integer> ports(final long pid, final String protocol) throws IOException
    {
        final Set<String> sockets = new HashSet<>();
        try (Stream<Path> files = Files.list(Path.of("/proc", Long.toString(pid), "fd")))
        {
            for (final Path file : files.toList())
            {
                final String target = Files.readSymbolicLink(file).toString();
                if (target.startsWith("socket:["))
                {
                    sockets.add(target.substring("socket:[".length(), target.length() - 1));
                }
            }
        }
        final Set<Integer> ports = new TreeSet<>();
        for (final String table : List.of(protocol, protocol + "6"))
        {
            for (final String line : Files.readAllLines(Path.of("/proc", Long.toString(pid), "net", table)))
            {
                final String[] columns = line.trim().split("\\s+");
                // A TCP socket listens in state 0A; a UDP one has no state.
                if (columns.length > 9 && sockets.contains(columns[9]) &&
                    ("udp".equals(protocol) || "0A".equals(columns[3])))
                {
                    ports.add(Integer.parseInt(columns[1].substring(columns[1].lastIndexOf(':') + 1), 16));
                }
            }
        }
        return ports;
    }

    private static Path page()
    {
        Path root = Path.of("").toAbsolutePath();
        while (!Files.exists(root.resolve(".github")))
        {
            root = root.getParent();
        }
        return root.resolve(".github").resolve("SECURITY.md");
    }

    private static int run(final String... command) throws IOException, InterruptedException
    {
        try
        {
            final Process process = new ProcessBuilder(command).redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
            return process.waitFor(10, TimeUnit.SECONDS) ? process.exitValue() : -1;
        }
        catch (final IOException ex)
        {
            return -1;
        }
    }
}
