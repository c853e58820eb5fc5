package io.escapement.engine;

import io.escapement.config.ConfigException;
import io.escapement.config.internal.PrivateFiles;
import io.escapement.rooms.RoomType;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;

/**
 * The class loader of a jar with room types. A class in the jar takes precedence over the application's class of that
 * name: a jar may bring the next version of a room's classes. All other classes are the application's. The jar has
 * whole packages, because two loaders of the same package do not share package-private members. The API of rooms and of
 * the engine is always the application's: a duplicate would not fit its engine.
 *
 * <p>The loader stays open, because rooms load classes at any time, and reads a copy, because a new version of the jar
 * replaces the file.
 */
final class RoomTypeJar extends URLClassLoader
{
    private static final List<String> SHARED =
        List.of("java.", "javax.", "org.agrona.", "io.escapement.rooms.", "io.escapement.codecs.",
            // A game of a server has a part in these: its options, its console and its bots.
            "io.escapement.engine.", "io.escapement.client.", "io.escapement.console.", "io.escapement.server.");

    private RoomTypeJar(final URL jar, final ClassLoader application)
    {
        super("room types", new URL[]{jar}, application);
    }

    /** Load the providers of a jar. */
    static List<RoomType.Provider> load(final Path jar, final ClassLoader application)
    {
        if (Files.exists(jar))
        {
            // It is code.
            PrivateFiles.requireUnchangeable("jar", jar);
            PrivateFiles.requireUnchangeable("jar", jar.toAbsolutePath().getParent());
        }
        try
        {
            final Path copy = Files.createTempFile("escapement-room-types", ".jar");
            copy.toFile().deleteOnExit();
            Files.write(copy, Files.readAllBytes(jar));
            return load(jar, new RoomTypeJar(copy.toUri().toURL(), application));
        }
        catch (final IOException | ServiceConfigurationError | LinkageError ex)
        {
            throw new ConfigException("jar", jar, "its room types cannot be loaded: " + ex.getMessage(), ex);
        }
    }

    private static List<RoomType.Provider> load(final Path jar, final RoomTypeJar loader)
    {
        final List<RoomType.Provider> providers = new ArrayList<>();
        for (final RoomType.Provider provider : ServiceLoader.load(RoomType.Provider.class, loader))
        {
            // The application may also have providers.
            if (loader == provider.getClass().getClassLoader())
            {
                providers.add(provider);
            }
        }
        if (providers.isEmpty())
        {
            throw new ConfigException(
                "jar", jar, "no class of it is named in META-INF/services/" + RoomType.Provider.class.getName());
        }
        return List.copyOf(providers);
    }

    @Override
    protected Class<?> loadClass(final String name, final boolean isResolved) throws ClassNotFoundException
    {
        synchronized (getClassLoadingLock(name))
        {
            if (null == findLoadedClass(name) && SHARED.stream().noneMatch(name::startsWith) &&
                null != findResource(name.replace('.', '/') + ".class"))
            {
                return findClass(name);
            }
            return super.loadClass(name, isResolved);
        }
    }
}
