package io.escapement.gateway;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

class AddressLimitsTest
{
    private final AddressLimits limits = new AddressLimits(3, 2, 4, 10);
    private long nowNs = Long.MAX_VALUE - TimeUnit.SECONDS.toNanos(3);

    @Test
    void shouldLimitOpenConnections()
    {
        for (int i = 0; i < 3; i++)
        {
            assertTrue(limits.tryOpen("10.0.0.1", nowNs));
            nowNs += TimeUnit.SECONDS.toNanos(1);
        }
        assertFalse(limits.tryOpen("10.0.0.1", nowNs));
        assertTrue(limits.tryOpen("10.0.0.2", nowNs));
        limits.close("10.0.0.1");
        assertTrue(limits.tryOpen("10.0.0.1", nowNs));
    }

    @Test
    void shouldLimitTheRateOfConnections()
    {
        for (int i = 0; i < 5; i++)
        {
            assertTrue(limits.tryOpen("10.0.0.1", nowNs), "burst");
            limits.close("10.0.0.1");
        }
        assertFalse(limits.tryOpen("10.0.0.1", nowNs));
        nowNs += TimeUnit.SECONDS.toNanos(1);
        assertTrue(limits.tryOpen("10.0.0.1", nowNs));
    }

    @Test
    void shouldCountANetworkOfVersion6AsOneAddress()
    {
        for (int i = 0; i < 3; i++)
        {
            assertTrue(limits.tryOpen("2001:db8:1:2:3:4:5:" + i, nowNs));
        }
        assertFalse(limits.tryOpen("2001:db8:1:2:9:9:9:9", nowNs));
        assertTrue(limits.tryOpen("2001:db8:1:3:3:4:5:6", nowNs));
    }

    @Test
    void shouldForgetAddressesThatAreGoneAndBoundTheOthers()
    {
        for (int i = 0; i < 10; i++)
        {
            assertTrue(limits.tryLogIn("10.0.1." + i, nowNs));
        }
        assertFalse(limits.tryLogIn("10.0.2.1", nowNs), "as many as may be remembered");
        nowNs += TimeUnit.MINUTES.toNanos(5);
        assertTrue(limits.tryLogIn("10.0.2.1", nowNs));
        assertEquals(1, limits.addresses());
    }
}
