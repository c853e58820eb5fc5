package io.escapement.server;

import io.escapement.testsupport.Tests;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import static java.util.Map.entry;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** A wrong option ends a command with status 2 and one line, before anything is opened. */
class WrongOptionsTest
{
    /** Names the directory of media drivers and tails. */
    private static final String MEMORY = "escapement.memory.dir";
    /** The ends of long lines. */
    private static final Map<String, String> REMEDIES = Map.ofEntries(
        entry("NOTOKENS", "players have no tokens: remove it, or use --log-in token"),
        entry("HTTPS", "use https: whoever is on the path could replace the keys"),
        entry("BANNED", "cannot be read: name a text file with a player per line, at most 10000"),
        entry("SAME", "it is the other endpoint too: name another port"),
        entry("FOLDER", "there is no directory DIR/none: make it, or name another file"),
        entry("DRIVER", "no media driver is active there that this user may join"),
        entry("SERVER", "no media driver is active there; use the directory of the server"),
        entry("SET", "environment variable: ESCAPEMENT_NEW_PASSWORD: set it"),
        entry("FREE", "name a free port (Address already in use)"),
        entry("NAME", "no host has this name: correct it, or name an address"),
        entry("OTHER", "this host does not have the address (Cannot assign requested address): name one of it"),
        entry("CREATE", "this user cannot make it in DIR/file: name another place"),
        entry("VIEW", "needs a line view=, with 32 to 256 letters, digits, dots, dashes, underscores or tildes"),
        entry("JOURNAL", "DIR/escapement.lock: not there, so this is no journal"),
        entry("ACTIVE", "no media driver is active there: start one, or name another directory"));
    private static final String BY_TOKEN = "--log-in token --jwt-issuer issuer --jwt-audience audience";
    /** A directory in which something was made and deleted has another time. */
    private static final FileTime UNTOUCHED = FileTime.fromMillis(1_000_000);

    @TempDir
    private Path temporary;
    private Path directory;
    private Path memory;
    private String memoryBefore;
    private final int listen = Tests.freePort();
    private final int respond = Tests.freePort();

    @BeforeEach
    void makeFiles() throws IOException
    {
        directory = Files.createDirectory(temporary.resolve("files"));
        memory = Files.createDirectory(temporary.resolve("memory"),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        memoryBefore = System.setProperty(MEMORY, memory.toString());
        Tests.writeSecret(directory.resolve("short"), "short");
        Tests.writeSecret(directory.resolve("file"), "of another kind, but long enough");
        Files.setLastModifiedTime(directory, UNTOUCHED);
        Files.setLastModifiedTime(memory, UNTOUCHED);
    }

    @AfterEach
    void restoreMemory()
    {
        if (null == memoryBefore)
        {
            System.clearProperty(MEMORY);
        }
        else
        {
            System.setProperty(MEMORY, memoryBefore);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        serve --listen 127.0.0.1:UDP           | --listen: 127.0.0.1:UDP: FREE
        serve --respond 127.0.0.1:UDP          | --respond: 127.0.0.1:UDP: FREE
        serve --respond 127.0.0.1:LISTEN       | --respond: 127.0.0.1:LISTEN: SAME
        serve --listen 127.0.0.1:65536         | --listen: 127.0.0.1:65536: expected HOST:PORT
        serve --listen no-such-host:1          | --listen: no-such-host:1: NAME
        serve --listen 192.0.2.1:9             | --listen: 192.0.2.1:9: OTHER
        serve --listen none                    | --listen: none: trunks need shared memory: set --ipc too
        serve --listen none --ipc --web-port 0| --web-port: 0: connects to --listen: use escapement gateway --driver-dir
        serve --metrics-port TCP               | --metrics-port: TCP: FREE
        serve --metrics-port 65536             | --metrics-port: 65536: use 0 to 65535
        serve --otlp ftp://a                   | --otlp: ftp://a: use a URL such as http://127.0.0.1:4318/v1/metrics
        serve --otlp-interval 0                | --otlp-interval: 0: 1 or more
        serve --otlp-interval 5 --otlp-timeout 6 | --otlp-timeout: 6: 1 to 5, the --otlp-interval
        serve --console-port TCP               | --console-port: TCP: FREE
        serve --console-port 0 --console-token-file DIR/short | --console-token-file: DIR/short: VIEW
        serve --web-port TCP                   | --web-port: TCP: FREE
        serve --web-port 0 --plain --web-log-in-rate 0 | --web-log-in-rate: 0: use a number above 0
        serve --web-port 65536                 | --web-port: 65536: use a number from 0 to 65535
        serve --web-port 0 --web-metrics-port TCP | --web-metrics-port: TCP: FREE
        serve --web-port 0 --web-host 192.0.2.1 --plain | --web-host: 192.0.2.1: OTHER
        serve --web-port 0 --pages DIR/none    | --pages: DIR/none: name a directory that exists
        serve --web-port 0 --cert DIR/none --key DIR/file | --cert: DIR/none: cannot be read: name a PEM file
        serve --web-port 0 --cert DIR/file --key DIR/none | --key: DIR/none: cannot be read
        serve --secret-file DIR/short          | --secret-file: DIR/short: the secret is shorter than 16 bytes
        serve --token-key-file DIR/short       | --token-key-file: DIR/short: a key is shorter than 32 bytes
        serve --journal DIR/file/x             | --journal: DIR/file/x: CREATE
        serve --journal DIR/file               | --journal: DIR/file: is no directory: name another
        serve --journal none --record DIR/file/x | --record: DIR/file/x: CREATE
        serve --keep abc                       | --keep: abc: a time up to 168h, such as 30s, 15m or 1h
        serve --journal none --keep 1h         | --keep: 1h: only a journal has a history: set --journal too
        serve --hlog DIR/none/log              | --hlog: DIR/none/log: FOLDER
        serve --driver-dir DIR/file/x          | --driver-dir: DIR/file/x: CREATE
        serve --tail DIR/none                  | --tail: DIR/none: create it, or name another directory
        serve --warm-up-log DIR/none           | --warm-up-log: DIR/none: name the directory of a recording or a journal
        serve --warm-up-log DIR                | --warm-up-log: DIR: JOURNAL
        serve --trunk-limit 0                  | --trunk-limit: 0: 1 or more
        serve --types DIR/none                 | --types: DIR/none: no such file or directory
        serve --database jdbc:none             | --database: jdbc:none: must start with jdbc:h2: or jdbc:postgresql:
        serve --jwks DIR/file                  | --jwks: DIR/file: NOTOKENS
        serve --banned DIR/file                | --banned: DIR/file: NOTOKENS
        serve --jwt-skew 0                     | --jwt-skew: 0: NOTOKENS
        serve --log-in token                   | --log-in: token: set --jwks, --jwt-issuer and --jwt-audience too
        serve BY-TOKEN --jwks DIR/none         | --jwks: DIR/none: cannot be read: name a file of a key set
        serve BY-TOKEN --jwks DIR/file         | --jwks: DIR/file: is no JSON Web Key Set: name a file of a key set
        serve BY-TOKEN --jwks http://192.0.2.1/x | --jwks: http://192.0.2.1/x: HTTPS
        serve BY-TOKEN --jwks https:// | --jwks: https://: name a URL as https://HOST/PATH
        serve BY-TOKEN --jwks https://a/b --jwt-skew 601 | --jwt-skew: 601: use 0 to 600
        serve BY-TOKEN --jwks https://a/b --jwt-player-claim= | --jwt-player-claim: : name a claim
        serve BY-TOKEN --jwks https://a/b --banned DIR/none | --banned: DIR/none: BANNED
        serve BY-TOKEN --jwks https://a/b      | --log-in: token: the rooms of arena use accounts: remove it
        demo --log-in token                    | --log-in: token: only serve and gateway have it
        serve --cluster 127.0.0.1:UDP --member 0 --data DIR/data --journal= | --cluster: 127.0.0.1:UDP: FREE
        serve --cluster 127.0.0.1:9 --member 1 --journal= | --member: 1: use 0 to 0, the place of this node in members
        gateway --web-port TCP                 | --web-port: TCP: FREE
        gateway --otlp b                       | --otlp: b: use a URL such as http://127.0.0.1:4318/v1/metrics
        gateway --server no-such-host:1        | --server: no-such-host:1: NAME
        gateway --respond 1                    | --respond: 1: expected HOST:PORT
        gateway --feed 127.0.0.1:UDP           | --feed: 127.0.0.1:UDP: FREE
        gateway --term-length 5                | --term-length: 5: use a power of two from 65536
        bots --server 7                        | --server: 7: expected HOST:PORT
        bots --driver-dir DIR                  | --driver-dir: DIR: DRIVER
        bots --term-length 5                   | --term-length: 5: a power of two from 65536
        watch --secret-file DIR/short          | --secret-file: DIR/short: the secret is shorter than 16 bytes
        cluster --port UDP                     | --port: 127.0.0.1:UDP: FREE
        cluster --data DIR/file/x              | --data: DIR/file/x: CREATE
        stat --aeron-dir DIR                   | --aeron-dir: DIR: SERVER
        debug DIR/none                         | LOG: DIR/none: no such file or directory
        debug DIR                              | DIR: DIR: has no log of a journal, a recording or a server of a cluster
        debug DIR --compare yesterday          | --compare: yesterday: a time up to 8760h, such as 30s, 15m or 1h
        replay DIR/none                        | LOG: DIR/none: no such file or directory
        recover DIR/none                       | DIR: DIR/none: no such directory
        account password Ann --database jdbc:h2:file:DIR/accounts | SET
        """)
    void shouldEndWithOneLineAndOpenNothing(final String command, final String line) throws IOException
    {
        assertRefused(2, command, line);
    }

    /** A supervisor retries, because a driver may start. */
    @Test
    void shouldEndWithAnotherStatusWithoutADriver() throws IOException
    {
        assertRefused(1, "serve --aeron-dir DIR", "--aeron-dir: DIR: ACTIVE");
    }

    private void assertRefused(final int status, final String command, final String line) throws IOException
    {
        final InetAddress loopback = InetAddress.getLoopbackAddress();
        try (ServerSocket tcp = new ServerSocket(0, 1, loopback); DatagramSocket udp = new DatagramSocket(0, loopback))
        {
            final List<String> arguments = new ArrayList<>();
            for (final String word : command.replace("BY-TOKEN", BY_TOKEN).split(" +"))
            {
                arguments.add(replaced(word, tcp.getLocalPort(), udp.getLocalPort()));
            }
            if ("serve".equals(arguments.get(0)))
            {
                addDefaults(arguments);
            }
            assertEquals("escapement: " + replaced(line, tcp.getLocalPort(), udp.getLocalPort()),
                Program.complaint(status, arguments.toArray(String[]::new)).strip());
        }
        assertEquals(List.of(), names(memory), "neither a media driver nor a tail");
        assertEquals(UNTOUCHED, Files.getLastModifiedTime(memory), "and there was none");
        assertEquals(List.of("file", "short"), names(directory), "neither a journal nor a database");
        assertEquals(UNTOUCHED, Files.getLastModifiedTime(directory), "and there was none");
        assertFree();
    }

    private String replaced(final String text, final int tcp, final int udp)
    {
        final String remedy = text.substring(text.lastIndexOf(' ') + 1);
        final String whole = text.substring(0, text.length() - remedy.length()) + REMEDIES.getOrDefault(remedy, remedy);
        return whole.replace("DIR/", directory + "/").replaceAll("\\bDIR$|(?<=: )DIR(?=:)", directory.toString())
            .replace("TCP", Integer.toString(tcp)).replace("UDP", Integer.toString(udp))
            .replace("LISTEN", Integer.toString(listen));
    }

    private void addDefaults(final List<String> arguments)
    {
        final boolean isMember = arguments.remove("--journal=");
        for (final String[] option : new String[][]{
            {"--listen", "127.0.0.1:" + listen}, {"--respond", "127.0.0.1:" + respond},
            {"--journal", directory.resolve("journal").toString()},
            {"--database", "jdbc:h2:file:" + directory.resolve("accounts")}})
        {
            if (!arguments.contains(option[0]) && !(isMember && "--journal".equals(option[0])))
            {
                Collections.addAll(arguments, option);
            }
        }
        arguments.add("--demo-accounts");
    }

    private void assertFree() throws IOException
    {
        for (final int port : new int[]{listen, respond})
        {
            new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), port)).close();
        }
    }

    private static List<String> names(final Path path)
    {
        return List.of(path.toFile().list()).stream().sorted().toList();
    }
}
