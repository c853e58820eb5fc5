package io.escapement.rooms.replay;

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
    private final long turn;
    private final String difference;

    ProposalException(final Reason reason, final long turn, final String difference)
    {
        super(reason + ": " + difference);
        this.reason = reason;
        this.turn = turn;
        this.difference = difference;
    }

    /** The turn that differs, if this host has computed other bytes than the leader. */
    public long turn()
    {
        return turn;
    }

    String difference()
    {
        return difference;
    }

    /** Why the runner stopped. */
    public Reason reason()
    {
        return reason;
    }
}
