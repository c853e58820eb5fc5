package io.escapement.testsupport;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/**
 * Checks the examples of a program. The last lines of each command's help are {@code Examples:} and two or more command
 * lines, which the program can parse. No command runs.
 */
public final class HelpExamples
{
    private static final String HEADING = "Examples:";
    private static final String INDENT = "  ";
    private static final int LEAST = 2;
    /** Of a terminal. The help wraps a longer line, which then cannot be copied. */
    private static final int WIDTH = 80;
    /** A word, or several in double quotes. */
    private static final Pattern WORD = Pattern.compile("\"([^\"]*)\"|\\S+");

    private HelpExamples()
    {
    }

    /**
     * Check all commands of a program.
     *
     * @param program makes its command line. Each example gets a new command line, because parsing changes it.
     * @return the faults, empty if the examples are right.
     */
    public static List<String> faults(final Supplier<CommandLine> program)
    {
        final List<String> faults = new ArrayList<>();
        check(program.get().setUsageHelpAutoWidth(false).setUsageHelpWidth(WIDTH), program, faults);
        return faults;
    }

    private static void check(
        final CommandLine command, final Supplier<CommandLine> program, final List<String> faults)
    {
        final String name = command.getCommandSpec().qualifiedName();
        final List<String> help = command.getUsageMessage(Ansi.OFF).lines().toList();
        final List<String> examples = help.subList(help.lastIndexOf(HEADING) + 1, help.size());
        if (!help.contains(HEADING))
        {
            faults.add(name + ": the help has no " + HEADING);
        }
        else
        {
            if (examples.size() < LEAST)
            {
                faults.add(name + ": " + examples.size() + " of " + LEAST + " examples");
            }
            examples.forEach((line) -> check(name, line, program, faults));
        }
        command.getSubcommands().values().forEach((subcommand) -> check(subcommand, program, faults));
    }

    private static void check(
        final String name, final String line, final Supplier<CommandLine> program, final List<String> faults)
    {
        if (!line.startsWith(INDENT + name + " ") && !line.equals(INDENT + name))
        {
            faults.add(name + ": no example in one line: " + line);
            return;
        }
        try
        {
            final String parsed = parsed(program.get().parseArgs(arguments(line)));
            if (!parsed.equals(name) && !parsed.startsWith(name + " "))
            {
                faults.add(name + ": an example of " + parsed + ": " + line);
            }
        }
        catch (final ParameterException ex)
        {
            faults.add(name + ": " + ex.getMessage() + ": " + line);
        }
    }

    /** The name of the command that would run. */
    private static String parsed(final ParseResult result)
    {
        return result.hasSubcommand() ? parsed(result.subcommand()) : result.commandSpec().qualifiedName();
    }

    /** Without the name of the program. */
    private static String[] arguments(final String line)
    {
        final List<String> words = new ArrayList<>();
        final Matcher word = WORD.matcher(line);
        while (word.find())
        {
            words.add(null == word.group(1) ? word.group() : word.group(1));
        }
        return words.subList(1, words.size()).toArray(new String[0]);
    }
}
