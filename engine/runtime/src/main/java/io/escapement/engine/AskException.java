package io.escapement.engine;

import io.escapement.codecs.Codes;

/** A room did not answer a question, or answered with a code. The question may have been acted on. */
public final class AskException extends RuntimeException
{
    private static final long serialVersionUID = 1;

    private final int code;

    AskException(final long roomId, final int code)
    {
        super("room " + roomId + ": " + Codes.nameOf(code));
        this.code = code;
    }

    /** The reason: an engine code, named by {@link Codes#nameOf(int)}, or a code of the room. */
    public int code()
    {
        return code;
    }
}
