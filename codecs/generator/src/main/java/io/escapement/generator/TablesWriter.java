package io.escapement.generator;

import io.escapement.generator.Schema.Block;
import io.escapement.generator.Schema.Field;
import io.escapement.generator.Schema.Message;
import io.escapement.generator.Schema.Section;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Writes the table of a schema's messages for a page in Markdown. */
final class TablesWriter
{
    private final Schema schema;

    TablesWriter(final Schema schema)
    {
        this.schema = schema;
    }

    /**
     * Replace the table of a schema in a page: what is between its two comments.
     *
     * @param page text of the page.
     * @param file name of the schema's file.
     * @return the page with the table.
     */
    String replaceIn(final String page, final String file)
    {
        final String begin = "<!-- generated from " + file + " -->\n";
        final String end = "<!-- end of " + file + " -->";
        final int from = page.indexOf(begin);
        final int to = page.indexOf(end);
        if (from < 0 || to < from)
        {
            throw new IllegalStateException("the page has no " + begin.trim() + " before " + end);
        }
        return page.substring(0, from + begin.length()) + table() + page.substring(to);
    }

    private String table()
    {
        final Lines out = new Lines().line(0, "| id | message | content | meaning |").line(0, "|---|---|---|---|");
        for (final Message message : schema.messages())
        {
            out.line(0, "| " + message.templateId() + " | " + message.root().name() + " | " +
                content(message.root()) + " | " + message.description() + " |");
        }
        return out.toString();
    }

    private String content(final Block block)
    {
        final List<String> parts = new ArrayList<>();
        block.fields().forEach((field) -> parts.add(field.name() + " " + type(field)));
        for (final Section section : block.sections())
        {
            parts.add(section.name() + (section.isGroup() ?
                ", up to " + section.limit() + " times (" + content(section.group()) + ")" :
                " bytes, up to " + String.format(Locale.ROOT, "%,d", section.limit())));
        }
        return String.join("; ", parts);
    }

    /** The mark of a bigint is of JavaScript alone. */
    private static String nullValue(final Field field)
    {
        final String literal = field.nullLiteral();
        return field.isId() ? literal.substring(0, literal.length() - 1) : literal;
    }

    private String type(final Field field)
    {
        final String wire = null == field.type() ? "" : field.type().primitiveName();
        return switch (field.kind())
        {
            case COMPOSITE -> "(" + String.join("; ", schema.composites().stream()
                .filter((composite) -> composite.name().equals(field.typeName())).findFirst().orElseThrow().fields()
                .stream().map((inner) -> inner.name() + " " + type(inner)).toList()) + ")";
            case ENUM, SET -> field.typeName() + " " + wire;
            case CONSTANT -> "constant";
            default -> wire + (field.arrayLength() > 1 ? "[" + field.arrayLength() + "]" : "") +
                (field.isOptional() ? " or " + nullValue(field) : "");
        };
    }
}
