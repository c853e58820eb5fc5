package io.escapement.generator;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.maven.plugin.AbstractMojo;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;
import org.apache.maven.project.MavenProject;

/** Generates the code of SBE schemas: codecs, rules, encoder and dispatcher in Java, and modules in JavaScript. */
@Mojo(name = "generate", defaultPhase = LifecyclePhase.GENERATE_SOURCES, threadSafe = true)
public final class GenerateMojo extends AbstractMojo
{
    /** The files of the schemas. */
    @Parameter(required = true)
    private List<File> schemas;

    /** Whether to generate Java. */
    @Parameter(defaultValue = "true")
    private boolean java;

    /** The directory of the Java sources, which the project compiles. */
    @Parameter(defaultValue = "${project.build.directory}/generated-sources/sbe")
    private File javaDirectory;

    /** Whether the Java sources belong to the tests. */
    @Parameter(defaultValue = "false")
    private boolean tests;

    /** The directory of the JavaScript modules. Without it there are none. */
    @Parameter
    private File javascript;

    /** The messages that the module of JavaScript encodes. Without it and {@code receives}, those are all. */
    @Parameter
    private List<String> sends = List.of();

    /** The messages that the module of JavaScript decodes. Without it and {@code sends}, those are all. */
    @Parameter
    private List<String> receives = List.of();

    /** The page in Markdown that has a table of the messages of each schema. Without it there is none. */
    @Parameter
    private File page;

    /** The directory of {@code code-names.js}. Without it there is none. */
    @Parameter
    private File codeNames;

    /** The enumerations whose names are in {@code code-names.js}. */
    @Parameter
    private List<String> codes;

    /** Whether the Java codecs can check that they are used in order. */
    @Parameter(property = "sbe.precedence.checks", defaultValue = "true")
    private boolean precedenceChecks;

    @Parameter(defaultValue = "${project}", readonly = true)
    private MavenProject project;

    /** Called by Maven. */
    public GenerateMojo()
    {
    }

    @Override
    public void execute() throws MojoExecutionException
    {
        try
        {
            generate();
        }
        catch (final IOException | RuntimeException ex)
        {
            throw new MojoExecutionException(ex.getMessage(), ex);
        }
    }

    private void generate() throws IOException
    {
        final Generator generator = new Generator(precedenceChecks);
        final List<Path> files = schemas.stream().map(File::toPath).toList();
        for (final Path file : files)
        {
            if (java)
            {
                generator.java(file, javaDirectory.toPath());
            }
            if (null != javascript)
            {
                generator.javaScript(file, javascript.toPath(), sends, receives);
            }
            if (null != page)
            {
                generator.table(file, page.toPath());
            }
        }
        if (null != codeNames)
        {
            generator.codeNames(files, codes, codeNames.toPath());
        }
        if (java && tests)
        {
            project.addTestCompileSourceRoot(javaDirectory.toString());
        }
        else if (java)
        {
            project.addCompileSourceRoot(javaDirectory.toString());
        }
    }
}
