package io.escapement.engine.internal.durable;

/** A journal cannot be used. The message names the file and the reason. */
public final class JournalException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    /**
     * Refuse a journal.
     *
     * @param message for the operator.
     */
    public JournalException(final String message)
    {
        super(message);
    }

    /**
     * Refuse a journal because of an earlier failure.
     *
     * @param message for the operator.
     * @param cause   for a stack trace.
     */
    public JournalException(final String message, final Throwable cause)
    {
        super(message, cause);
    }
}
