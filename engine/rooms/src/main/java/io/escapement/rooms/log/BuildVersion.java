package io.escapement.rooms.log;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** The version of this module, from a resource that Maven fills in. */
final class BuildVersion
{
    private static final String RESOURCE = "build-version.txt";

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
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).trim();
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException("cannot read " + RESOURCE, ex);
        }
    }
}
