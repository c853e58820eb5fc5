package io.escapement.rooms;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The limits of {@code engine/ARCHITECTURE.md}: a page that is read from its first line to its last. */
final class ArchitecturePage
{
    static final int MAX_LINES = 250;
    static final int MAX_LINE_LENGTH = 130;
    static final int MAX_TERMS = 25;
    static final int FILES_TO_START = 4;

    private static final String HEADING = "## ";
    private static final String START = "## Start here";
    private static final String GLOSSARY = "## Glossary";
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)#:]+)(?:#[^)]*)?\\)");

    private ArchitecturePage()
    {
    }

    /**
     * Limits that a page exceeds.
     *
     * @param lines  of the page.
     * @param exists whether there is a file, by its path from the directory of the page.
     * @return one text for each, none if the page keeps its limits.
     */
    static List<String> offences(final List<String> lines, final Predicate<String> exists)
    {
        final List<String> offences = new ArrayList<>();
        if (lines.size() > MAX_LINES)
        {
            offences.add(lines.size() + " lines (at most " + MAX_LINES + ", move details to the Javadoc)");
        }
        String section = "";
        int drawings = 0;
        int rows = 0;
        int filesToStart = 0;
        boolean isDrawing = false;
        for (int i = 0; i < lines.size(); i++)
        {
            final String line = lines.get(i);
            if (line.length() > MAX_LINE_LENGTH)
            {
                offences.add(
                    "line " + (i + 1) + " has " + line.length() + " columns (at most " + MAX_LINE_LENGTH + ")");
            }
            final boolean isFence = line.startsWith("```");
            drawings += isFence && !isDrawing || line.startsWith("    ") && !isDrawing || line.contains("![") ? 1 : 0;
            isDrawing ^= isFence;
            section = !isDrawing && line.startsWith(HEADING) ? line : section;
            rows += GLOSSARY.equals(section) && line.startsWith("|") ? 1 : 0;
            for (final Matcher link = LINK.matcher(line); link.find();)
            {
                filesToStart += START.equals(section) ? 1 : 0;
                if (!exists.test(link.group(1)))
                {
                    offences.add("line " + (i + 1) + " links to " + link.group(1) + ", which does not exist");
                }
            }
        }
        check(offences, "drawings", drawings, 1, 1);
        // The header and the line under it are rows of Markdown, too.
        check(offences, "terms of the glossary at the end", GLOSSARY.equals(section) ? rows - 2 : 0, 1, MAX_TERMS);
        check(offences, "files to start with", filesToStart, FILES_TO_START, FILES_TO_START);
        return offences;
    }

    private static void check(
        final List<String> offences, final String name, final int found, final int least, final int most)
    {
        if (found < least || found > most)
        {
            offences.add(found + " " + name + " (" + (least == most ? "" : least + " to ") + most + ")");
        }
    }
}
