package io.escapement.ratelimit;

/**
 * The network of a player's address. It counts as one source where places are shared out: the first 24 bits of a
 * version 4 address, and the first 48 bits of a version 6 address. A registry gives a site up to 48 bits of prefix, and
 * many hosts and tunnels give a customer as much without cost. A longer prefix would make one attacker thousands of
 * sources. Neighbours share the fate of their network only while places are short.
 */
public final class AddressPrefix
{
    private static final int NETWORK_GROUPS = 3;
    private static final int HOUSEHOLD_GROUPS = 4;

    private AddressPrefix()
    {
    }

    /**
     * The prefix of an address's network.
     *
     * @param address as text, of version 4 or 6, with or without a zone.
     * @return the prefix as text. Any other text, even an empty text, also has a prefix.
     */
    public static String of(final String address)
    {
        final int dot = address.lastIndexOf('.');
        if (dot > 0)
        {
            // A version 4 address, or such an address in the notation of version 6.
            return address.substring(address.lastIndexOf(':') + 1, dot);
        }
        return address.indexOf(':') < 0 ? address : groups(address, NETWORK_GROUPS);
    }

    /**
     * The prefix that counts as one address: a version 4 address, or the first 64 bits of a version 6 address, because
     * a household has as many addresses as it likes in them.
     *
     * @param address as text, of version 4 or 6, with or without a zone.
     * @return the address or its prefix as text.
     */
    public static String householdOf(final String address)
    {
        return address.indexOf('.') >= 0 || address.indexOf(':') < 0 ?
            address.substring(address.lastIndexOf(':') + 1) : groups(address, HOUSEHOLD_GROUPS);
    }

    private static String groups(final String address, final int count)
    {
        final StringBuilder prefix = new StringBuilder(count * 5);
        int at = 0;
        boolean isShortened = false;
        for (int group = 0; group < count; group++)
        {
            final int end = address.indexOf(':', at);
            // The first group of a shortened run of zeros is empty, and each group after it is also zero.
            isShortened |= end == at;
            if (isShortened || end < 0)
            {
                prefix.append("0:");
                continue;
            }
            int start = at;
            while (start < end - 1 && '0' == address.charAt(start))
            {
                start++;
            }
            prefix.append(address, start, end).append(':');
            at = end + 1;
        }
        return prefix.toString();
    }
}
