package io.escapement.server;

import io.aeron.Aeron;
import io.aeron.CommonContext;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.escapement.client.ClientSeat;
import io.escapement.client.TrunkClient;
import io.escapement.client.TrunkContext;
import io.escapement.client.TrunkListener;
import io.escapement.codecs.trunk.JoinDecoder;
import io.escapement.config.ConfigException;
import io.escapement.driver.DriverDirectory;
import io.escapement.driver.DriverLauncher;
import io.escapement.driver.guard.GuardLimits;
import java.io.File;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;

/**
 * Bots of one thread: a media driver, embedded or the server's, trunks as gateways would have them, and the players of
 * each trunk.
 */
final class BotHost implements AutoCloseable
{
    private static final System.Logger LOGGER = System.getLogger("io.escapement.server");
    /** Holds a burst: a frame of all rooms. */
    private static final int SOCKET_BUFFER = 4 * 1_024 * 1_024;
    private static final int DRIVER_INVOKES = 8;
    private static final long IDLE_NS = TimeUnit.MICROSECONDS.toNanos(50);
    /** Most players that act in a turn. Thousands of entering players then do not delay received messages. */
    private static final int ACTS_A_TURN = 64;
    private static final int MTU = 8_192;
    /** From the engine to a trunk: its control stream and a stream for each loop, before and after a return. */
    private static final int SESSIONS_A_TRUNK = 16;
    /** Messages of a trunk's players that a server has not accepted: enough for some seconds. */
    private static final int RESEND_LENGTH = 1_024 * 1_024;
    private static final long NEVER = Long.MAX_VALUE;

    private final MediaDriver driver;
    private final Aeron aeron;
    private final BotStats stats = new BotStats();
    private final List<TrunkClient> trunks = new ArrayList<>();
    private final List<BotProvider.Bot> players = new ArrayList<>();
    /** By player number. Null for a player of another host. */
    private final BotProvider.Bot[] playerByNumber;
    private final EntryQueue entering;
    /** When each player acts next. */
    private final long[] dueNs;
    /** When the first of them acts: until then a turn does not look at thousands of players. */
    private long firstDueNs = NEVER;
    private int nextToAct;
    private int trunkLosses;

    /** A host of all bots. */
    BotHost(final BotOptions options, final BotProvider provider)
    {
        this(options, provider, 0, 1);
    }

    /**
     * A host of the bots on every {@code parts}-th trunk.
     *
     * @param options  of all bots.
     * @param provider of the bots of all hosts.
     * @param part     index of this host, from 0.
     * @param parts    number of hosts.
     */
    BotHost(final BotOptions options, final BotProvider provider, final int part, final int parts)
    {
        driver = null == options.directory() ? launch(options.trunks()) : null;
        aeron = null == driver ? join(options.directory()) : Aeron.connect(DriverLauncher.steady(new Aeron.Context())
            .aeronDirectoryName(driver.aeronDirectoryName())
            .useConductorAgentInvoker(true)
            .driverAgentInvoker(driver.sharedAgentInvoker()));
        entering = new EntryQueue(options.players() / parts, System.nanoTime());
        playerByNumber = new BotProvider.Bot[options.players()];
        dueNs = new long[options.players()];
        Arrays.fill(dueNs, NEVER);
        final BotProvider.Host host = new Counts();
        final Listener[] listeners = new Listener[options.trunks()];
        final TrunkClient[] trunkByNumber = new TrunkClient[options.trunks()];
        for (int i = part; i < options.trunks(); i += parts)
        {
            listeners[i] = new Listener();
            trunkByNumber[i] = TrunkClient.connect(trunk(options)
                .aeron(aeron)
                .identity("bots-" + i)
                .secret(options.secret())
                .feed(options.feed())
                .termLength(options.terms())
                .receiveWindow(window(options.trunks()))
                .listener(listeners[i]));
            trunks.add(trunkByNumber[i]);
        }
        for (int i = 0; i < options.players(); i++)
        {
            final int room = i / options.seats();
            // The players of a room use different trunks, as players of different gateways do.
            final int trunk = (i % options.seats() + room) % options.trunks();
            if (null != listeners[trunk])
            {
                playerByNumber[i] = provider.newBot(i, options, host, trunkByNumber[trunk]);
                players.add(playerByNumber[i]);
                entering.add(i);
            }
        }
    }

    private static TrunkContext trunk(final BotOptions options)
    {
        final TrunkContext trunk = new TrunkContext();
        if (null != options.directory())
        {
            return trunk.ipc();
        }
        if (!options.isGroup())
        {
            return trunk.udp(options.ingress(), options.response());
        }
        final String[] ingress = options.ingress().split(",");
        final String[] response = options.response().split(",");
        if (ingress.length != response.length)
        {
            throw new ConfigException("--respond", options.response(), "one for each of --server");
        }
        for (int i = 0; i < ingress.length; i++)
        {
            trunk.member(ingress[i], response[i]);
        }
        return trunk.resendLength(RESEND_LENGTH);
    }

    /** With the guards and the segmentation offload of a gateway's driver. */
    private static MediaDriver launch(final int trunks)
    {
        return DriverLauncher.launch(new MediaDriver.Context()
            .aeronDirectoryName(DriverDirectory.temporary())
            .threadingMode(ThreadingMode.INVOKER)
            .socketRcvbufLength(SOCKET_BUFFER)
            .socketSndbufLength(SOCKET_BUFFER)
            .publicationTermBufferLength(256 * 1_024)
            .termBufferSparseFile(true)
            .mtuLength(MTU)
            .dirDeleteOnShutdown(true), GuardLimits.DEFAULTS.forSessions(trunks * SESSIONS_A_TRUNK));
    }

    /** Aeron would wait for a driver. Its own error handler exits the process when the driver dies. */
    private static Aeron join(final String directory)
    {
        if (!CommonContext.isDriverActive(
            new File(directory), CommonContext.DEFAULT_DRIVER_TIMEOUT_MS, (text) -> { }))
        {
            throw new ConfigException("--driver-dir", directory,
                "no media driver is active there that this user may join");
        }
        return Aeron.connect(DriverLauncher.steady(new Aeron.Context())
            .aeronDirectoryName(directory)
            .useConductorAgentInvoker(true)
            .errorHandler((ex) -> LOGGER.log(System.Logger.Level.WARNING, "--driver-dir: " + ex.getMessage())));
    }

    /** Aeron client of this host, for other trunks of a test. Only {@link #turn()} invokes it. */
    Aeron aeron()
    {
        return aeron;
    }

    BotStats stats()
    {
        return stats;
    }

    /** The duty cycle: driver, Aeron client, trunks, then players that are due. Parks when idle. */
    void turn()
    {
        int work = 0;
        for (int i = 0; null != driver && i < DRIVER_INVOKES; i++)
        {
            final int done = driver.sharedAgentInvoker().invoke();
            work += done;
            if (0 == done)
            {
                break;
            }
        }
        work += aeron.conductorAgentInvoker().invoke();
        for (int i = 0; i < trunks.size(); i++)
        {
            work += trunks.get(i).poll();
        }
        final long nowNs = System.nanoTime();
        for (int number = entering.poll(nowNs); EntryQueue.EMPTY != number; number = entering.poll(nowNs))
        {
            wake(number, nowNs);
        }
        if (firstDueNs <= nowNs)
        {
            act(nowNs);
        }
        if (0 == work)
        {
            LockSupport.parkNanos(IDLE_NS);
        }
    }

    private void act(final long nowNs)
    {
        long first = NEVER;
        int acts = 0;
        for (int i = 0; i < dueNs.length; i++)
        {
            nextToAct = nextToAct + 1 == dueNs.length ? 0 : nextToAct + 1;
            if (dueNs[nextToAct] <= nowNs && acts < ACTS_A_TURN)
            {
                dueNs[nextToAct] = playerByNumber[nextToAct].act(nowNs);
                acts++;
            }
            first = Math.min(first, dueNs[nextToAct]);
        }
        firstDueNs = first;
    }

    void turnUntil(final long untilNs)
    {
        while (System.nanoTime() < untilNs)
        {
            turn();
        }
    }

    BotProvider.Bot first()
    {
        return players.get(0);
    }

    /** Why a trunk is down, empty if all are up. A trunk of several servers retries: the next server may lead. */
    String failure()
    {
        for (final TrunkClient trunk : trunks)
        {
            if (TrunkClient.State.DOWN == trunk.state() && !trunk.failure().isEmpty())
            {
                return trunk.failure();
            }
        }
        return "";
    }

    int playing()
    {
        int playing = 0;
        for (final BotProvider.Bot player : players)
        {
            playing += player.isPlaying() ? 1 : 0;
        }
        return playing;
    }

    /** Number of bots that have played, now or before. */
    int entered()
    {
        int entered = 0;
        for (final BotProvider.Bot player : players)
        {
            entered += player.hasPlayed() ? 1 : 0;
        }
        return entered;
    }

    int seated()
    {
        int seated = 0;
        for (final BotProvider.Bot player : players)
        {
            seated += player.isSeated() ? 1 : 0;
        }
        return seated;
    }

    long violations()
    {
        long violations = trunkLosses;
        for (final BotProvider.Bot player : players)
        {
            violations += player.violationCount();
        }
        return violations;
    }

    List<String> violationTexts()
    {
        final List<String> texts = new ArrayList<>();
        for (int i = 0; i < playerByNumber.length; i++)
        {
            final String player = "player " + i + ": ";
            if (null != playerByNumber[i])
            {
                playerByNumber[i].violations().forEach((text) -> texts.add(player + text));
            }
        }
        if (trunkLosses > 0)
        {
            texts.add(trunkLosses + " trunks lost");
        }
        return texts;
    }

    /** Make all bots leave, in the following turns. Those that wait to enter stay outside. */
    void stop()
    {
        entering.clear();
        players.forEach(BotProvider.Bot::stop);
        final long nowNs = System.nanoTime();
        for (int i = 0; i < dueNs.length; i++)
        {
            if (NEVER != dueNs[i])
            {
                wake(i, nowNs);
            }
        }
    }

    @Override
    public void close()
    {
        CloseHelper.closeAll(trunks);
        if (null != driver)
        {
            // It sends the Goodbye of each trunk. The server would hold the trunks without it.
            driver.sharedAgentInvoker().invoke();
        }
        CloseHelper.closeAll(aeron, driver);
    }

    private void wake(final int number, final long nowNs)
    {
        dueNs[number] = nowNs;
        firstDueNs = Math.min(firstDueNs, nowNs);
    }

    /** It waits for its turn to enter, and is idle until then. */
    private void enterLater(final int number)
    {
        dueNs[number] = NEVER;
        entering.add(number);
    }

    private static int numberOf(final long joinId)
    {
        return (int)(joinId / BotProvider.JOINS_PER_BOT);
    }

    private static int window(final int trunks)
    {
        return Math.max(16 * 1_024, Math.min(128 * 1_024, SOCKET_BUFFER / (2 * trunks)));
    }

    /** Dispatches the messages of a trunk to its players. */
    private final class Listener implements TrunkListener
    {
        @Override
        public void onDown(final int code)
        {
            trunkLosses++;
        }

        @Override
        public void onLogIn(final long requestId, final int status, final long playerId, final byte[] token)
        {
            if (!playerByNumber[(int)requestId].onLogIn(status, playerId, token))
            {
                enterLater((int)requestId);
            }
        }

        @Override
        public void onJoined(final long requestId, final ClientSeat seat)
        {
            playerByNumber[numberOf(requestId)].onJoined(seat, System.nanoTime());
        }

        /** The answer to a join may have been lost with the server, and the seat was taken. */
        @Override
        public void onSeatResumed(final ClientSeat seat)
        {
            for (final BotProvider.Bot player : players)
            {
                if (player.isPlayer(seat.playerId()))
                {
                    player.onJoined(seat, System.nanoTime());
                }
            }
        }

        @Override
        public void onLeft(final ClientSeat seat, final int reason)
        {
            if (seat.attachment() instanceof BotProvider.Bot player && player.onLeft(seat))
            {
                enterLater(Arrays.asList(playerByNumber).indexOf(player));
            }
        }

        @Override
        public void onRefused(
            final int templateId, final long roomId, final int seatIndex, final long reference, final int code)
        {
            if (JoinDecoder.TEMPLATE_ID == templateId && numberOf(reference) < playerByNumber.length)
            {
                if (playerByNumber[numberOf(reference)].onJoinRefused(roomId, code))
                {
                    enterLater(numberOf(reference));
                }
            }
            else
            {
                stats.refusals++;
                players.forEach((player) -> player.onSendRefused(roomId, seatIndex));
            }
        }

        @Override
        public void onEvent(final ClientSeat seat, final DirectBuffer buffer, final int offset, final int length)
        {
            stats.events++;
            stats.bytes += length;
            ((BotProvider.Bot)seat.attachment()).onMessage(seat, buffer, offset, length, false);
        }

        @Override
        public void onState(final ClientSeat seat, final DirectBuffer buffer, final int offset, final int length)
        {
            stats.states++;
            stats.bytes += length;
            if (seat.attachment() instanceof BotProvider.Bot player)
            {
                player.onMessage(seat, buffer, offset, length, true);
            }
        }
    }

    /** Of the bots of this host. */
    private final class Counts implements BotProvider.Host
    {
        @Override
        public void onLogIn()
        {
            stats.logIns++;
        }

        @Override
        public void onSent()
        {
            stats.sent++;
        }

        @Override
        public void onRefused()
        {
            stats.refusals++;
        }

        @Override
        public void onPing(final long ns)
        {
            stats.recordPing(ns);
            entering.onPing(ns);
        }

        @Override
        public void onWait(final long ns)
        {
            stats.waited(ns);
        }

        @Override
        public void onDelivered(final long more)
        {
            stats.delivered(more);
        }

        @Override
        public void count(final String name, final long more)
        {
            stats.count(name, more);
        }

        @Override
        public boolean tryLeave(final long nowNs)
        {
            return entering.tryLeave(nowNs);
        }
    }
}
