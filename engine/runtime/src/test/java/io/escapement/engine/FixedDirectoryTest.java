package io.escapement.engine;

import io.escapement.config.ConfigException;
import io.escapement.engine.trunks.TrunkServerContext;
import io.escapement.testsupport.ChildJvm;
import io.escapement.testsupport.Tests;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.agrona.IoUtil;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The fixed directory of an embedded driver: whom its mode admits, and what may not be deleted there. */
class FixedDirectoryTest
{
    private final Path directory = Tests.newDirectory();
    private String ownGroup;
    private boolean isGroupWriting;

    @AfterEach
    void delete()
    {
        IoUtil.delete(directory.toFile(), true);
    }

    @Test
    void shouldAdmitItsOwnerOnly() throws IOException
    {
        try (Engine engine = Engine.launch(context(directory)))
        {
            assertEquals(directory.toString(), engine.aeronDirectory());
            assertEquals("rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(directory)));
        }
        assertFalse(Files.exists(directory));
    }

    /** In a process with another umask, which a JVM cannot change. */
    @Test
    void shouldAdmitAGroup() throws IOException, InterruptedException
    {
        final List<String> command = new ArrayList<>(List.of("sh", "-c", "umask 007 && exec \"$@\"", "sh",
            Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        command.addAll(ChildJvm.FLAGS);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"),
            Grouped.class.getName(), directory.toString(), ownGroup()));
        final Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        final List<String> lines;
        try (BufferedReader reader = process.inputReader())
        {
            lines = reader.lines().toList();
        }
        assertEquals(0, process.waitFor(), lines::toString);
        final List<String> wrong = lines.stream().filter((line) -> !line.equals("directory 2750 " + ownGroup) &&
            !line.equals("file 660 " + ownGroup)).toList();
        assertEquals(List.of(), wrong);
        assertTrue(lines.size() >= 5, lines::toString);
    }

    @Test
    void shouldRefuseAGroupThatCouldNotJoin() throws IOException
    {
        final String group = ownGroup();
        refused("driverGroup: nobody-has-this-name: there is no such group", directory, "nobody-has-this-name");
        refused("driverGroup: " + group + ": set driverDirectory", null, group);
        if (!isGroupWriting)
        {
            refused("driverGroup: " + group + ": this process's umask lets no group write", directory, group);
            assertFalse(Files.exists(directory), "the driver is closed");
        }
    }

    @Test
    void shouldDeleteWhatADriverLeftAndNothingElse() throws IOException
    {
        Files.createDirectories(directory.resolve("publications"));
        final Path left = Files.createFile(directory.resolve("publications").resolve("left"));
        Engine.launch(context(directory)).close();
        assertFalse(Files.exists(left));

        Files.createDirectory(directory);
        final Path letter = Files.createFile(directory.resolve("letter"));
        refused("driverDirectory: " + directory + ": has other files than a media driver's, letter", directory, null);
        assertTrue(Files.exists(letter));
        refused("driverDirectory: " + letter + ": is a file", letter, null);
        final Path link =
            Files.createSymbolicLink(directory.resolveSibling(directory.getFileName() + "-link"), directory);
        try
        {
            refused("driverDirectory: " + link + ": is a link", link, null);
        }
        finally
        {
            Files.delete(link);
        }
    }

    @Test
    void shouldRefuseTheDirectoryOfALiveDriver()
    {
        try (Engine engine = Engine.launch(context(directory)))
        {
            final String refusal =
                assertThrows(IllegalStateException.class, () -> launch(directory, null).close()).getMessage();
            assertTrue(refusal.startsWith("driverDirectory: " + directory + ": in use by an active media driver"),
                refusal);
            assertTrue(engine.isAlive());
            assertTrue(Files.exists(directory.resolve("cnc.dat")));
        }
    }

    private static void refused(final String start, final Path path, final String group)
    {
        final ConfigException ex = assertThrows(ConfigException.class, () -> launch(path, group).close());
        assertTrue(ex.getMessage().startsWith(start), ex.getMessage());
        assertEquals(1, ex.getMessage().lines().count());
    }

    private static Engine launch(final Path path, final String group)
    {
        final EngineContext context = context(path);
        return Engine.launch(null == group ? context : context.driverGroup(group));
    }

    private static EngineContext context(final Path path)
    {
        final EngineContext context = new EngineContext().loops(1).threadingMode(ThreadingMode.INVOKER)
            .roomType(EchoRoom.type())
            .trunks(new TrunkServerContext().ipc(true).secret(TestTrunk.SECRET, true));
        return null == path ? context : context.driverDirectory(path.toString());
    }

    /** The group of the files that this process makes. */
    private String ownGroup() throws IOException
    {
        if (null == ownGroup)
        {
            final Path file = Files.createTempFile("escapement", "group");
            final Path plain = Files.createFile(file.resolveSibling(file.getFileName() + "-plain"));
            ownGroup = Files.getAttribute(file, "posix:group").toString();
            isGroupWriting = Files.getPosixFilePermissions(plain).contains(PosixFilePermission.GROUP_WRITE);
            Files.delete(file);
            Files.delete(plain);
        }
        return ownGroup;
    }

    /** An engine whose driver makes a log buffer, and the modes of everything in its directory. */
    static final class Grouped
    {
        private Grouped()
        {
        }

        public static void main(final String[] args) throws IOException
        {
            final Path path = Path.of(args[0]);
            try (Engine engine = launch(path, args[1]); TestHost host = TestHost.joining(args[0]))
            {
                final long id = host.aeron().asyncAddExclusivePublication("aeron:ipc?term-length=64k", 1);
                Tests.await(() ->
                {
                    engine.invoke();
                    host.poll();
                    return null != host.aeron().getExclusivePublication(id);
                }, "a publication");
                try (Stream<Path> files = Files.walk(path))
                {
                    for (final Path file : files.toList())
                    {
                        System.out.println((Files.isDirectory(file) ? "directory " : "file ") +
                            Integer.toOctalString((int)Files.getAttribute(file, "unix:mode") & 07777) + " " +
                            Files.getAttribute(file, "posix:group"));
                    }
                }
            }
        }
    }
}
