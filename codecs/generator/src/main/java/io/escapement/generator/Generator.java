package io.escapement.generator;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.xml.sax.InputSource;
import uk.co.real_logic.sbe.generation.common.PrecedenceChecks;
import uk.co.real_logic.sbe.generation.java.JavaGenerator;
import uk.co.real_logic.sbe.generation.java.JavaOutputManager;
import uk.co.real_logic.sbe.ir.Ir;
import uk.co.real_logic.sbe.xml.IrGenerator;
import uk.co.real_logic.sbe.xml.ParserOptions;
import uk.co.real_logic.sbe.xml.XmlSchemaParser;

/** Generates the code of SBE schemas. The name of a schema's file is the name of what is made of it. */
public final class Generator
{
    private static final String XML = ".xml";
    private static final String RUNTIME = "runtime.js";

    private final boolean hasPrecedenceChecks;

    /**
     * Make a generator.
     *
     * @param hasPrecedenceChecks whether the Java codecs can check that they are used in order.
     */
    public Generator(final boolean hasPrecedenceChecks)
    {
        this.hasPrecedenceChecks = hasPrecedenceChecks;
    }

    /**
     * Write the Java codecs of the SBE tool, and the rules, the encoder and the dispatcher of the schema.
     *
     * @param file      of the schema.
     * @param directory of the sources.
     * @throws IOException if a file cannot be read or written.
     */
    public void java(final Path file, final Path directory) throws IOException
    {
        final Ir ir = parse(file);
        final String namespace = ir.applicableNamespace();
        final JavaNames names = new JavaNames(
            namespace, file.getFileName().toString(), JavaNames.upperFirst(nameOf(file)));
        final String layout;
        final Schema schema;
        try
        {
            schema = new SchemaReader(ir).read();
            names.requireFree(schema);
            layout = new LayoutWriter(schema, names).write();
        }
        catch (final IllegalStateException ex)
        {
            throw refusal(file, ex);
        }
        final PrecedenceChecks checks = PrecedenceChecks.newInstance(
            new PrecedenceChecks.Context().shouldGeneratePrecedenceChecks(hasPrecedenceChecks));
        new JavaGenerator(ir, MutableDirectBuffer.class.getName(), DirectBuffer.class.getName(), false, true, true,
            false, checks, new JavaOutputManager(directory.toString(), namespace)).generate();
        final Path target = directory.resolve(namespace.replace('.', '/'));
        Files.writeString(target.resolve(names.layout() + ".java"), layout);
        Files.writeString(target.resolve(names.encoder() + ".java"), new EncoderWriter(schema, names).write());
        Files.writeString(target.resolve(names.dispatcher() + ".java"), new DispatcherWriter(schema, names).write());
    }

    /**
     * Write the ES module of a schema. A module with every message also gets its types; a module with some messages is
     * for a program that declares its types itself.
     *
     * @param file      of the schema.
     * @param directory of the module.
     * @param sends     the messages that it encodes.
     * @param receives  the messages that it decodes. If both lists are empty, it encodes and decodes every message.
     * @throws IOException if a file cannot be read or written.
     */
    public void javaScript(
        final Path file, final Path directory, final List<String> sends, final List<String> receives) throws IOException
    {
        final Ir ir = parse(file);
        try
        {
            javaScript(ir, directory, nameOf(file), sends, receives);
        }
        catch (final IllegalStateException ex)
        {
            throw refusal(file, ex);
        }
    }

    static void javaScript(
        final Ir ir,
        final Path directory,
        final String name,
        final List<String> sends,
        final List<String> receives) throws IOException
    {
        final Schema schema = new SchemaReader(ir).read();
        final Selection selection = new Selection(schema, sends, receives);
        Files.createDirectories(directory);
        Files.writeString(directory.resolve(name + ".js"), new ModuleWriter(schema, selection, runtime()).write());
        if (selection.isWhole())
        {
            Files.writeString(directory.resolve(name + ".d.ts"), new TypesWriter(schema).write());
        }
    }

    /**
     * Write the table of a schema's messages into a page, between the comments
     * {@code generated from name.xml} and {@code end of name.xml}. A page that has it already is left as it is.
     *
     * @param file of the schema.
     * @param page in Markdown.
     * @throws IOException if a file cannot be read or written.
     */
    public void table(final Path file, final Path page) throws IOException
    {
        final String before = Files.readString(page);
        final String after = new TablesWriter(new SchemaReader(parse(file)).read())
            .replaceIn(before, file.getFileName().toString());
        if (!after.equals(before))
        {
            Files.writeString(page, after);
        }
    }

    /**
     * Write the ES module {@code code-names.js}, with the names of the codes of enumerations.
     *
     * @param files        of the schemas.
     * @param enumerations of the codes.
     * @param directory    of the module.
     * @throws IOException if a file cannot be read or written.
     */
    public void codeNames(final List<Path> files, final List<String> enumerations, final Path directory)
        throws IOException
    {
        final List<Ir> schemas = new ArrayList<>();
        for (final Path file : files)
        {
            schemas.add(parse(file));
        }
        Files.createDirectories(directory);
        Files.writeString(directory.resolve("code-names.js"), CodeNamesWriter.write(schemas, enumerations));
    }

    private static Ir parse(final Path file) throws IOException
    {
        final ParserOptions options =
            ParserOptions.builder().stopOnError(true).warningsFatal(true).suppressOutput(true).build();
        try (InputStream in = new BufferedInputStream(Files.newInputStream(file)))
        {
            final Ir ir = new IrGenerator().generate(XmlSchemaParser.parse(new InputSource(in), options));
            if (ByteOrder.LITTLE_ENDIAN != ir.byteOrder())
            {
                throw new IllegalStateException("byteOrder: bigEndian is not supported");
            }
            return ir;
        }
        catch (final IOException ex)
        {
            throw ex;
        }
        catch (final Exception ex)
        {
            throw refusal(file, ex);
        }
    }

    private static IllegalStateException refusal(final Path file, final Exception ex)
    {
        return new IllegalStateException(file + ": " + ex.getMessage(), ex);
    }

    private static String nameOf(final Path file)
    {
        final String name = file.getFileName().toString();
        if (!name.endsWith(XML))
        {
            throw new IllegalArgumentException(file + ": a schema's file ends with " + XML);
        }
        return name.substring(0, name.length() - XML.length());
    }

    private static String runtime() throws IOException
    {
        try (InputStream in = Generator.class.getResourceAsStream(RUNTIME))
        {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
