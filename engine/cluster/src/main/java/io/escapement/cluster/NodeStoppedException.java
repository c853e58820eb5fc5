package io.escapement.cluster;

/**
 * A node has stopped twice because of the same turn of its log, and would do so again: it computes other bytes than the
 * others, or a callback overflows its stack. It is not started until somebody has mended the cause.
 */
public final class NodeStoppedException extends IllegalStateException
{
    /**
     * The status with which an application should then exit, EX_CONFIG of sysexits.h: systemd's
     * {@code RestartPreventExitStatus=78} does not restart it.
     */
    public static final int EXIT_STATUS = 78;

    private static final long serialVersionUID = 1L;

    NodeStoppedException(final String message)
    {
        super(message);
    }
}
