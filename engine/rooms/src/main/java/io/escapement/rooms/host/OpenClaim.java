package io.escapement.rooms.host;

/** The claim that the running callback has not committed yet, if any. */
final class OpenClaim
{
    private RoomOutput output;

    void open(final RoomOutput claimed)
    {
        output = claimed;
    }

    void close()
    {
        output = null;
    }

    /** A callback that returns without its commit has taken the claim back. */
    void drop()
    {
        if (null != output)
        {
            output.dropClaim();
        }
    }
}
