package io.escapement.console;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/**
 * The files of the page, read at the launch. They are a fixed list, so that no path of a request reaches a class path
 * or a directory.
 */
final class Page
{
    /** A file with its content type. */
    record File(byte[] bytes, String contentType)
    {
    }

    private static final String UPLOT = "/META-INF/resources/webjars/uplot/1.6.30/dist/";
    private static final Map<String, String> CONTENT_TYPES = Map.of(
        "html", "text/html; charset=utf-8",
        "js", "text/javascript; charset=utf-8",
        "css", "text/css; charset=utf-8",
        "svg", "image/svg+xml",
        "json", "application/json");
    private static final String OTHER_TYPE = "text/plain; charset=utf-8";

    private final Map<String, File> fileByPathMap = new HashMap<>();

    Page(final Collection<RoomView> views)
    {
        for (final String name : new String[]{
            "index.html", "console.css", "console.js", "logic.js", "charts.js", "operate.js", "drawing.js",
            "past.js", "icon.svg"})
        {
            add("/" + name, "page/" + name, Page.class);
        }
        fileByPathMap.put("/", fileByPathMap.get("/index.html"));
        add("/uplot.js", UPLOT + "uPlot.iife.min.js", Page.class);
        add("/uplot.css", UPLOT + "uPlot.min.css", Page.class);
        for (final RoomView view : views)
        {
            for (final String name : view.files())
            {
                add(RoomViews.path(view, name), "/" + view.directory() + "/" + name, view.getClass());
            }
        }
    }

    /** The file of a path, or null. */
    File file(final String path)
    {
        return fileByPathMap.get(path);
    }

    /** Files of a view are in its jar. */
    private void add(final String path, final String resource, final Class<?> owner)
    {
        try (InputStream in = owner.getResourceAsStream(resource))
        {
            if (null == in)
            {
                throw new IllegalStateException(resource + " is not on the class path");
            }
            final String extension = path.substring(path.lastIndexOf('.') + 1);
            fileByPathMap.put(path,
                new File(in.readAllBytes(), CONTENT_TYPES.getOrDefault(extension, OTHER_TYPE)));
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }
}
