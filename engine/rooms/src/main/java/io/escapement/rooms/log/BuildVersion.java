package io.escapement.rooms.log;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** The version of this module, from a resource that Maven fills in. */
final class BuildVersion
{
    private static final String RESOURCE = "build.properties";

    private BuildVersion()
    {
    }

    static String read()
    {
        try (InputStream in = BuildVersion.class.getResourceAsStream(RESOURCE))
        {
            if (null == in)
            {
                throw new IllegalStateException(RESOURCE + " is missing: build the module with Maven");
            }
            final Properties properties = new Properties();
            properties.load(in);
            return properties.getProperty("version");
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException("cannot read " + RESOURCE, ex);
        }
    }
}
