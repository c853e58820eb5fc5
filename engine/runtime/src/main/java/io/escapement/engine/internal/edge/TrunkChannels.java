package io.escapement.engine.internal.edge;

import io.aeron.ChannelUri;
import io.aeron.CommonContext;
import java.util.List;

/**
 * The channels of trunks: where they come in, and the way back to each, which Aeron's response channels find by the
 * connection itself. No channel is ever made of what a client says.
 *
 * @param ports         where trunks come in.
 * @param termLength    of a way back.
 * @param window        most bytes under way on one connection, in and back.
 * @param socketBuffer  of the sockets.
 */
public record TrunkChannels(List<Port> ports, int termLength, int window, int socketBuffer)
{
    /**
     * Where trunks come in.
     *
     * @param ingress  endpoint over UDP, or null for shared memory.
     * @param response endpoint where ways back over UDP start, or null.
     */
    public record Port(String ingress, String response)
    {
        /** Shared memory, for trunks of this host. */
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
