package io.escapement.generator;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.maven.plugin.AbstractMojo;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;

/** Removes comments and indentation from the JavaScript modules of an output directory. */
@Mojo(name = "compact", defaultPhase = LifecyclePhase.PROCESS_RESOURCES, threadSafe = true)
public final class CompactMojo extends AbstractMojo
{
    /** The directory of the modules. The goal includes its subdirectories. */
    @Parameter(required = true)
    private File modules;

    /** Called by Maven. */
    public CompactMojo()
    {
    }

    @Override
    public void execute() throws MojoExecutionException
    {
        try (Stream<Path> files = Files.walk(modules.toPath()))
        {
            final List<Path> scripts = files.filter((file) -> file.toString().endsWith(".js")).sorted().toList();
            for (final Path file : scripts)
            {
                compact(file);
            }
        }
        catch (final IOException ex)
        {
            throw new MojoExecutionException(ex.getMessage(), ex);
        }
    }

    private static void compact(final Path file) throws IOException, MojoExecutionException
    {
        final String before = Files.readString(file);
        try
        {
            final String after = Compactor.compact(before);
            if (!after.equals(before))
            {
                Files.writeString(file, after);
            }
        }
        catch (final IllegalStateException ex)
        {
            throw new MojoExecutionException(file + ": " + ex.getMessage(), ex);
        }
    }
}
