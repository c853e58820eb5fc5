package io.escapement.engine.edge;

import io.aeron.ChannelUri;
import io.aeron.CommonContext;

/**
 * The channels of trunks: where they come in, and the way back to each, which Aeron's response channels find by the
 * connection itself. No channel is ever made of what a client says.
 *
 * @param ingress       where trunks come in over UDP, or null.
 * @param response      where ways back over UDP start, or null when there is no ingress.
 * @param isIpc         whether trunks of this host come in over shared memory too.
 * @param termLength    of a way back.
 * @param window        most bytes under way on one connection, in and back.
 * @param socketBuffer  of the sockets.
 */
public record TrunkChannels(
    String ingress, String response, boolean isIpc, int termLength, int window, int socketBuffer)
{
    String ingressChannel()
    {
        return "aeron:udp?endpoint=" + ingress + "|rejoin=false|rcv-wnd=" + window +
            "|so-rcvbuf=" + socketBuffer + "|so-sndbuf=" + socketBuffer + "|alias=escapement-ingress";
    }

    String ipcChannel()
    {
        return "aeron:ipc?rejoin=false|alias=escapement-ingress";
    }

    String responseChannel(final long imageCorrelationId, final boolean isOverIpc)
    {
        final String channel = isOverIpc ?
            CommonContext.IPC_CHANNEL + "?" : CommonContext.UDP_CHANNEL + "?control=" + response +
                "|so-rcvbuf=" + socketBuffer + "|so-sndbuf=" + socketBuffer + "|";
        return ChannelUri.parse(channel + "control-mode=response|response-correlation-id=" + imageCorrelationId +
            "|term-length=" + termLength + "|pub-wnd=" + window).toString();
    }
}
