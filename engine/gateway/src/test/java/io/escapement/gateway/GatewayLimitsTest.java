package io.escapement.gateway;

import io.escapement.codecs.PlayerMessages;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** The table of limits in the guide against the defaults and the counters of the code. */
class GatewayLimitsTest
{
    private static final int DEFAULT = 2;
    private static final int OVER_IT = 3;
    private static final int COUNTER = 4;
    private static final Pattern SIZE_OR_TIME = Pattern.compile("[0-9,]+ (KiB|s)\\b");

    private final GatewayLimits limits = new GatewayContext().limits();

    /** The cells of each row, of which the first is empty. */
    private static List<String[]> rows() throws IOException
    {
        final String page = Files.readString(Path.of("..", "guide", "gateway.md"));
        final int start = page.indexOf("\n## Limits") + 1;
        return page.substring(start, page.indexOf("\n## ", start)).lines()
            .filter((line) -> line.startsWith("| ") && !line.startsWith("| limit |"))
            .map((line) -> line.split("\\s*\\|\\s*")).toList();
    }

    @Test
    void shouldHaveTheDefaultsOfThePage() throws IOException
    {
        assertEquals(List.of(
            count(limits.connectionLimit()) + " and " + Admission.RESERVE,
            count(limits.ungreetedLimit()) + " and " + Admission.RESERVE,
            limits.addressLimit() + " and " + ofNetwork(limits.addressLimit()),
            limits.addressRate() + " per second, " + limits.addressRate() * 5 / 2 + " at once",
            ofNetwork(limits.addressRate()) + " per second, " + ofNetwork(limits.addressRate() * 5 / 2) + " at once",
            count(limits.acceptRate()) + " per second, one after another",
            Integer.toString(Listener.ACCEPTS_AT_ONCE),
            "the system's",
            bytes(Listener.HEAD_LENGTH),
            seconds(limits.handshakeNs()),
            Integer.toString(WebHandler.REQUEST_LIMIT),
            seconds(WebHandler.HANDSHAKES * limits.handshakeNs()),
            "1",
            seconds(limits.slowNs()),
            count(PlayerMessages.MAX_REQUEST_LENGTH) + " B, fragments together",
            limits.messageRate() + " per second, " + 2 * limits.messageRate() + " at once",
            bytes(limits.byteRate()) + " per second, " + bytes(2 * limits.byteRate()) + " at once",
            PlayerConnection.LOG_IN_LIMIT + " at once, one per " +
                TimeUnit.NANOSECONDS.toMinutes(PlayerConnection.LOG_IN_INTERVAL_NS) + " minutes",
            limits.logInRate() + " and " + ofNetwork(limits.logInRate()) + " per minute",
            count(limits.logInQueueLimit()) + " and " + count(limits.logInQueueLimit()),
            seconds(limits.requestNs()),
            Integer.toString(limits.roomLimit()),
            seconds(limits.logInNs()),
            seconds(limits.idleNs()) + ", with a ping every " + seconds(limits.pingNs()),
            "-",
            bytes(PlayerConnection.HELD_LIMIT),
            bytes(Listener.SEND_BUFFER) + ", with epoll for " + seconds(limits.slowNs()),
            bytes(limits.stateQueueLimit()),
            bytes(limits.queueLimit()) + ", or none taken for " + seconds(limits.slowNs()),
            limits.totalQueueLimit() / (1_024 * 1_024) + " MiB",
            seconds(limits.graceNs()),
            "as many as connections",
            "0 s"), rows().stream().map((row) -> row[DEFAULT]).toList());
    }

    @Test
    void shouldDoWhatThePageSaysOverThem() throws IOException
    {
        final List<String> sizesAndTimes = rows().stream().flatMap((row) ->
            SIZE_OR_TIME.matcher(row[OVER_IT]).results()).map(MatchResult::group).toList();
        assertEquals(List.of(seconds(limits.floodNs()), bytes(limits.stateQueueLimit() / 4)), sizesAndTimes);
        assertEquals(1, rows().stream().filter((row) -> row[OVER_IT].equals(
            "the others wait in the kernel's queue of " + count(Listener.BACKLOG))).count());
    }

    @Test
    void shouldHaveTheCountersOfThePage() throws IOException
    {
        final Set<String> known = GatewayMetricsTest.page().series().keySet().stream()
            .map((series) -> "`" + series.replace("escapement_gateway_", "").replaceFirst("_total(?=\\{|$)", "") + "`")
            .collect(Collectors.toSet());
        known.add("-");
        assertEquals(List.of(), rows().stream().flatMap((row) -> Arrays.stream(row[COUNTER].split(", ")))
            .filter((name) -> !known.contains(name)).toList());
    }

    private static String ofNetwork(final int value)
    {
        return count(AddressLimits.NETWORK_FACTOR * value);
    }

    private static String count(final int value)
    {
        return String.format(Locale.ROOT, "%,d", value);
    }

    private static String bytes(final int value)
    {
        return value / 1_024 + " KiB";
    }

    private static String seconds(final long ns)
    {
        return TimeUnit.NANOSECONDS.toSeconds(ns) + " s";
    }
}
