package io.escapement.driver.guard;

import io.aeron.logbuffer.FrameDescriptor;
import io.aeron.protocol.DataHeaderFlyweight;
import io.aeron.protocol.SetupFlyweight;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.AtomicLongPosition;
import org.agrona.concurrent.status.CountersManager;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** A publication that is offered to a socket datagram by datagram, as Aeron's sender does. */
class SegmentedSocketTest
{
    private static final int TERM_LENGTH = 64 * 1_024;
    private static final int MTU = 1_408;
    private static final int STREAM_ID = 7;
    private static final int SESSION_ID = 11;
    private static final int LARGE_SESSION_ID = 12;

    private final CountersManager counters = new CountersManager(
        new UnsafeBuffer(ByteBuffer.allocateDirect(64 * 1_024)),
        new UnsafeBuffer(ByteBuffer.allocateDirect(16 * 1_024)));
    private final OffloadCounters offload = new OffloadCounters(counters);
    private final AtomicLongPosition position = new AtomicLongPosition();
    private final AtomicLongPosition limit = new AtomicLongPosition();
    private final FakeSocket socket = new FakeSocket();
    private final SegmentedSocket segmented = new SegmentedSocket(counters, offload, MTU, socket);
    private final ByteBuffer term = ByteBuffer.allocateDirect(TERM_LENGTH);
    private int tail;

    @BeforeEach
    void add()
    {
        limit.setRelease(TERM_LENGTH);
        segmented.add(STREAM_ID, SESSION_ID, new SegmentedSends(position, limit, Integer.MAX_VALUE));
        setUp(SESSION_ID, MTU);
    }

    @Test
    void shouldSendARunOnceAndAnswerForTheRest()
    {
        commit(SESSION_ID, 5, MTU);
        for (int i = 0; i < 5; i++)
        {
            assertEquals(MTU, offer(MTU));
        }
        assertEquals(List.of("segment 1408", "run 0+7040"), socket.calls);
        assertCounted(1, 5, 0);
        commit(SESSION_ID, 1, MTU);
        assertEquals(MTU, offer(MTU));
        assertEquals(List.of("segment 1408", "run 0+7040", "one 7040+1408"), socket.calls);
    }

    @Test
    void shouldSendOnlyTheRestOfADatagramThatHasGrown()
    {
        commit(SESSION_ID, 2, MTU);
        commit(SESSION_ID, 1, 512);
        assertEquals(MTU, offer(MTU));
        assertEquals(MTU, offer(MTU));
        commit(SESSION_ID, 1, 256);
        assertEquals(768, offer(768));
        assertEquals(List.of("segment 1408", "run 0+3328", "one 3328+256"), socket.calls);
    }

    @Test
    void shouldRepeatWhatTheSocketDidNotTake()
    {
        commit(SESSION_ID, 3, MTU);
        socket.isFull = true;
        assertEquals(0, offer(MTU));
        assertEquals(0, position.get());
        socket.isFull = false;
        assertEquals(MTU, offer(MTU));
        assertEquals(MTU, offer(MTU));
        assertEquals(MTU, offer(MTU));
        assertEquals(List.of("segment 1408", "run 0+4224", "run 0+4224"), socket.calls);
    }

    @Test
    void shouldSendRetransmitsPlainly()
    {
        commit(SESSION_ID, 4, MTU);
        for (int i = 0; i < 4; i++)
        {
            offer(MTU);
        }
        socket.calls.clear();
        assertEquals(MTU, segmented.send(slice(MTU, MTU), null));
        assertEquals(List.of("one 1408+1408"), socket.calls);
    }

    @Test
    void shouldGoOnPlainlyWhenRunsAreRefused()
    {
        commit(SESSION_ID, 3, MTU);
        socket.isRunRefused = true;
        assertEquals(MTU, offer(MTU));
        assertEquals(MTU, offer(MTU));
        assertEquals(List.of("segment 1408", "run 0+4224", "segment 0", "one 0+1408", "one 1408+1408"), socket.calls);
        assertCounted(0, 0, 1);
    }

    @Test
    void shouldKeepOffloadWhenTheReceiverIsUnreachable()
    {
        commit(SESSION_ID, 3, MTU);
        socket.isRunRefused = true;
        socket.isFull = true;
        assertEquals(0, offer(MTU));
        socket.isRunRefused = false;
        socket.isFull = false;
        assertEquals(MTU, offer(MTU));
        assertEquals("run 0+4224", socket.calls.get(socket.calls.size() - 1));
        assertCounted(1, 3, 0);
    }

    @Test
    void shouldGoOnPlainlyWhenTheSegmentLengthIsRefused()
    {
        commit(SESSION_ID, 2, MTU);
        socket.isSegmentRefused = true;
        assertEquals(MTU, offer(MTU));
        assertEquals(MTU, offer(MTU));
        assertEquals(List.of("segment 1408", "one 0+1408", "one 1408+1408"), socket.calls);
        assertCounted(0, 0, 1);
    }

    @Test
    void shouldNotCutTheLongerDatagramOfAnotherPublication()
    {
        commit(SESSION_ID, 2, MTU);
        offer(MTU);
        offer(MTU);
        final AtomicLongPosition other = new AtomicLongPosition();
        segmented.add(STREAM_ID, LARGE_SESSION_ID, new SegmentedSends(other, limit, Integer.MAX_VALUE));
        setUp(LARGE_SESSION_ID, 8_192);
        other.setRelease(tail);
        final int begin = tail;
        commit(LARGE_SESSION_ID, 1, 8_192);
        assertEquals(8_192, segmented.send(slice(begin, 8_192), null));
        assertEquals(List.of("segment 0", "one 2816+8192"), socket.calls);
    }

    @Test
    void shouldCutASliceAndSendItsRuns()
    {
        large(segmented);
        commit(LARGE_SESSION_ID, 2, MTU);
        commit(LARGE_SESSION_ID, 3, 736);
        commit(LARGE_SESSION_ID, 2, MTU);
        assertEquals(tail, offer(tail));
        assertEquals(List.of("segment 1408", "run 0+3552", "segment 736", "run 3552+1472", "segment 1408",
            "run 5024+2816"), socket.calls);
        assertCounted(3, 7, 0);
    }

    @Test
    void shouldContinueInsideASliceThatTheSocketDidNotTakeWhole()
    {
        large(segmented);
        commit(LARGE_SESSION_ID, 1, 736);
        commit(LARGE_SESSION_ID, 1, 800);
        commit(LARGE_SESSION_ID, 2, MTU);
        socket.fullAt = 2;
        assertEquals(0, offer(tail));
        assertEquals(List.of("one 0+736", "one 736+800"), socket.calls);
        socket.fullAt = 0;
        socket.calls.clear();
        assertEquals(tail, offer(tail));
        assertEquals(List.of("one 736+800", "segment 1408", "run 1536+2816"), socket.calls);
    }

    @Test
    void shouldCutRetransmitsWithoutRuns()
    {
        large(segmented);
        commit(LARGE_SESSION_ID, 3, MTU);
        offer(tail);
        socket.calls.clear();
        assertEquals(tail, segmented.send(slice(0, tail), null));
        assertEquals(List.of("one 0+1408", "one 1408+1408", "one 2816+1408"), socket.calls);
    }

    @Test
    void shouldCutWithoutOffload()
    {
        final SegmentedSocket plain = new SegmentedSocket(counters, null, MTU, socket);
        large(plain);
        commit(LARGE_SESSION_ID, 2, MTU);
        commit(LARGE_SESSION_ID, 1, 64);
        assertEquals(tail, plain.send(slice(0, tail), null));
        assertEquals(List.of("one 0+1408", "one 1408+1408", "one 2816+64"), socket.calls);
    }

    @Test
    void shouldSendTheRestOfASlicePlainlyWhenRunsAreRefused()
    {
        large(segmented);
        commit(LARGE_SESSION_ID, 3, MTU);
        socket.isRunRefused = true;
        assertEquals(tail, offer(tail));
        assertEquals(List.of("segment 1408", "run 0+4224", "segment 0", "one 0+1408", "one 1408+1408",
            "one 2816+1408"), socket.calls);
        assertCounted(0, 0, 1);
    }

    @Test
    void shouldSendToTheAddressOfAResponse()
    {
        commit(SESSION_ID, 2, MTU);
        socket.address = new InetSocketAddress("127.0.0.1", 9);
        assertEquals(MTU, segmented.send(slice(0, MTU), socket.address));
        assertEquals(List.of("segment 1408", "run 0+2816"), socket.calls);
    }

    /** A publication with an MTU of 32 KiB, whose slices are cut. */
    private void large(final SegmentedSocket cutting)
    {
        cutting.add(STREAM_ID, LARGE_SESSION_ID, new SegmentedSends(position, limit, MTU));
        setUp(cutting, LARGE_SESSION_ID, GuardedEndpoints.RESPONSE_MTU);
    }

    private void assertCounted(final int runs, final int datagrams, final int refused)
    {
        assertEquals(List.of(runs, datagrams, refused), List.of(count(OffloadCounter.RUNS_SENT),
            count(OffloadCounter.DATAGRAMS_IN_RUNS), count(OffloadCounter.RUNS_REFUSED)));
    }

    private int count(final OffloadCounter counter)
    {
        return (int)counters.getCounterValue(counters.findByTypeIdAndRegistrationId(counter.typeId(), 0));
    }

    private void setUp(final int sessionId, final int mtuLength)
    {
        setUp(segmented, sessionId, mtuLength);
    }

    private void setUp(final SegmentedSocket cutting, final int sessionId, final int mtuLength)
    {
        final ByteBuffer buffer = ByteBuffer.allocateDirect(SetupFlyweight.HEADER_LENGTH);
        new SetupFlyweight(buffer).mtuLength(mtuLength).sessionId(sessionId).streamId(STREAM_ID)
            .frameLength(SetupFlyweight.HEADER_LENGTH).headerType(SetupFlyweight.HDR_TYPE_SETUP);
        cutting.send(buffer, null);
        socket.calls.clear();
    }

    /** Offer the next datagram, and advance the sender as far as it was sent. */
    private int offer(final int length)
    {
        final int sent = segmented.send(slice((int)position.get(), length), null);
        if (sent == length)
        {
            position.setRelease(position.get() + length);
        }
        return sent;
    }

    private ByteBuffer slice(final int offset, final int length)
    {
        return term.limit(offset + length).position(offset);
    }

    private void commit(final int sessionId, final int count, final int frameLength)
    {
        final UnsafeBuffer frames = new UnsafeBuffer(term);
        for (int i = 0; i < count; i++)
        {
            new DataHeaderFlyweight(new UnsafeBuffer(frames, tail, frameLength)).sessionId(sessionId)
                .streamId(STREAM_ID).headerType(DataHeaderFlyweight.HDR_TYPE_DATA);
            FrameDescriptor.frameLengthOrdered(frames, tail, frameLength);
            tail += frameLength;
        }
    }

    private static final class FakeSocket implements SegmentedSocket.Socket
    {
        final List<String> calls = new ArrayList<>();
        InetSocketAddress address;
        boolean isFull;
        /** The call that finds the socket full, counted from 1. */
        int fullAt;
        boolean isRunRefused;
        boolean isSegmentRefused;

        @Override
        public int send(final ByteBuffer buffer, final InetSocketAddress to)
        {
            assertEquals(address, to);
            calls.add("one " + buffer.position() + "+" + buffer.remaining());
            return isFull || fullAt == calls.size() ? 0 : buffer.remaining();
        }

        @Override
        public int sendRun(final ByteBuffer buffer, final InetSocketAddress to) throws IOException
        {
            assertEquals(address, to);
            calls.add("run " + buffer.position() + "+" + buffer.remaining());
            if (isRunRefused)
            {
                throw new IOException("Input/output error");
            }
            return isFull ? 0 : buffer.remaining();
        }

        @Override
        public boolean segment(final int length)
        {
            calls.add("segment " + length);
            return !isSegmentRefused;
        }
    }
}
