package io.escapement.generator;

import io.escapement.generator.Samples.Sample;
import io.escapement.testsupport.JavaScriptModules;
import java.util.List;
import java.util.Set;
import org.graalvm.polyglot.Value;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Modules with some of a schema's messages, in one direction. */
class SelectionTest
{
    private static final String SCHEMA = "everything.xml";
    private static final List<String> NAMES = List.of("Nothing", "Numbers", "Kinds", "Tree", "Grown");
    private static final long SEED = 901;
    private static final int ROUNDS = 60;

    /** Encode a plain object, decode to a plain object, and write the fields of a decoder as a text. */
    private static final String ENCODE = "(name, plain) => { const out = new DataView(new ArrayBuffer(8192)); " +
        "new Uint8Array(out.buffer).fill(0xEE); return out.buffer.slice(0, m[name].encode(out, 0, plain)); }";
    private static final String PLAIN = "(name, buffer) => new m[name]().wrap(new DataView(buffer)).toObject()";
    private static final String TEXT = "(() => { const text = (value, like) => " +
        "like instanceof Uint8Array ? Array.from(value).join() : " +
        "Array.isArray(like) ? '[' + Array.from(value, (entry, i) => text(entry, like[i])).join() + ']' : " +
        "like !== null && typeof like === 'object' ? '{' + Object.keys(like).map((key) => key + ':' + " +
        "text(like[key] instanceof Uint8Array ? value[key + 'Bytes'] ?? value[key] : value[key], like[key])) + '}' : " +
        "String(value); return (name, buffer, like) => " +
        "text(buffer === null ? like : new m[name]().wrap(new DataView(buffer)), like); })()";

    @Test
    void shouldEncodeAndDecodeAsTheWholeModuleDoes() throws Exception
    {
        final Samples samples = new Samples(SEED);
        try (Generated whole = new Generated(SCHEMA);
            Generated sender = new Generated(whole.scripts, whole.ir, NAMES, List.of());
            Generated receiver = new Generated(whole.scripts, whole.ir, List.of(), NAMES))
        {
            final Value plain = whole.function(PLAIN);
            final Value encode = sender.function(ENCODE);
            final Value text = receiver.function(TEXT);
            for (int i = 0; i < ROUNDS; i++)
            {
                final Sample sample = samples.next();
                final String message = "seed " + SEED + ", message " + i + ", " + sample.name();
                final Value bytes = whole.scripts.buffer(sample.bytes());
                final Value object = plain.execute(sample.name(), bytes);
                final Value encoded = encode.execute(sample.name(), object);
                assertArrayEquals(sample.bytes(),
                    JavaScriptModules.bytes(encoded, 0, (int)encoded.getBufferSize()), message);
                assertEquals(text.execute(sample.name(), null, object).asString(),
                    text.execute(sample.name(), bytes, object).asString(), message);
            }
        }
    }

    @Test
    void shouldHaveNoMoreThanItsMessagesNeed() throws Exception
    {
        try (Generated whole = new Generated(SCHEMA);
            Generated some = new Generated(whole.scripts, whole.ir, List.of("Numbers"), List.of("Grown")))
        {
            assertEquals(
                Set.of("SCHEMA_ID", "SCHEMA_VERSION", "templateId", "Numbers", "Grown", "Colour"),
                some.exports.getMemberKeys());
            for (final String part : List.of("function putChars(", "function latin1(", "function putBytes(",
                "_encodeAll", "toObject", "class Tree", "Letter"))
            {
                assertTrue(whole.module.contains(part), part);
                assertFalse(some.module.contains(part), part);
            }
            assertEquals(2, some.module.split("_encode\\(view, at, message\\) \\{").length, "encoders");
            assertTrue(some.module.contains("class SbeGroup"));
            assertNull(some.types);
        }
    }

    @Test
    void shouldRefuseAnUnknownMessage() throws Exception
    {
        try (Generated whole = new Generated(SCHEMA))
        {
            assertEquals("no message is called Grow", assertThrows(IllegalStateException.class,
                () -> new Generated(whole.scripts, whole.ir, List.of("Grow"), List.of())).getMessage());
        }
    }
}
