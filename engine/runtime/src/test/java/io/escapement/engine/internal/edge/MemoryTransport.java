package io.escapement.engine.internal.edge;

import io.aeron.logbuffer.ControlledFragmentHandler;
import io.aeron.logbuffer.FragmentHandler;
import io.aeron.logbuffer.FrameDescriptor;
import io.aeron.logbuffer.Header;
import io.aeron.protocol.DataHeaderFlyweight;
import io.escapement.engine.internal.loop.BatchSender;
import io.escapement.engine.internal.loop.LinkPublication;
import io.escapement.engine.internal.queue.ByteFifo;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.agrona.concurrent.UnsafeBuffer;

/** A transport in memory: what a test does to it takes effect at the edge's next invoke, as with a driver. */
final class MemoryTransport implements EdgeTransport
{
    private static final int FRAGMENT_LENGTH = 16 * 1_024;

    /** Every response publication that the edge asked for. */
    final List<MemoryResponse> responses = new ArrayList<>();
    /** Responses asked for from now on are not made until {@link #make}. */
    boolean isHoldingResponses;
    boolean isClosed;
    /** Every feed that the edge asked for. */
    final List<MemoryFeed> feeds = new ArrayList<>();
    private final List<MemoryImage> images = new ArrayList<>();
    private final Map<Integer, ImageListener> listenerByStreamMap = new HashMap<>();
    private final ArrayDeque<Runnable> events = new ArrayDeque<>();

    MemoryImage connect(final int streamId)
    {
        final MemoryImage image = new MemoryImage(streamId);
        images.add(image);
        events.add(() -> listenerByStreamMap.get(streamId).onImage(image));
        return image;
    }

    /** The images of a stream. */
    List<MemoryImage> streams(final int streamId)
    {
        return images.stream().filter((image) -> streamId == image.streamId).toList();
    }

    void disconnect(final MemoryImage image)
    {
        events.add(() -> gone(image));
    }

    private void gone(final MemoryImage image)
    {
        images.remove(image);
        listenerByStreamMap.get(image.streamId).onImageGone(image);
    }

    void make(final MemoryResponse response)
    {
        events.add(() -> response.settle(StreamPublication.State.READY));
    }

    void refuse(final MemoryResponse response)
    {
        events.add(() -> response.settle(StreamPublication.State.CLOSED));
    }

    /** Publications that the edge has not closed. */
    long open()
    {
        return responses.stream().filter((response) -> StreamPublication.State.CLOSED != response.state).count();
    }

    @Override
    public void subscribe(final int streamId, final ImageListener listener)
    {
        listenerByStreamMap.put(streamId, listener);
    }

    @Override
    public FeedPublication addFeed(final boolean isShared, final int streamId, final int sessionId)
    {
        final MemoryFeed feed = new MemoryFeed(isShared, streamId, sessionId);
        feeds.add(feed);
        if (!isHoldingResponses)
        {
            make(feed);
        }
        return feed;
    }

    @Override
    public int invoke()
    {
        int work = 0;
        for (Runnable event = events.poll(); null != event; event = events.poll())
        {
            event.run();
            work++;
        }
        return work;
    }

    @Override
    public boolean isClosed()
    {
        return isClosed;
    }

    @Override
    public void close()
    {
        isClosed = true;
        List.copyOf(images).forEach(this::gone);
    }

    /** A client's stream to the edge. */
    final class MemoryImage implements EdgeImage
    {
        final int streamId;
        /** The response to this stream, once the edge has asked for it. */
        MemoryResponse response;
        /** Fragments that were delivered, aborted ones included. */
        int deliveries;
        /** A host for each image, unless a test sets it. */
        String source = "host " + System.identityHashCode(this);
        boolean isShared;
        int skips;
        private final ArrayDeque<byte[]> fragments = new ArrayDeque<>();
        private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[FRAGMENT_LENGTH]);
        private final Header header = new Header(0, 16);

        MemoryImage(final int streamId)
        {
            this.streamId = streamId;
        }

        void send(final byte[] fragment)
        {
            send(fragment, FrameDescriptor.UNFRAGMENTED);
        }

        void send(final byte[] fragment, final byte flags)
        {
            final byte[] framed = new byte[DataHeaderFlyweight.HEADER_LENGTH + fragment.length];
            framed[FrameDescriptor.FLAGS_OFFSET] = flags;
            System.arraycopy(fragment, 0, framed, DataHeaderFlyweight.HEADER_LENGTH, fragment.length);
            fragments.add(framed);
        }

        int unread()
        {
            return fragments.size();
        }

        @Override
        public int poll(final FragmentHandler handler, final int fragmentLimit)
        {
            return controlledPoll((content, offset, length, fragment) ->
            {
                handler.onFragment(content, offset, length, fragment);
                return ControlledFragmentHandler.Action.CONTINUE;
            }, fragmentLimit);
        }

        @Override
        public int controlledPoll(final ControlledFragmentHandler handler, final int fragmentLimit)
        {
            int count = 0;
            while (count < fragmentLimit && !fragments.isEmpty())
            {
                final byte[] framed = fragments.peek();
                buffer.putBytes(0, framed);
                header.buffer(buffer).offset(0);
                deliveries++;
                final ControlledFragmentHandler.Action action = handler.onFragment(
                    buffer,
                    DataHeaderFlyweight.HEADER_LENGTH,
                    framed.length - DataHeaderFlyweight.HEADER_LENGTH,
                    header);
                if (ControlledFragmentHandler.Action.ABORT == action)
                {
                    break;
                }
                fragments.remove();
                count++;
            }
            return count;
        }

        @Override
        public String source()
        {
            return source;
        }

        @Override
        public boolean isShared()
        {
            return isShared;
        }

        @Override
        public long position()
        {
            return deliveries;
        }

        @Override
        public void skip()
        {
            skips++;
            fragments.clear();
        }

        @Override
        public StreamPublication addResponse(final int responseStreamId)
        {
            if (streamId != responseStreamId)
            {
                throw new AssertionError("a response to stream " + streamId + " on stream " + responseStreamId);
            }
            response = new MemoryResponse();
            responses.add(response);
            if (!isHoldingResponses)
            {
                make(response);
            }
            return response;
        }
    }

    /** A publication to a client. */
    static class MemoryResponse implements StreamPublication
    {
        boolean isConnected = true;
        /** Does not take what it is offered. */
        boolean isBlocked;
        State state = State.PENDING;
        /** A loop may write to it. */
        boolean isWithLoop;
        private final ArrayList<byte[]> messages = new ArrayList<>();

        /** The messages since the last call. */
        List<byte[]> take()
        {
            final List<byte[]> taken = List.copyOf(messages);
            messages.clear();
            return taken;
        }

        void settle(final State next)
        {
            state = State.PENDING == state ? next : state;
        }

        @Override
        public State poll()
        {
            return state;
        }

        @Override
        public boolean isConnected()
        {
            return State.READY == state && isConnected;
        }

        @Override
        public int trySend(final ByteFifo queue)
        {
            if (State.READY != state || !isConnected || isBlocked)
            {
                return BatchSender.BLOCKED;
            }
            while (!queue.isEmpty())
            {
                final int length = queue.headBuffer().getShort(queue.head(), ByteOrder.LITTLE_ENDIAN) & 0xFFFF;
                final byte[] message = new byte[length];
                queue.headBuffer().getBytes(queue.head() + Short.BYTES, message);
                queue.drop(Short.BYTES + length);
                messages.add(message);
            }
            return BatchSender.SENT;
        }

        @Override
        public LinkPublication handOver()
        {
            isWithLoop = true;
            return null;
        }

        @Override
        public void close()
        {
            if (isWithLoop)
            {
                throw new AssertionError("a loop may be writing to the publication");
            }
            state = State.CLOSED;
        }
    }

    /** The publication of a feed. */
    static final class MemoryFeed extends MemoryResponse implements FeedPublication
    {
        final boolean isShared;
        final int streamId;
        final int sessionId;
        /** host:port by id. */
        final Map<Long, String> destinationByIdMap = new HashMap<>();
        private long lastId;

        MemoryFeed(final boolean isShared, final int streamId, final int sessionId)
        {
            this.isShared = isShared;
            this.streamId = streamId;
            this.sessionId = sessionId;
        }

        @Override
        public LinkPublication handOver()
        {
            // The edge closes a feed once its trunks have ended, without a word to the loop.
            return null;
        }

        @Override
        public long addDestination(final String host, final int port)
        {
            destinationByIdMap.put(++lastId, host + ":" + port);
            return lastId;
        }

        @Override
        public String refusal()
        {
            return State.CLOSED == state ? "no space" : null;
        }

        @Override
        public void removeDestination(final long destinationId)
        {
            if (State.READY != state || null == destinationByIdMap.remove(destinationId))
            {
                throw new AssertionError("no destination " + destinationId + " of a feed that is " + state);
            }
        }
    }
}
