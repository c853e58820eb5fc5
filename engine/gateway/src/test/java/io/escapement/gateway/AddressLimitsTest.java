package io.escapement.gateway;

import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.security.SecureRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Connections and log-ins of addresses and networks. */
class AddressLimitsTest
{
    private static final int OPEN = 3;
    private static final int RATE = 2;
    private static final int BURST = 5;
    private static final int LOG_INS = 4;
    private static final int ENTRIES = 1_024;
    private static final int STRANGERS = 20 * ENTRIES;

    private final AddressLimits limits = new AddressLimits(OPEN, RATE, LOG_INS, ENTRIES, new SecureRandom());
    private long nowNs = Long.MAX_VALUE - TimeUnit.SECONDS.toNanos(3);

    private static InetAddress address(final String digits)
    {
        return NetUtil.createInetAddressFromIpAddressString(digits);
    }

    private boolean open(final String digits)
    {
        return limits.tryOpen(address(digits), nowNs);
    }

    @Test
    void shouldLimitOpenConnections()
    {
        for (int i = 0; i < OPEN; i++)
        {
            assertTrue(open("10.0.0.1"));
            nowNs += TimeUnit.SECONDS.toNanos(1);
        }
        assertFalse(open("10.0.0.1"));
        assertTrue(open("10.0.0.2"));
        limits.close(address("10.0.0.1"));
        assertTrue(open("10.0.0.1"));
    }

    @Test
    void shouldLimitTheRateOfConnections()
    {
        for (int i = 0; i < BURST; i++)
        {
            assertTrue(open("10.0.0.1"), "burst");
            limits.close(address("10.0.0.1"));
        }
        assertFalse(open("10.0.0.1"));
        nowNs += TimeUnit.SECONDS.toNanos(1);
        assertTrue(open("10.0.0.1"));
    }

    @Test
    void shouldCountANetworkOf64BitsAsOneAddress()
    {
        for (int i = 0; i < OPEN; i++)
        {
            assertTrue(open("2001:db8:1:2:3:4:5:" + i));
        }
        assertFalse(open("2001:db8:1:2:9:9:9:9"));
        assertTrue(open("2001:db8:1:3:3:4:5:6"));
    }

    /** Version 4 within version 6 is no network that many share. */
    @Test
    void shouldCountAnAddressOfVersion4WithinVersion6AsItself()
    {
        for (int i = 0; i < OPEN; i++)
        {
            assertTrue(open("10.0.0.1"));
        }
        assertFalse(limits.tryLogIn("::ffff:10.0.0.1", nowNs) && open("::ffff:10.0.0.1"));
        assertTrue(open("::ffff:10.0.0.2"));
    }

    @Test
    void shouldLimitTheConnectionsOfANetworkOf48Bits()
    {
        int opened = 0;
        for (int i = 0; i < 100; i++)
        {
            opened += open("2001:db8:1:" + Integer.toHexString(i) + "::1") ? 1 : 0;
            nowNs += TimeUnit.SECONDS.toNanos(1);
        }
        assertEquals(AddressLimits.NETWORK_FACTOR * OPEN, opened);
        assertTrue(open("2001:db8:2::1"));
        limits.close(address("2001:db8:1::1"));
        assertTrue(open("2001:db8:1:ffff::1"));
    }

    /** A refused connection costs the address nothing. */
    @Test
    void shouldLimitTheRatesOfANetworkOf48Bits()
    {
        int opened = 0;
        int logIns = 0;
        for (int i = 0; i < 200; i++)
        {
            final String digits = "2001:db8:1:" + Integer.toHexString(i) + ":0:0:0:1";
            opened += open(digits) ? 1 : 0;
            limits.close(address(digits));
            logIns += limits.tryLogIn(digits, nowNs) ? 1 : 0;
        }
        assertEquals(AddressLimits.NETWORK_FACTOR * RATE * 5 / 2, opened);
        assertEquals(AddressLimits.NETWORK_FACTOR * LOG_INS, logIns);
        nowNs += TimeUnit.SECONDS.toNanos(1);
        for (int i = 0; i < BURST; i++)
        {
            assertTrue(open("2001:db8:1:c7::1"), "of an address that was refused");
            limits.close(address("2001:db8:1:c7::1"));
        }
        assertFalse(open("2001:db8:1:c7::1"));
    }

    /** However many addresses strangers have: neither is a new one refused, nor is an old one forgotten. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldNeitherFillNorForgetByTheAddressesOfStrangers(final boolean isSpread)
    {
        for (int i = 0; i < OPEN; i++)
        {
            assertTrue(open("10.0.0.1"));
        }
        for (int i = 0; i < LOG_INS; i++)
        {
            assertTrue(limits.tryLogIn("10.0.0.1", nowNs));
        }
        int refused = 0;
        for (int i = 0; i < STRANGERS; i++)
        {
            // Each of another network, or two of which each has as many as it may.
            final String stranger = isSpread ? "2001:" + Integer.toHexString(i / 64) + ":" +
                Integer.toHexString(i % 64) + ":0:0:0:0:1" : "2001:db8:" + i % 2 + ":" + Integer.toHexString(i / 2) +
                ":0:0:0:1";
            refused += open(stranger) ? 0 : 1;
            limits.tryLogIn(stranger, nowNs);
        }
        assertEquals(isSpread ? 0 : STRANGERS - 2 * AddressLimits.NETWORK_FACTOR * OPEN, refused);
        for (int i = 0; i < 20; i++)
        {
            assertTrue(open("203.0.113." + i), "a newcomer");
            assertTrue(limits.tryLogIn("203.0.113." + i, nowNs));
        }
        assertFalse(open("10.0.0.1"), "its connections are kept");
        assertFalse(limits.tryLogIn("10.0.0.1", nowNs), "its log-ins are kept");
    }
}
