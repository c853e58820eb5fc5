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
import org.agrona.collections.MutableLong;
import org.agrona.concurrent.status.AtomicCounter;

/**
 * Puts guards between the network and a media driver. What it makes, and the counters, belong to one driver.
 *
 * <p>A publication with {@code control-mode=dynamic} is refused to the program that adds it: its point is to send to
 * whoever asks, so there is no address to pin, and one packet of 36 bytes with a forged source turns all of its stream
 * on a stranger. To leave such packets unanswered would leave a publication that never connects and does not say why.
 */
public final class GuardedEndpoints implements ReceiveChannelEndpointSupplier, SendChannelEndpointSupplier
{
    private final GuardLimits limits;
    private final ResponsePins responsePins = new ResponsePins();
    /** Datagrams that were sent by the thread that receives as well. */
    private final MutableLong sent = new MutableLong();
    private GuardCounters counters;

    private GuardedEndpoints(final GuardLimits limits)
    {
        this.limits = limits;
    }

    /**
     * Have a driver make guarded endpoints.
     *
     * @param context of a driver that is not launched yet; used for one driver only.
     * @param limits  of what strangers may ask.
     */
    public static void install(final MediaDriver.Context context, final GuardLimits limits)
    {
        final GuardedEndpoints guard = new GuardedEndpoints(limits);
        context.receiveChannelEndpointSupplier(guard).sendChannelEndpointSupplier(guard);
    }

    /**
     * Whether a driver will make guarded endpoints.
     *
     * @param context of the driver.
     * @return true if guards were installed and nothing replaced them.
     */
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
            channel, dispatcher, status, context, limits, counters(context), responsePins, sent);
    }

    @Override
    public SendChannelEndpoint newInstance(
        final UdpChannel channel, final AtomicCounter status, final MediaDriver.Context context)
    {
        if (channel.isDynamicControlMode())
        {
            counters(context).count(GuardCounter.DYNAMIC_REFUSED);
            throw new ControlProtocolException(ErrorCode.INVALID_CHANNEL,
                "this driver's guard refuses control-mode=dynamic, add destinations to control-mode=manual: " +
                channel.originalUriString());
        }
        return new GuardedSendEndpoint(channel, status, context, counters(context), responsePins,
            ThreadingMode.DEDICATED == context.threadingMode() ? new MutableLong() : sent);
    }

    private GuardCounters counters(final MediaDriver.Context context)
    {
        // Called by the conductor alone, and only once the driver has counters.
        if (null == counters)
        {
            counters = new GuardCounters(context.countersManager());
        }
        return counters;
    }
}
