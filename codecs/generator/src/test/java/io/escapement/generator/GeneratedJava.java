package io.escapement.generator;

import io.escapement.testsupport.Tests;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.agrona.IoUtil;
import org.agrona.concurrent.UnsafeBuffer;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** The Java of schemas, generated, compiled with the rules of the module codecs, and loaded. */
final class GeneratedJava implements AutoCloseable
{
    private static final Path RULES = Path.of("../src/main/java/io/escapement/codecs/layout/SchemaRules.java");

    final Path sources = Tests.newDirectory();
    private final Path classes = Tests.newDirectory();
    private final URLClassLoader loader;

    GeneratedJava(final List<Path> schemas, final Path... more) throws IOException
    {
        final Generator generator = new Generator(true);
        for (final Path schema : schemas)
        {
            generator.java(schema, sources);
        }
        final List<String> arguments = new ArrayList<>(List.of("-nowarn", "-proc:none", "-implicit:none", "-d",
            classes.toString(), "-cp", System.getProperty("java.class.path"),
            RULES.toString()));
        try (Stream<Path> files = Files.walk(sources))
        {
            files.map(Path::toString).filter((file) -> file.endsWith(".java")).forEach(arguments::add);
        }
        List.of(more).forEach((file) -> arguments.add(file.toString()));
        assertEquals(0, ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments.toArray(String[]::new)));
        loader = new URLClassLoader(new URL[]{classes.toUri().toURL()}, GeneratedJava.class.getClassLoader());
    }

    Class<?> load(final String name) throws ReflectiveOperationException
    {
        return loader.loadClass(name);
    }

    String source(final String name) throws IOException
    {
        return Files.readString(sources.resolve(name.replace('.', '/') + ".java"));
    }

    /** The code of a refusal, or 0. */
    int validate(final String layout, final byte[] bytes) throws ReflectiveOperationException
    {
        final Object rules = load(layout).getField("RULES").get(null);
        return (int)rules.getClass().getMethod("validate", org.agrona.DirectBuffer.class, int.class, int.class)
            .invoke(rules, new UnsafeBuffer(bytes), 0, bytes.length);
    }

    @Override
    public void close() throws IOException
    {
        loader.close();
        IoUtil.delete(sources.toFile(), true);
        IoUtil.delete(classes.toFile(), true);
    }
}
