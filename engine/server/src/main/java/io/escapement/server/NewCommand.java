package io.escapement.server;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Creates a project of one's own from an example, whose code this build compiles and tests. */
@Command(
    name = "new",
    sortOptions = false,
    description = "Create a project: a room, its test and its page, which Maven builds and ./run serves. The modules " +
        "that it needs are installed into the local Maven repository, once.")
final class NewCommand implements Callable<Integer>
{
    /** The directory of the engine's sources: set by the script, because a jar has none. */
    static final String HOME_PROPERTY = "escapement.home";

    private static final String EXAMPLES = "engine/examples/src/";
    private static final String PACKAGE = "io.escapement.examples.";
    private static final String RESOURCES = "META-INF/resources/";
    private static final String PROVIDERS = "META-INF/services/io.escapement.rooms.RoomType$Provider";
    private static final String NAMES = "[a-z][a-z0-9-]{0,63}";

    /** An example to begin with. */
    private enum Template
    {
        /** Dots in a field, by a synchronised state. */
        GAME("DotsGame");

        private final String game;

        Template(final String game)
        {
            this.game = game;
        }

        @Override
        public String toString()
        {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "NAME", description = "Directory of the project, whose last name is the project's: " +
        "lower-case letters, digits and hyphens.")
    private Path project;

    @Option(names = "--template", defaultValue = "game",
        description = "What to begin with: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
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
            "new: needs the sources of Escapement: use engine/bin/escapement");
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
        if (Files.exists(installed) && !hasChanged(home, Files.getLastModifiedTime(installed)))
        {
            return;
        }
        ServeCommand.print(out, "installing Escapement " + version + " into " + local + " ...");
        final List<String> command = new ArrayList<>(List.of("mvn", "-B", "-q", "install", "-pl", "engine/server",
            "-am", "-Dmaven.test.skip=true", "-Dcheckstyle.skip"));
        if (null != repository)
        {
            command.add("-Dmaven.repo.local=" + repository.toAbsolutePath());
        }
        final int status =
            new ProcessBuilder(command).directory(home.toFile()).inheritIO().start().waitFor();
        if (0 != status)
        {
            throw new IllegalStateException("mvn install: exit status " + status + ": run it in " + home);
        }
        // An unchanged jar would keep its older time.
        Files.setLastModifiedTime(installed, FileTime.fromMillis(System.currentTimeMillis()));
    }

    /** Whether a source of a module is newer. */
    private static boolean hasChanged(final Path home, final FileTime time) throws IOException
    {
        for (final String part : List.of("codecs", "driver-config", "engine"))
        {
            try (Stream<Path> files = Files.walk(home.resolve(part)))
            {
                if (files.filter((file) -> file.toString().contains("/src/main/") && Files.isRegularFile(file))
                    .anyMatch((file) -> timeOf(file).compareTo(time) > 0))
                {
                    return true;
                }
            }
        }
        return false;
    }

    private static FileTime timeOf(final Path file)
    {
        try
        {
            return Files.getLastModifiedTime(file);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    private void create(final Path home) throws IOException
    {
        final String part = template.toString();
        final Path examples = home.resolve(EXAMPLES);
        for (final String tree : List.of("main", "test"))
        {
            copy(examples.resolve(tree + "/java/io/escapement/examples/" + part),
                project.resolve("src/" + tree + "/java/" + part));
        }
        copy(examples.resolve("main/resources/" + RESOURCES + "examples/" + part),
            project.resolve("src/main/resources/" + RESOURCES));
        write(project.resolve("src/main/resources/" + PROVIDERS), part + "." + template.game + "\n");
        write(project.resolve("pom.xml"), ownFile("pom.xml"));
        write(project.resolve(".gitignore"), "target/\n");
        final Path run = project.resolve("run");
        write(run, ownFile("run"));
        Files.setPosixFilePermissions(run, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private String ownFile(final String file) throws IOException
    {
        return Escapement.resource("project/" + file).replace("%NAME%", name);
    }

    /** Copy a folder, in which the example is a package and its page a folder of several. */
    private static void copy(final Path from, final Path to) throws IOException
    {
        try (Stream<Path> files = Files.walk(from))
        {
            for (final Path file : files.filter(Files::isRegularFile).toList())
            {
                write(to.resolve(from.relativize(file).toString()),
                    Files.readString(file).replace(PACKAGE, "").replaceAll("\"examples/[a-z]+/", "\""));
            }
        }
    }

    private static void write(final Path file, final String text) throws IOException
    {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }
}
