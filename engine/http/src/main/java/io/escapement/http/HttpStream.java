package io.escapement.http;

/** An answer that lasts. A client that does not take its bytes in time is closed. */
public interface HttpStream
{
    /**
     * Send bytes, unless the client has yet to take the bytes before them. From any thread.
     *
     * @param bytes   which do not change any more.
     * @param delayNs until they are sent.
     */
    void offer(byte[] bytes, long delayNs);

    /**
     * Have a task run when the client is gone, at once if it is gone already.
     *
     * @param task that does not wait. It runs in the thread of the connections.
     */
    void onClose(Runnable task);
}
