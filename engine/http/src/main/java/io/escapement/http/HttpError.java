package io.escapement.http;

/** A request is answered with an error status. */
public final class HttpError extends Exception
{
    /** The client may not use this method. The answer lists the methods. */
    public static final int METHOD = 405;

    /** Something is full. The answer has the time after which the client may retry. */
    public static final int BUSY = 503;

    private static final long serialVersionUID = 1L;

    private final int status;

    /**
     * An error.
     *
     * @param status  of the answer.
     * @param message the line of text in the answer.
     */
    public HttpError(final int status, final String message)
    {
        super(message, null, false, false);
        this.status = status;
    }

    /** The status of the answer. */
    public int status()
    {
        return status;
    }
}
