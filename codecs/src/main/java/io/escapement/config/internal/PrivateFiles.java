package io.escapement.config.internal;

import io.escapement.config.ConfigException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Makes files and directories that only their owner may use, for any umask, and never follows a link to one. They
 * contain the texts of players, including passwords. On a system without POSIX modes, such as Windows, the rights of
 * the parent directory hold.
 */
public final class PrivateFiles
{
    /** Names another directory in shared memory than {@code /dev/shm/escapement-<uid>}. */
    public static final String MEMORY_PROPERTY = "escapement.memory.dir";

    private static final System.Logger LOGGER = System.getLogger("io.escapement.config");
    /** Names of files that only an engine makes. */
    private static final String OF_ENGINE = "escapement.*";
    private static final Path SHARED_MEMORY = Path.of("/dev/shm");
    /** A link of root's to a directory that belongs to the user of this process. */
    private static final Path SELF = Path.of("/proc/self");
    private static final Set<PosixFilePermission> DIRECTORY = PosixFilePermissions.fromString("rwx------");
    private static final Set<PosixFilePermission> FILE = PosixFilePermissions.fromString("rw-------");
    private static final Set<PosixFilePermission> OWNERS = DIRECTORY;
    /** systemd gives its files to the service's user by an access control list, which shows as rights of the group. */
    private static final String CREDENTIALS = System.getenv("CREDENTIALS_DIRECTORY");
    private static final Set<PosixFilePermission> CREDENTIAL = PosixFilePermissions.fromString("r--r-----");
    private static final Set<PosixFilePermission> READABLE = PosixFilePermissions.fromString("rwxr-xr-x");

    private PrivateFiles()
    {
    }

    /**
     * The directory of this user in shared memory, made if necessary, or below the temporary directory where there is
     * no shared memory. Whatever is in it is private.
     *
     * @return its path.
     */
    public static Path memory()
    {
        final String named = System.getProperty(MEMORY_PROPERTY);
        final Path parent = hasSharedMemory() ? SHARED_MEMORY : Path.of(System.getProperty("java.io.tmpdir"));
        return createDirectories(MEMORY_PROPERTY,
            null == named ? parent.resolve("escapement-" + userId()) : Path.of(named));
    }

    /** Whether files can be in memory that outlives a process. */
    public static boolean hasSharedMemory()
    {
        return Files.isWritable(SHARED_MEMORY);
    }

    /**
     * Make a directory and its missing parents. An existing directory becomes private if it is empty, or an engine has
     * used it.
     *
     * @param option    that names the directory.
     * @param directory to make.
     * @return the directory.
     * @throws ConfigException when it is a link, is not private, or belongs to another user than this one and root.
     */
    public static Path createDirectories(final String option, final Path directory)
    {
        try
        {
            if (!Files.exists(directory, LinkOption.NOFOLLOW_LINKS))
            {
                Files.createDirectories(directory, attributes(directory, DIRECTORY));
            }
            makePrivate(option, directory);
            return directory;
        }
        catch (final IOException ex)
        {
            throw new ConfigException(option, directory, "cannot be made: " + ex, ex);
        }
    }

    /**
     * Refuse a directory that {@link #createDirectories} would refuse, or this user cannot write to. Makes no changes.
     *
     * @param option    that names the directory.
     * @param directory that need not exist.
     */
    public static void checkDirectory(final String option, final Path directory)
    {
        if (!Files.exists(directory, LinkOption.NOFOLLOW_LINKS))
        {
            checkCreatable(option, directory);
            return;
        }
        try
        {
            isToBecomePrivate(option, directory);
        }
        catch (final IOException ex)
        {
            throw new ConfigException(option, directory, "cannot be read: " + ex, ex);
        }
        ConfigException.check(Files.isWritable(directory), option, directory,
            "this user cannot write there: name another directory");
    }

    /**
     * Refuse a file or a directory unless this user can write to its nearest parent. Makes no changes.
     *
     * @param option that names it.
     * @param path   that need not exist.
     */
    public static void checkCreatable(final String option, final Path path)
    {
        Path parent = path.toAbsolutePath().getParent();
        while (null != parent && !Files.exists(parent))
        {
            parent = parent.getParent();
        }
        ConfigException.check(null != parent && Files.isDirectory(parent) && Files.isWritable(parent), option, path,
            "this user cannot make it in " + parent + ": name another place");
    }

    /**
     * Refuse a file that {@link #open} could not make or write. Makes no changes.
     *
     * @param option that names the file.
     * @param file   in an existing directory.
     */
    public static void checkFile(final String option, final Path file)
    {
        final Path parent = file.toAbsolutePath().getParent();
        ConfigException.check(null != parent && Files.isDirectory(parent), option, file,
            "there is no directory " + parent + ": make it, or name another file");
        if (Files.exists(file, LinkOption.NOFOLLOW_LINKS))
        {
            ConfigException.check(Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) && Files.isWritable(file),
                option, file, "is no file that this user can write: name another file");
            return;
        }
        checkCreatable(option, file);
    }

    /**
     * Open a file, which is private if it is made.
     *
     * @param file    of this user.
     * @param options as of {@link FileChannel}.
     * @return the open file.
     * @throws IOException if the file cannot be opened, or is a link.
     */
    public static FileChannel open(final Path file, final OpenOption... options) throws IOException
    {
        final Set<OpenOption> all = new HashSet<>(List.of(options));
        all.add(LinkOption.NOFOLLOW_LINKS);
        return FileChannel.open(file, all, attributes(file, FILE));
    }

    /**
     * Whether the path exists, is no link and belongs to this user.
     *
     * @param path to look at.
     * @return false where the path does not exist.
     * @throws IOException when it cannot be looked at.
     */
    public static boolean isOwn(final Path path) throws IOException
    {
        return Files.exists(path, LinkOption.NOFOLLOW_LINKS) && !Files.isSymbolicLink(path) &&
            (!hasModes(path) || Files.getOwner(path, LinkOption.NOFOLLOW_LINKS).equals(user(path)));
    }

    /**
     * Refuse a file that others may use.
     *
     * @param option that names the file.
     * @param file   of a secret.
     */
    public static void requirePrivate(final String option, final Path file)
    {
        requirePrivate(option, file, null == CREDENTIALS ? null : Path.of(CREDENTIALS));
    }

    static void requirePrivate(final String option, final Path file, final Path credentials)
    {
        final boolean isCredential = null != credentials && credentials.equals(file.toAbsolutePath().getParent());
        require(option, file, isCredential ? CREDENTIAL : OWNERS, "others may use it: chmod go-rwx ");
    }

    /**
     * Refuse a file or directory that others may change.
     *
     * @param option that names it.
     * @param path   of what this process trusts.
     */
    public static void requireUnchangeable(final String option, final Path path)
    {
        require(option, path, READABLE, "others may change it: chmod go-w ");
    }

    private static void require(
        final String option, final Path path, final Set<PosixFilePermission> allowed, final String remedy)
    {
        try
        {
            ConfigException.check(!hasModes(path) || allowed.containsAll(Files.getPosixFilePermissions(path)),
                option, path, remedy + path);
        }
        catch (final IOException ex)
        {
            throw new ConfigException(option, path, "cannot be read", ex);
        }
    }

    /**
     * Delete a file, or a directory with all its content. A link is deleted, not its target.
     *
     * @param path that need not exist.
     * @throws IOException when a part cannot be deleted.
     */
    public static void delete(final Path path) throws IOException
    {
        if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS))
        {
            return;
        }
        Files.walkFileTree(path, new SimpleFileVisitor<>()
        {
            @Override
            public FileVisitResult visitFile(final Path file, final BasicFileAttributes attributes) throws IOException
            {
                Files.deleteIfExists(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(final Path file, final IOException ex)
            {
                // Its owner deletes it at the same time.
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(final Path directory, final IOException ex) throws IOException
            {
                Files.deleteIfExists(directory);
                return FileVisitResult.CONTINUE;
            }
        });
    }

    private static void makePrivate(final String option, final Path directory) throws IOException
    {
        if (isToBecomePrivate(option, directory))
        {
            final String mode = PosixFilePermissions.toString(Files.getPosixFilePermissions(directory));
            final boolean isEmpty = hasNone(directory, "*");
            Files.setPosixFilePermissions(directory, DIRECTORY);
            if (!isEmpty)
            {
                LOGGER.log(System.Logger.Level.WARNING, "{0}: {1}: others could use it ({2}), and cannot any more",
                    option, directory, mode);
            }
        }
    }

    /** Refuse a directory that cannot be private. Returns whether it can be made so. */
    private static boolean isToBecomePrivate(final String option, final Path directory) throws IOException
    {
        ConfigException.check(!Files.isSymbolicLink(directory), option, directory, "is a link: name its target");
        ConfigException.check(Files.isDirectory(directory), option, directory, "is no directory: name another");
        if (!hasModes(directory))
        {
            return false;
        }
        final UserPrincipal owner = Files.getOwner(directory);
        final Set<PosixFilePermission> found = Files.getPosixFilePermissions(directory);
        final String mode = PosixFilePermissions.toString(found);
        ConfigException.check(!found.contains(PosixFilePermission.OTHERS_WRITE), option, directory,
            "everybody may write there (" + mode + "): name a directory of your own");
        if (!owner.equals(user(directory)))
        {
            // Root could do anything to it in any case, and gives parts of it to this user.
            ConfigException.check("root".equals(owner.getName()), option, directory,
                "belongs to " + owner.getName() + ": name a directory of your own");
            return false;
        }
        // Others may have been given its files, unless they are an engine's.
        final boolean isPrivate = OWNERS.containsAll(found);
        ConfigException.check(isPrivate || hasNone(directory, "*") || !hasNone(directory, OF_ENGINE), option, directory,
            "others may use it (" + mode + "): chmod go-rwx " + directory);
        return !isPrivate;
    }

    private static boolean hasNone(final Path directory, final String names) throws IOException
    {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, names))
        {
            return !files.iterator().hasNext();
        }
    }

    private static UserPrincipal user(final Path path) throws IOException
    {
        return Files.exists(SELF) ? Files.getOwner(SELF) :
            path.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(System.getProperty("user.name"));
    }

    private static String userId()
    {
        try
        {
            return Files.getAttribute(SELF, "unix:uid").toString();
        }
        catch (final IOException | UnsupportedOperationException ex)
        {
            return System.getProperty("user.name");
        }
    }

    private static boolean hasModes(final Path path)
    {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix");
    }

    private static FileAttribute<?>[] attributes(final Path path, final Set<PosixFilePermission> mode)
    {
        return hasModes(path) ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(mode)} :
            new FileAttribute<?>[0];
    }
}
