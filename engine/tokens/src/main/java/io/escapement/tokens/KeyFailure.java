package io.escapement.tokens;

import java.io.IOException;

/** Why keys are not loaded. */
final class KeyFailure extends IOException
{
    private static final long serialVersionUID = 1L;

    /** The cause, each with a counter. */
    enum Kind
    {
        TIMEOUT(TokenCounter.KEY_TIMEOUTS),
        TOO_LONG(TokenCounter.KEY_TOO_LONG),
        REDIRECT(TokenCounter.KEY_REDIRECTS),
        STATUS(TokenCounter.KEY_STATUSES),
        MALFORMED(TokenCounter.KEY_MALFORMED),
        UNREACHABLE(TokenCounter.KEY_UNREACHABLE);

        private final TokenCounter counter;

        Kind(final TokenCounter counter)
        {
            this.counter = counter;
        }

        TokenCounter counter()
        {
            return counter;
        }
    }

    private final Kind kind;

    KeyFailure(final Kind kind, final String reason)
    {
        super(reason);
        this.kind = kind;
    }

    static void check(final boolean isValid, final Kind kind, final String reason) throws KeyFailure
    {
        if (!isValid)
        {
            throw new KeyFailure(kind, reason);
        }
    }

    Kind kind()
    {
        return kind;
    }
}
