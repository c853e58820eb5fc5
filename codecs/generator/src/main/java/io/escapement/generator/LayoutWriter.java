package io.escapement.generator;

import io.escapement.generator.Schema.Block;
import io.escapement.generator.Schema.Field;
import io.escapement.generator.Schema.Message;
import io.escapement.generator.Schema.Section;
import java.util.Map;
import java.util.TreeMap;

/** Writes the validation rules of a schema, and the limits of its groups and data as constants. */
final class LayoutWriter
{
    private final Schema schema;
    private final JavaNames names;
    private final Lines out = new Lines();

    LayoutWriter(final Schema schema, final JavaNames names)
    {
        this.schema = schema;
        this.names = names;
    }

    String write()
    {
        names.begin(out, "io.escapement.codecs.layout.SchemaRules");
        out.javadoc(0, "The layout of the messages of " + names.file() + ", and the limits of their groups and data.");
        out.line(0, "public final class " + names.layout()).line(0, "{");
        for (final Message message : schema.messages())
        {
            limits(JavaNames.constant(message.root().name()), message.root());
        }
        out.javadoc(1, "The rules of the messages.");
        out.line(1, "public static final SchemaRules RULES = SchemaRules.of(" + schema.id() + ", " + schema.version() +
            ")");
        for (final Message message : schema.messages())
        {
            out.line(2, ".message(" + message.templateId() + ", " + message.root().blockLength() + ")" +
                parts(message.root()));
        }
        out.line(2, ".build();").empty();
        firstFields();
        out.line(1, "private " + names.layout() + "()").line(1, "{").line(1, "}").line(0, "}");
        return out.toString();
    }

    private void firstFields()
    {
        out.line(1, "/**");
        out.line(1, " * The name of the first field of a message, at the beginning of its block.");
        out.line(1, " *").line(1, " * @param templateId of the message.");
        out.line(1, " * @return its name; empty without a field, null if there is no such message.");
        out.line(1, " */");
        out.line(1, "public static String firstField(final int templateId)").line(1, "{");
        out.line(2, "return switch (templateId)").line(2, "{");
        final Map<String, String> idsByNameMap = new TreeMap<>();
        for (final Message message : schema.messages())
        {
            final String name = message.root().fields().stream().filter((field) -> 0 == field.offset())
                .map(Field::name).findFirst().orElse("");
            idsByNameMap.merge(name, Integer.toString(message.templateId()), (ids, id) -> ids + ", " + id);
        }
        idsByNameMap.forEach((name, ids) -> out.line(3, "case " + ids + " -> \"" + name + "\";"));
        out.line(3, "default -> null;").line(2, "};").line(1, "}").empty();
    }

    private void limits(final String owner, final Block block)
    {
        for (final Section section : block.sections())
        {
            final String name = owner + "_" + JavaNames.constant(section.name());
            out.javadoc(1, section.isGroup() ? "Most entries." : "Most bytes.");
            out.line(1, "public static final int " + name + (section.isGroup() ? "_MAX_COUNT = " : "_MAX_LENGTH = ") +
                section.limit() + ";").empty();
            if (section.isGroup())
            {
                limits(name, section.group());
            }
        }
    }

    private static String parts(final Block block)
    {
        final StringBuilder parts = new StringBuilder();
        for (final Section section : block.sections())
        {
            if (section.isGroup())
            {
                parts.append(".group(").append(number(section, "blockLength", 0)).append(", ")
                    .append(number(section, "numInGroup", section.prefixLength() - number(section, "blockLength", 0)))
                    .append(", ").append(section.limit()).append(", ").append(section.group().blockLength())
                    .append(')').append(parts(section.group())).append(".end()");
            }
            else
            {
                parts.append(".data(").append(number(section, "length", 0)).append(", ").append(section.limit())
                    .append(')');
            }
        }
        return parts.toString();
    }

    /** Bytes of a leading number, which has to stand at an offset. */
    private static int number(final Section section, final String name, final int offset)
    {
        final Field number = section.prefix().stream().filter((field) -> name.equals(field.name())).findFirst()
            .orElseThrow();
        final int size = number.size();
        if (offset != number.offset() || size > Integer.BYTES || (section.isGroup() ? 2 : 1) != section.prefix().size())
        {
            throw new IllegalStateException(section.name() + ": rules need a block length and a count before a " +
                "group, a length before data, and nothing more, of up to 32 bits");
        }
        return size;
    }
}
