package io.escapement.engine.internal.edge;

import io.aeron.ChannelUri;
import io.aeron.CommonContext;
import io.aeron.logbuffer.FrameDescriptor;
import io.escapement.driver.guard.GuardedEndpoints;
import io.escapement.engine.trunks.TrunkServerContext;
import java.util.ArrayList;
import java.util.List;

/**
 * Aeron channels of trunks: ingress, and the response channel of each connection, which Aeron finds by the connection's
 * correlation id. No channel contains anything that a client sends. Files are not sparse: the driver checks the space
 * and takes it when it makes a stream. A full store therefore refuses a stream and does not crash the JVM later.
 *
 * @param trunks options of trunks.
 */
record TrunkChannels(TrunkServerContext trunks)
{
    /** Shared memory, for clients of the same driver. */
    static final TrunkServerContext.Port IPC = new TrunkServerContext.Port(null, null);

    List<TrunkServerContext.Port> ports()
    {
        final List<TrunkServerContext.Port> ports = new ArrayList<>(trunks.ports());
        if (trunks.isIpc())
        {
            ports.add(IPC);
        }
        return ports;
    }

    String ingressChannel(final TrunkServerContext.Port port)
    {
        final int buffer = trunks.socketBuffer();
        return IPC == port ?
            "aeron:ipc?rejoin=false|sparse=false|alias=escapement-ingress" :
            "aeron:udp?endpoint=" + port.ingress() + "|rejoin=false|sparse=false|rcv-wnd=" + trunks.window() +
                "|so-rcvbuf=" + buffer + "|so-sndbuf=" + buffer + "|alias=escapement-ingress";
    }

    /**
     * Whether responses may have the large MTU of drivers that cut. Aeron refuses an MTU that is longer than the window
     * or the longest message of a term.
     */
    boolean areResponsesCut()
    {
        return trunks.window() >= GuardedEndpoints.RESPONSE_MTU &&
            FrameDescriptor.computeMaxMessageLength(trunks.termLength()) >= GuardedEndpoints.RESPONSE_MTU;
    }

    /**
     * The channel of a feed. Flow control follows the fastest receiver: the others lose the frames that they do not
     * take.
     *
     * @param sessionId random, because a receiver proves with it that it was offered the feed.
     * @param mtuLength of the publication, or 0 for the driver's.
     */
    String feedChannel(final boolean isShared, final int sessionId, final int mtuLength)
    {
        final int buffer = trunks.socketBuffer();
        final String own = "session-id=" + sessionId + "|sparse=false|term-length=" + trunks.feedTermLength() +
            "|alias=escapement-feed";
        if (isShared)
        {
            // Its limit is the slowest subscriber, which is passed over after this time.
            return "aeron:ipc?" + own + "|untethered-window-limit-timeout=100ms";
        }
        final String response = trunks.ports().get(0).response();
        final String host = response.substring(0, response.lastIndexOf(':'));
        return "aeron:udp?" + own + (null == trunks.feedGroup() ? "|control-mode=manual|control=" + host + ":0" :
            "|endpoint=" + trunks.feedGroup() + (isAny(host) ? "" : "|interface=" + host)) + "|fc=max|so-rcvbuf=" +
            buffer + "|so-sndbuf=" + buffer + (0 == mtuLength ? "" : "|mtu=" + mtuLength);
    }

    private static boolean isAny(final String host)
    {
        return "0.0.0.0".equals(host) || "[::]".equals(host);
    }

    /**
     * The channel of a response. Its session id is random, because who knows it may request the response from the
     * client's host before the client does. The driver would count upwards.
     *
     * @param mtuLength of the publication, or 0 for the driver's.
     */
    String responseChannel(
        final long imageCorrelationId, final TrunkServerContext.Port port, final int sessionId, final int mtuLength)
    {
        final int buffer = trunks.socketBuffer();
        final String channel = IPC == port ?
            CommonContext.IPC_CHANNEL + "?" : CommonContext.UDP_CHANNEL + "?control=" + port.response() +
                "|so-rcvbuf=" + buffer + "|so-sndbuf=" + buffer + "|";
        return ChannelUri.parse(channel + "control-mode=response|response-correlation-id=" + imageCorrelationId +
            "|session-id=" + sessionId + "|sparse=false|term-length=" + trunks.termLength() +
            "|pub-wnd=" + (IPC == port ? trunks.ipcWindow() : trunks.window()) +
            (0 == mtuLength ? "" : "|mtu=" + mtuLength)).toString();
    }
}
