package io.escapement.rooms.log;

import io.escapement.rooms.host.HostContext;
import io.escapement.rooms.output.ByteSink;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class BuildVersionTest
{
    private static final Pattern PARENT_VERSION = Pattern.compile("</artifactId>\\s*<version>([^<]+)</version>");

    @Test
    void shouldNameTheModulesVersionInTheLogsOfEveryHost() throws IOException
    {
        final Matcher pom = PARENT_VERSION.matcher(Files.readString(Path.of("pom.xml")));
        assertTrue(pom.find(), "the module's pom.xml names the version of its parent");
        assertEquals(pom.group(1), new HostContext().header().build());
        assertEquals(pom.group(1), HostConfig.CURRENT_BUILD);
    }

    @Test
    void shouldWriteTheVersionIntoTheLog()
    {
        final ByteSink sink = new ByteSink();
        new LogWriter(sink, new HostContext().header()).end();
        assertEquals(HostConfig.CURRENT_BUILD, Logs.open(sink).config().build());
    }
}
