package io.escapement.rooms.host;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The buffer that the logic receives: exactly the payload, so that a read beyond it throws here and in a replay alike,
 * instead of returning bytes of another command. After the callback the view is empty, so a buffer that a logic keeps
 * throws, too. One view serves all rooms, since one callback runs at a time.
 */
final class PayloadView
{
    /** Memory behind the empty view. It is written to only when Agrona's bounds checks are switched off. */
    private final byte[] nothing = new byte[8 * 1024];
    private final UnsafeBuffer view = new UnsafeBuffer(nothing, 0, 0);

    DirectBuffer of(final DirectBuffer buffer, final int offset, final int length)
    {
        view.wrap(buffer, offset, length);
        return view;
    }

    void release()
    {
        release(view);
    }

    /** Make a view empty that must not be used any more. */
    void release(final UnsafeBuffer used)
    {
        used.wrap(nothing, 0, 0);
    }
}
