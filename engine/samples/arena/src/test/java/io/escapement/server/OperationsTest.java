package io.escapement.server;

import io.escapement.accounts.AccountsContext;
import io.escapement.cluster.ClusterLog;
import io.escapement.cluster.ClusterOptions;
import io.escapement.engine.Durability;
import io.escapement.engine.EngineContext;
import io.escapement.engine.monitor.MonitorContext;
import io.escapement.engine.trunks.TrunkServerContext;
import io.escapement.gateway.Gateway;
import io.escapement.gateway.GatewayContext;
import io.escapement.testsupport.MetricsPage;
import io.escapement.testsupport.OtlpCollector;
import io.escapement.testsupport.ReferencePage;
import io.escapement.testsupport.Tests;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The dashboard and the alerts, against what a server of a cluster with accounts and its gateway export. */
class OperationsTest
{
    private static final Path OPERATIONS = Path.of("..", "..", "server", "operations");
    private static final byte[] SECRET = "a secret of this test".getBytes(StandardCharsets.US_ASCII);
    private static final Pattern LEGEND_LABEL = Pattern.compile("\\{\\{([a-z]+)}}");
    private static final Pattern ALERT_LABEL = Pattern.compile("\\{\\{ \\$labels\\.([a-z]+) }}");
    /** Labels of each series, and of the buckets of each histogram. */
    private static final Set<String> COMMON_LABELS = Set.of("instance", "job", "le");
    private static final Pattern JOB = Pattern.compile("job=\"([a-z]+)\"");

    private static final long EXPORT_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long TIMEOUT_NS = TimeUnit.MINUTES.toNanos(1);

    private static final OtlpCollector COLLECTOR = new OtlpCollector();
    private static Map<String, Set<String>> labelsByNameMap;
    private static MetricsPage serverPage;
    private static MetricsPage gatewayPage;
    private static String exported;

    @TempDir
    private static Path directory;

    @BeforeAll
    static void readMetrics() throws IOException
    {
        Quiet.libraries();
        final String[] trunks = {Program.freeEndpoint(), Program.freeEndpoint()};
        final ClusterLog log = new ClusterLog(new ClusterOptions()
            .members("127.0.0.1:" + Tests.freePorts(ClusterOptions.PORTS_PER_MEMBER)).memberId(0)
            .directory(directory.resolve("member")));
        final EngineContext context = new EngineContext().loops(1)
            .durability(Durability.replicated(log))
            .monitor(new MonitorContext().metricsPort(0).intervalNs(TimeUnit.MILLISECONDS.toNanos(100))
                .otlp(COLLECTOR.url(), EXPORT_NS, TIMEOUT_NS))
            .trunks(new TrunkServerContext().udp(trunks[0], trunks[1]).secret(SECRET, false).limit(2));
        try (COLLECTOR; GameServer server = GameServer.launch(new Types(List.of()),
            new AccountsContext().databaseUrl("jdbc:h2:mem:operations").errorHandler(OperationsTest::fail), true,
            context);
            Gateway gateway = Gateway.launch(new GatewayContext().udp(trunks[0], trunks[1]).secret(SECRET)
                .port(0).metricsPort(0).otlp(COLLECTOR.url(), EXPORT_NS, TIMEOUT_NS)))
        {
            Tests.await(server::lead, "the member leads");
            Tests.await(gateway::isReady, "the gateway has its trunk");
            try (LoopbackPlayer player =
                new LoopbackPlayer(URI.create("http://127.0.0.1:" + gateway.port() + "/"), "127.0.0.1"))
            {
                player.logIn(new byte[1]);
                assertNotEquals(0, player.status(), "so that there is a refusal");
            }
            Tests.await(() -> page(server.engine().metricsPort()).types()
                .containsKey("escapement_loop_frame_lateness_seconds"), "an interval of the histograms");
            serverPage = page(server.engine().metricsPort());
            gatewayPage = page(gateway.metricsPort());
            labelsByNameMap = MetricsExpression.labels(serverPage, gatewayPage);
            // Each has exported them since.
            final int exports = COLLECTOR.bodies().size();
            Tests.await(() -> exported(exports).contains("escapement-server") &&
                exported(exports).contains("escapement-gateway"), "exports");
            exported = exported(exports);
        }
    }

    private static void fail(final Throwable ex)
    {
        throw new AssertionError(ex);
    }

    /** The texts of exports, between bytes. */
    private static String exported(final int from)
    {
        return COLLECTOR.bodies().stream().skip(from)
            .map((body) -> new String(body, StandardCharsets.UTF_8)).collect(Collectors.joining());
    }

    private static MetricsPage page(final int port)
    {
        try
        {
            return MetricsPage.parse(HttpClient.newHttpClient().send(HttpRequest.newBuilder(
                URI.create("http://127.0.0.1:" + port + "/metrics")).build(),
                HttpResponse.BodyHandlers.ofString()).body());
        }
        catch (final IOException | InterruptedException ex)
        {
            throw new AssertionError(ex);
        }
    }

    /** JSON is YAML. */
    private static Map<String, Object> load(final String name) throws IOException
    {
        return new Yaml(new SafeConstructor(new LoaderOptions())).load(Files.readString(OPERATIONS.resolve(name)));
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

    private static Set<String> labels(final Pattern pattern, final String text)
    {
        return pattern.matcher(text).results().map((match) -> match.group(1)).collect(Collectors.toSet());
    }

    @Test
    void shouldDrawMetricsThatExistInTheirUnits() throws IOException
    {
        final Map<String, Object> dashboard = load("dashboard.json");
        final String source = OperationsTest.<List<Map<String, Object>>>at(load("datasource.yml"), "datasources")
            .get(0).get("uid").toString();
        final Set<String> titles = new TreeSet<>();
        int bottom = 0;
        for (final Map<String, Object> panel : OperationsTest.<List<Map<String, Object>>>at(dashboard, "panels"))
        {
            final String title = at(panel, "title");
            assertTrue(titles.add(title), title);
            final int y = at(panel, "gridPos", "y");
            assertTrue(y >= bottom - 8 && OperationsTest.<Integer>at(panel, "gridPos", "x") <= 16, title);
            bottom = y + OperationsTest.<Integer>at(panel, "gridPos", "h");
            if ("row".equals(at(panel, "type")))
            {
                continue;
            }
            assertEquals(source, at(panel, "datasource", "uid"), title);
            final boolean isHeatMap = "heatmap".equals(at(panel, "type"));
            final String unit =
                isHeatMap ? at(panel, "options", "yAxis", "unit") : at(panel, "fieldConfig", "defaults", "unit");
            for (final Map<String, Object> target : OperationsTest.<List<Map<String, Object>>>at(panel, "targets"))
            {
                final MetricsExpression expression = MetricsExpression.parse(at(target, "expr"), labelsByNameMap);
                assertEquals(expression.unit(), unit, title);
                assertEquals(isHeatMap, "heatmap".equals(target.get("format")), title);
                final Set<String> legend = labels(LEGEND_LABEL, at(target, "legendFormat"));
                assertTrue(expression.labels().containsAll(legend), title + ": " + legend);
            }
        }
        assertTrue(titles.containsAll(List.of("Players", "Rooms", "Frame lateness", "Busy share", "Refusals by reason",
            "States dropped and feeds missed", "Commit wait p50, p99", "Member behind the leader", "Connections",
            "Queue", "Bytes", "Latency of services", "JVM memory")), titles::toString);
    }

    @Test
    void shouldExportTheMetricsOfTheText()
    {
        labelsByNameMap.keySet().stream().filter((name) -> name.startsWith("escapement_"))
            .map((name) -> name.replaceFirst("_(bucket|count|sum)$", ""))
            .forEach((name) -> assertTrue(exported.contains(name), name));
    }

    @Test
    void shouldListEachMetricInTheReference() throws IOException
    {
        final List<String> page = new ArrayList<>(List.of("# Metrics", "",
            "For everyone who watches a server or a gateway. Made by `OperationsTest` from the metrics that a node " +
            "of a cluster with accounts and its gateway export. The test fails if this page differs.", "",
            "Times are in seconds and sizes in bytes. A counter's name ends with `_total`."));
        list(page, "A server", serverPage);
        list(page, "A gateway", gatewayPage);
        page.addAll(List.of("", "## Next", "", "[Commands and options](options.md), [settings](settings.md)."));
        ReferencePage.check("metrics.md", page);
    }

    private static void list(final List<String> lines, final String heading, final MetricsPage page)
    {
        lines.addAll(List.of("", "## " + heading, "", "| metric | type | labels | meaning |", "|---|---|---|---|"));
        page.helps().forEach((name, help) ->
        {
            final Set<String> labels = new TreeSet<>();
            labelsByNameMap.forEach((series, of) ->
            {
                if (series.equals(name) || "histogram".equals(page.types().get(name)) &&
                    series.matches(Pattern.quote(name) + "_(bucket|count|sum)"))
                {
                    labels.addAll(of);
                }
            });
            labels.removeAll(COMMON_LABELS);
            lines.add("| `" + name + "` | " + page.types().get(name) + " | " + labels.stream()
                .map((label) -> '`' + label + '`').collect(Collectors.joining(", ")) + " | " + help + " |");
        });
    }

    @Test
    void shouldAlertByMetricsThatExist() throws IOException
    {
        final List<String> jobs = new ArrayList<>();
        for (final Map<String, Object> job : OperationsTest.<List<Map<String, Object>>>at(
            load("prometheus.yml"), "scrape_configs"))
        {
            jobs.add(at(job, "job_name"));
        }
        final Set<String> alerts = new TreeSet<>();
        for (final Map<String, Object> group : OperationsTest.<List<Map<String, Object>>>at(
            load("alerts.yml"), "groups"))
        {
            for (final Map<String, Object> rule : OperationsTest.<List<Map<String, Object>>>at(group, "rules"))
            {
                final String text = at(rule, "expr");
                final String name = at(rule, "alert");
                assertTrue(alerts.add(name), name);
                final MetricsExpression expression = MetricsExpression.parse(text, labelsByNameMap);
                assertTrue(text.matches("(?s).* (>|==) [0-9.]+"), text);
                assertTrue(jobs.containsAll(labels(JOB, text)), text);
                final Set<String> used = labels(ALERT_LABEL, at(rule, "annotations", "summary"));
                assertTrue(used.contains("instance") && expression.labels().containsAll(used), name + ": " + used);
            }
        }
        assertTrue(alerts.containsAll(List.of("FramesLate", "Refusals", "MemberBehind", "ServiceSlow",
            "ServerOutOfReach", "GatewayOutOfReach", "GatewayWithoutTrunk")), alerts::toString);
    }

    /** The first word of a message names the fault. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        sum(escapement_loop_rooms)                                        | escapement_loop_rooms: is no metric
        sum by (trunk) (escapement_loop_rooms_open)                       | trunk: is no label of
        escapement_loop_rooms_open{room="1"}                              | room: is no label of
        escapement_loop_turns_total                                       | escapement_loop_turns_total: is read over
        rate(escapement_loop_rooms_open[5m])                              | escapement_loop_rooms_open: is read over
        median(escapement_loop_rooms_open)                                | median: is no function
        rate(escapement_loop_turns_total[5m]) / escapement_edge_trunks_up | cps and short: have no unit together
        escapement_loop_rooms_open + escapement_loop_timers_set           | escapement_loop_timers_set: is a second
        escapement_loop_frame_lateness_seconds{quantile="0.5"}          | escapement_loop_frame_lateness_seconds: is no
        """)
    void shouldRefuseExpressions(final String text, final String start)
    {
        final String message =
            assertThrows(AssertionError.class, () -> MetricsExpression.parse(text, labelsByNameMap)).getMessage();
        assertTrue(message.startsWith(start), message);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        escapement_jvm_memory_used_bytes > 5                              | bytes       | area instance job
        sum by (code) (rate(escapement_edge_refusals_total[5m])) > 1      | cps         | code
        rate(escapement_loop_work_seconds_total{loop="0"}[5m])            | percentunit | instance job loop
        sum(escapement_gateway_sessions)                                  | short       |
        """)
    void shouldReadUnitsAndLabels(final String text, final String unit, final String labels)
    {
        final MetricsExpression expression = MetricsExpression.parse(text, labelsByNameMap);
        assertEquals(unit, expression.unit());
        assertEquals(null == labels ? "" : labels, String.join(" ", expression.labels()));
    }
}
