package io.escapement.engine.internal.edge;

import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.aeron.Image;
import io.aeron.Subscription;
import io.aeron.exceptions.RegistrationException;
import io.aeron.logbuffer.ControlledFragmentHandler;
import io.aeron.logbuffer.FragmentHandler;
import io.escapement.codecs.TrunkMessages;
import io.escapement.config.ConfigException;
import io.escapement.driver.guard.GuardedEndpoints;
import io.escapement.engine.internal.loop.BatchSender;
import io.escapement.engine.internal.loop.LinkPublication;
import io.escapement.engine.internal.queue.ByteFifo;
import io.escapement.engine.trunks.TrunkServerContext;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import org.agrona.CloseHelper;
import org.agrona.concurrent.AgentInvoker;

/** The transport over an Aeron client in invoker mode. Single-threaded. */
final class AeronTransport implements EdgeTransport
{
    private static final String IPC_SOURCE = "ipc";
    private static final int SKIPPED_FRAGMENTS = 1_024;
    private static final FragmentHandler SKIPPED = (buffer, offset, length, header) -> { };

    private final Aeron aeron;
    private final AgentInvoker conductor;
    private final TrunkChannels channels;
    private final SecureRandom random;
    private final ArrayList<Subscription> subscriptions = new ArrayList<>();
    private final Map<Image, AeronImage> edgeImageByImageMap = new HashMap<>();
    private final ArrayList<Gone> gone = new ArrayList<>();

    AeronTransport(final Aeron aeron, final EdgeContext context)
    {
        this.aeron = aeron;
        random = context.random();
        channels = new TrunkChannels(context.trunks());
        conductor = aeron.conductorAgentInvoker();
    }

    @Override
    public void subscribe(final int streamId, final ImageListener listener)
    {
        for (final TrunkServerContext.Port port : channels.ports())
        {
            try
            {
                subscriptions.add(aeron.addSubscription(
                    channels.ingressChannel(port),
                    streamId,
                    (image) -> onImage(image, port, listener),
                    (image) -> onImageGone(image, listener)));
            }
            catch (final RegistrationException ex)
            {
                // It was free when the options were checked.
                throw new ConfigException("trunks.udp.ingress", port.ingress(),
                    "name a free port (" + ex.getMessage() + ")", ex);
            }
        }
    }

    @Override
    public FeedPublication addFeed(final boolean isShared, final int streamId, final int sessionId)
    {
        final int datagramLength = isShared ? 0 : GuardedEndpoints.responseDatagramLength(aeron.countersReader());
        return new AeronResponse(aeron, datagramLength, aeron.asyncAddExclusivePublication(channels.feedChannel(
            isShared, sessionId, 0 == datagramLength ? 0 : GuardedEndpoints.RESPONSE_MTU), streamId));
    }

    @Override
    public int invoke()
    {
        return conductor.invoke() + reportGone();
    }

    @Override
    public boolean isClosed()
    {
        return conductor.isClosed();
    }

    @Override
    public void close()
    {
        CloseHelper.quietCloseAll(subscriptions);
        reportGone();
    }

    /** In its callbacks Aeron closes no publication, and a stream closes its own. */
    private int reportGone()
    {
        final int count = gone.size();
        for (int i = 0; i < count; i++)
        {
            gone.get(i).listener.onImageGone(gone.get(i).image);
        }
        gone.clear();
        return count;
    }

    private void onImage(final Image image, final TrunkServerContext.Port port, final ImageListener listener)
    {
        final AeronImage edgeImage = new AeronImage(aeron, channels, random, port, image);
        edgeImageByImageMap.put(image, edgeImage);
        listener.onImage(edgeImage);
    }

    private void onImageGone(final Image image, final ImageListener listener)
    {
        final AeronImage edgeImage = edgeImageByImageMap.remove(image);
        if (null != edgeImage)
        {
            gone.add(new Gone(edgeImage, listener));
        }
    }

    private record Gone(AeronImage image, ImageListener listener)
    {
    }

    private record AeronImage(
        Aeron aeron, TrunkChannels channels, SecureRandom random, TrunkServerContext.Port port, Image image)
        implements EdgeImage
    {
        @Override
        public int poll(final FragmentHandler handler, final int fragmentLimit)
        {
            return image.poll(handler, fragmentLimit);
        }

        @Override
        public int controlledPoll(final ControlledFragmentHandler handler, final int fragmentLimit)
        {
            return image.controlledPoll(handler, fragmentLimit);
        }

        @Override
        public String source()
        {
            final String identity = image.sourceIdentity();
            final int port = identity.lastIndexOf(':');
            return TrunkChannels.IPC == this.port || port < 0 ? IPC_SOURCE : identity.substring(0, port);
        }

        @Override
        public boolean isShared()
        {
            return TrunkChannels.IPC == port;
        }

        @Override
        public long position()
        {
            return image.position();
        }

        @Override
        public void skip()
        {
            if (TrunkChannels.IPC == port)
            {
                // The driver clears shared memory up to the position. The position must not pass the sender's.
                image.poll(SKIPPED, SKIPPED_FRAGMENTS);
            }
            else
            {
                final long position = image.position();
                image.position(position - (position & (image.termBufferLength() - 1)) + image.termBufferLength());
            }
        }

        @Override
        public StreamPublication addResponse(final int streamId)
        {
            if (TrunkChannels.IPC == port)
            {
                return addResponse(TrunkMessages.IPC_RESPONSE_STREAMS + streamId, 0, 0);
            }
            final int datagramLength =
                channels.areResponsesCut() ? GuardedEndpoints.responseDatagramLength(aeron.countersReader()) : 0;
            return addResponse(streamId, 0 == datagramLength ? 0 : GuardedEndpoints.RESPONSE_MTU, datagramLength);
        }

        private StreamPublication addResponse(final int streamId, final int mtuLength, final int datagramLength)
        {
            return new AeronResponse(aeron, datagramLength, aeron.asyncAddExclusivePublication(
                channels.responseChannel(image.correlationId(), port, random.nextInt(), mtuLength), streamId));
        }
    }

    private static final class AeronResponse implements FeedPublication
    {
        private final Aeron aeron;
        private final int datagramLength;
        private final long registrationId;
        private State state = State.PENDING;
        private String refusal;
        private ExclusivePublication publication;
        private LinkPublication link;

        /** With the length of datagrams into which the driver cuts, or 0 if it does not cut. */
        AeronResponse(final Aeron aeron, final int datagramLength, final long registrationId)
        {
            this.aeron = aeron;
            this.datagramLength = datagramLength;
            this.registrationId = registrationId;
        }

        @Override
        public State poll()
        {
            if (State.PENDING == state)
            {
                try
                {
                    publication = aeron.getExclusivePublication(registrationId);
                    if (null != publication)
                    {
                        link = LinkPublication.of(publication, datagramLength);
                        state = State.READY;
                    }
                }
                catch (final RegistrationException ex)
                {
                    refusal = ex.getMessage();
                    state = State.CLOSED;
                }
            }
            return state;
        }

        @Override
        public boolean isConnected()
        {
            return null != publication && publication.isConnected();
        }

        @Override
        public int trySend(final ByteFifo queue)
        {
            return null == publication ? BatchSender.BLOCKED : BatchSender.trySend(link, queue);
        }

        @Override
        public LinkPublication handOver()
        {
            return link;
        }

        @Override
        public long addDestination(final String host, final int port)
        {
            return publication.asyncAddDestination("aeron:udp?endpoint=" + host + ":" + port);
        }

        @Override
        public String refusal()
        {
            return refusal;
        }

        @Override
        public void removeDestination(final long destinationId)
        {
            if (null != publication && !publication.isClosed())
            {
                publication.asyncRemoveDestination(destinationId);
            }
        }

        @Override
        public void close()
        {
            if (State.PENDING == state)
            {
                aeron.asyncRemovePublication(registrationId);
            }
            CloseHelper.quietClose(publication);
            publication = null;
            state = State.CLOSED;
        }
    }
}
