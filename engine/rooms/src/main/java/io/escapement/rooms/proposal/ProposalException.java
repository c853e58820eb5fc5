package io.escapement.rooms.proposal;

/** A committed proposal cannot be run, or a node computed something else than its leader. The runner has stopped. */
public final class ProposalException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    /** Why the runner stopped. */
    public enum Reason
    {
        /** The proposal is damaged, or not of this loop. */
        MALFORMED,
        /** Proposals before this one are missing, or the first of its incarnation. */
        GAP,
        /** This host computed other bytes than the leader. */
        DIVERGED,
        /** A Reload names a version of a room type that is not registered here. */
        UNKNOWN_TYPE
    }

    private final Reason reason;

    ProposalException(final Reason reason, final String message)
    {
        super(reason + ": " + message);
        this.reason = reason;
    }

    /** Why the runner stopped. */
    public Reason reason()
    {
        return reason;
    }
}
