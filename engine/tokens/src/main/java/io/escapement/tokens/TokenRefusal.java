package io.escapement.tokens;

/** Why a token is refused. It has neither a stack, because strangers cause it at will, nor text of the token. */
final class TokenRefusal extends Exception
{
    private static final long serialVersionUID = 1L;

    private final TokenCode code;

    TokenRefusal(final TokenCode code)
    {
        super(code.name(), null, false, false);
        this.code = code;
    }

    static void check(final boolean isValid, final TokenCode code) throws TokenRefusal
    {
        if (!isValid)
        {
            throw new TokenRefusal(code);
        }
    }

    TokenCode code()
    {
        return code;
    }
}
