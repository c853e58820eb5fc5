package io.escapement.driver;

import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.escapement.config.ConfigException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadFactory;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

/** Affinities as the operating system reports them. */
class CoresTest
{
    private final List<Integer> all = Cores.usable();
    private final int last = all.get(all.size() - 1);

    @Test
    void shouldPinOnlyThreadsThatHaveACore() throws Exception
    {
        assertEquals(List.of(last), usable(Cores.pinned(new int[]{last}, 0, null)));
        assertEquals(all, usable(Cores.pinned(new int[]{last}, 1, null)));
        assertEquals(all, Cores.usable(), "the creator of the threads is not pinned");
    }

    @Test
    void shouldPinTheThreadsOfEachThreadingMode() throws Exception
    {
        final MediaDriver.Context dedicated = context(ThreadingMode.DEDICATED, last);
        assertEquals(List.of(last), usable(dedicated.senderThreadFactory()));
        assertEquals(all, usable(dedicated.receiverThreadFactory()));
        assertEquals(all, usable(dedicated.conductorThreadFactory()));
        final MediaDriver.Context network = context(ThreadingMode.SHARED_NETWORK, last);
        assertEquals(List.of(last), usable(network.sharedNetworkThreadFactory()));
        assertEquals(all, usable(network.conductorThreadFactory()));
        assertEquals(List.of(last), usable(context(ThreadingMode.SHARED, last).sharedThreadFactory()));
        assertNull(context(ThreadingMode.INVOKER).sharedThreadFactory());
    }

    @Test
    void shouldNameTheOptionAndTheCore()
    {
        assertEquals("--cores: 900: this process may use " + all, refusal(ThreadingMode.SHARED, 900));
        assertEquals("--cores: " + last + ": name each core once", refusal(ThreadingMode.SHARED_NETWORK, last, last));
        assertEquals("--cores: [0, 1]: at most 1, one for each thread", refusal(ThreadingMode.SHARED, 0, 1));
        assertEquals("--cores: [" + last + "]: at most 0, one for each thread", refusal(ThreadingMode.INVOKER, last));
    }

    private static MediaDriver.Context context(final ThreadingMode mode, final int... cores)
    {
        final MediaDriver.Context context = new MediaDriver.Context().threadingMode(mode);
        Cores.pinDriver("--cores", cores, context);
        return context;
    }

    private static String refusal(final ThreadingMode mode, final int... cores)
    {
        return assertThrows(ConfigException.class, () -> context(mode, cores)).getMessage();
    }

    private static List<Integer> usable(final ThreadFactory factory) throws Exception
    {
        final Callable<List<Integer>> inThread = Cores::usable;
        final FutureTask<List<Integer>> task = new FutureTask<>(inThread);
        factory.newThread(task).start();
        return task.get();
    }
}
