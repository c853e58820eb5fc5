package io.escapement.engine;

/**
 * An engine could not start or continue, although its options are right: a log cannot be read, a disk is too slow. A
 * wrong option is refused with a {@link io.escapement.config.ConfigException}.
 */
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
