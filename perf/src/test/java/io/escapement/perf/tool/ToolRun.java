package io.escapement.perf.tool;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;

/** A run of the tool in this process, and what it left. */
final class ToolRun
{
    final int exitCode;
    final List<String> out;
    final String err;
    final Path report;

    private ToolRun(final int exitCode, final String out, final String err, final Path report)
    {
        this.exitCode = exitCode;
        this.out = out.lines().toList();
        this.err = err;
        this.report = report;
    }

    static ToolRun of(final CommandLine tool, final Path report, final String... arguments)
    {
        final StringWriter out = new StringWriter();
        final StringWriter err = new StringWriter();
        final List<String> all = new ArrayList<>(List.of(arguments));
        if (null != report)
        {
            all.addAll(List.of("--json", "--report", report.toString()));
        }
        final int exitCode = tool.setOut(new PrintWriter(out)).setErr(new PrintWriter(err))
            .execute(all.toArray(new String[0]));
        return new ToolRun(exitCode, out.toString(), err.toString(), report);
    }

    /** The JSON object of the last line; of all lines it is the only one that looks like one. */
    Map<String, Object> json()
    {
        final String last = out.get(out.size() - 1);
        if (1 != out.stream().filter((line) -> line.startsWith("{")).count())
        {
            throw new AssertionError("one line of JSON was to be here: " + out);
        }
        return JsonText.object(last);
    }

    String file(final String name)
    {
        try
        {
            return Files.readString(report.resolve(name));
        }
        catch (final IOException ex)
        {
            throw new AssertionError("the report lacks " + name, ex);
        }
    }

    @Override
    public String toString()
    {
        return "exit " + exitCode + "\n" + String.join("\n", out) + "\n" + err;
    }
}
