package io.escapement.console;

import io.escapement.testsupport.JsonReader;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** The requests of a console's page. */
final class Api
{
    private final HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final Console console;

    Api(final Console console)
    {
        this.console = console;
    }

    /** The token of those who may look. */
    String view()
    {
        return token(console.viewUrl());
    }

    /** The token of operators. */
    String operate()
    {
        return token(console.url());
    }

    /** The object that somebody who may look gets at a path. */
    Map<?, ?> data(final String path)
    {
        try
        {
            return map(get(path, view()));
        }
        catch (final IOException | InterruptedException ex)
        {
            throw new IllegalStateException(ex);
        }
    }

    /** The figures of a loop in an answer or an event. */
    static Map<?, ?> loop(final Map<?, ?> answer, final int loop)
    {
        return (Map<?, ?>)((List<?>)answer.get("loops")).get(loop);
    }

    HttpResponse<String> get(final String path, final String token) throws IOException, InterruptedException
    {
        return send(request(path, token));
    }

    HttpResponse<String> post(final String body, final String token) throws IOException, InterruptedException
    {
        return send(request("/api/operate", token).header("Content-Type", "application/json")
            .header("Origin", "http://127.0.0.1:" + console.port())
            .POST(HttpRequest.BodyPublishers.ofString(body)));
    }

    /** Have an operation run. */
    void run(final String body)
    {
        try
        {
            final HttpResponse<String> answer = post(body, operate());
            assertEquals(200, answer.statusCode(), answer::body);
        }
        catch (final IOException | InterruptedException ex)
        {
            throw new IllegalStateException(ex);
        }
    }

    HttpResponse<String> send(final HttpRequest.Builder request) throws IOException, InterruptedException
    {
        return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    /** The events. */
    HttpResponse<InputStream> stream()
    {
        try
        {
            return http.send(request("/api/events", view()).build(), HttpResponse.BodyHandlers.ofInputStream());
        }
        catch (final IOException | InterruptedException ex)
        {
            throw new IllegalStateException(ex);
        }
    }

    HttpRequest.Builder request(final String path, final String token)
    {
        final HttpRequest.Builder request =
            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + console.port() + path));
        return null == token ? request : request.header("Authorization", "Bearer " + token);
    }

    static Map<?, ?> map(final HttpResponse<String> response)
    {
        assertEquals(200, response.statusCode(), response::body);
        return (Map<?, ?>)JsonReader.parse(response.body());
    }

    static String header(final HttpResponse<?> response, final String name)
    {
        return response.headers().firstValue(name).orElse("");
    }

    static String token(final String url)
    {
        return url.substring(url.indexOf('#') + 1);
    }
}
