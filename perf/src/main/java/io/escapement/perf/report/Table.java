package io.escapement.perf.report;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** A table that is printed row by row as it grows, and kept for the page. */
public final class Table
{
    /** The mark of a failed run, a cell more at the end of its row. */
    public static final String FAILED = "FAILED";

    private static final int LEAST_WIDTH = 8;

    private final PrintWriter out;
    private final List<String> heads;
    private final List<List<String>> rows = new ArrayList<>();

    /** Create, and print the heads of the columns. */
    public Table(final PrintWriter out, final String... heads)
    {
        this.out = out;
        this.heads = List.of(heads);
        print(this.heads);
    }

    /** Add a row and print it, marked if its run failed. */
    public void row(final boolean isFailed, final String... cells)
    {
        if (cells.length != heads.size())
        {
            throw new IllegalArgumentException(cells.length + " cells for " + heads.size() + " columns");
        }
        final List<String> row = new ArrayList<>(List.of(cells));
        if (isFailed)
        {
            row.add(FAILED);
        }
        rows.add(row);
        print(row);
    }

    private void print(final List<String> cells)
    {
        final StringBuilder line = new StringBuilder();
        for (int i = 0; i < cells.size(); i++)
        {
            final int width = i < heads.size() ? Math.max(LEAST_WIDTH, heads.get(i).length()) : 1;
            line.append(String.format("  %" + width + "s", cells.get(i)));
        }
        out.println(line);
        out.flush();
    }

    String html()
    {
        return "<table>\n" + Report.row("", "th", heads) + rows.stream()
            .map((row) -> Report.row(row.size() > heads.size() ? " class=\"failed\"" : "", "td", row))
            .collect(Collectors.joining()) + "</table>\n";
    }
}
