package io.escapement.generator;

import io.escapement.testsupport.JavaScriptModules;
import io.escapement.testsupport.Tests;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.agrona.IoUtil;
import org.graalvm.polyglot.Value;
import uk.co.real_logic.sbe.ir.Ir;
import uk.co.real_logic.sbe.xml.IrGenerator;
import uk.co.real_logic.sbe.xml.ParserOptions;
import uk.co.real_logic.sbe.xml.XmlSchemaParser;

/** The module of a schema under test, generated and loaded. */
final class Generated implements AutoCloseable
{
    final Ir ir;
    final String module;
    final String types;
    final Value exports;
    final JavaScriptModules scripts;

    Generated(final String schema) throws Exception
    {
        this(parse(schema));
    }

    Generated(final Ir ir) throws IOException
    {
        this(new JavaScriptModules(), ir, List.of(), List.of());
    }

    Generated(
        final JavaScriptModules scripts, final Ir ir, final List<String> sends, final List<String> receives)
        throws IOException
    {
        this.scripts = scripts;
        this.ir = ir;
        final Path directory = Tests.newDirectory();
        try
        {
            Generator.javaScript(ir, directory, "tested", sends, receives);
            module = Files.readString(directory.resolve("tested.js"));
            final Path declarations = directory.resolve("tested.d.ts");
            types = Files.exists(declarations) ? Files.readString(declarations) : null;
            exports = scripts.load(directory.resolve("tested.js"));
        }
        finally
        {
            IoUtil.delete(directory.toFile(), true);
        }
    }

    static Ir parse(final String schema) throws Exception
    {
        try (InputStream in = Generated.class.getResourceAsStream(schema))
        {
            return new IrGenerator().generate(XmlSchemaParser.parse(in, ParserOptions.DEFAULT));
        }
    }

    /** A function of JavaScript that has the module as {@code m}. */
    Value function(final String text)
    {
        return scripts.eval("(m) => (" + text + ")").execute(exports);
    }

    @Override
    public void close()
    {
        scripts.close();
    }
}
