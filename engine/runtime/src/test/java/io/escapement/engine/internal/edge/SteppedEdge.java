package io.escapement.engine.internal.edge;

import com.lmax.disruptor.BusySpinWaitStrategy;
import io.escapement.codecs.TrunkMessages;
import io.escapement.codecs.room.LinkDownDecoder;
import io.escapement.codecs.room.MessageDecoder;
import io.escapement.codecs.room.MessageHeaderDecoder;
import io.escapement.codecs.room.RoomEncoder;
import io.escapement.engine.internal.loop.LinkFeed;
import io.escapement.engine.internal.loop.LoopCounters;
import io.escapement.engine.internal.queue.CommandQueue;
import io.escapement.engine.internal.queue.ControlSignal;
import io.escapement.engine.internal.queue.EngineClock;
import io.escapement.engine.spi.Authenticator;
import io.escapement.engine.spi.LogInService;
import io.escapement.engine.spi.PlacementStrategy;
import io.escapement.engine.trunks.TrunkServerContext;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.CachedNanoClock;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.AtomicCounter;
import org.agrona.concurrent.status.CountersManager;

/** An edge with two loops whose duty cycle a test calls by hand, with its queues, its clock and its transport. */
final class SteppedEdge
{
    static final int LOOPS = 2;
    static final int TRUNK_LIMIT = 2;
    static final int HANDSHAKE_LIMIT = 2 * TRUNK_LIMIT;
    static final int LOG_IN_LIMIT = LogIns.PER_TRUNK;
    static final int RING_SLOTS = 16;
    static final int INBOX_SLOTS = 16;
    static final int TRUNK_RATE = 500;
    static final int SEAT_RATE = 100;
    static final long STEP_NS = TimeUnit.MILLISECONDS.toNanos(100);
    static final long HANDSHAKE_NS = Handshakes.TIMEOUT_NS;
    static final long KEEPALIVE_NS = TimeUnit.SECONDS.toNanos(10);
    static final long GRACE_NS = TimeUnit.SECONDS.toNanos(50);
    static final long LOG_IN_NS = LogIns.TIMEOUT_NS;
    static final long TOKEN_NS = TimeUnit.SECONDS.toNanos(100);
    private static final int COUNTERS_LENGTH = 16 * 1_024;

    final MemoryTransport transport = new MemoryTransport();
    final CachedNanoClock clock = new CachedNanoClock();
    final CommandQueue[] rings = new CommandQueue[LOOPS];
    final CommandQueue[] inboxes = new CommandQueue[LOOPS];
    final CommandQueue edgeInbox =
        CommandQueue.multiProducer(64, CommandQueue.INBOX_SLOT_LENGTH, new BusySpinWaitStrategy());
    /** Replies of log-ins under way, oldest first. */
    final List<LogInService.Reply> logIns = new ArrayList<>();
    /** Calls of the authenticator while it is held, oldest first. */
    final List<Runnable> authentications = new ArrayList<>();
    boolean isAuthenticatorHeld;
    /** Links whose DETACH was taken by {@link #takeSignals}, until {@link #release}. */
    final List<Integer> detachingLinks = new ArrayList<>();
    /** Changes of feeds that were taken by {@link #takeSignals}. */
    final List<LinkFeed.Change> feedChanges = new ArrayList<>();
    /** Exceptions of user code. */
    final List<Throwable> errors = new ArrayList<>();
    final List<String> warnings = new ArrayList<>();
    final EdgeAgent agent;
    private final Map<String, AtomicCounter> counterByLabelMap = new HashMap<>();
    private final Map<LogInService.Reply, Long> timeByLogInMap = new IdentityHashMap<>();
    private final UnsafeBuffer scratch = new UnsafeBuffer(new byte[CommandQueue.INBOX_SLOT_LENGTH]);

    SteppedEdge()
    {
        this((trunkId, credentials, reply) -> { });
    }

    /** An edge with a log-in service that is called in addition to {@link #logIns} being filled; null for none. */
    SteppedEdge(final LogInService service)
    {
        this(service, TokenKeys.random(new SecureRandom()), 0);
    }

    /** An edge with these keys, which begins at this wall-clock time. */
    SteppedEdge(final TokenKeys keys, final long epochNs)
    {
        this((trunkId, credentials, reply) -> { }, keys, epochNs);
    }

    private SteppedEdge(final LogInService service, final TokenKeys keys, final long epochNs)
    {
        this(service, keys, epochNs, null);
    }

    /** An edge whose feeds are sent to a group. */
    static SteppedEdge withFeedGroup(final String group)
    {
        return new SteppedEdge((trunkId, credentials, reply) -> { }, TokenKeys.random(new SecureRandom()), 0, group);
    }

    private SteppedEdge(
        final LogInService service, final TokenKeys keys, final long epochNs, final String feedGroup)
    {
        for (int i = 0; i < LOOPS; i++)
        {
            rings[i] = CommandQueue.singleProducer(
                RING_SLOTS, CommandQueue.RING_SLOT_LENGTH, new BusySpinWaitStrategy());
            inboxes[i] = CommandQueue.multiProducer(
                INBOX_SLOTS, CommandQueue.INBOX_SLOT_LENGTH, new BusySpinWaitStrategy());
        }
        final CountersManager manager = new CountersManager(
            new UnsafeBuffer(new byte[4 * COUNTERS_LENGTH]), new UnsafeBuffer(new byte[COUNTERS_LENGTH]));
        final LoopCounters.Factory factory = (typeId, label) ->
            counterByLabelMap.computeIfAbsent(label, (name) -> manager.newCounter(name, typeId));
        final LogInService logInService = null == service ? null : (trunkId, credentials, reply) ->
        {
            logIns.add(reply);
            timeByLogInMap.put(reply, clock.nanoTime());
            service.logIn(trunkId, credentials, reply);
        };
        final SecureRandom random = new SecureRandom();
        agent = new EdgeAgent(
            new EdgeContext(
                new TrunkServerContext().limit(TRUNK_LIMIT).keepaliveNs(KEEPALIVE_NS).graceNs(GRACE_NS)
                    .playerTokenNs(TOKEN_NS).rates(TRUNK_RATE, SEAT_RATE).feedGroup(feedGroup)
                    .authenticator(SteppedEdge::authenticate).logInService(logInService),
                new EdgeContext.Queues(rings, inboxes, edgeInbox),
                new RoomPlacement(inboxes, PlacementStrategy.LEAST_LOADED, random),
                new EdgeCounters(factory),
                () -> { },
                new EngineClock(clock),
                random,
                keys,
                new EdgeContext.Executors(this::authenticate, Runnable::run, Runnable::run),
                errors::add,
                warnings::add,
                epochNs),
            transport);
    }

    /** Whether the edge waits for the reply of the service. */
    boolean isInTime(final LogInService.Reply reply)
    {
        return clock.nanoTime() - timeByLogInMap.get(reply) <= LogIns.TIMEOUT_NS;
    }

    private void authenticate(final Runnable call)
    {
        if (isAuthenticatorHeld)
        {
            authentications.add(call);
        }
        else
        {
            call.run();
        }
    }

    /** One duty cycle with housekeeping. */
    void step()
    {
        clock.update(clock.nanoTime() + STEP_NS);
        agent.doWork();
    }

    void step(final int times)
    {
        for (int i = 0; i < times; i++)
        {
            step();
        }
    }

    /** Let this much time pass without a duty cycle, and then a few. */
    void pass(final long ns)
    {
        clock.update(clock.nanoTime() + ns);
        step(3);
    }

    long counter(final String name)
    {
        return counterByLabelMap.get("escapement edge: " + name).get();
    }

    /** All refusals, as the sorted names of their codes. */
    List<String> refusals()
    {
        final String prefix = "escapement edge: refused ";
        final List<String> refusals = new ArrayList<>();
        counterByLabelMap.forEach((label, counter) ->
        {
            for (long i = counter.get(); label.startsWith(prefix) && i > 0; i--)
            {
                refusals.add(label.substring(prefix.length()));
            }
        });
        refusals.sort(null);
        return refusals;
    }

    /** A signal from a loop. */
    void signal(final ControlSignal signal, final int loop, final int link)
    {
        scratch.putInt(0, loop);
        scratch.putInt(Integer.BYTES, link);
        if (!edgeInbox.offer(signal, null, scratch, 0, 2 * Integer.BYTES))
        {
            throw new AssertionError("the edge's inbox is full");
        }
    }

    void signal(final ControlSignal signal)
    {
        signal(signal, 0, 0);
    }

    /** The signals to a loop since the last call. */
    List<String> takeSignals(final int loop)
    {
        final List<String> signals = new ArrayList<>();
        inboxes[loop].poll((slot, sequence, isEndOfBatch) ->
        {
            signals.add(switch (slot.signal())
            {
                case ATTACH -> "ATTACH";
                case DETACH ->
                {
                    detachingLinks.add(new LinkDownDecoder()
                        .wrapAndApplyHeader(inboxes[loop].block(), slot.offset, new MessageHeaderDecoder()).link());
                    yield "DETACH";
                }
                case FEED ->
                {
                    final LinkFeed.Change change = (LinkFeed.Change)slot.takeAttachment();
                    feedChanges.add(change);
                    yield "FEED " + change.link() + (null == change.feed() ? " off" : " on");
                }
                default -> slot.signal().name();
            });
            return true;
        });
        return signals;
    }

    /** The loop releases every publication whose DETACH it has read. */
    void release(final int loop)
    {
        transport.responses.forEach((response) -> response.isWithLoop &= detachingLinks.isEmpty());
        detachingLinks.forEach((link) -> signal(ControlSignal.DETACHED, loop, link));
        detachingLinks.clear();
    }

    /** The sequences of the messages in a ring since the last call; empty slots are skipped. */
    List<Long> takeMessages(final int loop)
    {
        final List<Long> sequences = new ArrayList<>();
        rings[loop].poll((slot, sequence, isEndOfBatch) ->
        {
            if (ControlSignal.PADDING != slot.signal())
            {
                final MessageDecoder message = new MessageDecoder();
                message.wrapAndApplyHeader(rings[loop].block(), slot.offset, new MessageHeaderDecoder());
                sequences.add(message.sequence());
            }
            return true;
        });
        return sequences;
    }

    void skipMessages(final int loop)
    {
        rings[loop].poll((slot, sequence, isEndOfBatch) -> true);
    }

    /** Fill an inbox, so that the edge's next signal to its loop does not fit. */
    void fillInbox(final int loop)
    {
        final int length = new RoomEncoder().linkDown(scratch, 0, 0);
        while (inboxes[loop].offer(ControlSignal.COMMAND, null, scratch, 0, length))
        {
            Thread.onSpinWait();
        }
    }

    static long roomId(final int loop)
    {
        final long roomId = ((long)loop << 54) | 1;
        if (loop != TrunkMessages.loopOf(roomId))
        {
            throw new AssertionError("room ids have changed");
        }
        return roomId;
    }

    private static Authenticator.Verdict authenticate(final Authenticator.Challenge challenge, final byte[] credentials)
    {
        return switch (new String(credentials, StandardCharsets.US_ASCII))
        {
            case "right" -> Authenticator.Verdict.ACCEPTED;
            case "trusted" -> Authenticator.Verdict.TRUSTED;
            case "feed" -> Authenticator.Verdict.TRUSTED.feed(true);
            case "throw" -> throw new IllegalStateException("no database");
            case "null" -> null;
            default -> Authenticator.Verdict.REFUSED;
        };
    }
}
