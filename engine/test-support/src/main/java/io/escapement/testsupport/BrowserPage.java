package io.escapement.testsupport;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A page of a {@link Browser}. It collects the errors of the console and of the page's scripts. */
public final class BrowserPage implements AutoCloseable
{
    private static final long PATIENCE_S = 30;

    private final WebSocket socket;
    private final AtomicInteger lastId = new AtomicInteger();
    private final Map<Integer, CompletableFuture<Map<?, ?>>> answers = new ConcurrentHashMap<>();
    private final List<String> errors = new CopyOnWriteArrayList<>();

    BrowserPage(final HttpClient http, final URI uri)
    {
        socket = http.newWebSocketBuilder().buildAsync(uri, new Listener()).join();
        for (final String domain : List.of("Page", "Runtime", "Log"))
        {
            call(domain + ".enable", "{}");
        }
    }

    /** Set the size of the page in CSS pixels, and whether it is a phone's. */
    public void size(final int width, final int height, final boolean isPhone)
    {
        call("Emulation.setDeviceMetricsOverride", "{\"width\":" + width + ",\"height\":" + height +
            ",\"deviceScaleFactor\":" + (isPhone ? 2 : 1) + ",\"mobile\":" + isPhone + "}");
        call("Emulation.setTouchEmulationEnabled", "{\"enabled\":" + isPhone + "}");
    }

    /** Prefer {@code dark} or {@code light}. */
    public void colours(final String scheme)
    {
        prefer(scheme, false);
    }

    /** Prefer {@code dark} or {@code light}, and whether fewer things shall move. */
    public void prefer(final String scheme, final boolean isCalm)
    {
        call("Emulation.setEmulatedMedia",
            "{\"features\":[{\"name\":\"prefers-color-scheme\",\"value\":\"" + scheme + "\"}," +
            "{\"name\":\"prefers-reduced-motion\",\"value\":\"" + (isCalm ? "reduce" : "no-preference") + "\"}]}");
    }

    /** Run a script in each page that is loaded from now on, before the page's own. */
    public void beforeScripts(final String script)
    {
        call("Page.addScriptToEvaluateOnNewDocument", "{\"source\":" + JsonReader.quote(script) + "}");
    }

    /** Load a page. */
    public void open(final String url)
    {
        call("Page.navigate", "{\"url\":" + JsonReader.quote(url) + "}");
    }

    /**
     * Evaluate an expression. A promise is awaited.
     *
     * @param expression of JavaScript, with a value that is JSON.
     * @return the value as {@link JsonReader} reads it.
     */
    public Object eval(final String expression)
    {
        final Map<?, ?> answer = call("Runtime.evaluate", "{\"expression\":" + JsonReader.quote(expression) +
            ",\"awaitPromise\":true,\"returnByValue\":true,\"userGesture\":true}");
        if (null != answer.get("exceptionDetails"))
        {
            throw new AssertionError(expression + ": " + answer.get("exceptionDetails"));
        }
        return ((Map<?, ?>)answer.get("result")).get("value");
    }

    /** Wait until an expression is true. It may fail while the page loads. */
    public void await(final String expression)
    {
        Tests.await(() -> Boolean.TRUE.equals(
            eval("(() => { try { return Boolean(" + expression + "); } catch (error) { return false; } })()")),
            expression);
    }

    /** Focus an element and type into it. */
    public void type(final String id, final String text)
    {
        eval("document.getElementById(" + JsonReader.quote(id) + ").focus()");
        call("Input.insertText", "{\"text\":" + JsonReader.quote(text) + "}");
    }

    /** Click an element. */
    public void click(final String id)
    {
        eval("document.getElementById(" + JsonReader.quote(id) + ").click()");
    }

    /** Press and release a key, named by its code: {@code Enter}, {@code Tab}, {@code Space}, {@code KeyW}. */
    public void key(final String code)
    {
        keyDown(code);
        keyUp(code);
    }

    /** Press a key. */
    public void keyDown(final String code)
    {
        key("keyDown", code);
    }

    /** Release a key. */
    public void keyUp(final String code)
    {
        key("keyUp", code);
    }

    /** Use the mouse: {@code mouseMoved}, {@code mousePressed} or {@code mouseReleased}. */
    public void mouse(final String type, final int x, final int y, final String button)
    {
        call("Input.dispatchMouseEvent", "{\"type\":\"" + type + "\",\"x\":" + x + ",\"y\":" + y + ",\"button\":\"" +
            button + "\",\"clickCount\":1}");
    }

    /**
     * Touch a page. Its {@link #size} is a phone's.
     *
     * @param type   {@code touchStart} and {@code touchMove} with all fingers that are down, or {@code touchEnd}
     *               without fingers.
     * @param points x and y of each finger.
     */
    public void touch(final String type, final double... points)
    {
        final StringBuilder fingers = new StringBuilder();
        for (int i = 0; i < points.length; i += 2)
        {
            fingers.append(0 == i ? "" : ",").append("{\"id\":").append(i / 2).append(",\"x\":").append(points[i])
                .append(",\"y\":").append(points[i + 1]).append('}');
        }
        call("Input.dispatchTouchEvent", "{\"type\":\"" + type + "\",\"touchPoints\":[" + fingers + "]}");
    }

    /** Keep a picture of the page as a PNG file. */
    public void screenshot(final Path file)
    {
        // A page that another page covers is not drawn.
        front();
        final String data = (String)call("Page.captureScreenshot", "{\"format\":\"png\"}").get("data");
        try
        {
            Files.createDirectories(file.toAbsolutePath().getParent());
            Files.write(file, Base64.getDecoder().decode(data));
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    /** Show this page and hide the others of its browser. */
    public void front()
    {
        call("Page.bringToFront", "{}");
    }

    /** Exceptions and errors of the console so far. */
    public List<String> errors()
    {
        return List.copyOf(errors);
    }

    @Override
    public void close()
    {
        call("Page.close", "{}");
        socket.abort();
    }

    private void key(final String type, final String code)
    {
        final int number = switch (code)
        {
            case "Space" -> ' ';
            case "Enter" -> '\r';
            case "Tab" -> '\t';
            default -> code.charAt(code.length() - 1);
        };
        final boolean isNamed = "Enter".equals(code) || "Tab".equals(code);
        final String key = isNamed ? code : Character.toString(Character.toLowerCase((char)number));
        final String text = "keyDown".equals(type) && "Enter".equals(code) ? ",\"text\":\"\\r\"" : "";
        call("Input.dispatchKeyEvent", "{\"type\":\"" + type + "\",\"code\":\"" + code + "\",\"key\":" +
            JsonReader.quote(key) + ",\"windowsVirtualKeyCode\":" + number + text + "}");
    }

    /** One call at a time: a WebSocket takes the next message after the last is sent. */
    private synchronized Map<?, ?> call(final String method, final String parameters)
    {
        final int id = lastId.incrementAndGet();
        final CompletableFuture<Map<?, ?>> answer = new CompletableFuture<>();
        answers.put(id, answer);
        socket.sendText("{\"id\":" + id + ",\"method\":\"" + method + "\",\"params\":" + parameters + "}", true).join();
        final Map<?, ?> message = answer.orTimeout(PATIENCE_S, TimeUnit.SECONDS).join();
        if (null == message.get("result"))
        {
            throw new AssertionError(method + " " + parameters + ": " + message);
        }
        return (Map<?, ?>)message.get("result");
    }

    private final class Listener implements WebSocket.Listener
    {
        private final StringBuilder text = new StringBuilder();

        @Override
        public CompletionStage<?> onText(final WebSocket from, final CharSequence data, final boolean isLast)
        {
            text.append(data);
            if (isLast)
            {
                onMessage((Map<?, ?>)JsonReader.parse(text.toString()));
                text.setLength(0);
            }
            from.request(1);
            return null;
        }

        private void onMessage(final Map<?, ?> message)
        {
            if (null != message.get("id"))
            {
                answers.remove(((Double)message.get("id")).intValue()).complete(message);
                return;
            }
            final Map<?, ?> parameters = (Map<?, ?>)message.get("params");
            switch ((String)message.get("method"))
            {
                case "Runtime.exceptionThrown" -> errors.add(parameters.get("exceptionDetails").toString());
                case "Log.entryAdded" ->
                {
                    final Map<?, ?> entry = (Map<?, ?>)parameters.get("entry");
                    if ("error".equals(entry.get("level")))
                    {
                        errors.add(entry.get("text") + " " + entry.get("url"));
                    }
                }
                case "Runtime.consoleAPICalled" ->
                {
                    if ("error".equals(parameters.get("type")))
                    {
                        errors.add(parameters.get("args").toString());
                    }
                }
                default ->
                {
                }
            }
        }
    }
}
