package io.escapement.testsupport;

import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** Programs with right and with planted wrong examples. */
class HelpExamplesTest
{
    /** Wider than a terminal. */
    private static final String LONG =
        "  tool print a-file-with-a-name-that-fits-in-the-line-of-a-terminal.txt --copies=1000";

    /** A program whose examples are right. */
    @Command(name = "tool", subcommands = Print.class, footer = {"", "More text.", "", "Examples:",
        "  tool print --copies 2 file.txt", "  tool --version"})
    static final class Tool
    {
        @Option(names = "--version", versionHelp = true)
        private boolean isVersion;
    }

    /** A command whose examples are right. */
    @Command(name = "print", footer = {"", "Examples:",
        "  tool print \"a name with spaces\"", "  tool print --copies 2 file.txt"})
    static final class Print
    {
        @Option(names = "--copies")
        private int copies;

        @Parameters
        private String file;
    }

    @Test
    void shouldFindNoFaultInRightExamples()
    {
        assertEquals(List.of(), HelpExamples.faults(() -> new CommandLine(new Tool())));
    }

    @Test
    void shouldFindACommandWithoutExamples()
    {
        assertFaults(List.of("tool print: the help has no Examples:"), "", "Copies are printed.");
    }

    @Test
    void shouldFindACommandWithOneExample()
    {
        assertFaults(List.of("tool print: 1 of 2 examples"), "Examples:", "  tool print file.txt");
    }

    @Test
    void shouldFindWrongOptionsAndValuesAndMissingParameters()
    {
        assertFaults(List.of(
            "tool print: Unknown option: '--copy':   tool print a --copy",
            "tool print: Invalid value for option '--copies': 'two' is not an int:   tool print --copies two a",
            "tool print: Missing required parameter: '<file>':   tool print"),
            "Examples:", "  tool print a --copy", "  tool print --copies two a", "  tool print");
    }

    @Test
    void shouldFindLinesThatAreNoExamplesOfTheCommand()
    {
        assertFaults(List.of(
            "tool print: no example in one line:   tool --version",
            "tool print: no example in one line: More text."),
            "Examples:", "  tool --version", "  tool print a", "More text.");
    }

    @Test
    void shouldFindAnExampleThatTheHelpWraps()
    {
        assertFaults(List.of("tool print: no example in one line: --copies=1000"), "Examples:", "  tool print a", LONG);
    }

    private static void assertFaults(final List<String> faults, final String... footer)
    {
        assertEquals(faults, HelpExamples.faults(() ->
        {
            final CommandLine program = new CommandLine(new Tool());
            program.getSubcommands().get("print").getCommandSpec().usageMessage().footer(footer);
            return program;
        }));
    }
}
