package io.escapement.engine.internal.edge;

import io.aeron.ChannelUri;
import io.aeron.CommonContext;
import java.util.List;

/**
 * Aeron channels of trunks: ingress, and the response channel of each connection, which Aeron finds by the connection's
 * correlation id. No channel contains anything that a client sends. Files are not sparse: the driver checks the space
 * and takes it when it makes a stream, so a full store refuses a stream and does not crash the JVM later.
 *
 * @param ports         on which trunks connect.
 * @param termLength    of response channels.
 * @param window        flow control window of every stream over UDP, in bytes.
 * @param ipcWindow     of every response in shared memory, which shares no socket buffer.
 * @param socketBuffer  of each socket, in bytes.
 */
public record TrunkChannels(List<Port> ports, int termLength, int window, int ipcWindow, int socketBuffer)
{
    /**
     * A pair of endpoints.
     *
     * @param ingress  UDP endpoint to which clients send, or null for shared memory.
     * @param response UDP control endpoint of response channels, or null.
     */
    public record Port(String ingress, String response)
    {
        /** Shared memory, for clients of the same driver. */
        public static final Port IPC = new Port(null, null);
    }

    String ingressChannel(final Port port)
    {
        return Port.IPC == port ?
            "aeron:ipc?rejoin=false|sparse=false|alias=escapement-ingress" :
            "aeron:udp?endpoint=" + port.ingress() + "|rejoin=false|sparse=false|rcv-wnd=" + window +
                "|so-rcvbuf=" + socketBuffer + "|so-sndbuf=" + socketBuffer + "|alias=escapement-ingress";
    }

    /**
     * The channel of a response. Its session id is random, because who knows it may request the response from the
     * client's host before the client does; the driver would count upwards.
     */
    String responseChannel(final long imageCorrelationId, final Port port, final int sessionId)
    {
        final String channel = Port.IPC == port ?
            CommonContext.IPC_CHANNEL + "?" : CommonContext.UDP_CHANNEL + "?control=" + port.response() +
                "|so-rcvbuf=" + socketBuffer + "|so-sndbuf=" + socketBuffer + "|";
        return ChannelUri.parse(channel + "control-mode=response|response-correlation-id=" + imageCorrelationId +
            "|session-id=" + sessionId + "|sparse=false|term-length=" + termLength +
            "|pub-wnd=" + (Port.IPC == port ? ipcWindow : window)).toString();
    }
}
