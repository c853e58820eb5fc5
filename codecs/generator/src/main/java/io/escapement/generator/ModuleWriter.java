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

/** Writes the module: constants, runtime, then a class for each composite, group and message. */
final class ModuleWriter
{
    private final Schema schema;
    private final String runtime;
    private final Lines out = new Lines();

    ModuleWriter(final Schema schema, final String runtime)
    {
        this.schema = schema;
        this.runtime = runtime;
    }

    String write()
    {
        out.line(0, "// Generated from an SBE schema. Do not edit.").empty();
        out.comment(0, schema.description());
        out.line(0, "export const SCHEMA_ID = " + schema.id() + ";");
        out.line(0, "export const SCHEMA_VERSION = " + schema.version() + ";");
        out.empty().block(runtime);
        for (final Enumeration enumeration : schema.enums())
        {
            constants(enumeration);
        }
        for (final Enumeration set : schema.sets())
        {
            constants(set);
        }
        for (final Composite composite : schema.composites())
        {
            composite(composite);
        }
        for (final Message message : schema.messages())
        {
            groups(message.root());
            message(message);
        }
        final String entries = schema.messages().stream()
            .map((message) -> "[" + message.templateId() + ", " + message.root().name() + "]")
            .collect(Collectors.joining(",\n    ", "\n    ", "\n"));
        out.empty().comment(0, "The class of each message, by template id.");
        out.line(0, "export const messages = new Map([" + entries + "]);");
        return out.toString();
    }

    private void constants(final Enumeration enumeration)
    {
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
        out.line(1, "constructor() {");
        out.line(2, "this._view = null;");
        out.line(2, "this._at = 0;");
        flyweights(composite.fields());
        out.line(1, "}").empty();
        out.line(1, "_open(view, at) {");
        out.line(2, "this._view = view;");
        out.line(2, "this._at = at;");
        out.line(2, "return this;");
        out.line(1, "}");
        getters(composite.fields());
        toObject(composite.fields(), List.of());
        out.empty().line(1, "static _encode(view, at, message) {");
        writes(composite.fields());
        out.line(1, "}").line(0, "}");
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
        constructor(entry);
        out.line(1, "_open(view, at, end) {");
        out.line(2, "return this._begin(view, at + " + section.prefixLength() + ", end, " + entry.blockLength() + ", " +
            prefix(section, "numInGroup") + ");");
        out.line(1, "}");
        measure(entry);
        getters(entry.fields());
        sectionGetters(entry);
        toObject(entry.fields(), entry.sections());
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
        out.line(1, "}").empty();
        out.line(1, "static _encodeAll(view, at, entries) {");
        out.line(2, "const length = sized(entries.length, " +
            section.limit() + ", '" + section.name() + "');");
        for (final Field number : section.prefix())
        {
            out.line(2, Access.write(number, "at + " + number.offset(), switch (number.name())
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
        encode(entry);
        out.line(0, "}");
    }

    private void message(final Message message)
    {
        final Block root = message.root();
        out.empty().comment(0, message.description());
        out.line(0, "export class " + root.name() + " extends SbeMessage {");
        out.line(1, "static TEMPLATE_ID = " + message.templateId() + ";");
        out.line(1, "static BLOCK_LENGTH = " + root.blockLength() + ";");
        constructor(root);
        out.line(1, "/** Encodes a message with its header. Returns its length in bytes. */");
        out.line(1, "static encode(view, offset, message) {");
        out.line(2, "const at = putHeader(view, offset, " + root.blockLength() + ", " + message.templateId() + ");");
        out.line(2, "return " + root.name() + "._encode(view, at, message) - offset;");
        out.line(1, "}");
        measure(root);
        getters(root.fields());
        sectionGetters(root);
        toObject(root.fields(), root.sections());
        encode(root);
        out.line(0, "}");
    }

    private void constructor(final Block block)
    {
        out.empty().line(1, "constructor() {");
        out.line(2, "super();");
        flyweights(block.fields());
        for (int i = 0; i < block.sections().size(); i++)
        {
            final Section section = block.sections().get(i);
            out.line(2, "this._at" + i + " = 0;");
            if (section.isGroup())
            {
                out.line(2, "this._" + section.name() + " = new " + section.group().name() + "();");
            }
        }
        out.line(1, "}").empty();
    }

    private void flyweights(final List<Field> fields)
    {
        for (final Field field : fields)
        {
            if (Kind.COMPOSITE == field.kind())
            {
                out.line(2, "this._" + field.name() + " = new " + field.typeName() + "();");
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
            out.empty().comment(1, field.description());
            out.line(1, "get " + field.name() + "() {");
            final String at = "this._at + " + field.offset();
            if (field.isConstant())
            {
                out.line(2, "return " + field.constant() + ";");
            }
            else if (Kind.COMPOSITE == field.kind())
            {
                out.line(2, "return this._" + field.name() + "._open(this._view, " + at + ");");
            }
            else
            {
                out.line(2, "const view = this._view;");
                if (field.isNullable())
                {
                    final String isNull = "NaN".equals(field.nullLiteral()) ?
                        "Number.isNaN(value)" : "value === " + field.nullLiteral();
                    out.line(2, "const value = " + Access.read(field, at) + ";");
                    out.line(2, "return " + isNull + " ? null : value;");
                }
                else
                {
                    out.line(2, "return " + Access.read(field, at) + ";");
                }
            }
            out.line(1, "}");
        }
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
            final String length = Access.read(section.prefix().get(0), at).replace("view", "this._view");
            getter(name + "Offset", "", at + " + " + section.prefixLength());
            getter(name + "Length", "", length);
            final String place = "(this._view, this." + name + "Offset, this." + name + "Length)";
            getter(name + "Bytes", "", "bytesOf" + place);
            getter(name, section.description(), (Access.isUtf8(section.encoding()) ? "utf8" : "latin1") + place);
        }
    }

    private void getter(final String name, final String description, final String value)
    {
        out.empty().comment(1, description).line(1, "get " + name + "() {");
        out.line(2, "return " + value + ";").line(1, "}");
    }

    private void toObject(final List<Field> fields, final List<Section> sections)
    {
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
        out.line(2, "zeros(view, at, " + block.blockLength() + ");");
        writes(block.fields());
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
            out.line(2, "putBytes(view, at + " + section.prefixLength() + ", " + bytes + ");");
            out.line(2, "at += " + section.prefixLength() + " + " + bytes + ".length;");
        }
        out.line(2, "return at;");
        out.line(1, "}");
    }

    private void writes(final List<Field> fields)
    {
        for (final Field field : fields)
        {
            final String at = "at + " + field.offset();
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
        return Access.read(number, "at + " + number.offset());
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
