package io.escapement.server;

import io.escapement.testsupport.ReferencePage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The reference of the program's options and of the settings of an embedded engine. */
class ReferencePagesTest
{
    private static final String GENERATED =
        "Made from the code by `ReferencePagesTest`, which fails if this page differs.";
    private static final List<String> ROOTS = List.of("engine", "driver-config");
    private static final Pattern SETTINGS =
        Pattern.compile("\\n/\\*\\*(.{1,2000}?)\\*/\\s+public final class (\\w+(?:Context|Limits|Options)|RoomType)\\b",
            Pattern.DOTALL);
    private static final Pattern TAG = Pattern.compile("\\s@(?=param|return|throws)");
    private static final Pattern LINK = Pattern.compile("\\{@link(?:plain)? ([^}]+)}");
    private static final Pattern CONSTANT = Pattern.compile("\\{@value #(\\w+)}");
    private static final Pattern CODE = Pattern.compile("\\{@code ([^}]+)}");

    @Test
    void shouldListTheOptionsOfEachCommand() throws IOException
    {
        final List<String> page = new ArrayList<>(List.of("# Commands and options", "",
            "For everyone who starts `escapement` from a command line. " + GENERATED,
            "`escapement COMMAND --help` prints the same."));
        Escapement.commandLine().getSubcommands().forEach((name, line) -> command(page, "##", name, line));
        page.addAll(List.of("", "## Next", "",
            "[Settings of an embedded engine](settings.md), [metrics](metrics.md)."));
        ReferencePage.check("options.md", page);
    }

    @Test
    void shouldListTheSettingsOfEachContext() throws IOException
    {
        final List<String> sections = new ArrayList<>();
        for (final Path file : sources())
        {
            settings(Files.readString(file, StandardCharsets.UTF_8).replace("\r", ""), sections);
        }
        assertTrue(sections.size() >= 10, sections.size() + " classes");
        final List<String> page = new ArrayList<>(List.of("# Settings", "",
            "For everyone who embeds an engine, a gateway or a client in a Java program. " + GENERATED,
            "A wrong value throws a `ConfigException` that names the setting, the value and a remedy."));
        sections.stream().sorted().forEach((section) -> page.addAll(List.of(section.split("\n", -1))));
        page.addAll(List.of("", "## Next", "", "[Commands and options](options.md), [metrics](metrics.md)."));
        ReferencePage.check("settings.md", page);
    }

    private static void command(
        final List<String> page, final String heading, final String name, final CommandLine line)
    {
        final CommandSpec spec = line.getCommandSpec();
        page.addAll(List.of("", heading + " " + name, "", escaped(spec.usageMessage().description()), ""));
        for (final PositionalParamSpec parameter : spec.positionalParameters())
        {
            page.add("- `" + parameter.paramLabel() + "`: " + escaped(parameter.description()));
        }
        spec.options().stream().filter((option) -> !option.hidden() && !option.usageHelp() && !option.inherited())
            .sorted(Comparator.comparing(OptionSpec::longestName))
            .forEach((option) -> page.add("- `" + names(option) + "`: " + escaped(option.description())));
        line.getSubcommands().forEach((sub, of) -> command(page, "###", name + " " + sub, of));
    }

    private static String names(final OptionSpec option)
    {
        final String names = String.join("`, `", option.names());
        return option.arity().max() == 0 ? names : names + ' ' + option.paramLabel();
    }

    private static String escaped(final String[] text)
    {
        return Arrays.stream(text).map((line) -> line.replace("%%", "%").replace("%n", " ").replace("|", "\\|"))
            .collect(Collectors.joining(" "));
    }

    /** The settings of a class in a file: its methods with a Javadoc that return its own type. */
    private static void settings(final String source, final List<String> sections)
    {
        final Matcher type = SETTINGS.matcher(source);
        if (!type.find())
        {
            return;
        }
        final String name = type.group(2);
        final StringBuilder section = new StringBuilder("\n## " + name + "\n\n" + text(type.group(1), source) + "\n");
        final Matcher setting = Pattern.compile("    /\\*\\*((?:(?!\\*/).)*)\\*/\\s+(?:@[^\\n]+\\s+)*public " + name +
            " (\\w+)\\(([^)]*)\\)", Pattern.DOTALL).matcher(source);
        int settings = 0;
        while (setting.find())
        {
            final String types = Arrays.stream(setting.group(3).split(","))
                .map((parameter) -> parameter.strip().replaceFirst("final (.*) \\w+", "$1"))
                .collect(Collectors.joining(", "));
            section.append("\n- `").append(setting.group(2)).append('(').append(types).append(")`: ")
                .append(text(setting.group(1), source));
            settings++;
        }
        if (settings > 2)
        {
            sections.add(section.toString());
        }
    }

    /** A Javadoc as a line of a page: its prose, and the range of a single value. */
    private static String text(final String javadoc, final String source)
    {
        final String[] parts = TAG.split(javadoc.replaceAll("\\n\\s*\\* ?", " "));
        final String range = Arrays.stream(parts).skip(1).filter((tag) -> tag.startsWith("param value "))
            .map((tag) -> tag.substring("param value ".length())).filter((tag) -> tag.matches(".*(\\d|@value|#).*"))
            .findFirst().map((tag) -> " Value: " + tag).orElse("");
        String text = (parts[0].strip() + range).replaceAll("<pre>.*?</pre>|</?p>", "").replaceAll("\\s+", " ").strip();
        text = CONSTANT.matcher(text)
            .replaceAll((constant) -> Matcher.quoteReplacement(value(constant.group(1), source)));
        text = LINK.matcher(text).replaceAll((link) -> Matcher.quoteReplacement(linked(link.group(1))));
        return CODE.matcher(text).replaceAll((code) -> Matcher.quoteReplacement('`' + code.group(1) + '`'));
    }

    /** The value of a constant of a class: a number or a product, otherwise its expression. */
    private static String value(final String name, final String source)
    {
        final Matcher constant = Pattern.compile("\\b" + name + " =\\s+([^;]+);").matcher(source);
        if (!constant.find())
        {
            return name;
        }
        long product = 1;
        for (final String factor : constant.group(1).split(" \\* "))
        {
            final String number = factor.replace("_", "").replaceFirst("L$", "");
            if (!number.matches("\\d+"))
            {
                return '`' + constant.group(1) + '`';
            }
            product *= Long.parseLong(number);
        }
        return String.format(Locale.ROOT, "%,d", product);
    }

    /** The text of a link: its label, or the class and the member without parameters. */
    private static String linked(final String link)
    {
        final String target = link.replaceFirst("\\(.*?\\)", "").strip();
        final int label = target.indexOf(' ');
        return '`' + (label < 0 ? target : target.substring(label + 1))
            .replaceFirst("^#", "").replace('#', '.') + '`';
    }

    private static List<Path> sources() throws IOException
    {
        final List<Path> found = new ArrayList<>();
        for (final String root : ROOTS)
        {
            try (Stream<Path> files = Files.walk(ReferencePage.root().resolve(root)))
            {
                files.filter((file) -> isPublicSource(file.toString().replace('\\', '/'))).forEach(found::add);
            }
        }
        return found;
    }

    private static boolean isPublicSource(final String path)
    {
        return path.endsWith(".java") && path.contains("/src/main/java/") && !path.contains("/internal/") &&
            !path.contains("/samples/");
    }
}
