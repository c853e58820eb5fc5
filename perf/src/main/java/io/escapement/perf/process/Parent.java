package io.escapement.perf.process;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** The tool that started this process, seen from here: told a line at a time, gone when standard input ends. */
public final class Parent
{
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

    /** Wait until the parent wants this process to end. */
    public static void awaitEnd()
    {
        try
        {
            while (System.in.read() >= 0)
            {
                // What comes is of no interest, only that it ends.
            }
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }
}
