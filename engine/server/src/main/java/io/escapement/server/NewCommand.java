package io.escapement.server;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Creates a new project from an example. This build compiles and tests the code of the examples. */
@Command(
    name = "new",
    sortOptions = false,
    description = "Create a project: a room, its test and its page. Maven builds it, and ./run serves it. The first " +
        "use installs the modules that a project needs into the local Maven repository.",
    footer = {"", "Examples:",
        "  escapement new my-game",
        "  escapement new ../my-exchange --template exchange"})
final class NewCommand implements Callable<Integer>
{
    /** The directory of the engine's sources: set by the script, because a jar has no sources. */
    static final String HOME_PROPERTY = "escapement.home";

    private static final String EXAMPLES = "engine/samples/examples/src/";
    private static final String PACKAGE = "io.escapement.examples.";
    private static final String RESOURCES = "META-INF/resources/";
    private static final String PROVIDERS = "META-INF/services/io.escapement.rooms.RoomType$Provider";
    /** Tests with any of these need a part of this build. */
    private static final List<String> MORE_THAN_A_BENCH =
        List.of("io.escapement.testsupport", "io.escapement.simulator");
    private static final List<String> SHARED_PAGE = List.of("common.js", "examples.css", "icon.svg");
    private static final Predicate<String> ANY = (text) -> true;
    private static final String NAMES = "[a-z][a-z0-9-]{0,63}";

    /** An example to start with. */
    private enum Template
    {
        /** Dots in a field, by a synchronised state. */
        GAME("DotsGame", false, false),
        /** A chat with rooms that players open in a lobby. */
        CHAT("ChatGame", true, true),
        /** Four in a row, by steps that wait for a move or a clock. */
        TURNS("TurnsGame", true, true),
        /** An order book, its ledger and a client that measures. */
        EXCHANGE("ExchangeGame", false, true);

        private final String game;
        /** Whether the rooms use the package of lines of text. */
        private final boolean hasLines;
        /** Whether the page uses files that the pages of several examples share. */
        private final boolean hasSharedPage;

        Template(final String game, final boolean hasLines, final boolean hasSharedPage)
        {
            this.game = game;
            this.hasLines = hasLines;
            this.hasSharedPage = hasSharedPage;
        }

        @Override
        public String toString()
        {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "NAME", description = "Directory of the project. Its last name is the project's " +
        "name: lower-case letters, digits and hyphens.")
    private Path project;

    @Option(names = "--template", defaultValue = "game",
        description = "The example to start from: game, chat, turns or exchange (default: ${DEFAULT-VALUE}).")
    private Template template;

    @Option(names = "--repository", paramLabel = "DIR",
        description = "Local Maven repository (default: ~/.m2/repository).")
    private Path repository;

    private String name;

    @Override
    public Integer call() throws IOException, InterruptedException
    {
        final PrintWriter out = spec.commandLine().getOut();
        name = project.getFileName().toString();
        check(name.matches(NAMES), "NAME: " + project + ": use lower-case letters, digits and hyphens, at most 64");
        check(!Files.exists(project), "NAME: " + project + ": exists already: choose another name or directory");
        final String home = System.getProperty(HOME_PROPERTY);
        check(null != home && Files.isDirectory(Path.of(home, EXAMPLES)),
            "the sources of Escapement are missing: use engine/bin/escapement");
        install(Path.of(home), out);
        create(Path.of(home));
        ServeCommand.print(out, "created " + project + " from the template " + template + ". Next:");
        ServeCommand.print(out, "  cd " + project);
        ServeCommand.print(out, "  mvn package" + repositoryArgument());
        ServeCommand.print(out, "  ./run");
        return 0;
    }

    private void check(final boolean isValid, final String text)
    {
        if (!isValid)
        {
            throw new ParameterException(spec.commandLine(), text);
        }
    }

    private String repositoryArgument()
    {
        return null == repository ? "" : " -Dmaven.repo.local=" + repository.toAbsolutePath();
    }

    private void install(final Path home, final PrintWriter out) throws IOException, InterruptedException
    {
        final String version = Escapement.Version.of();
        final Path local = null == repository ? Path.of(System.getProperty("user.home"), ".m2", "repository") :
            repository;
        final Path installed = local.resolve(
            "io/escapement/escapement-server/" + version + "/escapement-server-" + version + ".jar");
        if (Files.exists(installed) && Files.getLastModifiedTime(installed).compareTo(builtAt()) >= 0)
        {
            return;
        }
        ServeCommand.print(out, "installing Escapement " + version + " into the local Maven repository ...");
        final List<String> command = new ArrayList<>(List.of("mvn", "-B", "-q", "install", "-pl",
            "engine/server,codecs/generator", "-am", "-Dmaven.test.skip=true", "-Dcheckstyle.skip"));
        if (null != repository)
        {
            command.add("-Dmaven.repo.local=" + repository.toAbsolutePath());
        }
        final int status = new ProcessBuilder(command).directory(home.toFile()).inheritIO().start().waitFor();
        if (0 != status)
        {
            throw new IllegalStateException("mvn install: exit status " + status + ": run it in " + home);
        }
        // Settings of Maven may name another repository, which is then installed to each time.
        if (Files.exists(installed))
        {
            // An unchanged jar would keep its older time.
            Files.setLastModifiedTime(installed, FileTime.fromMillis(System.currentTimeMillis()));
        }
    }

    /** When this program was built: its script rebuilds it after a change. */
    private static FileTime builtAt() throws IOException
    {
        return Files.getLastModifiedTime(
            Path.of(URI.create(NewCommand.class.getProtectionDomain().getCodeSource().getLocation().toString())));
    }

    private void create(final Path home) throws IOException
    {
        final String part = template.toString();
        final Path main = home.resolve(EXAMPLES + "main");
        final Path resources = project.resolve("src/main/resources");
        final Path pages = main.resolve("resources/" + RESOURCES + "examples");
        copy(main.resolve("java/io/escapement/examples/" + part), project.resolve("src/main/java/" + part), ANY);
        copy(home.resolve(EXAMPLES + "test/java/io/escapement/examples/" + part),
            project.resolve("src/test/java/" + part), (text) -> MORE_THAN_A_BENCH.stream().noneMatch(text::contains));
        copy(main.resolve("resources/io/escapement/examples/" + part), resources.resolve(part), ANY);
        copy(pages.resolve(part), resources.resolve(RESOURCES), ANY);
        for (final String file : template.hasSharedPage ? SHARED_PAGE : List.<String>of())
        {
            copy(pages.resolve(file), resources.resolve(RESOURCES + file), ANY);
        }
        if (template.hasLines)
        {
            copy(main.resolve("java/io/escapement/examples/common"), project.resolve("src/main/java/common"), ANY);
        }
        write(resources.resolve(PROVIDERS), part + "." + template.game + "\n");
        write(project.resolve(".gitignore"), "target/\ndata/\nsecret\n");
        write(project.resolve("pom.xml"), ownFile("pom.xml"));
        writeScript("run");
        if (Template.EXCHANGE == template)
        {
            writeScript("orders");
        }
    }

    private void writeScript(final String file) throws IOException
    {
        final Path script = project.resolve(file);
        write(script, ownFile(file));
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private String ownFile(final String file) throws IOException
    {
        final boolean isExchange = Template.EXCHANGE == template;
        return Escapement.resource("project/" + file)
            .replace("%DEPENDENCIES%", isExchange ? Escapement.resource("project/h2.xml") : "")
            .replace("%PLUGINS%", isExchange ? Escapement.resource("project/codecs-plugin.xml") : "")
            .replace("%NAME%", name)
            // A start reruns the turns of a journal. A room that changes often therefore has no journal.
            .replace("%ROOMS%", isExchange ? "--journal data/journal" : "--watch .");
    }

    /** Copy a folder or a file, if there is one: the example becomes a package at the root, and its page the page. */
    private static void copy(final Path from, final Path to, final Predicate<String> filter) throws IOException
    {
        if (!Files.exists(from))
        {
            return;
        }
        try (Stream<Path> files = Files.walk(from))
        {
            for (final Path file : files.filter(Files::isRegularFile).toList())
            {
                final String text = Files.readString(file);
                if (filter.test(text))
                {
                    write(from.equals(file) ? to : to.resolve(from.relativize(file).toString()), moved(text));
                }
            }
        }
    }

    /** The text of a file, with its package and folder moved out of the examples. */
    private static String moved(final String text)
    {
        return text.replace(PACKAGE, "").replaceAll("([\"/])examples/(game|chat|turns|exchange)/", "$1")
            .replace("\"/examples/", "\"/").replaceAll("'(?:\\.\\./)+(common.js|escapement/)", "'./$1");
    }

    private static void write(final Path file, final String text) throws IOException
    {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }
}
