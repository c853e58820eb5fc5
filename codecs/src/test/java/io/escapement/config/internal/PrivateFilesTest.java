package io.escapement.config.internal;

import io.escapement.config.ConfigException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Modes of what an engine makes, and what it does not follow. */
class PrivateFilesTest
{
    @TempDir
    Path directory;

    @Test
    void shouldMakeDirectoriesAndFilesForTheirOwner() throws IOException
    {
        final Path made = PrivateFiles.createDirectories("dir", directory.resolve("a/b"));
        assertEquals("rwx------", mode(made));
        assertEquals("rwx------", mode(made.getParent()));
        create(made.resolve("file")).close();
        assertEquals("rw-------", mode(made.resolve("file")));
        PrivateFiles.createDirectories("dir", made);
    }

    /** Others may have been given the files of a directory, so only an empty one is changed. */
    @Test
    void shouldTakeADirectoryThatIsPrivateOrEmpty() throws IOException
    {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxr-x"));
        PrivateFiles.createDirectories("dir", directory);
        assertEquals("rwx------", mode(directory));
        create(directory.resolve("file")).close();
        PrivateFiles.createDirectories("dir", directory);
        for (final String mode : new String[] {"rwxr-x---", "rwx---r-x", "rwx--x---"})
        {
            Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString(mode));
            refused("dir: " + directory + ": others may use it (" + mode + "): chmod go-rwx " + directory,
                () -> PrivateFiles.createDirectories("dir", directory));
            assertEquals(mode, mode(directory));
        }
        // As a copy of a journal has it.
        create(directory.resolve("escapement.lock")).close();
        PrivateFiles.createDirectories("dir", directory);
        assertEquals("rwx------", mode(directory));
    }

    @Test
    void shouldFollowNoLink() throws IOException
    {
        final Path target = Files.createDirectory(directory.resolve("target"));
        final Path link = Files.createSymbolicLink(directory.resolve("link"), target);
        refused("dir: " + link + ": is a link", () -> PrivateFiles.createDirectories("dir", link));
        final Path file = Files.writeString(target.resolve("file"), "letter");
        final Path fileLink = Files.createSymbolicLink(directory.resolve("fileLink"), file);
        assertThrows(IOException.class,
            () -> PrivateFiles.open(fileLink, StandardOpenOption.WRITE, StandardOpenOption.CREATE));
        refused("dir: " + file + ": is no directory", () -> PrivateFiles.createDirectories("dir", file));
        assertTrue(PrivateFiles.isOwn(file));
        assertFalse(PrivateFiles.isOwn(fileLink) || PrivateFiles.isOwn(link) ||
            PrivateFiles.isOwn(directory.resolve("none")));
        PrivateFiles.delete(link);
        assertFalse(Files.exists(link));
        assertTrue(Files.exists(file), "what a link leads to stays");
        Files.createSymbolicLink(target.resolve("up"), directory);
        PrivateFiles.delete(target);
        assertFalse(Files.exists(target));
        assertTrue(Files.exists(directory));
        PrivateFiles.delete(target);
    }

    @Test
    void shouldRefuseADirectoryInWhichEverybodyWrites() throws IOException
    {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxrwx"));
        refused("dir: " + directory + ": everybody may write there (rwxrwxrwx): name a directory of your own",
            () -> PrivateFiles.createDirectories("dir", directory));
    }

    @Test
    void shouldRefuseSecretsThatOthersUseAndCodeThatOthersChange() throws IOException
    {
        final Path file = Files.createFile(directory.resolve("file"));
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        PrivateFiles.requirePrivate("key", file);
        for (final String mode : new String[] {"rw-r-----", "rw--w----", "rw----r--", "rw-----w-"})
        {
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
            refused("key: " + file + ": others may use it", () -> PrivateFiles.requirePrivate("key", file));
        }
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        PrivateFiles.requireUnchangeable("jar", file);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-r--"));
        refused("jar: " + file + ": others may change it", () -> PrivateFiles.requireUnchangeable("jar", file));
        refused("key: none: cannot be read", () -> PrivateFiles.requirePrivate("key", Path.of("none")));
    }

    @Test
    void shouldTakeCredentialsOfSystemd() throws IOException
    {
        final Path file = Files.createFile(directory.resolve("secret"));
        for (final String mode : new String[] {"r--------", "r--r-----"})
        {
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
            PrivateFiles.requirePrivate("key", file, directory);
        }
        refused("key: " + file + ": others may use it",
            () -> PrivateFiles.requirePrivate("key", file, directory.getParent()));
        for (final String mode : new String[] {"r--r--r--", "rw-rw----"})
        {
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
            refused("key: " + file + ": others may use it",
                () -> PrivateFiles.requirePrivate("key", file, directory));
        }
    }

    @Test
    void shouldHaveADirectoryInMemoryForEachUser() throws IOException
    {
        final Path memory = PrivateFiles.memory();
        assertEquals("rwx------", mode(memory));
        assertTrue(PrivateFiles.isOwn(memory));
        assertTrue(memory.getFileName().toString().startsWith("escapement-"), memory.toString());
        assertEquals(memory, PrivateFiles.memory());
    }

    private static FileChannel create(final Path file) throws IOException
    {
        return PrivateFiles.open(file, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW);
    }

    private static String mode(final Path path) throws IOException
    {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    private static void refused(final String start, final org.junit.jupiter.api.function.Executable call)
    {
        final ConfigException refusal = assertThrows(ConfigException.class, call);
        assertTrue(refusal.getMessage().startsWith(start), refusal.getMessage());
    }
}
