package io.escapement.engine;

import io.aeron.CncFileDescriptor;
import io.escapement.config.ConfigException;
import io.escapement.config.internal.PrivateFiles;
import io.escapement.driver.DriverDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.GroupPrincipal;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipalNotFoundException;
import java.util.stream.Stream;

/**
 * The directory of an embedded driver that other processes may join. If a process can open the directory and write to
 * its files, it is a client of the driver. The directory's mode is therefore the driver's access control.
 */
final class FixedDirectory
{
    private static final String OPTION = "driverDirectory";
    private static final String GROUP_OPTION = "driverGroup";
    private static final String OWNER = "rwx------";
    /** Set-group-id: files that the driver makes later also belong to the group. */
    private static final int GROUP_MODE = 02750;

    private final Path path;
    private final String group;

    /** The processes of a group may join. If {@code group} is null, only the owner's processes may join. */
    FixedDirectory(final String path, final String group)
    {
        this.path = Path.of(path);
        this.group = group;
    }

    String name()
    {
        return path.toString();
    }

    /**
     * Refuse a directory that must not be deleted, because a driver deletes it at its start. Refuse a group that does
     * not exist.
     */
    void check()
    {
        DriverDirectory.check(OPTION, path);
        PrivateFiles.checkCreatable(OPTION, path);
        if (null != group)
        {
            lookUp();
        }
    }

    /** Set the mode of a driver's directory, after its launch. Windows has no modes: there the parent's rights hold. */
    void permit()
    {
        try
        {
            if (!Files.getFileStore(path).supportsFileAttributeView(PosixFileAttributeView.class))
            {
                return;
            }
            if (null == group)
            {
                Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(OWNER));
                return;
            }
            permitGroup();
        }
        catch (final IOException ex)
        {
            throw new ConfigException(null == group ? OPTION : GROUP_OPTION, null == group ? path : group,
                "its mode cannot be set: " + ex, ex);
        }
    }

    private void permitGroup() throws IOException
    {
        ConfigException.check(Files.getPosixFilePermissions(path.resolve(CncFileDescriptor.CNC_FILE))
            .contains(PosixFilePermission.GROUP_WRITE), GROUP_OPTION, group,
            "this process's umask lets no group write to the driver's files: start it with umask 007");
        final GroupPrincipal principal = lookUp();
        try (Stream<Path> files = Files.walk(path))
        {
            for (final Path file : files.toList())
            {
                Files.getFileAttributeView(file, PosixFileAttributeView.class).setGroup(principal);
                if (Files.isDirectory(file))
                {
                    Files.setAttribute(file, "unix:mode", GROUP_MODE);
                }
            }
        }
    }

    private GroupPrincipal lookUp()
    {
        try
        {
            return path.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByGroupName(group);
        }
        catch (final UserPrincipalNotFoundException ex)
        {
            throw new ConfigException(GROUP_OPTION, group, "there is no such group on this host", ex);
        }
        catch (final IOException | UnsupportedOperationException ex)
        {
            throw new ConfigException(GROUP_OPTION, group, "groups cannot be read: " + ex, ex);
        }
    }
}
