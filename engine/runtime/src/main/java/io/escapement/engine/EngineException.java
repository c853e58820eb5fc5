package io.escapement.engine;

/** Why an engine could not start, in one line that names the option and its value. */
public final class EngineException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    EngineException(final String message)
    {
        super(message);
    }

    EngineException(final String message, final Throwable cause)
    {
        super(message, cause);
    }
}
