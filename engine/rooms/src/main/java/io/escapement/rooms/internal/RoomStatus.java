package io.escapement.rooms.internal;

/** The state of a room between its opening and its close. */
final class RoomStatus
{
    private boolean isOpen = true;
    private boolean isLocked;
    private boolean isSubscribed;
    private boolean isCloseRequested;

    boolean isOpen()
    {
        return isOpen;
    }

    void close()
    {
        isOpen = false;
    }

    /** Whether the room takes no new players. */
    boolean isLocked()
    {
        return isLocked;
    }

    void lock(final boolean locked)
    {
        isLocked = locked;
    }

    /** Whether the room has subscribed to the directory. */
    boolean isSubscribed()
    {
        return isSubscribed;
    }

    void subscribed(final boolean value)
    {
        isSubscribed = value;
    }

    boolean isCloseRequested()
    {
        return isCloseRequested;
    }

    void requestClose()
    {
        isCloseRequested = true;
    }
}
