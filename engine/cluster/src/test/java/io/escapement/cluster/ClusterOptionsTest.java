package io.escapement.cluster;

import io.escapement.config.ConfigException;
import io.escapement.config.internal.PrivateFiles;
import io.escapement.engine.Durability;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Each wrong option is refused by its name. */
class ClusterOptionsTest
{
    private static final String MEMBERS = "h0:9000,h1:9000,127.0.0.1:9005";

    private static final byte[] KEY = new byte[16];

    @Test
    void shouldNameTheOptionThatIsWrong()
    {
        refuses("cluster.members", (options) -> options.members(null));
        refuses("cluster.members", (options) -> options.members("h0"));
        refuses("cluster.members", (options) -> options.members("h0:0"));
        refuses("cluster.members", (options) -> options.members("h0:65531"));
        refuses("cluster.members", (options) -> options.members("h0:9000,h0:9004"));
        refuses("cluster.members", (options) -> options.members("a:1,b:1,c:1,d:1,e:1,f:1,g:1,h:1,i:1,j:1"));
        refuses("cluster.memberId", (options) -> options.memberId(3));
        refuses("cluster.memberId", (options) -> options.memberId(-1));
        refuses("cluster.directory", (options) -> options.directory(null));
        refuses("cluster.key", (options) -> options.key(null));
        refuses("cluster.key", (options) -> options.key(new byte[15]));
        refuses("cluster.acknowledge", (options) -> options.acknowledge(Durability.Level.MEMORY));
        refuses("cluster.heartbeatTimeoutNs", (options) -> options.heartbeatTimeoutNs(0));
        refuses("cluster.heartbeatIntervalNs", (options) -> options.heartbeatIntervalNs(100_000_001));
        refuses("cluster.electionTimeoutNs", (options) -> options.electionTimeoutNs(-1));
        refuses("cluster.statusIntervalNs", (options) -> options.statusIntervalNs(0));
        refuses("cluster.startupTimeoutNs", (options) -> options.startupTimeoutNs(599_999_999));
        refuses("cluster.sessionTimeoutNs", (options) -> options.sessionTimeoutNs(1));
        refuses("cluster.termLength", (options) -> options.termLength(128 * 1_024));
        refuses("cluster.termLength", (options) -> options.termLength(300 * 1_024));
        refuses("cluster.mtu", (options) -> options.mtu(1_000));
        refuses("cluster.mtu", (options) -> options.mtu(8_224));
        refuses("cluster.segmentLength", (options) -> options.segmentLength(8 * 1_024 * 1_024));
        assertThrows(ConfigException.class, () -> new ClusterOptions().directory(Path.of("x")).memberId(0).conclude());
        assertThrows(ConfigException.class, () -> new ClusterOptions().members(MEMBERS).memberId(0).conclude());
    }

    /** A loopback address is no host of others; a name that is unknown may be one. */
    @Test
    void shouldNeedAKeyWhereOthersReachTheNode()
    {
        for (final String members : List.of("10.0.0.1:9000", "127.0.0.1:9000,10.0.0.1:9000", "no such host:9000"))
        {
            final ClusterOptions options =
                new ClusterOptions().members(members).memberId(0).directory(Path.of("node"));
            final ConfigException refusal = assertThrows(ConfigException.class, options::check);
            assertTrue(refusal.getMessage().startsWith("cluster.key"), refusal.getMessage());
            options.key(KEY).check();
        }
        new ClusterOptions().members("127.0.0.1:9000,[::1]:9000,localhost:9005").memberId(0).directory(Path.of("node"))
            .check();
    }

    @Test
    void shouldListTheMembersForTheConsensusModule()
    {
        final ClusterOptions options = options();
        options.conclude();
        assertEquals("0,127.0.0.1:9000,h0:9001,h0:9002,h0:0,h0:9003|1,127.0.0.1:9000,h1:9001,h1:9002,h1:0,h1:9003|" +
            "2,127.0.0.1:9005,127.0.0.1:9006,127.0.0.1:9007,127.0.0.1:0,127.0.0.1:9008|", options.clusterMembers());
        assertEquals("h1:9003", options.archiveEndpoint());
        assertEquals("h1", options.host());
    }

    @Test
    void shouldCountTheTermsOfItsLogWhereTheyAre()
    {
        final Path memory = PrivateFiles.memory();
        final long length = options().termLength(256 * 1_024).memoryLength(memory);
        assertTrue(length > 30 * 256 * 1_024, length + " bytes");
        assertEquals(30L * 256 * 1_024, options().termLength(512 * 1_024).memoryLength(memory) - length);
        assertEquals(0, options().memoryLength(Path.of("/proc")));
    }

    @Test
    void shouldGiveItsRealmToNoOtherCluster()
    {
        assertEquals(options().realm(), options().memberId(2).realm(), "of each node");
        assertNotEquals(options().realm(), options().members(MEMBERS.replace("9005", "9105")).realm());
    }

    @Test
    void shouldFreezeWhenANodeJoins()
    {
        final ClusterOptions options = options();
        options.conclude();
        assertThrows(IllegalStateException.class, () -> options.memberId(0));
        assertThrows(IllegalStateException.class, options::conclude);
    }

    private static ClusterOptions options()
    {
        return new ClusterOptions().members(MEMBERS).memberId(1).directory(Path.of("node"))
            .key(KEY);
    }

    private static void refuses(final String name, final Consumer<ClusterOptions> wrong)
    {
        final ConfigException refusal = assertThrows(ConfigException.class, () ->
        {
            final ClusterOptions options = options();
            wrong.accept(options);
            options.conclude();
        });
        assertTrue(refusal.getMessage().startsWith(name), refusal.getMessage());
    }
}
