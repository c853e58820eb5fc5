package io.escapement.generator;

import java.util.ArrayList;
import java.util.List;

/**
 * Removes what a program does not need from a module of JavaScript: comments that have lines to themselves, and all of
 * the indent but one space per level. Lines stay lines, so an error's stack still names a line that a person can read.
 * A compact module stays as it is.
 */
final class Compactor
{
    private Compactor()
    {
    }

    /**
     * Compact a module.
     *
     * @param module its text.
     * @return the same program.
     * @throws IllegalStateException for text over several lines in which a line could look like a comment.
     */
    static String compact(final String module)
    {
        final List<String> lines = new ArrayList<>();
        boolean isComment = false;
        int number = 0;
        for (final String line : module.split("\n"))
        {
            number++;
            final String text = line.strip();
            if (isComment || text.startsWith("/*"))
            {
                final int end = text.indexOf("*/");
                isComment = end < 0;
                require(isComment || end + 2 == text.length(), number, "code that follows a comment");
            }
            else if (!text.startsWith("//"))
            {
                require(0 == text.chars().filter((character) -> '`' == character).count() % 2, number,
                    "a template of several lines");
                require(!text.contains("/*") || text.contains("*/"), number, "a comment that follows code");
                require(!text.endsWith("\\"), number, "a string of several lines");
                lines.add(line.stripTrailing());
            }
        }
        return joined(lines);
    }

    private static String joined(final List<String> lines)
    {
        final int unit = lines.stream().mapToInt(Compactor::indent).filter((indent) -> indent > 0).min().orElse(1);
        final StringBuilder text = new StringBuilder();
        boolean isAfterEmpty = true;
        for (final String line : lines)
        {
            if (!line.isEmpty() || !isAfterEmpty)
            {
                text.append(" ".repeat(indent(line) / unit)).append(line.strip()).append('\n');
            }
            isAfterEmpty = line.isEmpty();
        }
        return text.toString();
    }

    private static int indent(final String line)
    {
        return line.length() - line.stripLeading().length();
    }

    private static void require(final boolean isFine, final int line, final String what)
    {
        if (!isFine)
        {
            throw new IllegalStateException("line " + line + ": " + what + " (write it another way)");
        }
    }
}
