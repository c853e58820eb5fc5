package io.escapement.driver.guard;

import io.aeron.Image;
import io.aeron.Publication;
import io.aeron.Subscription;
import io.escapement.testsupport.Tests;
import org.agrona.concurrent.UnsafeBuffer;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** A client and a server with a driver each, connected by Aeron's response channels. */
final class RoundTrip
{
    private final UnsafeBuffer message = new UnsafeBuffer(new byte[64]);
    private final int responsePort = Tests.freePort();
    private final int requestPort = Tests.freePort();
    private final int streamId;
    private final TestDriver server;
    private final Subscription requests;
    private final Subscription responses;
    private final Publication request;
    private Publication response;

    RoundTrip(final TestDriver server, final TestDriver client, final int streamId)
    {
        this.server = server;
        this.streamId = streamId;
        requests = server.aeron().addSubscription("aeron:udp?endpoint=127.0.0.1:" + requestPort +
            "|response-endpoint=127.0.0.1:" + responsePort + "|rejoin=false", streamId);
        responses = client.aeron().addSubscription(
            "aeron:udp?control-mode=response|control=127.0.0.1:" + responsePort, streamId);
        request = client.aeron().addPublication("aeron:udp?endpoint=127.0.0.1:" + requestPort +
            "|response-correlation-id=" + responses.registrationId(), streamId);
    }

    /** Adds the response publication, of which the client may not know yet. */
    void openResponse()
    {
        Tests.await(() -> 1 == requests.imageCount(), "the request's image");
        final Image image = requests.imageAtIndex(0);
        response = server.aeron().addPublication("aeron:udp?control-mode=response|control=127.0.0.1:" + responsePort +
            "|response-correlation-id=" + image.correlationId(), streamId);
    }

    void connect()
    {
        if (null == response)
        {
            openResponse();
        }
        Tests.await(() -> request.isConnected() && response.isConnected() && 1 == responses.imageCount(),
            "both directions to connect");
    }

    Publication response()
    {
        return response;
    }

    int requestPort()
    {
        return requestPort;
    }

    /** Images of requests. */
    int images()
    {
        return requests.imageCount();
    }

    int responsePort()
    {
        return responsePort;
    }

    void offerResponse()
    {
        response.offer(message);
    }

    /** Requests and responses, in order and without loss. */
    void exchange(final int count)
    {
        final int[] counts = new int[3];
        final UnsafeBuffer question = new UnsafeBuffer(new byte[64]);
        Tests.await(() ->
        {
            question.putLong(0, counts[0]);
            if (counts[0] < count && request.offer(question) > 0)
            {
                counts[0]++;
            }
            requests.poll((buffer, offset, length, header) ->
            {
                assertEquals(counts[1]++, buffer.getLong(offset));
                Tests.await(() -> response.offer(buffer, offset, length) > 0, "the response to be sent");
            }, 10);
            responses.poll((buffer, offset, length, header) ->
                assertEquals(counts[2]++, buffer.getLong(offset)), 10);
            return count == counts[2];
        }, "every answer");
    }
}
