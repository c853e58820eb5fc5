package io.escapement.engine;

import io.escapement.driver.guard.GuardCounter;
import io.escapement.engine.internal.loop.LoopCounters;
import io.escapement.engine.monitor.CounterTypes;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.agrona.concurrent.status.AtomicCounter;
import org.agrona.concurrent.status.CountersReader;

/**
 * Reports refusals of the media driver's guards where a wrong client option is a likely cause, with the option to
 * change. Each reason is reported at most once in ten seconds. Copies counts about feeds to the engine's counters. Used
 * by the thread that invokes the client.
 */
final class GuardWarnings
{
    static final long INTERVAL_NS = TimeUnit.SECONDS.toNanos(10);

    private static final Map<GuardCounter, String> REMEDY_BY_COUNTER_MAP = new EnumMap<>(Map.of(
        GuardCounter.SETUP_REFUSED, "a client's termLength or the MTU of its media driver is outside the limits " +
            "escapement.guard.max.term.length, escapement.guard.min.mtu and escapement.guard.max.mtu of the profile",
        GuardCounter.SETUP_RATE, "clients connect faster than escapement.guard.setup.rate of the profile",
        GuardCounter.SESSION_LIMIT, "raise trunks.limit",
        GuardCounter.SOURCE_LIMIT, "raise trunks.limit if the trunks of one host are that many",
        GuardCounter.NO_SUBSCRIPTION, "a client uses a stream that this engine does not have",
        GuardCounter.RESPONSE_REDIRECT, "the address of a client changes on the way: by a NAT, or by somebody else"));

    private final Consumer<String> warnings;
    private final List<Watch> watches = new ArrayList<>();
    private CountersReader counters;

    GuardWarnings(final Consumer<String> warnings)
    {
        this.warnings = warnings;
    }

    /** Find the counters of the guards, which exist once the driver has an endpoint. */
    void find(final CountersReader reader, final LoopCounters.Factory factory)
    {
        counters = reader;
        reader.forEach((counterId, typeId, key, label) ->
        {
            for (final GuardCounter counter : GuardCounter.values())
            {
                if (counter.typeId() == typeId)
                {
                    watches.add(new Watch(
                        counter, label, counterId, reader.getCounterValue(counterId), copy(counter, factory)));
                }
            }
        });
    }

    /** The engine's counter for a driver counter about feeds, otherwise null. No warning reports refusals of feeds. */
    private static AtomicCounter copy(final GuardCounter counter, final LoopCounters.Factory factory)
    {
        return switch (counter)
        {
            case FEED_MISSED -> factory.counter(CounterTypes.EDGE + 7, "escapement driver: feed datagrams missed");
            case FEED_IGNORED ->
                factory.counter(CounterTypes.EDGE + 8, "escapement driver: feed NAKs and errors ignored");
            default -> null;
        };
    }

    boolean isGuarded()
    {
        return !watches.isEmpty();
    }

    /** Report refusals since the last call, and copy the counts of feeds. */
    void check(final long nowNs)
    {
        for (int i = 0; i < watches.size(); i++)
        {
            final Watch watch = watches.get(i);
            final String remedy = REMEDY_BY_COUNTER_MAP.get(watch.counter);
            final long value = counters.getCounterValue(watch.counterId);
            if (null != watch.copy)
            {
                watch.copy.setRelease(value);
            }
            if (null != remedy && value != watch.named && watch.isDue(nowNs))
            {
                warnings.accept(watch.label + ": " + (value - watch.named) + ": " + remedy);
                watch.onNamed(value, nowNs);
            }
        }
    }

    private static final class Watch
    {
        private final GuardCounter counter;
        private final String label;
        private final int counterId;
        private final AtomicCounter copy;
        private long named;
        private long namedNs;
        private boolean isNamed;

        Watch(
            final GuardCounter counter,
            final String label,
            final int counterId,
            final long value,
            final AtomicCounter copy)
        {
            this.counter = counter;
            this.label = label;
            this.counterId = counterId;
            named = value;
            this.copy = copy;
        }

        boolean isDue(final long nowNs)
        {
            return !isNamed || nowNs - namedNs >= INTERVAL_NS;
        }

        void onNamed(final long value, final long nowNs)
        {
            named = value;
            namedNs = nowNs;
            isNamed = true;
        }
    }
}
