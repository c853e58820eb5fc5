package io.escapement.console;

/** A request is answered with an error status. */
final class HttpError extends Exception
{
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
