package io.escapement.engine;

import io.aeron.AeronCounters;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.status.StreamCounter;
import io.escapement.codecs.TrunkMessages;
import io.escapement.codecs.trunk.TrunkCode;
import io.escapement.engine.trunks.TrunkServerContext;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.agrona.CloseHelper;
import org.agrona.concurrent.CachedNanoClock;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Trunks of one host up to the limit, their response sessions, and the end of connections that are given up. */
class TrunkLimitTest
{
    @Test
    void shouldTakeAsManyTrunksAsItPromises()
    {
        final List<TestTrunk> trunks = new ArrayList<>();
        // Trunks must not be given up while the thread has no core, so time passes with its cycles only.
        final EngineContext context =
            new EngineContext().loops(1).roomType(EchoRoom.type()).clock(new CachedNanoClock());
        try (TestEngine engine = new TestEngine(context);
            TestHost host = new TestHost(engine.driverContext()))
        {
            for (int i = 0; i < TrunkServerContext.LIMIT_DEFAULT; i++)
            {
                trunks.add(TestTrunk.on(host, TestTrunk.context(engine)));
            }
            engine.await("every trunk to be up", () -> poll(host, trunks),
                () -> trunks.stream().allMatch((trunk) -> trunk.isUp));
            // All attach at once.
            final long roomId = engine.engine().openRoom(1).roomId();
            final Set<TestTrunk> joining = new HashSet<>(trunks);
            engine.await("a seat for every trunk", () -> poll(host, trunks), () ->
            {
                joining.removeIf((trunk) -> trunk.tryJoin(roomId, 1 + trunks.indexOf(trunk)));
                return trunks.stream().allMatch((trunk) -> 1 == trunk.joined.size());
            });
        }
        finally
        {
            CloseHelper.quietCloseAll(trunks);
        }
    }

    @Test
    void shouldReleaseTheImageOfAConnectionThatItGaveUp()
    {
        final MediaDriver.Context driver = TestTrunk.driverContext()
            .imageLivenessTimeoutNs(TimeUnit.MILLISECONDS.toNanos(200))
            // The driver compares with the timeout in this interval, which is a second otherwise.
            .timerIntervalNs(TimeUnit.MILLISECONDS.toNanos(50));
        try (TestEngine engine = new TestEngine(
            new EngineContext().loops(1).roomType(EchoRoom.type()).driverContext(driver)))
        {
            try (RawTrunk raw = new RawTrunk(engine))
            {
                raw.open(TrunkMessages.CONTROL_STREAM_ID);
                raw.goodbye(TrunkCode.CLOSED_BY_PEER);
                for (int i = 0; i < 20; i++)
                {
                    raw.keepalive();
                }
                raw.await("the image", () -> images(driver) > 0);
            }
            // Bytes that nobody reads must not keep it.
            engine.await("the image to go", () -> 0 == images(driver));
        }
    }

    @Test
    void shouldNotLetSessionIdsOfResponsesBeGuessed()
    {
        final MediaDriver.Context driver = TestTrunk.driverContext();
        try (TestEngine engine = new TestEngine(
            new EngineContext().loops(1).roomType(EchoRoom.type()).driverContext(driver));
            RawTrunk first = RawTrunk.attached(engine, 0);
            RawTrunk second = RawTrunk.attached(engine, 0))
        {
            assertTrue(first.trunkId != second.trunkId);
            final List<Integer> ids = new ArrayList<>();
            driver.countersManager().forEach((id, typeId, key, label) ->
            {
                if (AeronCounters.DRIVER_SENDER_POSITION_TYPE_ID == typeId)
                {
                    ids.add(key.getInt(StreamCounter.SESSION_ID_OFFSET));
                }
            });
            // Streams of a feed are among them if the engine has one.
            assertTrue(ids.size() >= 4, () -> "session ids: " + ids);
            ids.sort(null);
            for (int i = 1; i < ids.size(); i++)
            {
                final long distance = (long)ids.get(i) - ids.get(i - 1);
                assertTrue(distance > 1_000, () -> "session ids of responses: " + ids);
            }
        }
    }

    private static int poll(final TestHost host, final List<TestTrunk> trunks)
    {
        return host.poll() + trunks.stream().mapToInt(TestTrunk::poll).sum();
    }

    private static int images(final MediaDriver.Context driver)
    {
        final int[] count = new int[1];
        driver.countersManager().forEach((id, typeId, key, label) ->
            count[0] += AeronCounters.DRIVER_RECEIVER_POS_TYPE_ID == typeId ? 1 : 0);
        return count[0];
    }
}
