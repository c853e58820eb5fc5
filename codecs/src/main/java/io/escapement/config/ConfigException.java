package io.escapement.config;

/** An option has a value that cannot work. The message is one line: the option, its value and what to do instead. */
public final class ConfigException extends IllegalArgumentException
{
    private static final long serialVersionUID = 1L;

    private final String option;
    private final String value;
    private final String remedy;

    /**
     * Refuse the value of an option.
     *
     * @param option as the user wrote it.
     * @param value  that was refused.
     * @param remedy the accepted values, or what to change.
     */
    public ConfigException(final String option, final Object value, final String remedy)
    {
        super(option + ": " + value + ": " + remedy);
        this.option = option;
        this.value = String.valueOf(value);
        this.remedy = remedy;
    }

    /**
     * Refuse the value of an option because of an earlier failure.
     *
     * @param option as the user wrote it.
     * @param value  that was refused.
     * @param remedy the accepted values, or what to change.
     * @param cause  for a stack trace.
     */
    public ConfigException(final String option, final Object value, final String remedy, final Throwable cause)
    {
        this(option, value, remedy);
        initCause(cause);
    }

    /**
     * Refuse the value of an option unless a condition holds.
     *
     * @param isValid whether the value is accepted.
     * @param option  as the user wrote it.
     * @param value   of the option.
     * @param remedy  the accepted values, or what to change.
     */
    public static void check(final boolean isValid, final String option, final Object value, final String remedy)
    {
        if (!isValid)
        {
            throw new ConfigException(option, value, remedy);
        }
    }

    /** The option in the spelling of its Context. A command line may replace it by its own. */
    public String option()
    {
        return option;
    }

    /** The refused value as text. */
    public String value()
    {
        return value;
    }

    /** The accepted values, or the change to make. */
    public String remedy()
    {
        return remedy;
    }
}
