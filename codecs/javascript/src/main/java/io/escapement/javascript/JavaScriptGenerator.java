package io.escapement.javascript;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import uk.co.real_logic.sbe.generation.CodeGenerator;
import uk.co.real_logic.sbe.ir.Ir;

/** Writes the module of one schema, and its types. */
final class JavaScriptGenerator implements CodeGenerator
{
    private static final String RUNTIME = "runtime.js";

    private final Ir ir;
    private final Path directory;
    private final String module;

    JavaScriptGenerator(final Ir ir, final Path directory, final String module)
    {
        this.ir = ir;
        this.directory = directory;
        this.module = module;
    }

    @Override
    public void generate() throws IOException
    {
        final Schema schema = new SchemaReader(ir).read();
        Files.createDirectories(directory);
        Files.writeString(directory.resolve(module + ".js"), new ModuleWriter(schema, runtime()).write());
        Files.writeString(directory.resolve(module + ".d.ts"), new TypesWriter(schema).write());
    }

    private static String runtime() throws IOException
    {
        try (InputStream in = JavaScriptGenerator.class.getResourceAsStream(RUNTIME))
        {
            if (null == in)
            {
                throw new IOException(RUNTIME + " is not among the resources");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
