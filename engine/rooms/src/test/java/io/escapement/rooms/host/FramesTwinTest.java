package io.escapement.rooms.host;

import io.escapement.codecs.room.RoomEncoder;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.rooms.output.NoOutputs;
import io.escapement.testsupport.Tests;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Compares the frames of rooms with a model whose deadlines are n / rate. */
class FramesTwinTest
{
    private static final long SEED = 16_667;
    private static final int ROOMS = 12;
    private static final int PHASES = 3;
    private static final int[] RATES = {60, 30, 15, 8, 1_000, 144, 7, 1, 0};

    private final SplittableRandom random = new SplittableRandom(SEED);
    private final RoomEncoder encoder = new RoomEncoder();
    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[256]);
    private final UnsafeBuffer payload = new UnsafeBuffer(new byte[8]);
    private final List<Model> models = new ArrayList<>();
    private final int[] caps = new int[3];
    private long nowNs = 1_000;
    private long frames;

    @Test
    void shouldRunTheFramesOfPlainArithmetic()
    {
        final RoomHost host = new RoomHost(new HostContext().outputs(new NoOutputs()).phaseGroups(PHASES)
            .roomType(type(1, 1)).roomType(type(2, 4)));
        host.beginTurn(nowNs);
        for (int i = 1; i <= ROOMS; i++)
        {
            models.add(new Model(i, 1 + i % 2));
            host.onCommand(buffer, 0, encoder.openRoom(buffer, 0, i, 1, 0, 0, 1 + i % 2, payload, 0, 0));
        }
        host.endTurn();
        final int turns = Tests.isFull() ? 1_000_000 : 40_000;
        for (int turn = 0; turn < turns; turn++)
        {
            nowNs += random.nextInt(50) == 0 ? random.nextLong(400_000_000) : random.nextLong(9_000_000);
            // Prefetching is allowed at any time, and must change no state.
            host.warmCaches(nowNs + random.nextLong(9_000_000));
            host.beginTurn(nowNs);
            if (random.nextInt(20) == 0)
            {
                final int room = 1 + random.nextInt(ROOMS);
                payload.putInt(0, RATES[random.nextInt(RATES.length)]);
                models.get(room - 1).rate(payload.getInt(0));
                host.onCommand(buffer, 0, encoder.signal(buffer, 0, room, 0, 0, payload, 0, 4));
            }
            if (random.nextInt(100) == 0)
            {
                final int type = 1 + random.nextInt(2);
                caps[type] = RATES[random.nextInt(RATES.length)];
                models.forEach(Model::capChanged);
                host.onCommand(buffer, 0, encoder.setRate(buffer, 0, type, caps[type]));
            }
            host.endTurn();
            for (final Model model : models)
            {
                model.check();
            }
        }
        assertTrue(frames > turns, "only " + frames + " frames ran");
    }

    private RoomType type(final int id, final int catchUp)
    {
        return RoomType.of(id, "framed" + id, 1, () -> new Framed()).catchUp(catchUp);
    }

    /** The expected callbacks of one room. */
    private final class Model
    {
        private final int id;
        private final int type;
        private final List<String> seen = new ArrayList<>();
        private int requested;
        private int rate;
        private long lastNs;
        private long gridN;
        private long frame;
        private long missed;
        private long roomMissed;

        Model(final int id, final int type)
        {
            this.id = id;
            this.type = type;
        }

        void rate(final int hz)
        {
            requested = hz;
            capChanged();
        }

        void capChanged()
        {
            final int next = 0 == caps[type] ? requested : Math.min(requested, caps[type]);
            if (next != rate)
            {
                lastNs = 0 == rate ? nowNs : lastNs;
                rate = next;
                gridN = -1;
                while (0 != rate && deadline(gridN + 1) <= nowNs)
                {
                    gridN = Math.max(gridN + 1, (nowNs / 1_000_000_000L - 1) * rate);
                }
            }
        }

        long deadline(final long n)
        {
            return 1_000_000_000L * (id % PHASES) / ((long)rate * PHASES) + n / rate * 1_000_000_000L +
                n % rate * 1_000_000_000L / rate;
        }

        void check()
        {
            final List<String> expected = new ArrayList<>();
            if (0 != rate)
            {
                final List<Long> due = new ArrayList<>();
                for (long n = gridN + 1; deadline(n) <= nowNs; n++)
                {
                    due.add(n);
                }
                final int most = 1 == type ? 1 : 4;
                for (int i = 0; i < Math.min(most, due.size()); i++)
                {
                    final long n = i == most - 1 ? due.get(due.size() - 1) : due.get(i);
                    frame += n - gridN;
                    missed += n - gridN - 1;
                    gridN = n;
                    expected.add(frame + "+" + (deadline(n) - lastNs));
                    lastNs = deadline(n);
                }
            }
            frames += expected.size();
            assertEquals(expected, seen, "seed " + SEED + ", room " + id + " at " + nowNs);
            if (!expected.isEmpty())
            {
                assertEquals(missed, roomMissed, "seed " + SEED + ", room " + id + " at " + nowNs);
            }
            seen.clear();
        }
    }

    private final class Framed implements RoomLogic
    {
        private Room room;

        @Override
        public void onOpen(final Room opened, final DirectBuffer args, final int offset, final int length)
        {
            room = opened;
        }

        @Override
        public void onMessage(final Seat from, final DirectBuffer message, final int offset, final int length)
        {
            throw new IllegalStateException("this test has no players");
        }

        @Override
        public void onSignal(final long from, final DirectBuffer message, final int offset, final int length)
        {
            room.frameRate(message.getInt(offset));
        }

        @Override
        public void onFrame(final long frame, final long elapsedNs)
        {
            final Model model = models.get((int)room.roomId() - 1);
            model.seen.add(frame + "+" + elapsedNs);
            model.roomMissed = room.missedFrames();
        }
    }
}
