package io.escapement.driver.guard;

import io.aeron.AeronCounters;
import io.aeron.driver.status.StreamCounter;
import java.util.function.LongConsumer;
import org.agrona.DirectBuffer;
import org.agrona.collections.Hashing;
import org.agrona.concurrent.status.CountersReader;

/**
 * The images that a driver has mapped. Each has a counter of its receiver's position until its memory is released,
 * which is later than an endpoint sees it: an image without a reader stays for as long as its subscription.
 */
final class LiveImages
{
    private final CountersReader counters;

    LiveImages(final CountersReader counters)
    {
        this.counters = counters;
    }

    /** Visit the compound key of stream and session of each image. */
    void forEach(final LongConsumer consumer)
    {
        final DirectBuffer metaData = counters.metaDataBuffer();
        for (int id = 0; id <= counters.maxCounterId(); id++)
        {
            final int state = counters.getCounterState(id);
            if (CountersReader.RECORD_UNUSED == state)
            {
                return;
            }
            if (CountersReader.RECORD_ALLOCATED == state &&
                AeronCounters.DRIVER_RECEIVER_POS_TYPE_ID == counters.getCounterTypeId(id))
            {
                final int key = CountersReader.metaDataOffset(id) + CountersReader.KEY_OFFSET;
                consumer.accept(Hashing.compoundKey(
                    metaData.getInt(key + StreamCounter.STREAM_ID_OFFSET),
                    metaData.getInt(key + StreamCounter.SESSION_ID_OFFSET)));
            }
        }
    }
}
