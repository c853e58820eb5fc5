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
import uk.co.real_logic.sbe.PrimitiveType;

/** Writes the module's declarations for TypeScript and for editors. */
final class TypesWriter
{
    private final Schema schema;
    private final Lines out = new Lines();

    TypesWriter(final Schema schema)
    {
        this.schema = schema;
    }

    /** Whether a field is an array of bytes, which a decoder does not copy. */
    static boolean isBytes(final Field field)
    {
        return PrimitiveType.UINT8 == field.type() && field.arrayLength() > 1 && Kind.PRIMITIVE == field.kind();
    }

    String write()
    {
        out.line(0, "// Generated from an SBE schema. Do not edit.").empty();
        out.line(0, "export const SCHEMA_ID: " + schema.id() + ";");
        out.line(0, "export const SCHEMA_VERSION: " + schema.version() + ";").empty();
        out.comment(0, "The template id of a message, whose header is validated. Throws a RangeError.");
        out.line(0, "export function templateId(view: DataView, offset?: number, length?: number): number;");
        schema.enums().forEach(this::enumeration);
        schema.sets().forEach(this::set);
        for (final Composite composite : schema.composites())
        {
            fields(composite.name() + "Fields", composite.fields(), List.of());
            out.empty().line(0, "export interface " + composite.name() + " {");
            properties(composite.fields(), List.of());
            out.line(1, "toObject(): " + composite.name() + "Fields;").line(0, "}");
        }
        for (final Message message : schema.messages())
        {
            groups(message.root());
            message(message);
        }
        out.empty().comment(0, "The class of each message, by template id.");
        out.line(0, "export const messages: ReadonlyMap<number, new () => " +
            "{wrap(view: DataView, offset?: number, length?: number): object; toObject(): object}>;");
        return out.toString();
    }

    private void enumeration(final Enumeration enumeration)
    {
        constants(enumeration);
        out.line(0, "export type " + enumeration.name() + " = typeof " + enumeration.name() + "[keyof typeof " +
            enumeration.name() + "];");
    }

    private void set(final Enumeration set)
    {
        constants(set);
        out.line(0, "export type " + set.name() + " = " + (8 == set.type().size() ? "bigint" : "number") + ";");
    }

    private void constants(final Enumeration enumeration)
    {
        out.empty().comment(0, enumeration.description());
        out.line(0, "export const " + enumeration.name() + ": {");
        for (final Value value : enumeration.values())
        {
            out.comment(1, value.description());
            out.line(1, "readonly " + value.name() + ": " + value.literal() + ";");
        }
        out.line(0, "};");
    }

    private void groups(final Block block)
    {
        for (final Section section : block.sections())
        {
            if (section.isGroup())
            {
                final Block entry = section.group();
                groups(entry);
                fields(entry.name() + "Fields", entry.fields(), entry.sections());
                out.empty().comment(0, section.description());
                out.line(0, "export interface " + entry.name() + " extends Iterable<" + entry.name() + "> {");
                if (entry.fields().stream().noneMatch((field) -> "length".equals(field.name())))
                {
                    out.line(1, "readonly length: number;");
                }
                properties(entry.fields(), entry.sections());
                out.line(1, "toObject(): " + entry.name() + "Fields;").line(0, "}");
            }
        }
    }

    private void message(final Message message)
    {
        final Block root = message.root();
        final String fields = root.name() + "Fields";
        fields(fields, root.fields(), root.sections());
        out.empty().comment(0, message.description());
        out.line(0, "export class " + root.name() + " {");
        out.line(1, "static readonly TEMPLATE_ID: " + message.templateId() + ";");
        out.line(1, "static readonly BLOCK_LENGTH: " + root.blockLength() + ";");
        out.comment(1, "Encodes a message with its header. Returns its length in bytes.");
        out.line(1, "static encode(view: DataView, offset: number, message: " + fields + "): number;");
        out.comment(1, "Decodes a message, which is validated as a whole. Throws a RangeError.");
        out.line(1, "wrap(view: DataView, offset?: number, length?: number): this;");
        properties(root.fields(), root.sections());
        out.comment(1, "A copy of the message.");
        out.line(1, "toObject(): " + fields + ";").line(0, "}");
    }

    /** The plain object that an encoder takes and toObject makes. */
    private void fields(final String name, final List<Field> fields, final List<Section> sections)
    {
        out.empty().line(0, "export interface " + name + " {");
        for (final Field field : fields)
        {
            final boolean isOptional = field.isOptional() || field.isConstant() || Kind.SET == field.kind();
            final String type = Kind.COMPOSITE == field.kind() ? field.typeName() + "Fields" : type(field);
            out.comment(1, field.description());
            out.line(1, field.name() + (isOptional ? "?: " : ": ") + type + nullable(field) + ";");
        }
        for (final Section section : sections)
        {
            out.comment(1, section.description());
            out.line(1, section.name() + "?: " +
                (section.isGroup() ? section.group().name() + "Fields[]" : "string | Uint8Array") + ";");
        }
        out.line(0, "}");
    }

    private void properties(final List<Field> fields, final List<Section> sections)
    {
        for (final Field field : fields)
        {
            out.comment(1, field.description());
            out.line(1, "readonly " + field.name() + ": " + type(field) + nullable(field) + ";");
        }
        for (final Section section : sections)
        {
            out.comment(1, section.description());
            if (section.isGroup())
            {
                out.line(1, "readonly " + section.name() + ": " + section.group().name() + ";");
                continue;
            }
            out.line(1, "readonly " + section.name() + ": string;");
            out.comment(1, "Valid as long as the view that was wrapped.");
            out.line(1, "readonly " + section.name() + "Bytes: Uint8Array;");
            out.line(1, "readonly " + section.name() + "Offset: number;");
            out.line(1, "readonly " + section.name() + "Length: number;");
        }
    }

    private static String nullable(final Field field)
    {
        return field.isNullable() ? " | null" : "";
    }

    private static String type(final Field field)
    {
        if (field.isConstant())
        {
            return field.constant();
        }
        if (Kind.PRIMITIVE != field.kind())
        {
            return field.typeName();
        }
        if (field.isBoolean())
        {
            return "boolean";
        }
        final String one = PrimitiveType.CHAR == field.type() ? "string" : field.isBig() ? "bigint" : "number";
        return isBytes(field) ? "Uint8Array" :
            1 == field.arrayLength() || PrimitiveType.CHAR == field.type() ? one : one + "[]";
    }
}
