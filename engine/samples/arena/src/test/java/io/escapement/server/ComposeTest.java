package io.escapement.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import picocli.CommandLine;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The file that runs a gateway in a container, against the program that it runs. */
class ComposeTest
{
    private static final Path FILE = Path.of("..", "..", "gateway", "compose.yaml");
    private static final Pattern VARIABLE = Pattern.compile("\\$\\{([A-Z]+)(?::([-?])([^}]*))?}");
    private static final Map<String, String> ENVIRONMENT =
        Map.of("ENGINE", "10.0.0.5", "DOMAIN", "play.example.com", "TLS", "/etc/tls", "SECRET", "secret");

    private static String expanded(final String text)
    {
        return VARIABLE.matcher(text).replaceAll((variable) ->
        {
            final String value = ENVIRONMENT.get(variable.group(1));
            assertTrue(null != value || "-".equals(variable.group(2)), () -> "no value for " + variable.group());
            return Matcher.quoteReplacement(null == value ? variable.group(3) : value);
        });
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> map(final Object value)
    {
        return (Map<String, Object>)value;
    }

    @SuppressWarnings("unchecked")
    private static List<String> list(final Object value)
    {
        return ((List<String>)value).stream().map(ComposeTest::expanded).toList();
    }

    @Test
    void shouldStartTheGatewayWithOptionsThatItHas() throws IOException
    {
        final Map<String, Object> file =
            new Yaml(new SafeConstructor(new LoaderOptions())).load(Files.readString(FILE));
        assertEquals(Set.of("services", "secrets"), file.keySet());
        final Map<String, Object> gateway = map(map(file.get("services")).get("gateway"));
        final List<String> command = list(gateway.get("command"));
        final int jar = command.indexOf("/escapement.jar");
        assertEquals("java", command.get(0));
        assertEquals("-jar", command.get(jar - 1));
        assertTrue(command.subList(1, jar).stream().allMatch((flag) -> flag.startsWith("-")), command::toString);

        final CommandLine.ParseResult parsed = Escapement.commandLine()
            .parseArgs(command.subList(jar + 1, command.size()).toArray(new String[0])).subcommand();
        assertEquals("gateway", parsed.commandSpec().name());
        assertEquals("10.0.0.5:40100", parsed.matchedOptionValue("--server", null));
        assertEquals("10.0.0.5:40101", parsed.matchedOptionValue("--respond", null));
        assertEquals(8_443, parsed.<Integer>matchedOptionValue("--web-port", null));
        assertEquals(List.of("play.example.com"), parsed.matchedOptionValue("--web-allow-host", null));
        assertEquals(Path.of("/tls/fullchain.pem"), parsed.matchedOptionValue("--cert", null));
        final int drainSeconds = parsed.matchedOptionValue("--drain", 0);
        final String stop = (String)gateway.get("stop_grace_period");
        assertTrue(Integer.parseInt(stop.replace("s", "")) > drainSeconds, "it is stopped before it has drained");

        final List<String> volumes = list(gateway.get("volumes"));
        assertTrue(volumes.get(0).endsWith("/arena/target/escapement.jar:/escapement.jar:ro"), volumes::toString);
        assertEquals("/etc/tls:/tls:ro", volumes.get(1));
        final String secret = list(gateway.get("secrets")).get(0);
        assertEquals(Path.of("/run/secrets", secret), parsed.matchedOptionValue("--secret-file", null));
        assertEquals("secret", expanded((String)map(map(file.get("secrets")).get(secret)).get("file")));
    }
}
