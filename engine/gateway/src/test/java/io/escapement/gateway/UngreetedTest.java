package io.escapement.gateway;

import io.netty.util.NetUtil;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

/** Which of the connections without a Hello goes first. */
class UngreetedTest
{
    private static final long SEED = 40;
    private static final int STEPS = 20_000;
    private static final int MOST = 64;

    /** A connection of the naive twin. */
    private record Known(Newcomer newcomer, Ungreeted.Place place, byte[] address)
    {
        /** Its network of a width, as text. */
        String network(final int level)
        {
            final int[] bits = 4 == address.length ? new int[]{24, 24, 32} : new int[]{48, 56, 64};
            final StringBuilder text = new StringBuilder().append(address.length).append('/').append(bits[level]);
            for (int i = 0; i < bits[level] / Byte.SIZE; i++)
            {
                text.append(' ').append(address[i]);
            }
            return text.toString();
        }
    }

    private final Ungreeted ungreeted = new Ungreeted();
    private final Map<Newcomer, String> nameByNewcomerMap = new HashMap<>();
    private final List<Ungreeted.Place> places = new ArrayList<>();

    private static Newcomer newcomer()
    {
        return new Newcomer(null, null, null, null, null, null);
    }

    private Ungreeted.Place add(final String digits)
    {
        final Newcomer newcomer = newcomer();
        nameByNewcomerMap.put(newcomer, digits);
        return ungreeted.add(newcomer, AddressBits.of(digits));
    }

    /** Take all, and return their addresses in the order in which they go. */
    private List<String> all()
    {
        final Map<Newcomer, Ungreeted.Place> placeByNewcomerMap = new HashMap<>();
        places.forEach((place) -> placeByNewcomerMap.put(place.newcomer(), place));
        final List<String> order = new ArrayList<>();
        for (Newcomer first = ungreeted.first(); null != first; first = ungreeted.first())
        {
            order.add(nameByNewcomerMap.get(first));
            ungreeted.remove(placeByNewcomerMap.get(first));
        }
        return order;
    }

    private List<String> orderOf(final String... addresses)
    {
        for (final String digits : addresses)
        {
            places.add(add(digits));
        }
        return all();
    }

    @Test
    void shouldHaveNoFirstOfNone()
    {
        assertNull(ungreeted.first());
        assertEquals(0, ungreeted.size());
    }

    @Test
    void shouldTakeTheOldestWhereAllNetworksAreEqual()
    {
        assertEquals(List.of("10.0.0.1", "2001:db8::1", "10.0.1.1", "2001:db8:1::1"),
            orderOf("10.0.0.1", "2001:db8::1", "10.0.1.1", "2001:db8:1::1"));
    }

    @Test
    void shouldTakeTheFullestOfTheWidestNetworks()
    {
        assertEquals(List.of("2001:db8:1:a::1", "10.0.0.1", "2001:db8:1:b::1", "203.0.113.1", "10.0.0.2",
            "2001:db8:1:c::1"), orderOf("10.0.0.1", "203.0.113.1", "2001:db8:1:a::1", "2001:db8:1:b::1", "10.0.0.2",
            "2001:db8:1:c::1"));
    }

    /** A household next to a stranger with many addresses, both in the network of one provider. */
    @Test
    void shouldTakeTheFullestNarrowNetworkWithinTheFullestWideOne()
    {
        assertEquals(List.of("2001:db8:1:200::1", "2001:db8:1:201::1"), orderOf("2001:db8:1:100::1",
            "2001:db8:1:200::1", "2001:db8:1:201::1", "2001:db8:1:202::1").subList(0, 2));
        places.clear();
        assertEquals(List.of("10.0.0.2", "10.0.0.2"),
            orderOf("10.0.0.1", "10.0.0.2", "10.0.0.2", "10.0.0.3", "10.0.0.2", "10.1.0.1").subList(0, 2));
    }

    @Test
    void shouldMatchANaiveTwin()
    {
        final SplittableRandom random = new SplittableRandom(SEED);
        final List<Known> known = new ArrayList<>();
        for (int i = 0; i < STEPS; i++)
        {
            if (known.size() < MOST && 0 != random.nextInt(3))
            {
                final String digits = random.nextBoolean() ?
                    "10.0." + random.nextInt(3) + "." + random.nextInt(4) :
                    "2001:db8:" + random.nextInt(3) + ":" + random.nextInt(3) + "0" + random.nextInt(3) + "::1";
                final Newcomer newcomer = newcomer();
                known.add(new Known(newcomer, ungreeted.add(newcomer, AddressBits.of(digits)),
                    NetUtil.createByteArrayFromIpAddressString(digits)));
            }
            else if (!known.isEmpty())
            {
                ungreeted.remove(known.remove(random.nextInt(known.size())).place());
            }
            final int step = i;
            assertSame(naive(known), ungreeted.first(), () -> "seed " + SEED + ", step " + step);
            assertEquals(known.size(), ungreeted.size());
        }
    }

    private static Newcomer naive(final List<Known> known)
    {
        List<Known> left = known;
        for (int level = 0; level < 3 && !left.isEmpty(); level++)
        {
            final int width = level;
            final Map<String, Integer> countByNetworkMap = new HashMap<>();
            left.forEach((one) -> countByNetworkMap.merge(one.network(width), 1, Integer::sum));
            final int most = countByNetworkMap.values().stream().max(Comparator.naturalOrder()).orElseThrow();
            left = left.stream().filter((one) -> most == countByNetworkMap.get(one.network(width))).toList();
        }
        return left.isEmpty() ? null : left.get(0).newcomer();
    }
}
