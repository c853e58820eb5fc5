package io.escapement.client;

import io.escapement.config.ConfigException;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.agrona.concurrent.SystemNanoClock;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class TrunkContextTest
{
    private static final List<Consumer<TrunkContext>> SETTERS = List.of(
        (context) -> context.aeron(null),
        (context) -> context.udp("a:1", "a:2"),
        TrunkContext::ipc,
        (context) -> context.termLength(65_536),
        (context) -> context.receiveWindow(1),
        (context) -> context.feed(null),
        (context) -> context.identity("name"),
        (context) -> context.applicationVersion(1),
        (context) -> context.secret(new byte[16]),
        (context) -> context.credentials((clientHigh, clientLow, serverHigh, serverLow, identity) -> identity),
        (context) -> context.ticket(null),
        (context) -> context.listener(new SteppedTrunk()),
        (context) -> context.connectTimeoutNs(1),
        (context) -> context.aeronSupplier(null),
        (context) -> context.reconnect(1, 2),
        (context) -> context.resume(SteppedTrunk.in(TrunkClient.State.DOWN).client),
        (context) -> context.random(null),
        (context) -> context.clock(SystemNanoClock.INSTANCE),
        (context) -> context.streams(null));

    @Test
    void shouldRefuseEverySetterAfterConnect()
    {
        for (final Consumer<TrunkContext> setter : SETTERS)
        {
            setter.accept(valid());
            final TrunkContext context = valid();
            TrunkClient.connect(context);
            assertThrows(IllegalStateException.class, () -> setter.accept(context));
            assertThrows(IllegalStateException.class, () -> TrunkClient.connect(context), "a second trunk");
        }
    }

    @Test
    void shouldNameTheOptionThatCannotWork()
    {
        assertRefused("aeron", new TrunkContext().ipc().secret(new byte[16]));
        assertRefused("secret", valid().credentials(null));
        assertRefused("identity", valid().identity("x".repeat(65)));
        assertRefused("identity", valid().identity("\u00e9".repeat(33)));
        assertRefused("termLength", valid().termLength(32_768));
        assertRefused("termLength", valid().termLength(65_537));
        assertRefused("termLength", valid().termLength(Integer.MIN_VALUE));
        assertRefused("receiveWindow", valid().receiveWindow(0));
        for (final String endpoint : List.of("", "0", "host", "host:", ":1", "host:-1", "host:65536", "a:b", "a|b:1"))
        {
            assertRefused("feed", valid().feed(endpoint));
        }
        assertRefused("connectTimeoutNs", valid().connectTimeoutNs(0));
        assertRefused("reconnect", valid().reconnect(2, 1));
        assertRefused("reconnect", valid().reconnect(-1, 1));
        valid().identity("x".repeat(64)).termLength(65_536).receiveWindow(1).connectTimeoutNs(1).conclude();
        valid().feed("[::1]:65535").conclude();
        final ConfigException refused =
            assertThrows(ConfigException.class, () -> valid().secret(new byte[15]));
        assertEquals("secret", refused.option());
        assertTrue(refused.remedy().contains("16"), refused.remedy());
    }

    @Test
    void shouldStayOpenWhenConnectRefusesAValue()
    {
        final TrunkContext context = valid().termLength(1);
        assertThrows(ConfigException.class, () -> TrunkClient.connect(context));
        TrunkClient.connect(context.termLength(65_536));
    }

    @Test
    void shouldBuildTheChannelsOfTheProtocol()
    {
        final TrunkContext udp = new TrunkContext().udp("in:1", "out:2").receiveWindow(9).termLength(65_536);
        assertEquals("aeron:udp?control-mode=response|control=out:2|rejoin=false|rcv-wnd=9", udp.responseChannel(0));
        assertEquals("aeron:udp?endpoint=in:1|term-length=65536|response-correlation-id=7", udp.ingressChannel(0, 7));
        final TrunkContext ipc = new TrunkContext().ipc().termLength(65_536);
        assertEquals("aeron:ipc?control-mode=response|rejoin=false", ipc.responseChannel(0));
        assertEquals("aeron:ipc?term-length=65536|response-correlation-id=7", ipc.ingressChannel(0, 7));
    }

    @Test
    void shouldBuildTheChannelsOfFeeds()
    {
        final String own = "|so-rcvbuf=2m|rcv-wnd=512k|reliable=false|rejoin=false|session-id=-7";
        final String group = "224.0.1.7:40500";
        assertEquals("aeron:udp?endpoint=10.0.0.2:0" + own, valid().feed("10.0.0.2:0").feedChannel("", -7));
        assertEquals("aeron:udp?endpoint=224.0.1.7:40500|interface=10.0.0.2" + own,
            valid().feed("10.0.0.2:0").feedChannel(group, -7));
        assertEquals("aeron:udp?endpoint=224.0.1.7:40500|interface=[fd00::2]" + own,
            valid().feed("[fd00::2]:4000").feedChannel(group, -7));
        for (final String any : List.of(TrunkContext.ANY_FEED_ENDPOINT, "[::]:0"))
        {
            assertEquals("aeron:udp?endpoint=224.0.1.7:40500" + own, valid().feed(any).feedChannel(group, -7));
        }
        assertEquals("aeron:ipc?tether=false|reliable=false|rejoin=false|session-id=-7",
            valid().ipc().feed("10.0.0.2:0").feedChannel("", -7));
    }

    @Test
    void shouldKeepATicketAsBytes()
    {
        final ResumeTicket ticket = new ResumeTicket(1, -2, Long.MIN_VALUE);
        assertEquals(ticket, ResumeTicket.of(ticket.toBytes()));
        assertArrayEquals(new byte[]{0, 0, 0, 0, 0, 0, 0, 1}, Arrays.copyOf(ticket.toBytes(), 8));
        assertThrows(IllegalArgumentException.class, () -> ResumeTicket.of(new byte[23]));
    }

    private static void assertRefused(final String option, final TrunkContext context)
    {
        assertEquals(option, assertThrows(ConfigException.class, context::conclude).option());
    }

    private static TrunkContext valid()
    {
        return new TrunkContext().streams((member, streamId, handler) -> new FakeStream(handler))
            .secret(new byte[16]);
    }
}
