package io.escapement.driver;

/**
 * A driver cannot run as it was asked to. The message is one line for people, and names what to change.
 */
public final class DriverConfigException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    /**
     * With the line that says it all.
     *
     * @param message one line.
     */
    public DriverConfigException(final String message)
    {
        super(message);
    }

    /**
     * With the line that says it all, and where it came from.
     *
     * @param message one line.
     * @param cause   for a trace, when one is asked for.
     */
    public DriverConfigException(final String message, final Throwable cause)
    {
        super(message, cause);
    }
}
