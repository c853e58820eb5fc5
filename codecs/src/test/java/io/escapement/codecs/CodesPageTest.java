package io.escapement.codecs;

import io.escapement.testsupport.ReferencePage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import uk.co.real_logic.sbe.ir.Signal;
import uk.co.real_logic.sbe.ir.Token;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** The reference of the codes, with their meanings from the schemas. */
class CodesPageTest
{
    private static final String GENERATED =
        "Made from the schemas by `CodesPageTest`, which fails if this page differs.";
    private static final String BATCH = "EntryRefused of a batch";

    /** The messages of a trunk that have a code, and their codes. */
    private static final Map<String, String> SENT_IN = Map.of(
        BATCH, """
            TOO_SHORT WRONG_SCHEMA UNKNOWN_VERSION UNKNOWN_TEMPLATE BAD_BLOCK_LENGTH BAD_GROUP_BLOCK BAD_GROUP_COUNT
            DATA_TOO_LONG TRAILING_BYTES NOT_ATTACHED TOO_MANY_ENTRIES WRONG_STREAM NOT_UNFRAGMENTED""",
        "EntryRefused", "UNKNOWN_ROOM BAD_PLAYER_TOKEN PLAYER_TOKEN_EXPIRED RATE_LIMITED NO_FEED",
        "Refused", """
            TOO_LONG BAD_VALUE UNKNOWN_ROOM ROOM_FULL ROOM_LOCKED NOT_RESERVED ALREADY_JOINED NOT_JOINED STALE_SEAT
            FOREIGN_SEAT OLD_SEQUENCE DRAINING ROOM_FAILED UNKNOWN_MESSAGE SEAT_AWAY JOIN_WAITS JOIN_LIMIT JOIN_TIMEOUT
            SPECTATOR BAD_PART JOIN_CANCELLED""",
        "LogInReply", "SERVICE_FAILED LOG_IN_BUSY NO_LOG_IN",
        "Reject", """
            PROTOCOL_VERSION BAD_CREDENTIALS TOO_MANY_HANDSHAKES TOO_MANY_TRUNKS UNKNOWN_TRUNK ENGINE_STOPPING
            NOT_LEADING""",
        "Goodbye", """
            HANDSHAKE_TIMEOUT SLOW_CONSUMER KEEPALIVE_LATE REPLACED ENGINE_STOPPING NOT_LEADING CLOSED_BY_PEER""",
        "counter only", "OUT_OF_ORDER BAD_ATTACH");

    /** Whether a player's client connects again after a close. */
    private static final Map<String, String> RECONNECT = Map.of(
        "no", "NORMAL PROTOCOL_ERROR TEXT TOO_BIG PROTOCOL_VERSION MALFORMED FLOOD REPLACED NOT_LOGGED_IN",
        "yes", "HANDSHAKE_TIMEOUT SLOW_CONSUMER ENGINE_LOST IDLE",
        "yes, to another gateway", "GOING_AWAY",
        "yes, later", "FULL STOPPING");

    private static final Path CLIENT = ReferencePage.root().resolve(
        "engine/web/src/main/resources/META-INF/resources/escapement/codes.js");
    private static final Pattern CODE = Pattern.compile("[A-Z][A-Z_]{3,}");

    private record Code(long value, String name, String meaning)
    {
    }

    @Test
    void shouldListEveryCodeWithItsMeaning() throws IOException
    {
        final List<String> page = new ArrayList<>(List.of("# Codes", "",
            "For authors of clients and everyone who reads a code in a log. " + GENERATED,
            "[The trunk protocol](../../../codecs/protocol/trunk.md#refusals) and [the player",
            "protocol](../../../codecs/protocol/player.md#refusals) define their use. Accept unknown codes.", "",
            "All codes share one range of numbers. Codes from 1024 to 65,534 are the application's own, in Refused and",
            "Left. 65,535 is never sent. In Java, `Codes.nameOf` returns names.", "",
            "## Rooms", "",
            "From `room.xml`. The last column is the message that carries the code on a trunk."));
        final List<Code> rooms = codes("room.xml", "RefusalCode");
        final List<Code> trunks = codes("trunk.xml", "TrunkCode");
        table(page, "code | name | meaning | on a trunk", rooms, SENT_IN, "not sent");
        page.addAll(List.of("", "## Trunks", "", "From `trunk.xml`, 128 and up."));
        table(page, "code | name | meaning | on a trunk", trunks.stream().filter((code) -> 0 != code.value).toList(),
            SENT_IN, "not sent");
        page.addAll(List.of("", "## Gateways", "",
            "From `player.xml`, 192 and up, in Refused and LoggedIn. A gateway passes the other codes through."));
        table(page, "code | name | meaning", codes("player.xml", "GatewayCode"), Map.of(), null);
        page.addAll(List.of("", "## Closes", "",
            "The status of a gateway's close of a WebSocket. The last column says if the client reconnects."));
        table(page, "close | name | meaning | reconnect", codes("player.xml", "CloseCode"), RECONNECT, null);
        ReferencePage.check("codes.md", page);
    }

    @Test
    void shouldNameOnlyCodesThatExist()
    {
        final List<String> names = new ArrayList<>();
        for (final String[] type : new String[][]{{"room.xml", "RefusalCode"}, {"trunk.xml", "TrunkCode"}})
        {
            codes(type[0], type[1]).forEach((code) -> names.add(code.name));
        }
        assertEquals(List.of(), words(SENT_IN).stream().filter((name) -> !names.contains(name)).toList());
        assertEquals(codes("player.xml", "CloseCode").stream().map(Code::name).sorted().toList(),
            words(RECONNECT).stream().sorted().toList());
    }

    @Test
    void shouldSayAfterWhichCodesTheBrowserClientReconnects() throws IOException
    {
        final String codes = Files.readString(CLIENT, StandardCharsets.UTF_8).split("FINAL_CODES = new Set\\(")[1];
        final List<String> names = Pattern.compile("CloseCode\\.(\\w+)").matcher(codes.substring(0, codes.indexOf(')')))
            .results().map((name) -> name.group(1)).sorted().toList();
        assertEquals(names, Stream.of(RECONNECT.get("no").split(" ")).sorted().toList());
    }

    @Test
    void shouldSayAfterWhichRefusalsTheBrowserClientRetries() throws IOException
    {
        final String list = Files.readString(CLIENT, StandardCharsets.UTF_8).split("TRANSIENT_CODES = new Map\\(")[1];
        final String page = Files.readString(
            ReferencePage.root().resolve("codecs/protocol/player.md"), StandardCharsets.UTF_8);
        final String retry = page.split("Retry a LogIn")[1];
        assertEquals(words(CODE, list.substring(0, list.indexOf(");"))),
            words(CODE, retry.substring(retry.indexOf("codes:"), retry.indexOf(".\n"))));
    }

    private static List<String> words(final Pattern pattern, final String text)
    {
        return pattern.matcher(text).results().map(MatchResult::group).distinct().sorted().toList();
    }

    private static void table(
        final List<String> page,
        final String head,
        final List<Code> codes,
        final Map<String, String> namesByGroup,
        final String otherwise)
    {
        page.addAll(List.of("", "| " + head + " |", "|---".repeat(head.split("\\|").length) + "|"));
        for (final Code code : codes)
        {
            final String groups = new TreeMap<>(namesByGroup).entrySet().stream()
                .filter((group) -> List.of(group.getValue().split("\\s+")).contains(code.name))
                .map(Map.Entry::getKey).collect(Collectors.joining(", "));
            page.add("| " + code.value + " | " + code.name + " | " + code.meaning +
                (namesByGroup.isEmpty() ? " |" : " | " + (groups.isEmpty() ? otherwise : groups) + " |"));
        }
    }

    private static List<String> words(final Map<String, String> namesByGroup)
    {
        return namesByGroup.values().stream().flatMap((names) -> List.of(names.split("\\s+")).stream()).toList();
    }

    private static List<Code> codes(final String schema, final String type)
    {
        final List<Code> codes = new ArrayList<>();
        for (final Token token : Shapes.parse(schema).getType(type))
        {
            if (Signal.VALID_VALUE == token.signal())
            {
                codes.add(new Code(token.encoding().constValue().longValue(), token.name(), token.description()));
            }
        }
        return codes;
    }
}
