package io.escapement.codecs;

import io.escapement.testsupport.JsonReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A reader reads each value as it was written. */
class JsonWriterTest
{
    private static final int RANDOM_STRINGS = 2_000;

    @ParameterizedTest
    @ValueSource(strings = {"", "plain", "\"", "\\", "\\\"", "\\u0041", "a\u0000b", "\b\f\n\r\t", "\u001F\u007F\u0080",
        "</script><!--", "' onload='x", "&amp;", "\u2028\u2029", "J\u00FCrgen \u9F8D", "\uD83C\uDCCF", "\uD83C",
        "\uDCCF", "\uDCCF\uD83C", "x\uD83C\"", "\uFFFF"})
    void shouldWriteStringsThatAreReadAsTheyWere(final String text)
    {
        assertRoundTrip(text);
    }

    @Test
    void shouldWriteEachCharacterAndRandomStrings()
    {
        for (int c = 0; c <= Character.MAX_VALUE; c++)
        {
            assertRoundTrip(String.valueOf((char)c));
        }
        final Random random = new Random(7);
        for (int i = 0; i < RANDOM_STRINGS; i++)
        {
            final char[] characters = new char[random.nextInt(12)];
            for (int k = 0; k < characters.length; k++)
            {
                characters[k] = (char)random.nextInt(0 == k % 3 ? 128 : 65_536);
            }
            assertRoundTrip(new String(characters));
        }
    }

    @Test
    void shouldEscapeNoOtherCharacters()
    {
        assertEquals("\" 09AZaz~\\u007f\"", new JsonWriter().text(" 09AZaz~\u007F").toString());
    }

    @Test
    void shouldNestObjectsAndArrays()
    {
        final String text = new JsonWriter().begin('{').name("a\"").begin('[').number(1L).begin('[').end(']').text(null)
            .begin('{').end('}').flag(true).end(']').name("b").begin('{').name("c").text("d").end('}')
            .name("e").flag(false).end('}').toString();
        assertEquals("{\"a\\u0022\":[1,[],null,{},true],\"b\":{\"c\":\"d\"},\"e\":false}", text);
        assertEquals(Map.of("a\"", Arrays.asList(1.0, List.of(), null, Map.of(), true), "b", Map.of("c", "d"),
            "e", false), JsonReader.parse(text));
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0", "-0.0, 0", "3, 3", "-17, -17", "0.5, 0.5", "0.1234567, 0.123457", "12345.6789, 12345.679",
        "0.000012345678, 0.0000123457", "-0.00049, -0.00049", "1e15, 1000000000000000", "1e300, 1e300",
        "9007199254740992, 9007199254740992", "4.9e-324, 4.9e-324"})
    void shouldWriteNumbers(final double value, final String text)
    {
        final String written = new JsonWriter().number(value).toString();
        assertEquals(Double.parseDouble(text), JsonReader.parse(written));
        assertEquals(text.contains("e") ? written : text, written);
        assertTrue(written.matches("-?(0|[1-9][0-9]*)(\\.[0-9]*[1-9])?"), written);
    }

    @Test
    void shouldWriteAllDigitsOfWholeNumbers()
    {
        assertEquals("[9223372036854775807,-9223372036854775808]",
            new JsonWriter().begin('[').number(Long.MAX_VALUE).number(Long.MIN_VALUE).end(']').toString());
    }

    @ParameterizedTest
    @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY})
    void shouldWriteNullForWhatIsNoNumber(final double value)
    {
        assertEquals("[null]", new JsonWriter().begin('[').number(value).end(']').toString());
    }

    @Test
    void shouldRefuseWhatIsNoJson()
    {
        final List<Consumer<JsonWriter>> misuses = new ArrayList<>();
        misuses.add((json) -> json.end('}'));
        misuses.add((json) -> json.begin('('));
        misuses.add((json) -> json.begin('{').end(']'));
        misuses.add((json) -> json.begin('[').end('}'));
        misuses.add((json) -> json.begin('{').text("without a name"));
        misuses.add((json) -> json.begin('{').begin('['));
        misuses.add((json) -> json.begin('{').name("without a value").end('}'));
        misuses.add((json) -> json.begin('{').name("a").name("b"));
        misuses.add((json) -> json.begin('[').name("in an array"));
        misuses.add((json) -> json.name("in nothing"));
        misuses.add((json) -> json.text("a").text("a second value"));
        misuses.add((json) -> json.begin('[').end(']').begin('['));
        misuses.add(JsonWriter::toString);
        misuses.add((json) -> json.begin('[').toString());
        misuses.add((json) ->
        {
            for (int i = 0; i <= 64; i++)
            {
                json.begin('[');
            }
        });
        for (int i = 0; i < misuses.size(); i++)
        {
            final Consumer<JsonWriter> misuse = misuses.get(i);
            assertThrows(IllegalStateException.class, () -> misuse.accept(new JsonWriter()), "misuse " + i);
        }
    }

    private static void assertRoundTrip(final String text)
    {
        final String written = new JsonWriter().begin('{').name(text).text(text).end('}').toString();
        assertEquals(Map.of(text, text), JsonReader.parse(written), written);
        assertTrue(written.chars().allMatch((c) -> c >= ' ' && c <= '~' && "<>&'".indexOf(c) < 0), written);
        assertEquals(4, written.chars().filter((c) -> '"' == c).count(), written);
    }
}
