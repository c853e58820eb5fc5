package io.escapement.generator;

import io.escapement.generator.Schema.Block;
import io.escapement.generator.Schema.Composite;
import io.escapement.generator.Schema.Enumeration;
import io.escapement.generator.Schema.Field;
import io.escapement.generator.Schema.Kind;
import io.escapement.generator.Schema.Message;
import io.escapement.generator.Schema.Section;
import io.escapement.generator.Schema.Value;
import java.util.List;
import java.util.stream.Collectors;

/** Writes the module: runtime, constants, then a class for each composite, group and message. */
final class ModuleWriter
{
    private final Schema schema;
    private final Selection selection;
    private final String runtime;
    private final Lines out = new Lines();

    ModuleWriter(final Schema schema, final Selection selection, final String runtime)
    {
        this.schema = schema;
        this.selection = selection;
        this.runtime = runtime;
    }

    String write()
    {
        schema.enums().forEach(this::constants);
        schema.sets().forEach(this::constants);
        for (final Composite composite : schema.composites())
        {
            if (selection.has(composite.name()))
            {
                composite(composite);
            }
        }
        for (final Message message : schema.messages())
        {
            if (selection.has(message.root().name()))
            {
                groups(message.root());
                message(message);
            }
        }
        if (selection.isWhole())
        {
            messages();
        }
        final String classes = out.toString();
        final Lines head = new Lines().line(0, "// Generated from an SBE schema. Do not edit.").empty();
        head.comment(0, schema.description());
        head.line(0, "export const SCHEMA_ID = " + schema.id() + ";");
        head.line(0, "export const SCHEMA_VERSION = " + schema.version() + ";");
        return head.empty().block(RuntimeParts.usedBy(classes, runtime)).block(classes).toString();
    }

    private void messages()
    {
        final String entries = schema.messages().stream()
            .map((message) -> "[" + message.templateId() + ", " + message.root().name() + "]")
            .collect(Collectors.joining(",\n    ", "\n    ", "\n"));
        out.empty().comment(0, "The class of each message, by template id.");
        out.line(0, "export const messages = new Map([" + entries + "]);");
    }

    private void constants(final Enumeration enumeration)
    {
        if (!selection.has(enumeration.name()))
        {
            return;
        }
        out.empty().comment(0, enumeration.description());
        out.line(0, "export const " + enumeration.name() + " = Object.freeze({");
        for (final Value value : enumeration.values())
        {
            out.comment(1, value.description());
            out.line(1, value.name() + ": " + value.literal() + ",");
        }
        out.line(0, "});");
    }

    private void composite(final Composite composite)
    {
        out.empty().comment(0, composite.description());
        out.line(0, "class " + composite.name() + " {");
        if (selection.isReceived(composite.name()))
        {
            out.line(1, "_view = null;");
            out.line(1, "_at = 0;");
            flyweights(composite.fields());
            out.empty().line(1, "_open(view, at) {");
            out.line(2, "this._view = view;");
            out.line(2, "this._at = at;");
            out.line(2, "return this;");
            out.line(1, "}");
            getters(composite.fields());
            toObject(composite.fields(), List.of());
        }
        if (selection.isSent(composite.name()))
        {
            out.empty().line(1, "static _encode(view, at, message) {");
            writes(composite.fields());
            out.line(1, "}");
        }
        out.line(0, "}");
    }

    /** The inner groups first: a class is used after its definition. */
    private void groups(final Block block)
    {
        for (final Section section : block.sections())
        {
            if (section.isGroup())
            {
                groups(section.group());
                group(section);
            }
        }
    }

    private void group(final Section section)
    {
        final Block entry = section.group();
        out.empty().comment(0, section.description());
        out.line(0, "class " + entry.name() + " extends SbeGroup {");
        if (selection.isReceived(entry.name()))
        {
            places(entry);
            out.empty().line(1, "_open(view, at, end) {");
            out.line(2, "return this._begin(view, at + " + section.prefixLength() + ", end, " + entry.blockLength() +
                ", " + prefix(section, "numInGroup") + ");");
            out.line(1, "}");
            decoder(entry);
            after(section);
        }
        if (selection.isSent(entry.name()))
        {
            encodeAll(section);
            encode(entry);
        }
        out.line(0, "}");
    }

    /** The place that follows a group, all of which is validated. */
    private void after(final Section section)
    {
        final Block entry = section.group();
        out.empty().line(1, "static _after(view, at, end) {");
        out.line(2, "checkEnd(at + " + section.prefixLength() + ", end);");
        out.line(2, "const blockLength = " + prefix(section, "blockLength") + ";");
        out.line(2, "const count = " + prefix(section, "numInGroup") + ";");
        out.line(2, "checkGroup(blockLength, count, " + entry.blockLength() + ");");
        out.line(2, "at += " + section.prefixLength() + ";");
        if (entry.sections().isEmpty())
        {
            out.line(2, "return checkEnd(at + blockLength * count, end);");
        }
        else
        {
            out.line(2, "for (let i = 0; i < count; i++) {");
            out.line(3, "at = checkEnd(at + blockLength, end);");
            entry.sections().forEach((inner) -> out.line(3, "at = " + after(inner, "end") + ";"));
            out.line(2, "}");
            out.line(2, "return at;");
        }
        out.line(1, "}");
    }

    private void encodeAll(final Section section)
    {
        final Block entry = section.group();
        out.empty().line(1, "static _encodeAll(view, at, entries) {");
        out.line(2, "const length = sized(entries.length, " +
            section.limit() + ", '" + section.name() + "');");
        for (final Field number : section.prefix())
        {
            out.line(2, Access.write(number, place("at", number.offset()), switch (number.name())
            {
                case "blockLength" -> Integer.toString(entry.blockLength());
                case "numInGroup" -> "length";
                default -> "0";
            }));
        }
        out.line(2, "at += " + section.prefixLength() + ";");
        out.line(2, "for (const entry of entries) {");
        out.line(3, "at = " + entry.name() + "._encode(view, at, entry);");
        out.line(2, "}");
        out.line(2, "return at;");
        out.line(1, "}");
    }

    private void message(final Message message)
    {
        final Block root = message.root();
        out.empty().comment(0, message.description());
        out.line(0, "export class " + root.name() + " extends SbeMessage {");
        out.line(1, "static TEMPLATE_ID = " + message.templateId() + ";");
        out.line(1, "static BLOCK_LENGTH = " + root.blockLength() + ";");
        if (selection.isReceived(root.name()))
        {
            places(root);
            decoder(root);
        }
        if (selection.isSent(root.name()) && !(root.fields().isEmpty() && root.sections().isEmpty()))
        {
            encode(root);
        }
        out.line(0, "}");
    }

    private void decoder(final Block block)
    {
        measure(block);
        getters(block.fields());
        sectionGetters(block);
        toObject(block.fields(), block.sections());
    }

    /** The state of a decoder besides the runtime's. */
    private void places(final Block block)
    {
        flyweights(block.fields());
        for (int i = 0; i < block.sections().size(); i++)
        {
            final Section section = block.sections().get(i);
            out.line(1, "_at" + i + " = 0;");
            if (section.isGroup())
            {
                out.line(1, "_" + section.name() + " = new " + section.group().name() + "();");
            }
        }
    }

    private void flyweights(final List<Field> fields)
    {
        for (final Field field : fields)
        {
            if (Kind.COMPOSITE == field.kind())
            {
                out.line(1, "_" + field.name() + " = new " + field.typeName() + "();");
            }
        }
    }

    /** Finds and validates the places of groups and data. Returns the end. */
    private void measure(final Block block)
    {
        if (block.sections().isEmpty())
        {
            return;
        }
        out.empty().line(1, "_measure(at) {");
        out.line(2, "const view = this._view;");
        for (int i = 0; i < block.sections().size(); i++)
        {
            out.line(2, "this._at" + i + " = at;");
            out.line(2, "at = " + after(block.sections().get(i), "this._end") + ";");
        }
        out.line(2, "return at;");
        out.line(1, "}");
    }

    /** An expression for the end of a section that begins at {@code at}. */
    private static String after(final Section section, final String end)
    {
        return section.isGroup() ? section.group().name() + "._after(view, at, " + end + ")" :
            "checkEnd(checkEnd(at + " + section.prefixLength() + ", " + end + ") + " +
                Access.read(section.prefix().get(0), "at") + ", " + end + ")";
    }

    private void getters(final List<Field> fields)
    {
        for (final Field field : fields)
        {
            final String at = place("this._at", field.offset());
            if (field.isConstant())
            {
                getter(field.name(), field.description(), field.constant());
            }
            else if (Kind.COMPOSITE == field.kind())
            {
                getter(field.name(), field.description(), "this._" + field.name() + "._open(this._view, " + at + ")");
            }
            else if (field.isNullable())
            {
                final String isNull = "NaN".equals(field.nullLiteral()) ?
                    "Number.isNaN(value)" : "value === " + field.nullLiteral();
                out.empty().comment(1, field.description()).line(1, "get " + field.name() + "() {");
                out.line(2, "const value = " + read(field, at) + ";");
                out.line(2, "return " + isNull + " ? null : value;").line(1, "}");
            }
            else
            {
                getter(field.name(), field.description(), read(field, at));
            }
        }
    }

    /** An expression for the value of a field of the decoder itself. */
    private static String read(final Field field, final String at)
    {
        return Access.read(field, at).replace("view", "this._view");
    }

    private static String place(final String at, final int offset)
    {
        return 0 == offset ? at : at + " + " + offset;
    }

    private void sectionGetters(final Block block)
    {
        for (int i = 0; i < block.sections().size(); i++)
        {
            final Section section = block.sections().get(i);
            final String at = "this._at" + i;
            if (section.isGroup())
            {
                getter(section.name(), section.description(),
                    "this._" + section.name() + "._open(this._view, " + at + ", this._end)");
                continue;
            }
            final String name = section.name();
            final String length = read(section.prefix().get(0), at);
            getter(name + "Offset", "", at + " + " + section.prefixLength());
            getter(name + "Length", "", length);
            final String place = "(this._view, this." + name + "Offset, this." + name + "Length)";
            getter(name + "Bytes", "", "bytesOf" + place);
            if (selection.isWhole() || null != section.encoding())
            {
                getter(name, section.description(), (Access.isUtf8(section.encoding()) ? "utf8" : "latin1") + place);
            }
        }
    }

    private void getter(final String name, final String description, final String value)
    {
        out.empty().comment(1, description).line(1, "get " + name + "() {");
        out.line(2, "return " + value + ";").line(1, "}");
    }

    private void toObject(final List<Field> fields, final List<Section> sections)
    {
        if (!selection.isWhole())
        {
            return;
        }
        out.empty().line(1, "toObject() {");
        out.line(2, "return {");
        for (final Field field : fields)
        {
            final String read = "this." + field.name();
            final String value = switch (field.kind())
            {
                case COMPOSITE -> read + ".toObject()";
                case PRIMITIVE -> TypesWriter.isBytes(field) ? read + ".slice()" : read;
                default -> read;
            };
            out.line(3, field.name() + ": " + value + ",");
        }
        for (final Section section : sections)
        {
            final String read = "this." + section.name();
            out.line(3, section.name() + ": " + (section.isGroup() ?
                "Array.from(" + read + ", (entry) => entry.toObject())" :
                null == section.encoding() ? read + "Bytes.slice()" : read) + ",");
        }
        out.line(2, "};").line(1, "}");
    }

    private void encode(final Block block)
    {
        out.empty().line(1, "static _encode(view, at, message) {");
        if (covered(block.fields()) < block.blockLength())
        {
            out.line(2, "zeros(view, at, " + block.blockLength() + ");");
        }
        writes(block.fields());
        if (block.sections().isEmpty())
        {
            out.line(2, "return at + " + block.blockLength() + ";").line(1, "}");
            return;
        }
        out.line(2, "at += " + block.blockLength() + ";");
        int number = 0;
        for (final Section section : block.sections())
        {
            final String value = "message." + section.name();
            if (section.isGroup())
            {
                out.line(2, "at = " + section.group().name() + "._encodeAll(view, at, " + value + " ?? []);");
                continue;
            }
            final Field length = section.prefix().get(0);
            final String bytes = "bytes" + number++;
            out.line(2, "const " + bytes + " = encoded(" + value + ", " + Access.isUtf8(section.encoding()) + ", '" +
                section.name() + "');");
            out.line(2, Access.write(length, "at",
                "sized(" + bytes + ".length, " + section.limit() + ", '" + section.name() + "')"));
            out.line(2, "at = putBytes(view, at + " + section.prefixLength() + ", " + bytes + ");");
        }
        out.line(2, "return at;");
        out.line(1, "}");
    }

    /** The bytes that fields write. Bytes of no field are zeros. */
    private int covered(final List<Field> fields)
    {
        int length = 0;
        for (final Field field : fields)
        {
            length += switch (field.kind())
            {
                case CONSTANT -> 0;
                case COMPOSITE -> covered(schema.composites().stream()
                    .filter((composite) -> composite.name().equals(field.typeName()))
                    .findFirst().orElseThrow().fields());
                default -> field.size();
            };
        }
        return length;
    }

    private void writes(final List<Field> fields)
    {
        for (final Field field : fields)
        {
            final String at = place("at", field.offset());
            final String value = "message." + field.name();
            switch (field.kind())
            {
                case CONSTANT ->
                {
                }
                case COMPOSITE ->
                    out.line(2, field.typeName() + "._encode(view, " + at + ", " + value + ");");
                case SET -> out.line(2, Access.write(field, at, value + " ?? 0"));
                default -> out.line(2, Access.write(
                    field, at, !field.isOptional() ? value :
                        value + " ?? " + (field.isBoolean() ? "false" : field.nullLiteral())));
            }
        }
    }

    private static String prefix(final Section section, final String name)
    {
        final Field number = number(section, name);
        return Access.read(number, place("at", number.offset()));
    }

    private static Field number(final Section section, final String name)
    {
        for (final Field field : section.prefix())
        {
            if (field.name().equals(name))
            {
                return field;
            }
        }
        throw new IllegalStateException(section.name() + " has no " + name);
    }
}
