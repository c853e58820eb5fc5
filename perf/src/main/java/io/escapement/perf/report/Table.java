package io.escapement.perf.report;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A table that is printed row by row as it grows, and kept for the page. */
public final class Table
{
    /** The mark at the end of the row of a failed run. */
    public static final String FAILED = "FAILED";

    private static final int LEAST_WIDTH = 8;

    /** A row, and whether its run failed. */
    record Row(List<String> cells, boolean isFailed)
    {
    }

    private final PrintWriter out;
    final List<String> heads;
    final List<Row> rows = new ArrayList<>();

    /** Create, and print the heads of the columns. */
    public Table(final PrintWriter out, final String... heads)
    {
        this.out = out;
        this.heads = List.of(heads);
        print(this.heads, "");
    }

    /** Add a row and print it, marked if its run failed. */
    public void row(final boolean isFailed, final String... cells)
    {
        if (cells.length != heads.size())
        {
            throw new IllegalArgumentException(cells.length + " cells for " + heads.size() + " columns");
        }
        rows.add(new Row(List.copyOf(Arrays.asList(cells)), isFailed));
        print(Arrays.asList(cells), isFailed ? "  " + FAILED : "");
    }

    private void print(final List<String> cells, final String end)
    {
        final StringBuilder line = new StringBuilder();
        for (int i = 0; i < cells.size(); i++)
        {
            final String cell = cells.get(i);
            final int width = Math.max(LEAST_WIDTH, heads.get(i).length());
            line.append("  ").append(" ".repeat(Math.max(0, width - cell.length()))).append(cell);
        }
        out.println(line.append(end));
        out.flush();
    }
}
