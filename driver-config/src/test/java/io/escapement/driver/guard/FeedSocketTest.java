package io.escapement.driver.guard;

import io.aeron.driver.MediaDriver;
import io.aeron.logbuffer.FrameDescriptor;
import io.aeron.protocol.DataHeaderFlyweight;
import io.aeron.protocol.SetupFlyweight;
import io.escapement.testsupport.Allocations;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.agrona.concurrent.CachedNanoClock;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.AtomicLongPosition;
import org.agrona.concurrent.status.CountersManager;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** Data of a feed that is offered to a socket which is full or refuses for some destinations. */
class FeedSocketTest
{
    private static final int TERM_LENGTH = 64 * 1_024;
    private static final int MTU = 1_408;
    private static final int STREAM_ID = 7;
    private static final int SESSION_ID = 11;

    private final CountersManager manager = new CountersManager(
        new UnsafeBuffer(ByteBuffer.allocateDirect(64 * 1_024)),
        new UnsafeBuffer(ByteBuffer.allocateDirect(16 * 1_024)));
    private final OffloadCounters offload = new OffloadCounters(manager);
    private final CachedNanoClock clock = new CachedNanoClock();
    private final FakeSocket socket = new FakeSocket();
    private final List<Destination> destinations = new ArrayList<>();
    private final Destination a = newDestination(1);
    private final Destination b = newDestination(2);
    private final Destination c = newDestination(3);
    private final FeedSocket feed = new FeedSocket(
        destinations, socket, new GuardCounters(new MediaDriver.Context().countersManager(manager)), clock);
    private final SegmentedSocket segmented = new SegmentedSocket(manager, offload, MTU, feed);
    private final AtomicLongPosition position = new AtomicLongPosition();
    private final AtomicLongPosition limit = new AtomicLongPosition();
    private final ByteBuffer term = ByteBuffer.allocateDirect(TERM_LENGTH);
    private int tail;

    @BeforeEach
    void add()
    {
        limit.setRelease(TERM_LENGTH);
        segmented.add(STREAM_ID, SESSION_ID, new SegmentedSends(position, limit, MTU));
        setUp();
        socket.sentByPortMap.clear();
        prove(a, b, c);
    }

    @Test
    void shouldSendARunToEachProvenDestination()
    {
        commit(3, MTU);
        clock.update(Destination.PROVEN_NS - 1);
        prove(a, c);
        clock.update(Destination.PROVEN_NS);
        assertEquals(tail, offer());
        assertEquals(Map.of(1, List.of("0+4224 by 1408"), 3, List.of("0+4224 by 1408")), socket.sentByPortMap);
        assertEquals(1, count(OffloadCounter.RUNS_SENT));
    }

    @Test
    void shouldCountWhatADestinationMisses()
    {
        socket.full.add(2);
        commit(1, 64);
        assertEquals(tail, offer());
        assertEquals(List.of("0+64"), socket.sentByPortMap.get(1));
        assertEquals(List.of("0+64"), socket.sentByPortMap.get(3));
        assertMissed(0, 1, 0);
        commit(3, MTU);
        assertEquals(3 * MTU, offer());
        assertEquals(List.of("0+64", "64+4224 by 1408"), socket.sentByPortMap.get(1));
        assertMissed(0, 4, 0);
        socket.full.remove(2);
        socket.unreachable.add(3);
        commit(1, 64);
        assertEquals(64, offer());
        assertEquals(List.of("4288+64"), socket.sentByPortMap.get(2));
        assertMissed(0, 4, 1);
    }

    @Test
    void shouldSayThatAllIsSentIfNothingIs()
    {
        socket.full.addAll(Set.of(1, 2, 3));
        commit(3, MTU);
        commit(1, 64);
        assertEquals(tail, offer());
        assertMissed(4, 4, 4);
        clock.update(Destination.PROVEN_NS);
        commit(3, MTU);
        assertEquals(3 * MTU, offer());
        assertMissed(4, 4, 4);
    }

    @Test
    void shouldNotBeginWithTheSameDestinationEachTime()
    {
        commit(1, 64);
        position.setRelease(64);
        for (int i = 0; i < 3; i++)
        {
            segmented.send(slice(0, 64), null);
        }
        assertEquals(3, Set.of(socket.order.get(0), socket.order.get(3), socket.order.get(6)).size());
    }

    @Test
    void shouldGoOnPlainlyWhenRunsAreRefusedForAll()
    {
        socket.refusing.addAll(Set.of(1, 2, 3));
        commit(3, MTU);
        assertEquals(tail, offer());
        final List<String> plain = List.of("0+1408", "1408+1408", "2816+1408");
        assertEquals(Map.of(1, plain, 2, plain, 3, plain), socket.sentByPortMap);
        assertMissed(0, 0, 0);
        assertEquals(1, count(OffloadCounter.RUNS_REFUSED));
    }

    @Test
    void shouldSendDatagramsToTheDestinationThatRefusesRuns()
    {
        socket.refusing.add(2);
        commit(2, MTU);
        commit(1, 64);
        assertEquals(tail, offer());
        assertEquals(List.of("0+2880 by 1408"), socket.sentByPortMap.get(1));
        assertEquals(List.of("0+1408", "1408+1408", "2816+64"), socket.sentByPortMap.get(2));
        assertEquals(List.of("0+2880 by 1408"), socket.sentByPortMap.get(3));
        commit(2, MTU);
        assertEquals(2 * MTU, offer());
        assertEquals(List.of("0+2880 by 1408", "2880+2816 by 1408"), socket.sentByPortMap.get(3));
        assertMissed(0, 0, 0);
        assertEquals(0, count(OffloadCounter.RUNS_REFUSED));
    }

    @Test
    void shouldKeepOffloadWhenAllAreUnreachable()
    {
        socket.unreachable.addAll(Set.of(1, 2, 3));
        commit(3, MTU);
        assertEquals(tail, offer());
        assertEquals(Map.of(), socket.sentByPortMap);
        assertMissed(3, 3, 3);
        socket.unreachable.clear();
        commit(3, MTU);
        assertEquals(3 * MTU, offer());
        assertEquals(List.of("4224+4224 by 1408"), socket.sentByPortMap.get(1));
        assertEquals(0, count(OffloadCounter.RUNS_REFUSED));
    }

    @Test
    void shouldSendNothingToADestinationThatIsRemoved()
    {
        commit(1, 64);
        offer();
        destinations.remove(b);
        commit(1, 64);
        offer();
        assertEquals(List.of("0+64"), socket.sentByPortMap.get(2));
        assertEquals(List.of("0+64", "64+64"), socket.sentByPortMap.get(3));
        destinations.clear();
        commit(1, 64);
        assertEquals(64, offer());
    }

    @Test
    void shouldSendSetupsPastAnAddressThatCannotBeSentTo()
    {
        destinations.add(0, new Destination("gone:1", InetSocketAddress.createUnresolved("gone", 1), 0));
        final Destination d = newDestination(4);
        clock.update(FeedSocket.SETUP_INTERVAL_NS);
        setUp();
        assertEquals(Map.of(d.address().getPort(), List.of("0+40")), socket.sentByPortMap);
        assertEquals(1, destinations.get(0).missed());
    }

    @Test
    void shouldNotAllocate()
    {
        commit(10, MTU);
        socket.isRecording = false;
        socket.full.add(2);
        assertEquals(0, Allocations.least(8, () ->
        {
            for (int i = 0; i < 20_000; i++)
            {
                segmented.send(slice(i % 2 * MTU, MTU), null);
            }
        }));
    }

    private Destination newDestination(final int port)
    {
        final Destination destination =
            new Destination("127.0.0.1:" + port, new InetSocketAddress("127.0.0.1", port), port);
        destinations.add(destination);
        return destination;
    }

    private void prove(final Destination... proven)
    {
        for (final Destination destination : proven)
        {
            feed.onProof(destination.address());
        }
    }

    private void assertMissed(final long ofA, final long ofB, final long ofC)
    {
        assertEquals(List.of(ofA, ofB, ofC), List.of(a.missed(), b.missed(), c.missed()));
        assertEquals(ofA + ofB + ofC, manager.getCounterValue(
            manager.findByTypeIdAndRegistrationId(GuardCounter.FEED_MISSED.typeId(), 0)));
    }

    private int count(final OffloadCounter counter)
    {
        return (int)manager.getCounterValue(manager.findByTypeIdAndRegistrationId(counter.typeId(), 0));
    }

    private void setUp()
    {
        final ByteBuffer buffer = ByteBuffer.allocateDirect(SetupFlyweight.HEADER_LENGTH);
        new SetupFlyweight(buffer).mtuLength(GuardedEndpoints.RESPONSE_MTU).sessionId(SESSION_ID).streamId(STREAM_ID)
            .frameLength(SetupFlyweight.HEADER_LENGTH).headerType(SetupFlyweight.HDR_TYPE_SETUP);
        assertEquals(SetupFlyweight.HEADER_LENGTH, segmented.send(buffer, null));
    }

    /** Offer what is committed and not sent, and advance the sender if all of it is. */
    private int offer()
    {
        final int begin = (int)position.get();
        final int sent = segmented.send(slice(begin, tail - begin), null);
        if (sent == tail - begin)
        {
            position.setRelease(tail);
        }
        return sent;
    }

    private ByteBuffer slice(final int offset, final int length)
    {
        return term.limit(offset + length).position(offset);
    }

    private void commit(final int count, final int frameLength)
    {
        final UnsafeBuffer frames = new UnsafeBuffer(term);
        for (int i = 0; i < count; i++)
        {
            new DataHeaderFlyweight(new UnsafeBuffer(frames, tail, frameLength)).sessionId(SESSION_ID)
                .streamId(STREAM_ID).headerType(DataHeaderFlyweight.HDR_TYPE_DATA);
            FrameDescriptor.frameLengthOrdered(frames, tail, frameLength);
            tail += frameLength;
        }
    }

    private static final class FakeSocket implements SegmentedSocket.Socket
    {
        private static final IOException ERROR = new IOException("Input/output error");

        final Map<Integer, List<String>> sentByPortMap = new HashMap<>();
        final List<Integer> order = new ArrayList<>();
        final Set<Integer> full = new HashSet<>();
        final Set<Integer> refusing = new HashSet<>();
        final Set<Integer> unreachable = new HashSet<>();
        boolean isRecording = true;
        private int segmentLength;

        @Override
        public int send(final ByteBuffer buffer, final InetSocketAddress to)
        {
            throw new IllegalStateException("logs errors");
        }

        @Override
        public int sendRun(final ByteBuffer buffer, final InetSocketAddress to) throws IOException
        {
            if (to.isUnresolved())
            {
                throw new IllegalArgumentException("unresolved");
            }
            final int begin = buffer.position();
            final int length = buffer.remaining();
            final boolean isRun = segmentLength > 0 && length > segmentLength;
            if (unreachable.contains(to.getPort()) || (isRun && refusing.contains(to.getPort())))
            {
                throw ERROR;
            }
            if (full.contains(to.getPort()))
            {
                return 0;
            }
            buffer.position(buffer.limit());
            if (isRecording)
            {
                order.add(to.getPort());
                sentByPortMap.computeIfAbsent(to.getPort(), (port) -> new ArrayList<>())
                    .add(begin + "+" + length + (isRun ? " by " + segmentLength : ""));
            }
            return length;
        }

        @Override
        public boolean segment(final int length)
        {
            segmentLength = length;
            return true;
        }
    }
}
