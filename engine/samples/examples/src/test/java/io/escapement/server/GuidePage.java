package io.escapement.server;

import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * A tutorial: its edits, each of the file that the text before it named last, and its commands. A block that is no diff
 * is the file, or a part of it if the file exists by then. A command {@code cp} copies files of this repository.
 */
final class GuidePage
{
    private static final Path GUIDE = Path.of("..", "..", "guide");
    private static final Path ROOT = Path.of("..", "..", "..");
    private static final Pattern FILE = Pattern.compile("`(src/[\\w/.-]+\\.\\w+|pom\\.xml)`");
    private static final Pattern COPY =
        Pattern.compile("cp ~/escapement/([\\w/.-]+/)(?:\\{([\\w.,]+)})?([\\w.]*) (\\S+)");
    private static final String CODE = "    ";
    private static final String DEBUGGER = "> ";

    /** A change of a file's text. A new file has no text before it, and a part of a file stays as it is. */
    record Edit(String file, String from, String to)
    {
        void apply(final Path project) throws IOException
        {
            final Path path = project.resolve(file);
            if (from.isEmpty())
            {
                Files.createDirectories(path.getParent());
                Files.writeString(path, to, StandardOpenOption.CREATE_NEW);
            }
            else if (isPart())
            {
                assertTrue(flat(Files.readString(path)).contains(flat(to)), () -> path + " has not:\n" + to);
            }
            else
            {
                replace(path, from, to);
            }
        }

        void undo(final Path project) throws IOException
        {
            replace(project.resolve(file), to, from);
        }

        boolean isPart()
        {
            return from.equals(to);
        }

        private static void replace(final Path path, final String from, final String to) throws IOException
        {
            final String text = Files.readString(path);
            assertEquals(2, text.split(Pattern.quote(from), -1).length, () -> path + " has not once:\n" + from);
            Files.writeString(path, text.replace(from, to));
        }

        /** Without indentation, so that a statement of a method can stand alone on the page. */
        private static String flat(final String text)
        {
            return text.lines().map(String::strip).collect(Collectors.joining("\n"));
        }
    }

    private final List<Edit> edits = new ArrayList<>();
    private final List<String> files = new ArrayList<>();
    private final List<String> code = new ArrayList<>();

    GuidePage(final String name) throws IOException
    {
        List<String> block = null;
        boolean isDiff = false;
        for (final String line : Files.readAllLines(GUIDE.resolve(name)))
        {
            if (line.startsWith("```"))
            {
                if (null != block)
                {
                    edits.add(isDiff ? new Edit(lastFile(), side(block, '-'), side(block, '+')) : whole(block));
                }
                isDiff = "```diff".equals(line);
                block = null == block ? new ArrayList<>() : null;
            }
            else if (null != block)
            {
                block.add(line);
            }
            else if (line.startsWith(CODE))
            {
                code.add(line.strip());
                copy(line.strip());
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

    private String lastFile()
    {
        return files.get(files.size() - 1);
    }

    /** A file, or a part of a file that the page has created. */
    private Edit whole(final List<String> block)
    {
        final String text = String.join("\n", block) + "\n";
        final boolean exists = edits.stream().anyMatch((edit) -> edit.file.equals(lastFile()));
        return new Edit(lastFile(), exists ? text : "", text);
    }

    private void copy(final String command) throws IOException
    {
        final Matcher matcher = COPY.matcher(command);
        if (matcher.matches())
        {
            final String folder = ".".equals(matcher.group(4)) ? "" : matcher.group(4);
            for (final String begin : null == matcher.group(2) ? new String[]{""} : matcher.group(2).split(","))
            {
                final String name = begin + matcher.group(3);
                edits.add(new Edit(folder + name, "", Files.readString(ROOT.resolve(matcher.group(1) + name))));
            }
        }
        assertTrue(matcher.matches() || !command.startsWith("cp "), command);
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

    /** Run the tests of a class that is compiled. Returns the messages of tests that fail. */
    static List<String> failures(final Path jar, final String name, final int count) throws Exception
    {
        final List<String> failures = new ArrayList<>();
        int run = 0;
        try (URLClassLoader loader =
            new URLClassLoader(new URL[]{jar.toUri().toURL()}, GuidePage.class.getClassLoader()))
        {
            final Class<?> tests = loader.loadClass(name);
            final Constructor<?> constructor = tests.getDeclaredConstructor();
            constructor.setAccessible(true);
            for (final Method method : tests.getDeclaredMethods())
            {
                if (method.isAnnotationPresent(Test.class))
                {
                    run++;
                    method.setAccessible(true);
                    try
                    {
                        method.invoke(constructor.newInstance());
                    }
                    catch (final InvocationTargetException ex)
                    {
                        failures.add(String.valueOf(ex.getCause().getMessage()));
                    }
                }
            }
        }
        assertTrue(run >= count, run + " tests");
        return failures;
    }

    /** The lines that a reader types in the debugger. */
    List<String> debugged()
    {
        return code.stream().filter((line) -> line.startsWith(DEBUGGER))
            .map((line) -> line.substring(DEBUGGER.length())).toList();
    }
}
