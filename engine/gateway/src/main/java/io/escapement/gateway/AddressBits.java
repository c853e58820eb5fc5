package io.escapement.gateway;

import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.nio.ByteBuffer;

/**
 * An address as one number, of which limits count prefixes. For version 6 it is the first 64 bits, because a household
 * has the other 64 bits. For version 4 it is 32 bits with which no version 6 host starts, followed by the address.
 */
final class AddressBits
{
    private static final int LENGTH_4 = 4;
    private static final int LENGTH_6 = 16;
    private static final long START_4 = 0xFFFFL << Integer.SIZE;
    /** The addresses of version 4 within version 6: ten bytes of zero, and these two. */
    private static final int MAPPED = 0xFFFF;
    private static final int MAPPED_AT = 8;

    private AddressBits()
    {
    }

    static long of(final InetAddress address)
    {
        return of(address.getAddress());
    }

    /** Of an address in digits. */
    static long of(final String digits)
    {
        return of(NetUtil.createByteArrayFromIpAddressString(digits));
    }

    private static long of(final byte[] bytes)
    {
        final ByteBuffer address = ByteBuffer.wrap(bytes);
        if (LENGTH_4 == bytes.length)
        {
            return of4(address.getInt(0));
        }
        final long high = address.getLong(0);
        final boolean isMapped = 0 == high && MAPPED == address.getInt(MAPPED_AT);
        return isMapped ? of4(address.getInt(LENGTH_6 - LENGTH_4)) : high;
    }

    private static long of4(final int address)
    {
        return START_4 | address & 0xFFFF_FFFFL;
    }

    static boolean is4(final long bits)
    {
        return START_4 == (bits & -1L << Integer.SIZE);
    }
}
