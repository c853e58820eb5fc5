package io.escapement.engine.internal.edge;

import io.aeron.ChannelUri;
import io.aeron.CommonContext;
import io.escapement.engine.trunks.TrunkServerContext;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Channels of trunks take their memory when they are made, and responses have the session ids that they are given. */
class TrunkChannelsTest
{
    @Test
    void shouldNotBeSparseAndCarryTheSessionId()
    {
        final TrunkServerContext trunks =
            new TrunkServerContext().udp("127.0.0.1:1", "127.0.0.1:2").ipc(true).termLength(65_536);
        trunks.conclude(1 << 20, 16_384, 32_768);
        final TrunkChannels channels = new TrunkChannels(trunks);
        assertEquals(2, channels.ports().size());
        for (final TrunkServerContext.Port port : channels.ports())
        {
            final ChannelUri ingress = ChannelUri.parse(channels.ingressChannel(port));
            final ChannelUri response = ChannelUri.parse(channels.responseChannel(3, port, -7, 32_768));
            assertEquals("false", ingress.get(CommonContext.SPARSE_PARAM_NAME));
            assertEquals("false", response.get(CommonContext.SPARSE_PARAM_NAME));
            assertEquals("-7", response.get(CommonContext.SESSION_ID_PARAM_NAME));
            assertEquals("32768", response.get(CommonContext.MTU_LENGTH_PARAM_NAME));
            assertFalse(channels.responseChannel(3, port, -7, 0).contains("mtu"));
            assertEquals(TrunkChannels.IPC == port ? "32768" : "16384", response.get("pub-wnd"),
                "windows in shared memory share no socket");
        }
    }

    @Test
    void shouldCutResponsesThatHaveTermsAndWindowsForIt()
    {
        assertTrue(channels(256 * 1_024, 32_768).areResponsesCut());
        assertFalse(channels(128 * 1_024, 32_768).areResponsesCut());
        assertFalse(channels(256 * 1_024, 31_744).areResponsesCut());
    }

    private static TrunkChannels channels(final int termLength, final int window)
    {
        final TrunkServerContext trunks = new TrunkServerContext().termLength(termLength);
        trunks.conclude(1 << 20, window, window);
        return new TrunkChannels(trunks);
    }
}
