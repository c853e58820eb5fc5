package io.escapement.rooms.host;

import io.escapement.codecs.room.RefusalCode;
import io.escapement.codecs.room.RoomEncoder;
import io.escapement.rooms.CloseReason;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.output.ByteSink;
import io.escapement.rooms.output.NoOutputs;
import io.escapement.testsupport.Tests;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Compares the timers of rooms with a model: one unsorted list of all timers, searched linearly for the next. The rooms
 * act at random in every callback, and each callback checks with the model that it is the next one.
 */
class RoomTimersTwinTest
{
    private static final long TICK_NS = 1L << 20;
    private static final long SECOND_NS = 1_000_000_000L;
    private static final int ROOMS = 6;
    private static final int PHASES = 3;
    private static final int TYPES = 2;
    private static final int[] TIMERS_BY_TYPE = {0, 9, 40};
    private static final int[] CATCH_UP_BY_TYPE = {0, 1, 4};
    private static final int[] RATES = {0, 1, 7, 30, 60, 144, 1_000};

    private static final class OnPurposeException extends RuntimeException
    {
        private static final long serialVersionUID = 1L;
    }

    /** A timer that is set. It counts frames if {@code dueFrame} is above 0. */
    private static final class Timer
    {
        private final Model room;
        private final int kind;
        private final long tag;
        private long handle;
        private long repeat;
        private long dueFrame;
        private long deadlineNs;
        private long tick;
        private long order;
        private boolean isClosure;

        Timer(final Model room, final int kind, final long tag)
        {
            this.room = room;
            this.kind = kind;
            this.tag = tag;
        }
    }

    private final RoomEncoder encoder = new RoomEncoder();
    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[256]);
    private final Map<Long, Model> modelByIdMap = new TreeMap<>();
    private final List<Timer> timers = new ArrayList<>();
    private final int[] caps = new int[TYPES + 1];
    private final Map<String, Integer> countByEventMap = new TreeMap<>();
    private final RecordedEvents listener = new RecordedEvents();
    private SplittableRandom random;
    private RoomHost host;
    private Model running;
    private boolean isEphemeral;
    private long seed;
    private long nowNs = 1_000;
    private long wantedNs = Long.MAX_VALUE;
    private long lastOrder;
    private long lastRoomId;
    private long lastTag;

    @ParameterizedTest
    @ValueSource(longs = {1, 60, 4_711})
    void shouldFireLikeTheModel(final long givenSeed)
    {
        run(givenSeed);
        assertDone("restore", "after", "every", "everyFrames", "fired", "fired by frame", "several by frame");
    }

    @ParameterizedTest
    @ValueSource(longs = {2, 61})
    void shouldRunClosuresLikeTheModel(final long givenSeed)
    {
        isEphemeral = true;
        run(givenSeed);
        assertDone("task", "next frame task", "ran a task", "ran a task by frame");
    }

    private void run(final long givenSeed)
    {
        seed = givenSeed;
        random = new SplittableRandom(seed);
        host = new RoomHost(context());
        final int turns = Tests.isFull() ? 400_000 : 10_000;
        for (int i = 0; i < turns; i++)
        {
            turn();
            final String when = "seed " + seed + ", turn " + i + " at " + nowNs;
            // The host treats a failed assertion as a failure of the room.
            for (final Throwable failure : HostRig.take(listener.failures))
            {
                if (!(failure instanceof OnPurposeException))
                {
                    throw new AssertionError(when + ": " + failure.getMessage(), failure);
                }
            }
            assertEquals("nothing", next(), when);
            assertEquals(timers.stream().filter((timer) -> 0 == timer.dueFrame).count(), host.pendingTimers(), when);
            assertEquals(modelByIdMap.size(), host.openRooms(), when);
            assertEquals(count("refused"), host.refusals(RefusalCode.TIMER_LIMIT.value()), when);
            assertTrue(wantedNs <= firstDueNs(), when + ": the next turn is too late");
            if (!isEphemeral && random.nextInt(400) == 0)
            {
                restore(when);
            }
        }
        // Every run must have covered these.
        assertDone("refused", "cancelled", "stale cancel", "moved", "stale move", "all cancelled", "frame",
            "caught up", "closed", "threw");
    }

    private void assertDone(final String... events)
    {
        for (final String event : events)
        {
            assertTrue(count(event) >= 20, "seed " + seed + ": too few of '" + event + "' in " + countByEventMap);
        }
    }

    // Commands to the host

    private HostContext context()
    {
        final HostContext context = new HostContext().outputs(new NoOutputs()).wheelTickNs(TICK_NS)
            .phaseGroups(PHASES).roomLimit(ROOMS).listener(listener);
        for (int id = 1; id <= TYPES; id++)
        {
            final RoomType type = RoomType.of(id, "timed" + id, 1, Timed::new).timers(TIMERS_BY_TYPE[id])
                .catchUp(CATCH_UP_BY_TYPE[id]);
            context.roomType(isEphemeral ? type.ephemeral() : type);
        }
        return context;
    }

    private void turn()
    {
        nowNs = switch (random.nextInt(12))
        {
            case 0 -> nowNs;
            case 1, 2, 3 -> wantedNs - nowNs < SECOND_NS ? Math.max(nowNs, wantedNs) : nowNs;
            case 4 -> nowNs + random.nextLong(random.nextInt(4) == 0 ? SECOND_NS / 3 : 20 * TICK_NS);
            default -> nowNs + random.nextLong(3 * TICK_NS);
        };
        host.beginTurn(nowNs);
        while (modelByIdMap.size() < ROOMS)
        {
            final Model model = new Model(++lastRoomId, 1 + random.nextInt(TYPES));
            modelByIdMap.put(model.id, model);
            command(encoder.openRoom(buffer, 0, model.id, 1, 0, 0, model.type, buffer, 0, 0));
        }
        for (int i = random.nextInt(3); i > 0 && !modelByIdMap.isEmpty(); i--)
        {
            command();
        }
        wantedNs = host.endTurn();
    }

    private void command()
    {
        final List<Model> models = new ArrayList<>(modelByIdMap.values());
        final Model model = models.get(random.nextInt(models.size()));
        final int dice = random.nextInt(100);
        if (dice < 1)
        {
            model.isClosing = true;
            command(encoder.closeRoom(buffer, 0, model.id));
        }
        else if (dice < 5)
        {
            final int type = 1 + random.nextInt(TYPES);
            caps[type] = RATES[random.nextInt(RATES.length)];
            models.stream().filter((other) -> other.type == type).forEach(Model::follow);
            command(encoder.setRate(buffer, 0, type, caps[type]));
        }
        else
        {
            command(encoder.signal(buffer, 0, model.id, 0, 0, buffer, 0, 0));
        }
    }

    private void command(final int length)
    {
        assertEquals(0, host.onCommand(buffer, 0, length), "seed " + seed);
    }

    private void restore(final String when)
    {
        final ByteSink snapshot = new ByteSink();
        host.snapshot(snapshot);
        final RoomHost restored = RoomHost.restore(context(), snapshot.buffer(), 0, snapshot.length());
        assertEquals(host.stateHash(), restored.stateHash(), when);
        host = restored;
        count("restore", 1);
    }

    // Actions of a room

    private void act(final Room room, final boolean mayClose)
    {
        final Model model = modelByIdMap.get(room.roomId());
        for (int i = random.nextInt(4); i > 0; i--)
        {
            final int dice = random.nextInt(100);
            if (dice < 45)
            {
                set(room, model);
            }
            else if (dice < 65)
            {
                cancel(room, model);
            }
            else if (dice < 85)
            {
                reschedule(room, model);
            }
            else if (dice < 88)
            {
                final Predicate<Timer> isOurs = (timer) -> timer.room == model;
                final int set = (int)timers.stream().filter(isOurs).count();
                assertEquals(set, room.cancelAll());
                timers.removeIf(isOurs);
                count("all cancelled", 1);
            }
            else
            {
                model.requestedHz = RATES[random.nextInt(RATES.length)];
                model.follow();
                room.frameRate(model.requestedHz);
            }
        }
        final int dice = random.nextInt(600);
        if (0 == dice && mayClose)
        {
            model.isClosing = true;
            room.close();
        }
        else if (1 == dice)
        {
            count("threw", 1);
            forget(model);
            throw new OnPurposeException();
        }
    }

    private void set(final Room room, final Model model)
    {
        final Timer timer = new Timer(model, random.nextInt(), random.nextInt(4) == 0 ? -lastTag : ++lastTag);
        final int dice = random.nextInt(isEphemeral ? 6 : 4);
        final long delayNs = delayNs();
        final String event;
        final long handle;
        if (dice < 2)
        {
            event = "after";
            handle = room.after(delayNs, timer.kind, timer.tag);
        }
        else if (dice == 2)
        {
            event = "every";
            timer.repeat = Math.max(1, delayNs);
            handle = room.every(timer.repeat, timer.kind, timer.tag);
        }
        else if (dice == 3)
        {
            event = "everyFrames";
            timer.repeat = random.nextInt(50) == 0 ? Integer.MAX_VALUE : 1 + random.nextInt(5);
            timer.dueFrame = model.frame + timer.repeat;
            handle = room.everyFrames((int)timer.repeat, timer.kind, timer.tag);
        }
        else if (dice == 4)
        {
            event = "task";
            timer.isClosure = true;
            handle = room.after(delayNs, (within) -> ran(within, timer));
        }
        else
        {
            event = "next frame task";
            timer.isClosure = true;
            timer.dueFrame = model.frame + 1;
            handle = room.nextFrame((within) -> ran(within, timer));
        }
        added(timer, handle, dice == 2 ? timer.repeat : delayNs, event);
    }

    private void added(final Timer timer, final long handle, final long delayNs, final String event)
    {
        final Model model = timer.room;
        if (timers.stream().filter((other) -> other.room == model).count() == TIMERS_BY_TYPE[model.type])
        {
            assertEquals(Room.NO_TIMER, handle, event);
            count("refused", 1);
            return;
        }

        assertTrue(Room.NO_TIMER != handle, event + " was refused");
        assertTrue(model.knownHandles.add(handle), event + ": the handle was given out before");
        model.handles.add(handle);
        timer.handle = handle;
        timers.add(timer);
        if (0 == timer.dueFrame)
        {
            schedule(timer, sum(nowNs, delayNs));
        }
        count(event, 1);
    }

    private void cancel(final Room room, final Model model)
    {
        final long handle = handle(model);
        final Timer timer = find(model, handle);
        assertEquals(null != timer, room.cancel(handle), "cancel");
        timers.remove(timer);
        count(null == timer ? "stale cancel" : "cancelled", 1);
    }

    private void reschedule(final Room room, final Model model)
    {
        final long handle = handle(model);
        final long delayNs = delayNs();
        final Timer timer = find(model, handle);
        final boolean isMoved = null != timer && 0 == timer.dueFrame;
        assertEquals(isMoved, room.reschedule(handle, delayNs), "reschedule");
        if (isMoved)
        {
            schedule(timer, sum(nowNs, delayNs));
        }
        count(isMoved ? "moved" : "stale move", 1);
    }

    /** A handle of a set timer, of an old one, of another room's, or of one that never existed. */
    private long handle(final Model model)
    {
        final List<Timer> set = timers.stream().filter((timer) -> timer.room == model).toList();
        final int dice = random.nextInt(20);
        if (dice < 12 && !set.isEmpty())
        {
            return set.get(random.nextInt(set.size())).handle;
        }
        if (dice < 17 && !model.handles.isEmpty())
        {
            final int last = model.handles.size() - 1;
            return model.handles.get(last - random.nextInt(Math.min(last + 1, 100)));
        }
        if (dice < 18 && !timers.isEmpty())
        {
            return timers.get(random.nextInt(timers.size())).handle;
        }
        return random.nextInt(4) == 0 ? Room.NO_TIMER : (random.nextLong(50) << 32) + random.nextInt(-2, 50);
    }

    private long delayNs()
    {
        return switch (random.nextInt(12))
        {
            case 0 -> 0;
            case 1, 2 -> TICK_NS * (1 + random.nextInt(5)) - nowNs % TICK_NS;
            case 3, 4 -> 1_000_000L * random.nextInt(6);
            case 5, 6, 7, 8 -> random.nextLong(10 * TICK_NS);
            case 9 -> random.nextLong(1_000);
            case 10 -> random.nextLong(SECOND_NS / 2);
            default -> random.nextInt(8) == 0 ? Long.MAX_VALUE - random.nextInt(10) : random.nextLong(TICK_NS);
        };
    }

    // The model

    private void schedule(final Timer timer, final long deadlineNs)
    {
        timer.deadlineNs = deadlineNs;
        timer.tick = Math.max(-Math.floorDiv(-deadlineNs, TICK_NS), nowNs / TICK_NS + 1);
        timer.order = ++lastOrder;
    }

    private Timer find(final Model model, final long handle)
    {
        return timers.stream().filter((timer) -> timer.room == model && timer.handle == handle).findFirst()
            .orElse(null);
    }

    /** The next callback of this turn: timers that are due, then frames, each after the timers that count it. */
    private String next()
    {
        if (null == running || !running.isInFrame)
        {
            final Timer due = timers.stream().filter((timer) -> 0 == timer.dueFrame && timer.tick <= nowNs / TICK_NS)
                .min(Comparator.comparingLong((final Timer timer) -> timer.tick)
                    .thenComparingLong((timer) -> timer.deadlineNs).thenComparingLong((timer) -> timer.order))
                .orElse(null);
            if (null != due)
            {
                assertTrue(nowNs >= due.deadlineNs, "early");
                return fire(due, "");
            }
            if (null == running || !running.isFrameDue())
            {
                running = firstWithFrame();
            }
            if (null == running)
            {
                return "nothing";
            }
            running.beginFrame();
        }

        // The list is in the order of setting, and a timer that fires keeps its position.
        for (final Timer timer : timers)
        {
            if (timer.room == running && 0 != timer.dueFrame && timer.dueFrame <= running.frame)
            {
                count(0 == running.firedByFrame++ ? "first by frame" : "several by frame", 1);
                return fire(timer, " by frame");
            }
        }
        running.isInFrame = false;
        count("frame", 1);
        return text(running, nowNs, running.frame, "frame");
    }

    private String fire(final Timer timer, final String how)
    {
        final Model model = timer.room;
        if (0 == timer.repeat)
        {
            timers.remove(timer);
        }
        else if (0 == timer.dueFrame)
        {
            // The first deadline of its grid that is not over.
            final long sinceNs = (nowNs - timer.deadlineNs) % timer.repeat;
            schedule(timer, sum(nowNs - sinceNs, timer.repeat));
        }
        else
        {
            while (timer.dueFrame <= model.frame)
            {
                timer.dueFrame += timer.repeat;
            }
        }
        count((timer.isClosure ? "ran a task" : "fired") + how, 1);
        return text(model, nowNs, model.frame, what(timer.isClosure, timer.handle, timer.kind, timer.tag));
    }

    private Model firstWithFrame()
    {
        return modelByIdMap.values().stream().filter(Model::isFrameDue).min(
            Comparator.comparingLong((final Model model) -> model.deadlineNs(model.gridN + 1))
                .thenComparingInt((model) -> model.rateHz).thenComparingLong((model) -> model.id % PHASES)
                .thenComparingLong((model) -> model.id)).orElse(null);
    }

    private long firstDueNs()
    {
        return Stream.concat(
            timers.stream().filter((timer) -> 0 == timer.dueFrame)
                .map((timer) -> timer.tick > Long.MAX_VALUE / TICK_NS ? Long.MAX_VALUE : timer.tick * TICK_NS),
            modelByIdMap.values().stream().filter((model) -> 0 != model.rateHz)
                .map((model) -> model.deadlineNs(model.gridN + 1))).min(Long::compare).orElse(Long.MAX_VALUE);
    }

    private void forget(final Model model)
    {
        modelByIdMap.remove(model.id);
        timers.removeIf((timer) -> timer.room == model);
        running = running == model ? null : running;
    }

    private void ran(final Room room, final Timer timer)
    {
        came(room, what(true, timer.handle, timer.kind, timer.tag));
        act(room, 0 == timer.dueFrame);
    }

    private void came(final Room room, final String what)
    {
        final Model model = modelByIdMap.get(room.roomId());
        assertNotNull(model, () -> what + " in a room that is closed");
        assertEquals(next(), text(model, room.nowNs(), room.frame(), what));
    }

    private int count(final String event)
    {
        return countByEventMap.getOrDefault(event, 0);
    }

    private void count(final String event, final int delta)
    {
        countByEventMap.merge(event, delta, Integer::sum);
    }

    private static String what(final boolean isClosure, final long handle, final int kind, final long tag)
    {
        return (isClosure ? "task " : "timer ") + Long.toHexString(handle) + ", kind " + kind + ", tag " + tag;
    }

    private static String text(final Model model, final long timeNs, final long frame, final String what)
    {
        return "room " + model.id + " at " + timeNs + ", frame " + frame + ": " + what;
    }

    private static long sum(final long timeNs, final long delayNs)
    {
        return delayNs > Long.MAX_VALUE - timeNs ? Long.MAX_VALUE : timeNs + delayNs;
    }

    /** The model of a room: its callbacks so far, and its frames by plain arithmetic. */
    private final class Model
    {
        private final long id;
        private final int type;
        private final List<Long> handles = new ArrayList<>();
        private final Set<Long> knownHandles = new HashSet<>();
        private int requestedHz;
        private int rateHz;
        private long gridN;
        private long frame;
        private long turnOfRuns;
        private int runs;
        private int firedByFrame;
        private boolean isInFrame;
        private boolean isClosing;

        Model(final long id, final int type)
        {
            this.id = id;
            this.type = type;
        }

        void follow()
        {
            final int next = 0 == caps[type] ? requestedHz : Math.min(requestedHz, caps[type]);
            if (next != rateHz)
            {
                rateHz = next;
                gridN = 0 == rateHz ? -1 : lastDue(Math.max(-1, (nowNs / SECOND_NS - 1) * rateHz));
            }
        }

        long deadlineNs(final long n)
        {
            return SECOND_NS * (id % PHASES) / ((long)rateHz * PHASES) + n / rateHz * SECOND_NS +
                n % rateHz * SECOND_NS / rateHz;
        }

        boolean isFrameDue()
        {
            return 0 != rateHz && deadlineNs(gridN + 1) <= nowNs;
        }

        /** The last frame of a turn spans all frames that are still due. */
        void beginFrame()
        {
            runs = turnOfRuns == nowNs ? runs + 1 : 1;
            turnOfRuns = nowNs;
            count(runs > 1 ? "caught up" : "on time", 1);
            final long n = runs < CATCH_UP_BY_TYPE[type] ? gridN + 1 : lastDue(gridN);
            frame += n - gridN;
            gridN = n;
            isInFrame = true;
            firedByFrame = 0;
        }

        private long lastDue(final long from)
        {
            long n = from;
            while (deadlineNs(n + 1) <= nowNs)
            {
                n++;
            }
            return n;
        }
    }

    private final class Timed implements RoomLogic
    {
        private Room room;

        @Override
        public void onOpen(final Room opened, final DirectBuffer args, final int offset, final int length)
        {
            room = opened;
            act(room, true);
        }

        @Override
        public void onRestore(final Room restored, final int version, final StateReader reader)
        {
            room = restored;
        }

        @Override
        public void onMessage(final Seat from, final DirectBuffer message, final int offset, final int length)
        {
            throw new IllegalStateException("this test has no players");
        }

        @Override
        public void onSignal(final long from, final DirectBuffer message, final int offset, final int length)
        {
            act(room, true);
        }

        @Override
        public void onTimer(final long handle, final int kind, final long tag)
        {
            came(room, what(false, handle, kind, tag));
            act(room, null == running);
        }

        @Override
        public void onFrame(final long frame, final long elapsedNs)
        {
            came(room, "frame");
            act(room, false);
        }

        @Override
        public void onClose(final CloseReason reason)
        {
            final Model model = modelByIdMap.get(room.roomId());
            assertTrue(model.isClosing, "closed without a request");
            // Timers that a room sets now never fire.
            act(room, false);
            count("closed", 1);
            forget(model);
        }
    }
}
