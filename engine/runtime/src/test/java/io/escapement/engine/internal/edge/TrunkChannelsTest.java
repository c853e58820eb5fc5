package io.escapement.engine.internal.edge;

import io.aeron.ChannelUri;
import io.aeron.CommonContext;
import io.escapement.engine.trunks.TrunkServerContext;
import java.util.List;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
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

    @Test
    void shouldSendFeedsToTheirGroup()
    {
        final TrunkServerContext trunks = new TrunkServerContext().udp("127.0.0.1:1", "127.0.0.1:2");
        assertEquals("127.0.0.1:0", feed(trunks).get(CommonContext.MDC_CONTROL_PARAM_NAME));
        assertEquals("manual", feed(trunks).get(CommonContext.MDC_CONTROL_MODE_PARAM_NAME));
        final ChannelUri feed = feed(trunks.feedGroup("224.0.1.7:40500"));
        assertEquals("224.0.1.7:40500", feed.get(CommonContext.ENDPOINT_PARAM_NAME));
        assertEquals("127.0.0.1", feed.get(CommonContext.INTERFACE_PARAM_NAME));
        assertEquals("max", feed.get(CommonContext.FLOW_CONTROL_PARAM_NAME));
        assertEquals("-7", feed.get(CommonContext.SESSION_ID_PARAM_NAME));
        assertNull(feed.get(CommonContext.MDC_CONTROL_MODE_PARAM_NAME));
        for (final String any : List.of("0.0.0.0:2", "[::]:2"))
        {
            assertNull(feed(new TrunkServerContext().udp("127.0.0.1:1", any).feedGroup("224.0.1.7:40500"))
                .get(CommonContext.INTERFACE_PARAM_NAME));
        }
        assertFalse(new TrunkChannels(trunks).feedChannel(true, -7, 0).contains("224.0.1.7"));
    }

    private static ChannelUri feed(final TrunkServerContext trunks)
    {
        return ChannelUri.parse(new TrunkChannels(trunks).feedChannel(false, -7, 0));
    }

    private static TrunkChannels channels(final int termLength, final int window)
    {
        final TrunkServerContext trunks = new TrunkServerContext().termLength(termLength);
        trunks.conclude(1 << 20, window, window);
        return new TrunkChannels(trunks);
    }
}
