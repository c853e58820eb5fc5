package io.escapement.server;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.ParseResult;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** The units of systemd: their command lines, their paths, and what their processes may do. */
class UnitsTest
{
    private static final Path DIRECTORY = Path.of("..", "..", "server");
    private static final String JAR = "/opt/escapement/escapement.jar";
    private static final String SERVER = "escapement.service";
    private static final String GATEWAY = "escapement-gateway.service";
    /** Of systemd's 0 to 100, where 100 is a service without restrictions. */
    private static final int MOST_EXPOSURE = 30;
    private static final Pattern VARIABLE = Pattern.compile("\\$\\{([A-Z_]+)}");
    private static final Map<String, String> DIRECTORIES = Map.of(
        "STATE_DIRECTORY", "StateDirectory", "RUNTIME_DIRECTORY", "RuntimeDirectory",
        "CREDENTIALS_DIRECTORY", "LoadCredential");

    private static List<String> values(final String unit, final String key) throws IOException
    {
        return Files.readString(DIRECTORY.resolve(unit)).replace("\\\n", "").lines()
            .filter((line) -> line.startsWith(key + "=")).map((line) -> line.substring(key.length() + 1)).toList();
    }

    private static String value(final String unit, final String key) throws IOException
    {
        final List<String> values = values(unit, key);
        assertEquals(1, values.size(), unit + ": " + key);
        return values.get(0);
    }

    /** The command, whose directories are below a place that they are recognised by. */
    private static List<String> command(final String unit) throws IOException
    {
        final Map<String, String> environment = values(unit, "Environment").stream()
            .flatMap((line) -> Stream.of(line.split(" ")))
            .collect(Collectors.toMap((pair) -> pair.split("=")[0], (pair) -> pair.split("=")[1]));
        DIRECTORIES.keySet().forEach((name) -> environment.put(name, "/" + name));
        return Arrays.stream(value(unit, "ExecStart").split(" +")).map((word) -> VARIABLE.matcher(word).replaceAll(
            (variable) -> Matcher.quoteReplacement(environment.get(variable.group(1))))).toList();
    }

    private static ParseResult parsed(final String unit) throws IOException
    {
        final List<String> command = command(unit);
        final int jar = command.indexOf(JAR);
        assertEquals("-jar", command.get(jar - 1));
        assertTrue(command.subList(1, jar).stream().allMatch((flag) -> flag.startsWith("-")), command::toString);
        return Escapement.commandLine()
            .parseArgs(command.subList(jar + 1, command.size()).toArray(new String[0])).subcommand();
    }

    @Test
    void shouldStartThePrograms() throws IOException
    {
        final ParseResult server = parsed(SERVER);
        assertEquals("serve", server.commandSpec().name());
        assertEquals(Path.of("/CREDENTIALS_DIRECTORY/secret"), server.matchedOptionValue("--secret-file", null));
        assertTrue(Integer.parseInt(value(SERVER, "TimeoutStopSec")) > 10, "saves may take as long");
        // A dynamic user's part of /dev/shm ends with the process.
        assertEquals("yes", value(SERVER, "DynamicUser"));
        assertEquals("/RUNTIME_DIRECTORY", server.matchedOptionValue("--tail", ""));
        assertEquals("restart", value(SERVER, "RuntimeDirectoryPreserve"));
        final ParseResult gateway = parsed(GATEWAY);
        assertEquals("gateway", gateway.commandSpec().name());
        assertEquals("127.0.0.1:40100", gateway.matchedOptionValue("--server", null));
        assertEquals(List.of("play.example.com"), gateway.matchedOptionValue("--web-allow-host", null));
        assertTrue(Integer.parseInt(value(GATEWAY, "TimeoutStopSec")) > gateway.matchedOptionValue("--drain", 0));
        for (final String unit : List.of(SERVER, GATEWAY))
        {
            assertEquals("on-failure", value(unit, "Restart"));
            assertTrue(List.of(value(unit, "RestartPreventExitStatus").split(" ")).contains("2"));
        }
    }

    /** Other directories are read-only. */
    @ParameterizedTest
    @ValueSource(strings = {SERVER, GATEWAY})
    void shouldHaveItsFilesWhereItMay(final String unit) throws IOException
    {
        assertEquals("strict", value(unit, "ProtectSystem"));
        final List<String> command = command(unit);
        int places = 0;
        for (final String word : command.subList(command.indexOf(JAR) + 1, command.size()))
        {
            final String path = word.startsWith("jdbc:h2:file:") ? word.substring("jdbc:h2:file:".length()) : word;
            if (path.contains("/"))
            {
                final String directory = path.split("/")[1];
                assertTrue(path.startsWith("/") && DIRECTORIES.containsKey(directory), word);
                final List<String> values = values(unit, DIRECTORIES.get(directory));
                final String file = path.substring(path.lastIndexOf('/') + 1);
                assertTrue("CREDENTIALS_DIRECTORY".equals(directory) ?
                    values.stream().anyMatch((value) -> value.startsWith(file + ":/etc/escapement/")) :
                    List.of("escapement").equals(values), word);
                places++;
            }
        }
        assertTrue(places >= 3, command::toString);
    }

    @ParameterizedTest
    @ValueSource(strings = {SERVER, GATEWAY})
    void shouldBeLittleExposed(final String unit) throws IOException, InterruptedException
    {
        final Path tool = Path.of("/usr/bin/systemd-analyze");
        assumeTrue(Files.isExecutable(tool), "systemd-analyze is not installed");
        final Process process = new ProcessBuilder(tool.toString(), "security", "--offline=true",
            "--threshold=" + MOST_EXPOSURE, DIRECTORY.resolve(unit).toString()).redirectErrorStream(true).start();
        final String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), text);
    }

    /** The JIT writes code, and the journal reads the boot's id from /proc/sys. */
    @ParameterizedTest
    @ValueSource(strings = {SERVER, GATEWAY})
    void shouldLetTheJvmWork(final String unit) throws IOException
    {
        assertEquals(List.of(), values(unit, "MemoryDenyWriteExecute"));
        assertEquals(List.of(), values(unit, "ProcSubset"));
        assertEquals(List.of("@system-service", "~@privileged"), values(unit, "SystemCallFilter"));
        assertEquals("AF_INET AF_INET6 AF_UNIX", value(unit, "RestrictAddressFamilies"));
    }
}
