package io.escapement.rooms.host;

/** A callback returned with its thread interrupted. */
final class InterruptedCallbackException extends IllegalStateException
{
    private static final long serialVersionUID = 1L;

    InterruptedCallbackException()
    {
        super("the callback left its thread interrupted: a room shares the thread with others and must not do that");
    }
}
