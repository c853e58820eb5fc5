package io.escapement.tokens;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Keys at a URL. The limit of time is for the whole answer, and the limit of length for the bytes that arrive,
 * because a server may announce another length. Redirects are not followed: they could lead to another host.
 */
final class KeyServer implements KeySource
{
    private static final int OK = 200;
    private static final int FIRST_REDIRECT = 300;
    private static final int LAST_REDIRECT = 399;

    private final HttpClient client;
    private final HttpRequest request;
    private final long timeoutNs;

    KeyServer(final URI url, final long timeoutNs)
    {
        this.timeoutNs = timeoutNs;
        client = HttpClient.newBuilder().connectTimeout(Duration.ofNanos(timeoutNs))
            .followRedirects(HttpClient.Redirect.NEVER).build();
        request = HttpRequest.newBuilder(url).header("Accept", "application/json").build();
    }

    @Override
    public boolean hasChanged()
    {
        return false;
    }

    @Override
    public KeySet load() throws KeyFailure
    {
        final CompletableFuture<HttpResponse<byte[]>> answer = client.sendAsync(request, KeyServer::body);
        try
        {
            return KeySet.parse(answer.get(timeoutNs, TimeUnit.NANOSECONDS).body(), false);
        }
        catch (final TimeoutException ex)
        {
            throw new KeyFailure(KeyFailure.Kind.TIMEOUT, "did not answer within " +
                TimeUnit.NANOSECONDS.toMillis(timeoutNs) + " ms");
        }
        catch (final ExecutionException ex)
        {
            if (ex.getCause() instanceof KeyFailure failure)
            {
                throw new KeyFailure(failure.kind(), failure.getMessage());
            }
            throw new KeyFailure(KeyFailure.Kind.UNREACHABLE, "is out of reach: " + ex.getCause());
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
            throw new KeyFailure(KeyFailure.Kind.UNREACHABLE, "was not read: the server stops");
        }
        finally
        {
            answer.cancel(true);
        }
    }

    private static HttpResponse.BodySubscriber<byte[]> body(final HttpResponse.ResponseInfo info)
    {
        final int status = info.statusCode();
        return new LimitedBody(OK == status ? null :
            status >= FIRST_REDIRECT && status <= LAST_REDIRECT ?
            new KeyFailure(KeyFailure.Kind.REDIRECT, "redirects with status " + status + ": name the final URL") :
            new KeyFailure(KeyFailure.Kind.STATUS, "answered with status " + status));
    }
}
