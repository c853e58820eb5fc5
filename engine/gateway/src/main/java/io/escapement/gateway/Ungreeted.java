package io.escapement.gateway;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import org.agrona.collections.Long2ObjectHashMap;

/**
 * Connections that have sent no Hello, by the networks of their addresses. Only the address of such a connection is
 * known, and a stranger's addresses share a network. The oldest connection of the fullest network therefore goes first.
 */
final class Ungreeted
{
    /** Of version 6 a customer of a provider has 48 or 56 bits, and a household 64. */
    private static final long[] MASKS_6 = {-1L << 16, -1L << 8, -1L};
    /** Of version 4 a network has 24 bits, or a whole address. Its last 32 bits are the address. */
    private static final long[] MASKS_4 = {-1L << 8, -1L << 8, -1L};

    /** A network, with the number of its connections. */
    private static final class Network
    {
        private final long bits;
        private int count;

        Network(final long bits)
        {
            this.bits = bits;
        }
    }

    /** A connection among the others. */
    static final class Place
    {
        private final Newcomer newcomer;
        private long addressBits;
        /** The widest first. */
        private final Network[] networks = new Network[MASKS_6.length];

        private Place(final Newcomer newcomer, final long addressBits)
        {
            this.newcomer = newcomer;
            this.addressBits = addressBits;
        }

        Newcomer newcomer()
        {
            return newcomer;
        }

        /** It has another address than was assumed. Not while it is among others. */
        void addressBits(final long value)
        {
            addressBits = value;
        }

        /** Whether its networks are fuller than another place's networks. The widest networks that differ decide. */
        private boolean isFuller(final Place other)
        {
            int level = 0;
            while (level < networks.length - 1 && networks[level].count == other.networks[level].count)
            {
                level++;
            }
            return networks[level].count > other.networks[level].count;
        }
    }

    /** The oldest first. */
    private final LinkedHashSet<Place> places = new LinkedHashSet<>();
    /** Of each width. */
    private final List<Long2ObjectHashMap<Network>> networkByBitsMaps = new ArrayList<>();

    Ungreeted()
    {
        for (int i = 0; i < MASKS_6.length; i++)
        {
            networkByBitsMaps.add(new Long2ObjectHashMap<>());
        }
    }

    int size()
    {
        return places.size();
    }

    Place add(final Newcomer newcomer, final long addressBits)
    {
        final Place place = new Place(newcomer, addressBits);
        add(place);
        return place;
    }

    /** Add a connection, as the newest. */
    void add(final Place place)
    {
        places.add(place);
        final long[] masks = AddressBits.is4(place.addressBits) ? MASKS_4 : MASKS_6;
        for (int i = 0; i < masks.length; i++)
        {
            final Network network =
                networkByBitsMaps.get(i).computeIfAbsent(place.addressBits & masks[i], Network::new);
            network.count++;
            place.networks[i] = network;
        }
    }

    void remove(final Place place)
    {
        places.remove(place);
        for (int i = 0; i < place.networks.length; i++)
        {
            final Network network = place.networks[i];
            network.count--;
            if (0 == network.count)
            {
                networkByBitsMaps.get(i).remove(network.bits);
            }
        }
    }

    /**
     * The oldest connection of the fullest network. If all places are taken, this visits every connection for each
     * accepted connection: about ten microseconds for 1,024, or two hundredths of a worker at 2,000 per second.
     */
    Newcomer first()
    {
        Place first = null;
        for (final Place place : places)
        {
            if (null == first || place.isFuller(first))
            {
                first = place;
            }
        }
        return null == first ? null : first.newcomer;
    }
}
