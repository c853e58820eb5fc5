package io.escapement.perf.tool;

import io.escapement.testsupport.JsonReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
    @SuppressWarnings("unchecked")
    Map<String, Object> json()
    {
        assertEquals(1, out.stream().filter((line) -> line.startsWith("{")).count(), toString());
        return (Map<String, Object>)JsonReader.parse(out.get(out.size() - 1));
    }

    /** The runs whose time is accounted for, in their order. */
    List<String> runs()
    {
        return ((List<?>)json().get("whoseTime")).stream()
            .map((run) -> String.valueOf(((Map<?, ?>)run).get("run"))).toList();
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

    void assertSound()
    {
        assertEquals(0, exitCode, toString());
        assertFalse(toString().contains("FAILED"), toString());
        assertFalse(json().containsKey("status"), toString());
        assertFalse(file("index.html").contains("FAILED"), "a sound run is marked");
    }

    /** The output, the JSON object and the page give the reason. */
    void assertFailed(final String reason)
    {
        assertEquals(1, exitCode, toString());
        assertTrue(out.stream().anyMatch((line) -> line.contains("FAILED: ") && line.contains(reason)), toString());
        assertEquals("FAILED", json().get("status"), toString());
        assertTrue(json().get("faults").toString().contains(reason), toString());
        assertTrue(file("result.json").contains("\"status\":\"FAILED\""), toString());
        final String page = file("index.html");
        assertTrue(page.contains("failed banner") && page.contains(reason), "the page does not say why");
    }

    /** The row of the run is marked too. */
    void assertMarked(final String reason)
    {
        assertFailed(reason);
        assertEquals(1, out.stream().filter((line) -> line.endsWith("  FAILED")).count(), toString());
        assertTrue(file("index.html").contains("<td>FAILED</td>"), "the page's table does not mark the row");
    }

    @Override
    public String toString()
    {
        return "exit " + exitCode + "\n" + String.join("\n", out) + "\n" + err;
    }
}
