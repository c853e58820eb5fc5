package io.escapement.web;

import io.escapement.testsupport.RealTime;
import io.escapement.testsupport.Tests;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.agrona.IoUtil;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * The package as its users get it: packed and installed by npm, imported by Node, compiled against by TypeScript.
 * Without npm the tests are skipped, and those of the types without a compiler; {@code -Descapement.npm.required=true}
 * and {@code -Descapement.tsc.required=true} make that a failure.
 */
@RealTime("npm, Node and the TypeScript compiler of this machine")
class PackageTest
{
    private static final Path RESOURCES = Path.of("target", "classes", "META-INF", "resources", "escapement");
    private static final Path COMPILER = Path.of("target", "typescript", "node_modules", ".bin", "tsc");
    private static final long PROGRAM_SECONDS = 60;

    private static Path directory;

    @BeforeAll
    static void install() throws IOException, InterruptedException
    {
        require(program("npm") != null && program("node") != null, "npm", "neither npm nor node is on the path");
        directory = Files.createDirectories(Tests.newDirectory());
        final String packed = run("npm", "pack", RESOURCES.toAbsolutePath().toString(), "--silent");
        Files.writeString(directory.resolve("package.json"), "{\"private\": true, \"type\": \"module\"}");
        run("npm", "install", "--offline", "--no-audit", "--no-fund", "--ignore-scripts", packed.strip());
        for (final String name : List.of("program.mjs", "sample.ts", "wrong.ts"))
        {
            try (InputStream in = PackageTest.class.getResourceAsStream("package/" + name))
            {
                Files.copy(in, directory.resolve(name));
            }
        }
    }

    @AfterAll
    static void delete()
    {
        if (null != directory)
        {
            IoUtil.delete(directory.toFile(), true);
        }
    }

    @Test
    void shouldRunInNode() throws IOException, InterruptedException
    {
        // Node has a built-in WebSocket since 20.10, and without the option since 22.
        assertEquals("open 512 4006 true function",
            run("node", "--no-warnings", "--experimental-websocket", "program.mjs").strip());
    }

    /** A file that is missing in the list of files would be found by its import alone. */
    @Test
    void shouldHaveEveryFileOfTheDirectory() throws IOException
    {
        assertEquals(names(RESOURCES), names(directory.resolve("node_modules/@escapement/client")));
    }

    @Test
    void shouldCompileAProgramAgainstTheTypes() throws IOException, InterruptedException
    {
        final Result result = compile("sample.ts");
        assertEquals(0, result.status, result.output);
    }

    @Test
    void shouldRefuseEachMistakeOfAProgram() throws IOException, InterruptedException
    {
        final Result result = compile("wrong.ts");
        assertNotEquals(0, result.status);
        final List<String> lines = Files.readAllLines(directory.resolve("wrong.ts"));
        for (int i = lines.indexOf("declare const connection: Connection;") + 2; i <= lines.size(); i++)
        {
            assertTrue(result.output.contains("wrong.ts(" + i + ","), lines.get(i - 1) + "\n" + result.output);
        }
    }

    private static Result compile(final String name) throws IOException, InterruptedException
    {
        final Path installed = COMPILER.toAbsolutePath();
        final String compiler = Files.isExecutable(installed) ? installed.toString() : program("tsc");
        require(null != compiler, "tsc", "no TypeScript: neither in " + COMPILER + " nor on the path");
        return start(compiler, "--noEmit", "--strict", "--target", "es2022", "--module", "nodenext", "--lib",
            "es2022,dom", name);
    }

    private static void require(final boolean isThere, final String name, final String reason)
    {
        assertTrue(isThere || !Boolean.getBoolean("escapement." + name + ".required"), reason);
        Assumptions.assumeTrue(isThere, reason);
    }

    private static List<String> names(final Path at) throws IOException
    {
        try (Stream<Path> files = Files.list(at))
        {
            return files.map((file) -> file.getFileName().toString()).sorted().toList();
        }
    }

    private static String program(final String name)
    {
        return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
            .map((at) -> Path.of(at, name)).filter(Files::isExecutable).map(Path::toString).findFirst().orElse(null);
    }

    private static String run(final String... command) throws IOException, InterruptedException
    {
        final Result result = start(command);
        assertEquals(0, result.status, () -> List.of(command) + "\n" + result.output);
        return result.output;
    }

    private static Result start(final String... command) throws IOException, InterruptedException
    {
        final Path output = Files.createTempFile(directory, "output", ".txt");
        final Process process = new ProcessBuilder(command).directory(directory.toFile())
            .redirectErrorStream(true).redirectOutput(output.toFile()).start();
        final boolean isOver = process.waitFor(PROGRAM_SECONDS, TimeUnit.SECONDS);
        process.destroyForcibly();
        final String text = Files.readString(output);
        Files.delete(output);
        assertTrue(isOver, () -> List.of(command) + " did not end\n" + text);
        return new Result(process.exitValue(), text);
    }

    private record Result(int status, String output)
    {
    }
}
