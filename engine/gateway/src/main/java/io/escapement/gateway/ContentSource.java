package io.escapement.gateway;

import java.util.concurrent.CompletableFuture;

/** Makes bytes served by a gateway below a path: see {@link GatewayContext#content}. */
@FunctionalInterface
public interface ContentSource
{
    /** Longest path, without the path of the context. Longer paths are answered with 404. */
    int MAX_PATH_LENGTH = 128;
    /** Most bytes of an answer. More bytes are answered with 503. */
    int MAX_LENGTH = 8 * 1_024 * 1_024;

    /** The source cannot make the bytes now. The client gets 503 and the message. */
    final class Unavailable extends RuntimeException
    {
        private static final long serialVersionUID = 1L;

        /**
         * A reason without a stack trace.
         *
         * @param line for the client, in ASCII.
         */
        public Unavailable(final String line)
        {
            super(line, null, false, false);
        }
    }

    /**
     * Make the bytes for a path. Browsers keep them, because they never change. Called in a worker's thread, which
     * serves players: it must not block. The source limits how many requests wait. A request waits as long as its
     * connection may, for a minute by default.
     *
     * @param path below the path of the context, of letters, digits and {@code . _ - /}. Anybody can ask for any path.
     * @return a future of the bytes, which must not change afterwards, or of null for 404. If it fails, the client gets
     * 503.
     */
    CompletableFuture<byte[]> get(String path);
}
