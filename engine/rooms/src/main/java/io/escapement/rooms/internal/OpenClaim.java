package io.escapement.rooms.internal;

/** The claim that the running callback has not committed yet, if any. */
final class OpenClaim
{
    /** Output that handed out a claim. */
    interface Claimable
    {
        void dropClaim();
    }

    private Claimable output;

    void open(final Claimable claimed)
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
