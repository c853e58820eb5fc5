package io.escapement.rooms.host;

import io.escapement.codecs.room.DirectoryChange;
import io.escapement.codecs.room.RoomEncoder;
import io.escapement.rooms.DirectoryEntry;
import io.escapement.rooms.LeaveReason;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.rooms.StateHash;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import io.escapement.rooms.steps.RunningSteps;
import io.escapement.rooms.steps.Steps;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** A script of turns in which a room is reloaded while it waits for everything there is. */
final class ReloadScript
{
    static final int TYPE = 1;
    static final int SEATS = 4;
    static final long ROOM = 1;
    /** Opens behind the reload. */
    static final long LATER_ROOM = 2;
    /** The step of the script that reloads. */
    static final int RELOAD = 6;
    static final int STEPS = 16;

    private static final long STEP_NS = 10_000_000;
    private static final long FRAMES_NS = 100_000_000;
    private static final long TIMER_NS = 1_000_000_000;
    private static final int STORY_TIMER = 3;
    private static final int ARM = 1;
    private static final int END_OF_STORY = 99;
    private static final Steps<Waiter> STORY = Steps.<Waiter>named("story", 1)
        .untilSignal((logic, tag, from, buffer, offset, length) -> END_OF_STORY == buffer.getLong(offset))
        .run((logic) -> logic.add("steps", 11)).build();

    /** The mistake of the next reload. */
    String failure = "";
    /** The logic that was made last. */
    Waiter newest;
    HostRig rig;
    private RoomType[] types;

    /** With versions of the same settings. */
    ReloadScript(final int... versions)
    {
        final RoomType[] all = new RoomType[versions.length];
        for (int i = 0; i < versions.length; i++)
        {
            all[i] = type(versions[i]);
        }
        if (0 != all.length)
        {
            start(all);
        }
    }

    RoomType type(final int version)
    {
        return RoomType.of(TYPE, "waiter", version, () -> make(version)).seats(SEATS).seatData(8);
    }

    ReloadScript start(final RoomType... registered)
    {
        types = registered;
        rig = new HostRig(registered);
        return this;
    }

    /** Run steps of the script, each a turn. */
    void play(final int from, final int to)
    {
        for (int step = from; step < to; step++)
        {
            final int current = step;
            rig.turn((1 + step) * STEP_NS + (step >= 5 ? FRAMES_NS : 0) + (step >= 11 ? TIMER_NS : 0),
                () -> commands(current));
        }
    }

    private void commands(final int step)
    {
        final RoomEncoder encoder = rig.encoder;
        final UnsafeBuffer buffer = rig.buffer;
        final UnsafeBuffer payload = rig.payload;
        switch (step)
        {
            case 0 ->
            {
                run(encoder.linkUp(buffer, 0, 10, 0));
                run(encoder.linkUp(buffer, 0, 11, 1));
            }
            case 1 -> run(encoder.openRoom(buffer, 0, ROOM, 5, 0, 0, TYPE, payload, 0, 0));
            case 2 ->
            {
                run(encoder.join(buffer, 0, ROOM, 7, 1, 0, payload, 0, 0));
                run(encoder.join(buffer, 0, ROOM, 8, 2, 1, payload, 0, 0));
            }
            case 3, 7 -> run(encoder.message(buffer, 0, ROOM, step, 0, 1, 0, number(3), 0, 8));
            case 4 -> run(encoder.signal(buffer, 0, ROOM, 0, 0, number(ARM), 0, 8));
            case RELOAD ->
            {
                assertEquals(0, run(encoder.reload(buffer, 0, 0, TYPE, types[0].version(), types[1].version())));
                assertEquals(0, run(encoder.reload(buffer, 0, ROOM, TYPE, types[0].version(), types[1].version())));
            }
            case 8 -> run(encoder.reply(buffer, 0, ROOM, 1, 0, number(4), 0, 8));
            case 9 -> run(encoder.directoryEntry(
                buffer, 0, ROOM, 77, TYPE, 1, 2, 0, DirectoryChange.OPENED, payload, 0, 0));
            case 10 -> run(encoder.signal(buffer, 0, ROOM, 0, 0, number(END_OF_STORY), 0, 8));
            case 11 -> run(encoder.signal(buffer, 0, ROOM, 0, 0, number(13), 0, 8));
            case 12 -> run(encoder.linkDown(buffer, 0, 0));
            case 13 ->
            {
                run(encoder.linkUp(buffer, 0, 12, 2));
                run(encoder.join(buffer, 0, ROOM, 7, 3, 2, payload, 0, 0));
            }
            case 14 ->
            {
                run(encoder.openRoom(buffer, 0, LATER_ROOM, 6, 0, 0, TYPE, payload, 0, 0));
                run(encoder.signal(buffer, 0, LATER_ROOM, 0, 0, number(12), 0, 8));
            }
            case 15 -> assertEquals(0, run(encoder.leave(buffer, 0, ROOM, 1, 1, 1)));
            // Time passes, and frames run.
            default ->
            {
            }
        }
    }

    int open(final long roomId)
    {
        return rig.open(roomId, TYPE);
    }

    int signal(final long value)
    {
        return rig.signal(ROOM, value);
    }

    int reload(final long roomId, final int fromVersion, final int toVersion)
    {
        return reload(roomId, TYPE, fromVersion, toVersion);
    }

    int reload(final long roomId, final int typeId, final int fromVersion, final int toVersion)
    {
        return rig.command(rig.encoder.reload(rig.buffer, 0, roomId, typeId, fromVersion, toVersion));
    }

    /** Run turns with a frame each. */
    void frames(final int count)
    {
        for (int i = 0; i < count; i++)
        {
            rig.pass(TIMER_NS / 50);
        }
    }

    private DirectBuffer number(final long value)
    {
        rig.payload.putLong(0, value);
        return rig.payload;
    }

    private int run(final int length)
    {
        return rig.command(length);
    }

    private Waiter make(final int version)
    {
        final boolean isNext = null != types && version != types[0].version();
        if (isNext && "supplier".equals(failure))
        {
            throw new NoClassDefFoundError("planted");
        }
        newest = new Waiter(version);
        return isNext && "null".equals(failure) ? null : newest;
    }

    /** A room that waits for everything. Whatever ends a wait adds to a sum, times the version of the logic. */
    final class Waiter implements RoomLogic
    {
        final int version;
        final Set<String> seen = new TreeSet<>();
        boolean isNoting = true;
        int restoredFrom;
        long sum;
        long random;
        long data;
        Seat seat;
        private Room room;
        private RunningSteps<Waiter> steps;
        private final UnsafeBuffer bytes = new UnsafeBuffer(new byte[8]);

        Waiter(final int version)
        {
            this.version = version;
        }

        void add(final String event, final long value)
        {
            if (isNoting)
            {
                seen.add(event);
            }
            sum = sum * 31 + version * value;
            bytes.putLong(0, sum);
            room.sendEvent(room.everyone(), bytes, 0, 8);
        }

        @Override
        public void onOpen(final Room opened, final DirectBuffer args, final int offset, final int length)
        {
            begin(opened);
        }

        private void begin(final Room used)
        {
            room = used;
            steps = new RunningSteps<>(room, this, 2, STORY_TIMER, List.of(STORY));
        }

        @Override
        public void onJoin(final Seat joined)
        {
            room.data(joined).putLong(0, joined.playerId());
            seat = 0 == joined.index() ? joined : seat;
        }

        @Override
        public void onMessage(final Seat from, final DirectBuffer source, final int offset, final int length)
        {
            add("message", source.getLong(offset));
        }

        @Override
        public void onSignal(final long from, final DirectBuffer source, final int offset, final int length)
        {
            if (steps.onSignal(from, source, offset, length))
            {
                return;
            }
            add("signal", source.getLong(offset));
            if (ARM == source.getLong(offset))
            {
                room.after(TIMER_NS, 1, 0);
                room.frameRate(50);
                room.subscribeToDirectory();
                room.async(5, 1, bytes, 0, 8);
                room.signal(LATER_ROOM, bytes, 0, 8);
                room.label(1, bytes, 0, 8);
                room.newGroup().add(seat);
                steps.start(STORY, 0);
            }
        }

        @Override
        public void onReply(
            final long correlationId, final int status, final DirectBuffer source, final int offset, final int length)
        {
            add("reply", 100 * correlationId + status);
        }

        @Override
        public void onTimer(final long handle, final int kind, final long tag)
        {
            add("timer", kind);
        }

        @Override
        public void onFrame(final long frame, final long elapsedNs)
        {
            random = room.random().nextLong();
            data = room.data(seat).getLong(0);
            add("frame", frame);
        }

        @Override
        public void onDirectory(final DirectoryEntry entry)
        {
            add("directory", entry.roomId());
        }

        @Override
        public void onAway(final Seat away)
        {
            add("away", away.index());
        }

        @Override
        public void onBack(final Seat back)
        {
            room.sendEvent(room.group(0), bytes, 0, 8);
            add("back", back.index());
        }

        @Override
        public void onLeave(final Seat left, final LeaveReason reason)
        {
            add("leave", left.index());
        }

        @Override
        public void onSnapshot(final StateWriter writer)
        {
            if ("onSnapshot".equals(failure) && !(writer instanceof StateHash))
            {
                throw new IllegalStateException("planted");
            }
            writer.putLong(sum);
            writer.putLong(random);
            writer.putLong(data);
            writer.putBoolean(null != seat);
            steps.write(writer);
        }

        @Override
        public void onRestore(final Room restored, final int from, final StateReader reader)
        {
            restoredFrom = from;
            begin(restored);
            sum = reader.getLong();
            random = reader.getLong();
            data = reader.getLong();
            seat = reader.getBoolean() ? room.seat(0) : null;
            if ("unread".equals(failure))
            {
                return;
            }
            steps.read(reader);
            switch (failure)
            {
                case "onRestore" -> throw new IllegalStateException("planted");
                case "random" -> throw new IllegalStateException("planted behind " + room.random().nextLong());
                case "seat data" ->
                {
                    room.data(seat).putLong(0, 666);
                    throw new IllegalStateException("planted");
                }
                case "overflow" -> throw new StackOverflowError("planted");
                case "interrupt" -> Thread.currentThread().interrupt();
                default ->
                {
                }
            }
        }
    }
}
