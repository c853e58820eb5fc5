package io.escapement.cluster;

import io.escapement.engine.Durability;
import io.escapement.engine.Engine;
import io.escapement.engine.EngineContext;
import io.escapement.engine.Secrets;
import io.escapement.engine.trunks.TrunkServerContext;
import io.escapement.rooms.RoomType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The Java on the page for operators is compiled here. The nodes of the other tests run with the same calls. */
class ClusterPageTest
{
    private static final Path SOURCE = Path.of("src/test/java/io/escapement/cluster/ClusterPageTest.java");
    private static final int BLOCKS = 2;

    @Test
    void shouldShowOnlyJavaThatIsCompiled() throws IOException
    {
        final String compiled = flat(Files.readString(SOURCE));
        final String[] blocks = Files.readString(Path.of("..", "guide", "cluster.md")).split("```java\n");
        assertEquals(BLOCKS, blocks.length - 1);
        for (int i = 1; i < blocks.length; i++)
        {
            final String shown = flat(blocks[i].substring(0, blocks[i].indexOf("```")));
            assertTrue(compiled.contains(shown), shown);
        }
    }

    static Engine launch(final RoomType chat, final TrunkServerContext trunks)
    {
        final ClusterLog log = new ClusterLog(new ClusterOptions()
            .members("h0:9000,h1:9000,h2:9000")
            .memberId(0)                                     // 1 and 2 on the other hosts
            .key(Secrets.fromFile(Path.of("cluster-key")))   // the same on all hosts
            .directory(Path.of("/data/rooms")));
        final Engine engine = Engine.launch(new EngineContext()
            .durability(Durability.replicated(log))
            .roomType(chat)
            .trunks(trunks)
            // The supervisor restarts the node, unless the status is 78.
            .faultHook(() -> Runtime.getRuntime().halt(log.staysDown() ? NodeStoppedException.EXIT_STATUS : 1)));
        return engine;
    }

    static void fill()
    {
        final ClusterOptions options = new ClusterOptions().members("h0:9000,h1:9000,h2:9000").memberId(2)
            .key(Secrets.fromFile(Path.of("cluster-key"))).directory(Path.of("/data/rooms"));
        ClusterLog.fill(options, TimeUnit.MINUTES.toNanos(5));
    }

    /** Without indentation. */
    private static String flat(final String text)
    {
        return text.strip().replaceAll("\\n\\s*", "\n");
    }
}
