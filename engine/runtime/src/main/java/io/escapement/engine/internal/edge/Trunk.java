package io.escapement.engine.internal.edge;

/** An authenticated connection, from its Welcome until it is closed or its grace has run out. */
final class Trunk
{
    final long id;
    /** Its number in every loop. */
    final int link;
    final byte[] identity;
    final boolean isTrusted;
    final LoopLink[] loopLinks;
    /** Loops that know the trunk: they are told that it resumed, not that it is new. */
    final boolean[] wasOnLoop;
    long resumeHigh;
    long resumeLow;
    long attachToken;
    long lastHeardNs;
    long lostNs;
    int logInsUnderWay;
    /** Null while the trunk is lost. */
    Connection connection;

    Trunk(final long id, final int link, final byte[] identity, final boolean isTrusted, final int loops)
    {
        this.id = id;
        this.link = link;
        this.identity = identity;
        this.isTrusted = isTrusted;
        loopLinks = new LoopLink[loops];
        wasOnLoop = new boolean[loops];
    }

    boolean isUp()
    {
        return null != connection;
    }
}
