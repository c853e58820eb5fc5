package io.escapement.engine.internal.monitor;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Frame rates that an operator allows at most, by room type. Governors stay below them. For any thread. */
public final class RateLimits
{
    private final Map<Integer, Integer> hzByTypeIdMap = new ConcurrentHashMap<>();
    private final AtomicInteger changes = new AtomicInteger();

    /** Limit a type, or with 0 remove its limit. Governors send it after {@link #changed}. */
    public void set(final int typeId, final int rateHz)
    {
        if (0 == rateHz)
        {
            hzByTypeIdMap.remove(typeId);
        }
        else
        {
            hzByTypeIdMap.put(typeId, rateHz);
        }
    }

    /** The limit has been sent to the loops: whatever governors have sent before may have replaced it. */
    public void changed()
    {
        changes.incrementAndGet();
    }

    int changes()
    {
        return changes.get();
    }

    /** The lower value of a rate and the limit of its type. 0 means no limit. */
    int cappedHz(final int typeId, final int rateHz)
    {
        final int limitHz = hzByTypeIdMap.getOrDefault(typeId, 0);
        return 0 == limitHz ? rateHz : 0 == rateHz ? limitHz : Math.min(rateHz, limitHz);
    }
}
