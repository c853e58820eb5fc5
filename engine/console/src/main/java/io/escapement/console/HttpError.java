package io.escapement.console;

/** A request is answered with an error status. */
final class HttpError extends Exception
{
    /** Something is full: the answer says when to try again. */
    static final int BUSY = 503;

    private static final long serialVersionUID = 1L;

    private final int status;

    HttpError(final int status, final String message)
    {
        super(message, null, false, false);
        this.status = status;
    }

    int status()
    {
        return status;
    }
}
