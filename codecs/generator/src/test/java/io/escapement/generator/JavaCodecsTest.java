package io.escapement.generator;

import io.escapement.generator.Samples.Sample;
import io.escapement.testsupport.Tests;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Generated layouts, encoders and dispatchers, compiled and run. */
class JavaCodecsTest
{
    private static final Path RESOURCES = Path.of("src/test/resources/io/escapement/generator");
    private static final String EVERYTHING = "io.escapement.generator.everything.EverythingLayout";
    private static final String GAME = "io.escapement.generator.game.";
    private static final long SEED = 910;
    private static final int BAD_GROUP_COUNT = 8;
    private static final int DATA_TOO_LONG = 9;

    private static GeneratedJava generated;

    @TempDir
    private Path directory;

    @BeforeAll
    static void generate() throws IOException
    {
        generated = new GeneratedJava(List.of(RESOURCES.resolve("everything.xml"), RESOURCES.resolve("game.xml")));
    }

    @AfterAll
    static void close()
    {
        CloseHelper.close(generated);
    }

    @Test
    void shouldRefuseTheBytesThatANaiveWalkRefuses() throws Exception
    {
        final NaiveWalk walk = new NaiveWalk(Generated.parse("everything.xml")).withLimits();
        final Samples samples = new Samples(SEED);
        final SplittableRandom random = new SplittableRandom(SEED);
        final int rounds = Tests.isFull() ? 200_000 : 20_000;
        int valid = 0;
        for (int i = 0; i < rounds; i++)
        {
            final Sample sample = samples.next();
            final byte[] mutant = JavaScriptCodecsTest.mutant(sample.bytes(), random);
            final int templateId = mutant.length > 3 ? mutant[2] & 0xFF | (mutant[3] & 0xFF) << 8 : 0;
            final boolean isValid = walk.isValid(templateId, mutant);
            valid += isValid ? 1 : 0;
            assertEquals(isValid, 0 == generated.validate(EVERYTHING, mutant),
                "seed " + SEED + ", mutant " + i + ": " + sample.name() + Arrays.toString(mutant));
        }
        assertTrue(valid > rounds / 20 && valid < rounds * 19 / 20, valid + " of " + rounds + " were valid");
    }

    @Test
    void shouldRefuseMoreThanTheLimitsOfTheSchema() throws Exception
    {
        final Object encoder = encoder();
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[64]);
        final byte[] longest = Arrays.copyOf(buffer.byteArray(), move(encoder, buffer, "text"));
        assertEquals(0, generated.validate(GAME + "GameLayout", longest));
        final byte[] longer = Arrays.copyOf(longest, longest.length + 1);
        longer[longest.length - 6] = 5;
        assertEquals(DATA_TOO_LONG, generated.validate(GAME + "GameLayout", longer));
        final String three = "0400 0300 8503 0000 01000000 0100 0300 010203 0000";
        assertEquals(BAD_GROUP_COUNT, generated.validate(GAME + "GameLayout", hex(three)));
        assertEquals(0, generated.validate(GAME + "GameLayout", hex(three.replace("0300 010203", "0200 0102"))));
        assertEquals(4, generated.load(GAME + "GameLayout").getField("MOVE_TEXT_MAX_LENGTH").getInt(null));
        assertEquals(2, generated.load(GAME + "GameLayout").getField("TEAM_PLAYERS_MAX_COUNT").getInt(null));
    }

    @Test
    void shouldEncodeEachKindOfParameter() throws Exception
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[64]);
        final int length = move(encoder(), buffer, "text");
        assertEquals("1000 0100 8503 0000 ff feff 0300 01 3905 01 0a0b 2c01 01 ffee 0400 74657874".replace(" ", ""),
            HexFormat.of().formatHex(buffer.byteArray(), 0, length));
        assertEquals(length, generated.load(GAME + "GameEncoder").getMethod("moveLength", int.class).invoke(null, 4));
    }

    @Test
    void shouldLeaveOutOptionalFields() throws Exception
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[64]);
        final Object encoder = encoder();
        final Class<?> colour = generated.load(GAME + "Colour");
        final Method move = encoder.getClass().getMethod("move", MutableDirectBuffer.class, int.class, int.class,
            int.class, int.class, colour, int.class, boolean.class, byte[].class, int.class, DirectBuffer.class,
            int.class, int.class);
        final int length = (int)move.invoke(encoder, buffer, 0, 1, 2, 3, colour.getEnumConstants()[0], 7, false,
            new byte[2], 9, new UnsafeBuffer("xxab".getBytes(StandardCharsets.US_ASCII)), 2, 2);
        assertEquals("1000 0100 8503 0000 01 0200 0300 01 0700 00 0000 0000 00 0900 0200 6162".replace(" ", ""),
            HexFormat.of().formatHex(buffer.byteArray(), 0, length));
    }

    @Test
    void shouldReturnTheEncoderOfAMessageThatIsNotComplete() throws Exception
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[64]);
        final Object encoder = encoder();
        final Object team = encoder.getClass().getMethod("team", MutableDirectBuffer.class, int.class, int.class)
            .invoke(encoder, buffer, 0, 5);
        final Object players = team.getClass().getMethod("playersCount", int.class).invoke(team, 1);
        players.getClass().getMethod("next").invoke(players);
        players.getClass().getMethod("length", short.class).invoke(players, (short)3);
        team.getClass().getMethod("putText", byte[].class, int.class, int.class).invoke(team, new byte[1], 0, 1);
        final int length = 8 + (int)team.getClass().getMethod("encodedLength").invoke(team);
        assertEquals(0, generated.validate(GAME + "GameLayout", Arrays.copyOf(buffer.byteArray(), length)));
    }

    @Test
    void shouldDispatchEachMessageAndRefuseAllOthers() throws Exception
    {
        final Path source = directory.resolve("Probe.java");
        Files.writeString(source, "package io.escapement.generator.game;\n" +
            "public final class Probe extends GameDispatcher {\n" +
            "    @Override protected int refused(final int templateId) { return -1 - templateId; }\n" +
            "    @Override protected int onMove(final MoveDecoder move) { return move.offset() + move.tiny(); }\n" +
            "    @Override protected int onStop(final StopDecoder stop) { return 77; }\n}\n");
        try (GeneratedJava withProbe = new GeneratedJava(List.of(RESOURCES.resolve("game.xml")), source))
        {
            final Object probe = withProbe.load(GAME + "Probe").getDeclaredConstructor().newInstance();
            final Method dispatch = probe.getClass().getMethod("dispatch", DirectBuffer.class, int.class);
            final UnsafeBuffer buffer = new UnsafeBuffer(new byte[64]);
            buffer.putByte(3 + 8, (byte)9);
            for (int templateId = 0; templateId < 65_536; templateId++)
            {
                buffer.putShort(3 + 2, (short)templateId);
                final int expected = switch (templateId)
                {
                    case 1 -> 3 + 8 + 9;
                    case 6 -> 77;
                    default -> -1 - templateId;
                };
                assertEquals(expected, dispatch.invoke(probe, buffer, 3));
            }
        }
    }

    /** A field that is added to any message of a schema reaches everything, and a message does. */
    @ParameterizedTest
    @ValueSource(strings = {
        "../src/main/resources/io/escapement/codecs/room.xml",
        "../src/main/resources/io/escapement/codecs/trunk.xml",
        "../src/main/resources/io/escapement/codecs/player.xml",
        "../../engine/samples/arena/src/main/resources/io/escapement/arena/protocol/arena.xml",
        "../../engine/accounts/src/main/resources/io/escapement/accounts/accounts.xml",
        "../../engine/matchmaking/src/main/resources/io/escapement/matchmaking/matchmaking.xml",
        "../../engine/samples/examples/src/main/resources/io/escapement/examples/exchange/exchange.xml"})
    void shouldReachEverythingWithAPlantedField(final String path) throws Exception
    {
        final String schema = Files.readString(Path.of(path));
        final String name = JavaNames.upperFirst(Path.of(path).getFileName().toString().replace(".xml", ""));
        final int messages = schema.split("<sbe:message name=").length;
        final String planted = schema.replaceAll("(<sbe:message name=\"\\w+\" id=\"\\d+\"[^>/]*>)",
            "$1\n<field name=\"planted\" id=\"999\" type=\"int32\" description=\"Planted.\"/>")
            .replace("</sbe:messageSchema>", "<sbe:message name=\"Planted\" id=\"9999\" description=\"Planted.\">" +
                "<field name=\"planted\" id=\"1\" type=\"int64\"/></sbe:message></sbe:messageSchema>");
        final Path file = directory.resolve(Path.of(path).getFileName());
        Files.writeString(file, planted);
        final String before = java(Path.of(path), name + "Layout");
        final String layout = java(file, name + "Layout");
        assertTrue(layout.contains(".message(9999, 8)"), layout);
        final List<Integer> lengths = blockLengths(before);
        final List<Integer> longer = blockLengths(layout);
        int grown = 0;
        for (int i = 0; i < lengths.size(); i++)
        {
            grown += longer.get(i) == lengths.get(i) + Integer.BYTES ? 1 : 0;
        }
        final int fields = planted.split("name=\"planted\" id=\"999\"").length - 1;
        assertEquals(fields, grown, "messages with a block that has grown, of " + messages);
        assertTrue(fields > 2, "fields planted");
        final String encoder = java(file, name + "Encoder");
        assertTrue(encoder.split("final int planted").length > fields, "parameters of the encoder");
        assertTrue(encoder.contains("public final int planted("));
        assertTrue(java(file, name + "Dispatcher").contains("protected int onPlanted("));
        new Generator(true).javaScript(file, directory, List.of(), List.of());
        final String module = Path.of(path).getFileName().toString().replace(".xml", "");
        assertEquals(fields + 1,
            Files.readString(directory.resolve(module + ".js")).split("get planted\\(\\)").length - 1);
        assertTrue(Files.readString(directory.resolve(module + ".d.ts")).contains("readonly planted: number;"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "littleEndian | bigEndian | byteOrder: bigEndian is not supported",
        "name=\"tiny\" | name=\"next\" | next: a field cannot be called",
        "name=\"tiny\" | name=\"toObject\" | toObject: a field cannot be called",
        "name=\"Stop\" | name=\"Game\" | its message Game and the schema need one class name",
        "maxValue=\"2\"/> | maxValue=\"2\"/><type name=\"more\" primitiveType=\"uint16\"/> | players: rules need",
        "numInGroup\" primitiveType=\"uint16\" | numInGroup\" primitiveType=\"uint64\" | should be UINT8 or UINT16",
        "\"version\" primitiveType=\"uint16\"/> | \"version\" primitiveType=\"uint16\"/><type name=\"more\"" +
            " primitiveType=\"uint16\"/> | messageHeader: expected"})
    void shouldRefuseASchemaByItsReason(final String from, final String to, final String reason) throws IOException
    {
        final Path file = directory.resolve("game.xml");
        Files.writeString(file, Files.readString(RESOURCES.resolve("game.xml")).replace(from, to));
        final IllegalStateException refusal =
            assertThrows(IllegalStateException.class, () -> new Generator(true).java(file, directory));
        assertTrue(refusal.getMessage().contains(reason), refusal.getMessage());
        assertTrue(refusal.getMessage().contains("game.xml"), refusal.getMessage());
    }

    private String java(final Path file, final String name) throws IOException
    {
        new Generator(true).java(file, directory.resolve("java"));
        try (var files = Files.walk(directory.resolve("java")))
        {
            return Files.readString(
                files.filter((found) -> found.endsWith(name + ".java")).findFirst().orElseThrow());
        }
    }

    private static List<Integer> blockLengths(final String layout)
    {
        final List<Integer> lengths = new ArrayList<>();
        for (final String part : layout.split("\\.message\\(\\d+, "))
        {
            if (Character.isDigit(part.charAt(0)))
            {
                lengths.add(Integer.parseInt(part.substring(0, part.indexOf(')'))));
            }
        }
        return lengths;
    }

    private static Object encoder() throws ReflectiveOperationException
    {
        return generated.load(GAME + "GameEncoder").getDeclaredConstructor().newInstance();
    }

    private static int move(final Object encoder, final UnsafeBuffer buffer, final String text)
        throws ReflectiveOperationException
    {
        final Class<?> colour = generated.load(GAME + "Colour");
        final Method move = encoder.getClass().getMethod("move", MutableDirectBuffer.class, int.class, int.class,
            int.class, int.class, colour, int.class, boolean.class, byte[].class, int.class, boolean.class, int.class,
            byte[].class);
        return (int)move.invoke(encoder, buffer, 0, 255, -2, 3, colour.getEnumConstants()[0], 1_337, true,
            new byte[]{10, 11}, 300, true, 0xEEFF, text.getBytes(StandardCharsets.US_ASCII));
    }

    private static byte[] hex(final String text)
    {
        return HexFormat.of().parseHex(text.replace(" ", ""));
    }
}
