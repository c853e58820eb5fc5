package io.escapement.simulator;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Loads the classes of this project once more, those with an edited source compiled from it. */
final class MutantLoader extends ClassLoader
{
    private static final String OURS = "io.escapement.";

    private final Map<String, byte[]> editedByNameMap;

    /** Compile the edited classes. */
    MutantLoader(final List<SourceEdit> edits)
    {
        super(MutantLoader.class.getClassLoader());
        editedByNameMap = compile(edits);
    }

    @Override
    protected Class<?> loadClass(final String name, final boolean isResolved) throws ClassNotFoundException
    {
        if (!name.startsWith(OURS))
        {
            return super.loadClass(name, isResolved);
        }
        synchronized (getClassLoadingLock(name))
        {
            final Class<?> loaded = findLoadedClass(name);
            if (null != loaded)
            {
                return loaded;
            }
            final byte[] bytes = editedByNameMap.containsKey(name) ? editedByNameMap.get(name) : read(name);
            return defineClass(name, bytes, 0, bytes.length);
        }
    }

    private byte[] read(final String name) throws ClassNotFoundException
    {
        try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class"))
        {
            if (null == in)
            {
                throw new ClassNotFoundException(name);
            }
            return in.readAllBytes();
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    private static Map<String, byte[]> compile(final List<SourceEdit> edits)
    {
        final Map<String, byte[]> compiled = new HashMap<>();
        if (edits.isEmpty())
        {
            return compiled;
        }
        final Map<String, String> sourceByNameMap = new HashMap<>();
        for (final SourceEdit edit : edits)
        {
            final String before = sourceByNameMap.getOrDefault(edit.className(), edit.source());
            sourceByNameMap.put(edit.className(), edit.applyTo(before));
        }
        final List<JavaFileObject> sources = new ArrayList<>();
        sourceByNameMap.forEach((name, source) -> sources.add(new Source(name, source)));

        final Map<String, ByteArrayOutputStream> classByNameMap = new HashMap<>();
        final JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        final StringWriter messages = new StringWriter();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null))
        {
            assertTrue(compiler.getTask(messages, new Classes(files, classByNameMap), null,
                List.of("-classpath", System.getProperty("java.class.path"), "-proc:none", "-nowarn",
                    "--release", "17"), null, sources).call(), messages::toString);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
        classByNameMap.forEach((name, bytes) -> compiled.put(name, bytes.toByteArray()));
        return compiled;
    }

    private static final class Source extends SimpleJavaFileObject
    {
        private final String source;

        Source(final String name, final String source)
        {
            super(URI.create("string:///" + name.replace('.', '/') + Kind.SOURCE.extension), Kind.SOURCE);
            this.source = source;
        }

        @Override
        public CharSequence getCharContent(final boolean isEncodingIgnored)
        {
            return source;
        }
    }

    /** Keeps compiled classes in memory. */
    private static final class Classes extends ForwardingJavaFileManager<JavaFileManager>
    {
        private final Map<String, ByteArrayOutputStream> classByNameMap;

        Classes(final JavaFileManager files, final Map<String, ByteArrayOutputStream> classByNameMap)
        {
            super(files);
            this.classByNameMap = classByNameMap;
        }

        @Override
        public JavaFileObject getJavaFileForOutput(
            final JavaFileManager.Location location,
            final String className,
            final JavaFileObject.Kind kind,
            final FileObject sibling)
        {
            assertTrue(StandardLocation.CLASS_OUTPUT == location);
            return new SimpleJavaFileObject(URI.create("memory:///" + className.replace('.', '/')), kind)
            {
                @Override
                public OutputStream openOutputStream()
                {
                    final ByteArrayOutputStream out = new ByteArrayOutputStream();
                    classByNameMap.put(className, out);
                    return out;
                }
            };
        }
    }
}
