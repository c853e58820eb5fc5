package io.escapement.engine.internal.monitor;

import io.escapement.testsupport.RealTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** HotSpot's log of safepoints: complete, missing, and in an unknown format. */
@RealTime("pauses of the JVM")
class SafepointsTest
{
    @TempDir
    Path directory;

    @Test
    void shouldCountWhatStopsTheJvm()
    {
        try (Safepoints safepoints = Safepoints.ofThisJvm())
        {
            assertNotNull(safepoints, "the JVM that runs tests tells of them");
            final long count = safepoints.count();
            final long startNs = System.nanoTime();
            final long timeNs = safepoints.timeNs();
            for (int i = 0; i < 3; i++)
            {
                System.gc();
            }
            assertTrue(safepoints.count() >= count + 3, count + " before, " + safepoints.count() + " after");
            final long tookNs = safepoints.timeNs() - timeNs;
            assertTrue(tookNs > 0 && tookNs <= System.nanoTime() - startNs, "ns: " + tookNs);
        }
    }

    @Test
    void shouldKnowNothingOfWhatItDoesNotUnderstand() throws IOException
    {
        final Path own = Path.of("/tmp", "hsperfdata_" + System.getProperty("user.name"),
            Long.toString(ProcessHandle.current().pid()));
        final byte[] whole = Files.readAllBytes(own);
        assertNotNull(Safepoints.in(Files.write(directory.resolve("copy"), whole)));
        assertNull(Safepoints.in(directory.resolve("none")));
        for (int length = 0; length < 64; length++)
        {
            assertNull(Safepoints.in(Files.write(directory.resolve("short"), Arrays.copyOf(whole, length))));
        }
        for (final int at : new int[]{0, 5})
        {
            final byte[] other = whole.clone();
            other[at] = 0;
            assertNull(Safepoints.in(Files.write(directory.resolve("other"), other)), "byte " + at);
        }
    }
}
