package io.escapement.generator;

/** Indented text. */
final class Lines
{
    private static final String INDENT = "    ";

    private final StringBuilder text = new StringBuilder();

    /** Add a line; an empty one has no indent. */
    Lines line(final int depth, final String line)
    {
        text.append(line.isEmpty() ? "" : INDENT.repeat(depth)).append(line).append('\n');
        return this;
    }

    Lines empty()
    {
        return line(0, "");
    }

    /** Add a comment, unless it has no text. */
    Lines comment(final int depth, final String comment)
    {
        return comment.isEmpty() ? this : line(depth, "/** " + comment.replace("*/", "* /") + " */");
    }

    /** Add a comment of Javadoc, unless it has no text. */
    Lines javadoc(final int depth, final String comment)
    {
        return comment(depth, comment.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;"));
    }

    Lines block(final String lines)
    {
        text.append(lines);
        return this;
    }

    @Override
    public String toString()
    {
        return text.toString();
    }
}
