package io.escapement.tokens;

import java.io.ByteArrayOutputStream;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;

/** The body of an answer, which is given up at the limit of a key set, or at once if the answer is of no use. */
final class LimitedBody implements HttpResponse.BodySubscriber<byte[]>
{
    private final CompletableFuture<byte[]> body = new CompletableFuture<>();
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final KeyFailure failure;
    private Flow.Subscription subscription;

    LimitedBody(final KeyFailure failure)
    {
        this.failure = failure;
    }

    @Override
    public CompletionStage<byte[]> getBody()
    {
        return body;
    }

    @Override
    public void onSubscribe(final Flow.Subscription value)
    {
        subscription = value;
        if (null == failure)
        {
            value.request(1);
        }
        else
        {
            giveUp(failure);
        }
    }

    @Override
    public void onNext(final List<ByteBuffer> buffers)
    {
        for (final ByteBuffer buffer : buffers)
        {
            if (bytes.size() + buffer.remaining() > KeySet.MAX_LENGTH)
            {
                giveUp(new KeyFailure(
                    KeyFailure.Kind.TOO_LONG, "answered with more than " + KeySet.MAX_LENGTH + " bytes"));
                return;
            }
            final byte[] part = new byte[buffer.remaining()];
            buffer.get(part);
            bytes.writeBytes(part);
        }
        subscription.request(1);
    }

    @Override
    public void onError(final Throwable cause)
    {
        body.completeExceptionally(cause);
    }

    @Override
    public void onComplete()
    {
        body.complete(bytes.toByteArray());
    }

    private void giveUp(final KeyFailure cause)
    {
        subscription.cancel();
        body.completeExceptionally(cause);
    }
}
