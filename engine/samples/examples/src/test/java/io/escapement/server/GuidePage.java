package io.escapement.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A tutorial: its edits, each of the file that the text before it named last, and its commands. */
final class GuidePage
{
    private static final Path GUIDE = Path.of("..", "..", "guide");
    private static final Pattern FILE = Pattern.compile("`(src/[\\w/.-]+\\.\\w+)`");
    private static final String CODE = "    ";
    private static final String DEBUGGER = "> ";

    /** A change of a file's text. */
    record Edit(String file, String from, String to)
    {
        void apply(final Path project) throws IOException
        {
            replace(project.resolve(file), from, to);
        }

        void undo(final Path project) throws IOException
        {
            replace(project.resolve(file), to, from);
        }

        private static void replace(final Path path, final String from, final String to) throws IOException
        {
            final String text = Files.readString(path);
            assertEquals(2, text.split(Pattern.quote(from), -1).length, () -> path + " has not once:\n" + from);
            Files.writeString(path, text.replace(from, to));
        }
    }

    private final List<Edit> edits = new ArrayList<>();
    private final List<String> files = new ArrayList<>();
    private final List<String> code = new ArrayList<>();

    GuidePage(final String name) throws IOException
    {
        List<String> block = null;
        for (final String line : Files.readAllLines(GUIDE.resolve(name)))
        {
            if (line.startsWith("```"))
            {
                assertTrue(null != block || "```diff".equals(line), () -> line + ": a block of the page is no edit");
                if (null != block)
                {
                    edits.add(new Edit(files.get(files.size() - 1), side(block, '-'), side(block, '+')));
                }
                block = null == block ? new ArrayList<>() : null;
            }
            else if (null != block)
            {
                block.add(line);
            }
            else if (line.startsWith(CODE))
            {
                code.add(line.strip());
            }
            else
            {
                final Matcher matcher = FILE.matcher(line);
                while (matcher.find())
                {
                    files.add(matcher.group(1));
                }
            }
        }
    }

    /** The lines before an edit, or after it. */
    private static String side(final List<String> block, final char sign)
    {
        return block.stream().filter((line) -> ' ' == line.charAt(0) || sign == line.charAt(0))
            .map((line) -> line.substring(1) + "\n").collect(Collectors.joining());
    }

    List<Edit> edits()
    {
        return edits;
    }

    /** The files that the text names. */
    List<String> files()
    {
        return files;
    }

    /** The words after a program, of each command that has words. */
    List<List<String>> commands(final String program)
    {
        return code.stream().filter((line) -> line.startsWith(program + " "))
            .map((line) -> List.of(line.substring(program.length()).strip().split(" +"))).toList();
    }

    /** The lines that a reader types in the debugger. */
    List<String> debugged()
    {
        return code.stream().filter((line) -> line.startsWith(DEBUGGER))
            .map((line) -> line.substring(DEBUGGER.length())).toList();
    }
}
