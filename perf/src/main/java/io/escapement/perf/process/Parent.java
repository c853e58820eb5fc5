package io.escapement.perf.process;

import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** The tool that started this process, seen from here: told a line at a time, gone when standard input ends. */
public final class Parent
{
    /** Asked for, and answered with, {@link CompilerTime}. */
    static final String COMPILED_MS = "COMPILED_MS";

    private Parent()
    {
    }

    /**
     * Tell the parent.
     *
     * @param line of text, a word first.
     */
    public static void tell(final String line)
    {
        final PrintStream out =
            new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
        out.println(line);
        out.flush();
    }

    /** Wait until the parent wants this process to end, and answer what it asks until then. */
    public static void awaitEnd()
    {
        try (BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)))
        {
            String line = in.readLine();
            while (null != line)
            {
                if (COMPILED_MS.equals(line))
                {
                    tell(COMPILED_MS + " " + CompilerTime.ms());
                }
                line = in.readLine();
            }
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }
}
