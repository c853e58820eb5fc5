package io.escapement.engine.internal.edge;

import io.aeron.ChannelUri;
import io.aeron.CommonContext;
import java.util.List;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** Channels of trunks take their memory when they are made, and responses have the session ids that they are given. */
class TrunkChannelsTest
{
    @Test
    void shouldNotBeSparseAndCarryTheSessionId()
    {
        final TrunkChannels.Port udp = new TrunkChannels.Port("127.0.0.1:1", "127.0.0.1:2");
        final TrunkChannels channels =
            new TrunkChannels(List.of(udp, TrunkChannels.Port.IPC), 65_536, 16_384, 32_768, 1 << 20);
        for (final TrunkChannels.Port port : channels.ports())
        {
            final ChannelUri ingress = ChannelUri.parse(channels.ingressChannel(port));
            final ChannelUri response = ChannelUri.parse(channels.responseChannel(3, port, -7));
            assertEquals("false", ingress.get(CommonContext.SPARSE_PARAM_NAME));
            assertEquals("false", response.get(CommonContext.SPARSE_PARAM_NAME));
            assertEquals("-7", response.get(CommonContext.SESSION_ID_PARAM_NAME));
            assertEquals(TrunkChannels.Port.IPC == port ? "32768" : "16384", response.get("pub-wnd"),
                "windows in shared memory share no socket");
        }
    }
}
