package io.escapement.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import picocli.CommandLine.ParseResult;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The containers of compose.yaml, against the program, its image, and each other. */
class ComposeTest
{
    private static final Path DIRECTORY = Path.of("..", "..", "server");
    private static final Pattern VARIABLE = Pattern.compile("\\$\\{([A-Z_]+)(?::?([-?])([^}]*))?}");
    private static final Pattern QUOTED = Pattern.compile("\"([^\"]*)\"");
    private static final Pattern PORT = Pattern.compile(":(\\d{4,5})\\b");
    private static final Set<String> PROGRAM = Set.of("server", "gateway");
    private static final Map<String, String> ENVIRONMENT =
        Map.of("DOMAIN", "play.example.com", "TLS", "/etc/tls", "DATABASE_PASSWORD", "a password");

    private final Map<String, Object> file = load(DIRECTORY.resolve("compose.yaml"));
    private final Map<String, Object> services = at(file, "services");
    private final String image = read(DIRECTORY.resolve("Dockerfile")).replace("\\\n", "");

    private static String read(final Path path)
    {
        try
        {
            return Files.readString(path);
        }
        catch (final IOException ex)
        {
            throw new AssertionError(ex);
        }
    }

    private static Map<String, Object> load(final Path path)
    {
        return new Yaml(new SafeConstructor(new LoaderOptions())).load(VARIABLE.matcher(read(path)).replaceAll(
            (variable) ->
            {
                final String value = ENVIRONMENT.get(variable.group(1));
                assertTrue(null != value || "-".equals(variable.group(2)), () -> "no value for " + variable.group());
                return Matcher.quoteReplacement(null == value ? variable.group(3) : value);
            }));
    }

    @SuppressWarnings("unchecked")
    private static <T> T at(final Object value, final String... path)
    {
        Object found = value;
        for (final String name : path)
        {
            found = ((Map<String, Object>)found).get(name);
        }
        return (T)found;
    }

    private static Collection<String> texts(final Object value)
    {
        return null == value ? List.of() : value instanceof Map<?, ?> map ?
            map.values().stream().map(String::valueOf).toList() :
            ((List<?>)value).stream().map(String::valueOf).toList();
    }

    /** A service's command, as the program reads it. */
    private ParseResult parsed(final String service)
    {
        return parsed(texts(at(services, service, "command")));
    }

    private static ParseResult parsed(final Collection<String> command)
    {
        return Escapement.commandLine().parseArgs(command.toArray(new String[0])).subcommand();
    }

    private List<String> instruction(final String name)
    {
        final Matcher line = Pattern.compile("(?m)^" + name + " \\[(.*)]$").matcher(image);
        assertTrue(line.find(), name);
        return QUOTED.matcher(line.group(1)).results().map((text) -> text.group(1)).toList();
    }

    private static int seconds(final Object text)
    {
        return Integer.parseInt(((String)text).replace("s", ""));
    }

    @Test
    void shouldStartThePrograms()
    {
        assertEquals(Set.of("server", "gateway", "database", "prometheus", "grafana"), services.keySet());
        final ParseResult server = parsed("server");
        final ParseResult gateway = parsed("gateway");
        assertEquals("serve", server.commandSpec().name());
        assertEquals("gateway", gateway.commandSpec().name());
        assertEquals("127.0.0.1:40100", server.matchedOptionValue("--listen", null));
        assertEquals("127.0.0.1:40101", server.matchedOptionValue("--respond", null));
        assertEquals("127.0.0.1:40100", gateway.matchedOptionValue("--server", null));
        assertEquals("127.0.0.1:40101", gateway.matchedOptionValue("--respond", null));
        assertEquals(8_443, gateway.<Integer>matchedOptionValue("--web-port", null));
        assertEquals(List.of("play.example.com"), gateway.matchedOptionValue("--web-allow-host", null));
        assertTrue(seconds(at(services, "gateway", "stop_grace_period")) > gateway.matchedOptionValue("--drain", 0),
            "it is stopped before it has drained");
        // As long as saves may take.
        assertTrue(seconds(at(services, "server", "stop_grace_period")) > 10);
        // A gateway alone, before an engine elsewhere.
        assertNull(at(services, "gateway", "depends_on"));
        for (final String program : PROGRAM)
        {
            assertEquals(List.of("ALL"), at(services, program, "cap_drop"));
            assertTrue((boolean)at(services, program, "read_only"));
        }
    }

    @Test
    void shouldHaveAnImageOfTheProgram()
    {
        final List<String> entry = instruction("ENTRYPOINT");
        assertEquals("-jar", entry.get(entry.size() - 2));
        assertTrue(image.contains(" " + entry.get(entry.size() - 1) + "\n"), "the jar is copied there");
        assertEquals("serve", parsed(instruction("CMD")).commandSpec().name());
        for (final String program : PROGRAM)
        {
            assertTrue(Files.exists(DIRECTORY.resolve(ComposeTest.<String>at(services, program, "build", "context"))
                .resolve(ComposeTest.<String>at(services, program, "build", "dockerfile"))), program);
        }
    }

    @Test
    void shouldHandSecretsToTheirUsers()
    {
        assertEquals(Set.of("trunk"), ComposeTest.<Map<String, Object>>at(file, "secrets").keySet());
        assertEquals("./secret", at(file, "secrets", "trunk", "file"));
        for (final String program : PROGRAM)
        {
            assertEquals(List.of("trunk"), at(services, program, "secrets"));
            assertEquals(Path.of("/run/secrets/trunk"), parsed(program).matchedOptionValue("--secret-file", null));
        }
        assertEquals("jdbc:postgresql://127.0.0.1:5432/escapement",
            parsed("server").matchedOptionValue("--database", ""));
        assertEquals(parsed("server").matchedOptionValue("--database-user", ""),
            at(services, "database", "environment", "POSTGRES_USER"));
        assertEquals("a password", at(services, "database", "environment", "POSTGRES_PASSWORD"));
        assertEquals("a password", at(services, "server", "environment", "ESCAPEMENT_DATABASE_PASSWORD"));
        assertEquals("service_healthy", at(services, "server", "depends_on", "database", "condition"));
        services.forEach((name, service) -> assertFalse(!Set.of("server", "database").contains(name) &&
            service.toString().contains("a password"), name));
    }

    /** All others are for the programs of this host. */
    @Test
    void shouldOpenOnePortToOtherHosts()
    {
        final List<String> open = new ArrayList<>();
        final Map<Integer, String> serviceByPortMap = new HashMap<>();
        final ParseResult server = parsed("server");
        final ParseResult gateway = parsed("gateway");
        for (final Object[] listener : new Object[][]{
            {"server", "127.0.0.1", server.matchedOptionValue("--metrics-port", 0)},
            {"gateway", "127.0.0.1", gateway.matchedOptionValue("--web-metrics-port", 0)},
            {"gateway", gateway.matchedOptionValue("--web-host", ""), gateway.matchedOptionValue("--web-port", 0)},
            {"database", texts(at(services, "database", "ports")).iterator().next().split(":")[0],
                Integer.valueOf(texts(at(services, "database", "ports")).iterator().next().split(":")[1])},
            {"prometheus", option("--web.listen-address").split(":")[0],
                Integer.valueOf(option("--web.listen-address").split(":")[1])},
            {"grafana", at(services, "grafana", "environment", "GF_SERVER_HTTP_ADDR"), Integer.valueOf(
                ComposeTest.<String>at(services, "grafana", "environment", "GF_SERVER_HTTP_PORT"))}})
        {
            assertNull(serviceByPortMap.put((Integer)listener[2], (String)listener[0]), "two listen on one port");
            if (!"127.0.0.1".equals(listener[1]))
            {
                open.add(listener[0] + " " + listener[2]);
            }
        }
        assertEquals(List.of("gateway 8443"), open);
        assertFalse(server.hasMatchedOption("--metrics-host") || gateway.hasMatchedOption("--web-metrics-host"));
        final Set<String> scraped = new TreeSet<>();
        for (final Map<String, Object> job : ComposeTest.<List<Map<String, Object>>>at(
            load(DIRECTORY.resolve("operations/prometheus.yml")), "scrape_configs"))
        {
            final String target = texts(ComposeTest.<List<Map<String, Object>>>at(job, "static_configs").get(0)
                .get("targets")).iterator().next();
            scraped.add(job.get("job_name") + " " + target);
            assertEquals(job.get("job_name"), serviceByPortMap.get(Integer.valueOf(target.split(":")[1])), target);
        }
        assertEquals(Set.of("gateway 127.0.0.1:9101", "server 127.0.0.1:9100"), scraped);
        assertEquals("http://" + option("--web.listen-address"), ComposeTest.<List<Map<String, Object>>>at(
            load(DIRECTORY.resolve("operations/datasource.yml")), "datasources").get(0).get("url"));
        services.forEach((name, service) -> assertHealthCheck(name, serviceByPortMap));
    }

    private void assertHealthCheck(final String name, final Map<Integer, String> serviceByPortMap)
    {
        // The server has the check of its image.
        final String check = "server".equals(name) ? image.substring(image.indexOf("HEALTHCHECK")).lines().toList()
            .get(0) : String.join(" ", texts(at(services, name, "healthcheck", "test")));
        final Matcher port = PORT.matcher(check);
        if (port.find())
        {
            assertEquals(name, serviceByPortMap.get(Integer.valueOf(port.group(1))), check);
            assertTrue(check.contains("//127.0.0.1:"), check);
            assertTrue(!PROGRAM.contains(name) || check.contains("/ready"), check);
        }
        else
        {
            assertTrue(check.startsWith("CMD pg_isready --host=127.0.0.1 "), check);
        }
        assertEquals("always", at(services, name, "restart"));
    }

    private String option(final String name)
    {
        return texts(at(services, "prometheus", "command")).stream()
            .filter((text) -> text.startsWith(name + "=")).findFirst().orElseThrow().substring(name.length() + 1);
    }

    @Test
    void shouldMountWhatTheCommandsName()
    {
        final Set<String> volumes = new HashSet<>();
        final Map<String, String> sourceByTargetMap = new HashMap<>();
        services.forEach((name, service) ->
        {
            for (final String volume : texts(at(service, "volumes")))
            {
                final String[] parts = volume.split(":");
                assertNull(sourceByTargetMap.put(name + " " + parts[1], parts[0]), volume);
                if (parts[0].matches("[a-z]+"))
                {
                    assertTrue(volumes.add(parts[0]) && 2 == parts.length, volume);
                }
                else
                {
                    assertEquals("ro", parts[2], volume);
                    assertTrue(!parts[0].startsWith(".") || Files.exists(DIRECTORY.resolve(parts[0])), volume);
                }
            }
        });
        assertEquals(ComposeTest.<Map<String, Object>>at(file, "volumes").keySet(), volumes);
        final ParseResult server = parsed("server");
        assertEquals("rooms",
            sourceByTargetMap.get("server " + Path.of(server.matchedOptionValue("--journal", "")).getParent()));
        assertEquals("rooms", sourceByTargetMap.get("server " + server.matchedOptionValue("--tail", "")));
        final ParseResult gateway = parsed("gateway");
        for (final String option : new String[]{"--cert", "--key"})
        {
            assertEquals("/etc/tls", sourceByTargetMap.get(
                "gateway " + gateway.<Path>matchedOptionValue(option, null).getParent()), option);
        }
        final Path config = Path.of(option("--config.file"));
        assertEquals("./operations/prometheus.yml", sourceByTargetMap.get("prometheus " + config));
        for (final String rules : texts(at(load(DIRECTORY.resolve("operations/prometheus.yml")), "rule_files")))
        {
            assertEquals("./operations/" + rules, sourceByTargetMap.get("prometheus " + config.resolveSibling(rules)));
        }
        assertEquals("metrics", sourceByTargetMap.get("prometheus " + option("--storage.tsdb.path")));
        assertEquals("./operations/datasource.yml",
            sourceByTargetMap.get("grafana /etc/grafana/provisioning/datasources/escapement.yml"));
        assertEquals("./operations/dashboards.yml",
            sourceByTargetMap.get("grafana /etc/grafana/provisioning/dashboards/escapement.yml"));
        final String dashboards = at(ComposeTest.<List<Map<String, Object>>>at(
            load(DIRECTORY.resolve("operations/dashboards.yml")), "providers").get(0), "options", "path");
        assertEquals("./operations/dashboard.json",
            sourceByTargetMap.get("grafana " + dashboards + "/escapement.json"));
    }
}
