package io.escapement.http;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Who makes room for a newcomer. */
class HttpConnectionsTest
{
    private static final String HOSTILE = "192.0.2.1";

    private final Answers answers = new Answers();
    private final HttpConnections connections = new HttpConnections();
    private final List<Wire> open = new ArrayList<>();

    @Test
    void shouldCloseTheOldestHalfSentRequestOfAnAddressForItsNext()
    {
        final Wire working = connect(HOSTILE).get("/slow");
        fill(HttpConnections.ADDRESS_LIMIT - 1, HOSTILE);
        final Wire oldest = open.get(1);
        assertTrue(oldest.isOpen());
        assertEquals(200, connect(HOSTILE).get("/health").status());
        assertFalse(oldest.isOpen());
        assertTrue(working.isOpen());
        assertTrue(open.get(2).isOpen());
        assertEquals(HttpConnections.ADDRESS_LIMIT, connections.size());
    }

    @Test
    void shouldCloseAConnectionOfTheAddressThatHasMost()
    {
        final Wire other = connect("192.0.2.2").send("GET /hea");
        fill(HttpConnections.ADDRESS_LIMIT, HOSTILE);
        fill(HttpConnections.LIMIT - HttpConnections.ADDRESS_LIMIT - 1, "192.0.2.3");
        assertEquals(HttpConnections.LIMIT, connections.size());
        assertEquals(200, connect("192.0.2.4").get("/health").status());
        assertFalse(open.get(1).isOpen());
        assertTrue(open.get(2).isOpen());
        assertEquals(200, other.send("lth HTTP/1.1\r\r").status());
        assertEquals(HttpConnections.LIMIT, connections.size());
    }

    /** A client that takes no answer would otherwise have all other requests closed before they arrive. */
    @Test
    void shouldCloseAnAnswerThatIsNotTakenBeforeAYoungerRequest()
    {
        final Wire slow = connect(HOSTILE);
        slow.hold(true);
        slow.get("/health");
        for (int i = 2; i < HttpConnections.ADDRESS_LIMIT; i++)
        {
            connect(HOSTILE).get("/slow");
        }
        final Wire young = connect(HOSTILE);
        connect(HOSTILE).get("/stream");
        assertFalse(slow.isOpen());
        assertTrue(young.isOpen());
        connect(HOSTILE).get("/stream");
        assertFalse(young.isOpen());
        assertFalse(connect(HOSTILE).isOpen(), "no other may be closed for it");
        assertEquals(200, connect("192.0.2.2").get("/health").status());
    }

    /** All requests that wait for workers are fewer than the connections of an address. */
    @Test
    void shouldHaveRoomBesideAllWork()
    {
        assertTrue(HttpServer.QUEUE_LIMIT < HttpConnections.ADDRESS_LIMIT / 2);
        assertTrue(HttpConnections.ADDRESS_LIMIT < HttpConnections.LIMIT);
    }

    @Test
    void shouldCountAnAddressByItsFirst64Bits()
    {
        assertEquals(HttpConnections.sourceOf(Wire.address("2001:db8:0:1::1")),
            HttpConnections.sourceOf(Wire.address("2001:db8:0:1:ffff::2")));
        assertNotEquals(HttpConnections.sourceOf(Wire.address("2001:db8:0:1::1")),
            HttpConnections.sourceOf(Wire.address("2001:db8:0:2::1")));
        assertNotEquals(HttpConnections.sourceOf(Wire.address("127.0.0.1")),
            HttpConnections.sourceOf(Wire.address("127.0.0.2")));
    }

    @Test
    void shouldForgetAConnectionThatIsGone()
    {
        fill(HttpConnections.ADDRESS_LIMIT, HOSTILE);
        open.forEach(Wire::close);
        assertEquals(0, connections.size());
        fill(HttpConnections.ADDRESS_LIMIT, HOSTILE);
        assertTrue(open.get(HttpConnections.ADDRESS_LIMIT).isOpen());
    }

    private void fill(final int count, final String address)
    {
        for (int i = 0; i < count; i++)
        {
            connect(address).send("GET /health HTTP/1.1\rA: b");
        }
    }

    private Wire connect(final String address)
    {
        final Wire wire = new Wire(answers, answers, connections, address);
        open.add(wire);
        return wire;
    }
}
