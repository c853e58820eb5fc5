package io.escapement.driver.guard;

import io.aeron.ErrorCode;
import io.aeron.driver.DataPacketDispatcher;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ReceiveChannelEndpointSupplier;
import io.aeron.driver.SendChannelEndpointSupplier;
import io.aeron.driver.ThreadingMode;
import io.aeron.driver.media.ReceiveChannelEndpoint;
import io.aeron.driver.media.SendChannelEndpoint;
import io.aeron.driver.media.UdpChannel;
import io.aeron.exceptions.ControlProtocolException;
import java.net.InetAddress;
import java.nio.channels.DatagramChannel;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.agrona.collections.MutableLong;
import org.agrona.concurrent.status.AtomicCounter;
import org.agrona.concurrent.status.CountersReader;

/**
 * Supplies a media driver with guarded endpoints. An instance serves one driver.
 *
 * <p>Adding a publication with {@code control-mode=dynamic} fails. Such a publication sends to any address that asks.
 * No address can be pinned, and one packet of 36 bytes with a forged source redirects its whole stream to a victim.
 * Ignoring these packets instead would leave a publication that never connects, without an error.
 */
public final class GuardedEndpoints implements ReceiveChannelEndpointSupplier, SendChannelEndpointSupplier
{
    /**
     * MTU of a response publication or a feed of a guarded driver. The driver cuts each send into datagrams of the
     * driver's MTU, and takes that much of the stream at a time. Aeron requires at most an eighth of a term.
     */
    public static final int RESPONSE_MTU = 32 * 1_024;

    static final int DATAGRAM_LENGTH_TYPE_ID = 72_030;
    static final String DATAGRAM_LENGTH_LABEL = "escapement-guard: longest datagram of a response, in bytes";

    private final GuardLimits limits;
    private final ResponsePins responsePins;
    /** Datagrams sent by a thread that also receives. */
    private final MutableLong sent = new MutableLong();
    private final boolean isOffloaded;
    /** Null for any. */
    private final Predicate<InetAddress> sources;
    private GuardCounters counters;
    private OffloadCounters offloadCounters;

    private GuardedEndpoints(
        final GuardLimits limits,
        final long establishedNs,
        final boolean isOffloaded,
        final Predicate<InetAddress> sources)
    {
        this.limits = limits;
        this.isOffloaded = isOffloaded;
        this.sources = sources;
        responsePins = new ResponsePins(establishedNs);
    }

    /**
     * Install guards in the context of a driver.
     *
     * @param context of one driver that is not launched yet.
     * @param limits  for unauthenticated peers.
     */
    public static void install(final MediaDriver.Context context, final GuardLimits limits)
    {
        install(context, limits, false);
    }

    /**
     * Install guarded endpoints with sockets in memory, for a simulation.
     *
     * @param context of one driver that is not launched yet.
     * @param limits  of the guards.
     * @param sockets opens a socket.
     */
    public static void install(
        final MediaDriver.Context context, final GuardLimits limits, final Supplier<DatagramChannel> sockets)
    {
        SimulatedEndpoints.install(context, limits, sockets);
    }

    /**
     * Install guards in the context of a driver.
     *
     * @param context     of one driver that is not launched yet.
     * @param limits      for unauthenticated peers.
     * @param isOffloaded whether sockets use segmentation offload, where there is no {@link #offloadObstacle}.
     */
    public static void install(
        final MediaDriver.Context context, final GuardLimits limits, final boolean isOffloaded)
    {
        install(context, limits, ResponsePins.ESTABLISHED_NS, isOffloaded && offloadObstacle().isEmpty());
    }

    /**
     * Install guards in the context of a driver with known peers, without segmentation offload.
     *
     * @param context of one driver that is not launched yet.
     * @param limits  for those peers.
     * @param sources says of each datagram's address whether it may send here. Called by the receiver's thread.
     */
    public static void install(
        final MediaDriver.Context context, final GuardLimits limits, final Predicate<InetAddress> sources)
    {
        install(context, new GuardedEndpoints(limits, ResponsePins.ESTABLISHED_NS, false, sources));
    }

    /** Why this process cannot use the kernel's segmentation offload. Empty if it can. */
    public static Optional<String> offloadObstacle()
    {
        return Optional.ofNullable(SocketOffload.obstacle());
    }

    /**
     * The longest datagram into which a driver cuts the sends of its response publications. Another driver sends
     * datagrams as long as the MTU of the publication.
     *
     * @param counters of the driver.
     * @return bytes, or 0 if the driver does not cut.
     */
    public static int responseDatagramLength(final CountersReader counters)
    {
        final int[] length = {0};
        counters.forEach((counterId, typeId, keyBuffer, label) ->
            length[0] = DATAGRAM_LENGTH_TYPE_ID == typeId ? (int)counters.getCounterValue(counterId) : length[0]);
        return length[0];
    }

    /** With the time after which a host with a response is established. */
    static void install(final MediaDriver.Context context, final GuardLimits limits, final long establishedNs)
    {
        install(context, limits, establishedNs, offloadObstacle().isEmpty());
    }

    static void install(
        final MediaDriver.Context context,
        final GuardLimits limits,
        final long establishedNs,
        final boolean isOffloaded)
    {
        install(context, new GuardedEndpoints(limits, establishedNs, isOffloaded, null));
    }

    private static void install(final MediaDriver.Context context, final GuardedEndpoints guard)
    {
        context.receiveChannelEndpointSupplier(guard).sendChannelEndpointSupplier(guard);
    }

    /** Whether a context still has its guards. */
    public static boolean areInstalled(final MediaDriver.Context context)
    {
        return context.receiveChannelEndpointSupplier() instanceof GuardedEndpoints &&
            context.sendChannelEndpointSupplier() instanceof GuardedEndpoints;
    }

    @Override
    public ReceiveChannelEndpoint newInstance(
        final UdpChannel channel,
        final DataPacketDispatcher dispatcher,
        final AtomicCounter status,
        final MediaDriver.Context context)
    {
        return new GuardedReceiveEndpoint(
            channel, dispatcher, status, context, limits, sources, counters(context), responsePins, sent,
            offloadCounters(context));
    }

    @Override
    public SendChannelEndpoint newInstance(
        final UdpChannel channel, final AtomicCounter status, final MediaDriver.Context context)
    {
        if (channel.isDynamicControlMode())
        {
            counters(context).count(GuardCounter.DYNAMIC_REFUSED);
            throw new ControlProtocolException(ErrorCode.INVALID_CHANNEL,
                "the guard refuses control-mode=dynamic, use control-mode=manual and add destinations: " +
                channel.originalUriString());
        }
        return new GuardedSendEndpoint(channel, status, context, counters(context), responsePins,
            ThreadingMode.DEDICATED == context.threadingMode() ? new MutableLong() : sent, offloadCounters(context));
    }

    private OffloadCounters offloadCounters(final MediaDriver.Context context)
    {
        if (isOffloaded && null == offloadCounters)
        {
            offloadCounters = new OffloadCounters(context.countersManager());
        }
        return offloadCounters;
    }

    private GuardCounters counters(final MediaDriver.Context context)
    {
        // Lazy, because the driver creates its counters after this supplier. Only the conductor calls.
        if (null == counters)
        {
            counters = new GuardCounters(context);
        }
        return counters;
    }
}
