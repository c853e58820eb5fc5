package io.escapement.perf.report;

import java.util.List;
import java.util.Map;

/** An HTML page that needs no other file. */
final class ReportPage
{
    private static final String STYLE = """
        body { font: 15px/1.45 sans-serif; margin: 2em auto; max-width: 60em; padding: 0 1em; color: #222; }
        table { border-collapse: collapse; margin: 1em 0; font-variant-numeric: tabular-nums; }
        th, td { padding: .2em .8em; text-align: right; border-bottom: 1px solid #ddd; }
        table.pairs td { text-align: left; }
        .failed { color: #b00020; font-weight: bold; }
        .banner { border: 2px solid #b00020; padding: .5em 1em; }
        svg { max-width: 100%; height: auto; }
        pre { overflow-x: auto; background: #f5f5f5; padding: 1em; }
        """;

    private final StringBuilder text = new StringBuilder();

    ReportPage(final String title)
    {
        text.append("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>")
            .append(escaped(title)).append("</title>\n<style>\n").append(STYLE)
            .append("</style>\n</head>\n<body>\n<h1>").append(escaped(title)).append("</h1>\n");
    }

    void faults(final List<String> faults)
    {
        if (faults.isEmpty())
        {
            return;
        }
        text.append("<div class=\"failed banner\">").append(Table.FAILED).append("<ul>\n");
        faults.forEach((fault) -> element("li", fault).append('\n'));
        text.append("</ul></div>\n");
    }

    void table(final Table table)
    {
        text.append("<table>\n<tr>");
        table.heads.forEach((head) -> element("th", head));
        text.append("</tr>\n");
        for (final Table.Row row : table.rows)
        {
            text.append(row.isFailed() ? "<tr class=\"failed\">" : "<tr>");
            row.cells().forEach((cell) -> element("td", cell));
            text.append(row.isFailed() ? "<td>" + Table.FAILED + "</td>" : "").append("</tr>\n");
        }
        text.append("</table>\n");
    }

    void paragraphs(final List<String> lines)
    {
        lines.forEach((line) -> element("p", line).append('\n'));
    }

    void charts(final Chart chart, final List<Series> series)
    {
        element("h2", chart.title()).append('\n');
        if (!chart.isOverTime())
        {
            text.append("<h3>By percentile</h3>\n").append(ChartPainter.percentiles(chart, series))
                .append("\n<h3>Over time</h3>\n");
        }
        text.append(ChartPainter.overTime(chart, series)).append('\n');
    }

    void pairs(final String title, final Map<String, String> pairs)
    {
        element("h2", title).append("\n<table class=\"pairs\">\n");
        pairs.forEach((name, value) ->
        {
            text.append("<tr>");
            element("td", name);
            element("td", value).append("</tr>\n");
        });
        text.append("</table>\n");
    }

    void code(final String title, final String code)
    {
        element("h2", title).append('\n');
        element("pre", code).append('\n');
    }

    String end()
    {
        return text.append("</body>\n</html>\n").toString();
    }

    private StringBuilder element(final String tag, final String content)
    {
        return text.append('<').append(tag).append('>').append(escaped(content)).append("</").append(tag).append('>');
    }

    static String escaped(final String plain)
    {
        return plain.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\"", "&quot;");
    }
}
