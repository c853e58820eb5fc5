package io.escapement.server;

import io.escapement.config.ConfigException;
import io.escapement.rooms.log.LogFile;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.agrona.concurrent.UnsafeBuffer;

/** Fetches the log of a room of a running engine from its console. */
final class ConsoleLog
{
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final int OK = 200;

    private final HttpClient http = HttpClient.newBuilder().connectTimeout(TIMEOUT).build();
    private final URI console;

    /** The address of a console's page for operators. Its fragment is their token. */
    ConsoleLog(final String url)
    {
        try
        {
            console = URI.create(url);
        }
        catch (final IllegalArgumentException ex)
        {
            throw new ConfigException(
                "LOG", "an address", "use the address of a console, with its token: " + ex.getMessage(), ex);
        }
    }

    static boolean isUrl(final String log)
    {
        return log.startsWith("http://") || log.startsWith("https://");
    }

    /** The log up to now. */
    LogFile open(final long roomId) throws IOException
    {
        // The console reads the log up to its end again.
        get("/api/past?id=" + roomId);
        final byte[] log = get("/api/past/log?id=" + roomId + "&turn=" + Long.MAX_VALUE);
        return LogFile.open(new UnsafeBuffer(log), 0, log.length);
    }

    private byte[] get(final String path) throws IOException
    {
        final URI uri = console.resolve(path);
        try
        {
            final HttpResponse<byte[]> answer = http.send(HttpRequest.newBuilder(uri).timeout(TIMEOUT)
                .header("Authorization", "Bearer " + console.getFragment()).build(),
                HttpResponse.BodyHandlers.ofByteArray());
            if (OK != answer.statusCode())
            {
                throw new IOException(uri + ": " + new String(answer.body(), StandardCharsets.UTF_8).trim());
            }
            return answer.body();
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
            throw new IOException(uri + ": interrupted", ex);
        }
    }
}
