package io.escapement.engine;

/**
 * An engine could not start because of its host: a port is taken, no media driver runs. The message names the option
 * and its value. Options that can never work are refused with an {@link io.escapement.config.ConfigException}.
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
