package io.escapement.perf.crowd;

import io.escapement.perf.rig.Control;
import io.escapement.perf.rig.Measurements;
import io.escapement.testsupport.JsonReader;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URL;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/**
 * The process of the pages that are open at the server's console. Each reads its events, and asks for the lists every
 * two seconds, as the page in a browser does. If the engine has a journal, each also plays a film of a room's past.
 */
public final class ConsolePages
{
    private static final List<String> LISTS =
        List.of("/api/trunks", "/api/storage", "/api/faults", "/api/costs?loop=0&type=-1");
    private static final long REFRESH_NS = TimeUnit.SECONDS.toNanos(2);
    private static final long PICTURE_NS = TimeUnit.MILLISECONDS.toNanos(100);
    /** Of the warm-up: in it no room counts its states, which would be counted twice. */
    private static final long FILM_MS = TimeUnit.SECONDS.toMillis(3);
    /** A console keeps the past of no more rooms open. */
    private static final int FILM_ROOMS = 8;
    private static final int BUSY = 503;
    private static final int BUFFER_LENGTH = 64 * 1_024;
    private static final int OK = 200;

    /** A page, and the bytes it received since the start of the measured part. */
    private static final class Page
    {
        final AtomicLong events = new AtomicLong();
        final AtomicLong bytes = new AtomicLong();
        final AtomicLong lists = new AtomicLong();
        final AtomicLong pictures = new AtomicLong();
    }

    private final HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final List<Page> pages = new ArrayList<>();
    private final Control control;
    private final String address;
    private final String token;

    private ConsolePages(final CrowdPlan plan, final Control control)
    {
        this.control = control;
        // As many connections as films.
        System.setProperty("http.maxConnections", Integer.toString(plan.pages + 1));
        address = plan.consoleUrl.replaceFirst("/#.*", "");
        token = plan.consoleUrl.replaceFirst(".*#", "");
        IntStream.range(0, plan.pages).forEach((i) -> pages.add(new Page()));
    }

    /** Run the process. */
    public static void run(final CrowdPlan plan, final Control control)
    {
        new ConsolePages(plan, control).run(plan);
    }

    private void run(final CrowdPlan plan)
    {
        for (int i = 0; i < pages.size(); i++)
        {
            final Page page = pages.get(i);
            // They were not opened in the same moment.
            final long firstNs = i * REFRESH_NS / pages.size();
            start("page-" + i, () -> readEvents(page));
            start("lists-" + i, () -> askForLists(page, firstNs));
            if (plan.isDurable())
            {
                final long roomId = CrowdPlan.roomId(i % Math.min(FILM_ROOMS, plan.rooms), plan.loops());
                start("film-" + i, () -> play(page, roomId, firstNs));
            }
        }
        control.send(Control.READY);
        control.serve(plan, this::begin, this::measurements);
    }

    private void start(final String name, final Task task)
    {
        final Thread thread = new Thread(() ->
        {
            try
            {
                task.run();
                throw new IOException("the server closed the stream");
            }
            catch (final IOException ex)
            {
                control.send(Control.FAULT + " " + name + ": " + ex.getMessage());
            }
            catch (final InterruptedException ex)
            {
                Thread.currentThread().interrupt();
            }
        }, name);
        thread.setDaemon(true);
        thread.start();
    }

    /** Reads a stream, or asks, for ever. */
    @FunctionalInterface
    private interface Task
    {
        void run() throws IOException, InterruptedException;
    }

    private void readEvents(final Page page) throws IOException, InterruptedException
    {
        final byte[] buffer = new byte[BUFFER_LENGTH];
        final HttpResponse<InputStream> answer =
            http.send(request("/api/events"), HttpResponse.BodyHandlers.ofInputStream());
        check(answer);
        try (InputStream in = answer.body())
        {
            for (int length = in.read(buffer); length >= 0; length = in.read(buffer))
            {
                page.bytes.addAndGet(length);
                page.events.addAndGet(lines(buffer, length));
            }
        }
    }

    /** An event is a line. */
    private static int lines(final byte[] bytes, final int length)
    {
        int lines = 0;
        for (int i = 0; i < length; i++)
        {
            lines += '\n' == bytes[i] ? 1 : 0;
        }
        return lines;
    }

    private void askForLists(final Page page, final long firstNs) throws IOException, InterruptedException
    {
        LockSupport.parkNanos(firstNs);
        while (true)
        {
            for (final String list : LISTS)
            {
                check(http.send(request(list), HttpResponse.BodyHandlers.ofByteArray()));
                page.lists.incrementAndGet();
            }
            LockSupport.parkNanos(REFRESH_NS);
        }
    }

    /** Plays the same seconds over and over, as somebody who scrubs. */
    private void play(final Page page, final long roomId, final long firstNs) throws IOException
    {
        LockSupport.parkNanos(firstNs);
        long toMs = 0;
        long fromMs = 0;
        while (toMs - fromMs < FILM_MS)
        {
            LockSupport.parkNanos(REFRESH_NS);
            final byte[] range = get("/api/past?id=" + roomId);
            if (null != range)
            {
                final Map<?, ?> found = (Map<?, ?>)JsonReader.parse(new String(range, StandardCharsets.UTF_8));
                toMs = ((Number)found.get("end")).longValue();
                fromMs = ((Number)found.get("begin")).longValue();
            }
        }
        fromMs = toMs - FILM_MS;
        final long startNs = System.nanoTime();
        while (true)
        {
            final long atMs = fromMs + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNs) % FILM_MS;
            if (null != get("/api/past/view?id=" + roomId + "&at=" + atMs))
            {
                page.pictures.incrementAndGet();
            }
            LockSupport.parkNanos(PICTURE_NS);
        }
    }

    /** An answer, or null if the console is busy. Cheaper than an HttpClient: films ask 200 times per second. */
    private byte[] get(final String path) throws IOException
    {
        final HttpURLConnection connection = (HttpURLConnection)new URL(address + path).openConnection();
        connection.setRequestProperty("Authorization", "Bearer " + token);
        final int status = connection.getResponseCode();
        if (BUSY == status)
        {
            connection.getErrorStream().readAllBytes();
            return null;
        }
        try (InputStream in = connection.getInputStream())
        {
            return in.readAllBytes();
        }
    }

    private HttpRequest request(final String path)
    {
        return HttpRequest.newBuilder().uri(URI.create(address + path)).header("Authorization", "Bearer " + token)
            .build();
    }

    private static void check(final HttpResponse<?> answer) throws IOException
    {
        if (OK != answer.statusCode())
        {
            throw new IOException(answer.uri().getPath() + " was answered with " + answer.statusCode());
        }
    }

    private void begin()
    {
        for (final Page page : pages)
        {
            page.events.set(0);
            page.bytes.set(0);
            page.lists.set(0);
            page.pictures.set(0);
        }
    }

    private Measurements measurements()
    {
        final Measurements measurements = new Measurements();
        for (int i = 0; i < pages.size(); i++)
        {
            measurements.put(CrowdFigures.PAGE_EVENTS + i, pages.get(i).events.get())
                .put(CrowdFigures.PAGE_BYTES + i, pages.get(i).bytes.get())
                .put(CrowdFigures.PAGE_LISTS + i, pages.get(i).lists.get())
                .put(CrowdFigures.PAGE_PICTURES + i, pages.get(i).pictures.get());
        }
        return measurements;
    }
}
