package io.escapement.engine.internal.edge;

import io.aeron.ChannelUri;
import io.aeron.CommonContext;
import java.util.List;

/**
 * Aeron channels of trunks: ingress, and the response channel of each connection, which Aeron finds by the connection's
 * correlation id. No channel contains anything that a client sends.
 *
 * @param ports         on which trunks connect.
 * @param termLength    of response channels.
 * @param window        flow control window of every stream, in bytes.
 * @param socketBuffer  of each socket, in bytes.
 */
public record TrunkChannels(List<Port> ports, int termLength, int window, int socketBuffer)
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
            "aeron:ipc?rejoin=false|alias=escapement-ingress" :
            "aeron:udp?endpoint=" + port.ingress() + "|rejoin=false|rcv-wnd=" + window +
                "|so-rcvbuf=" + socketBuffer + "|so-sndbuf=" + socketBuffer + "|alias=escapement-ingress";
    }

    String responseChannel(final long imageCorrelationId, final Port port)
    {
        final String channel = Port.IPC == port ?
            CommonContext.IPC_CHANNEL + "?" : CommonContext.UDP_CHANNEL + "?control=" + port.response() +
                "|so-rcvbuf=" + socketBuffer + "|so-sndbuf=" + socketBuffer + "|";
        return ChannelUri.parse(channel + "control-mode=response|response-correlation-id=" + imageCorrelationId +
            "|term-length=" + termLength + "|pub-wnd=" + window).toString();
    }
}
