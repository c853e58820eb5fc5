package io.escapement.driver;

import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

/** Multicast groups in the form address:port. */
class EndpointsTest
{
    @Test
    void shouldParseGroups()
    {
        final InetSocketAddress group = Endpoints.parseGroup("224.0.1.7:40500");
        assertEquals("224.0.1.7", group.getAddress().getHostAddress());
        assertEquals(40_500, group.getPort());
        assertEquals(1, Endpoints.parseGroup("[ff02::101]:1").getPort());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "224.0.1.7", ":40500", "224.0.1.7:", "224.0.1.7:0", "224.0.1.7:65536", "224.0.1.7:-1",
        "224.0.1.8:40500", "192.168.0.7:40500", "127.0.0.1:40500", "0.0.0.0:40500", "224.0.1.777:40500",
        "[ff02::102]:40500", "[::1]:40500", "ff02::101:40500", "localhost:40500", "224.0.1.7:40500|ttl=9",
        " 224.0.1.7:40500"})
    void shouldRefuseAnyOtherText(final String text)
    {
        assertThrows(IllegalArgumentException.class, () -> Endpoints.parseGroup(text));
    }
}
