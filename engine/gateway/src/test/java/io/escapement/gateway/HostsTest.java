package io.escapement.gateway;

import io.escapement.config.ConfigException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Names under which a gateway may be reached. */
class HostsTest
{
    private final Hosts hosts = new Hosts();

    HostsTest()
    {
        hosts.add("allowHost", "Play.example");
    }

    @ParameterizedTest
    @ValueSource(strings = {"localhost", "localhost:8080", "LOCALHOST", "127.0.0.1", "127.0.0.1:1", "203.0.113.7:443",
        "[::1]", "[::1]:8080", "[2001:db8::1]", "play.example", "PLAY.EXAMPLE:8443", "play.example:"})
    void shouldAllowAddressesAndNamesThatAreNamed(final String header)
    {
        assertTrue(hosts.has(header));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "evil.example", "evil.example:8080", "play.example.evil.example", "evil-play.example",
        "play.example.", "127.0.0.1.evil.example", "127.0.0", "1", "::1", "[::1", "[evil.example]", "[::1]evil.example",
        "play.example:80evil", "play.example:80:80", "play.example@evil.example", "localhost.evil.example", ":80"})
    void shouldRefuseOthers(final String header)
    {
        assertFalse(hosts.has(header));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "https://play.example", "play.example:443", "play.example/", "[::1]", ".", "*"})
    void shouldNameAValueThatIsNoName(final String value)
    {
        final String message =
            assertThrows(ConfigException.class, () -> new GatewayContext().allowHost(value)).getMessage();
        assertEquals("allowHost: ", message.substring(0, 11), message);
    }
}
