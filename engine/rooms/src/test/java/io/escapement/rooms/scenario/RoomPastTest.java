package io.escapement.rooms.scenario;

import io.escapement.codecs.layout.SchemaRules;
import io.escapement.codecs.room.OpenRoomDecoder;
import io.escapement.rooms.RoomDescription;
import io.escapement.rooms.host.RoomHost;
import io.escapement.rooms.log.HostConfig;
import io.escapement.rooms.log.LogFile;
import io.escapement.rooms.log.LogHistory;
import io.escapement.rooms.log.LogSource;
import io.escapement.rooms.log.ProposalReader;
import io.escapement.rooms.output.ByteSink;
import io.escapement.rooms.output.NoOutputs;
import io.escapement.rooms.replay.ProposalRunner;
import io.escapement.rooms.replay.RoomPast;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A room has the same state at a place of its past, whichever way it was reached: that which it had then. */
class RoomPastTest
{
    private static final long SEED = 20_261_130;
    private static final int ROOMS = 20;
    private static final int MOVES = 1_000;
    private static final int PARTS = 5;
    private static final int COMMANDS = 6_000;

    private final Scenario scenario = Scenario.run(SEED, COMMANDS);
    private final LogFile log = ReplayTest.reader(scenario.log);
    /** Hashes of the rooms by the number of the proposal after which they had them. */
    private final Map<Long, long[]> liveByTurnMap = new HashMap<>();
    private final Map<String, Map<String, Object>> valuesByPlaceMap = new HashMap<>();
    private final Parts parts = new Parts();
    private long lastTurn;

    @Test
    void shouldHaveTheLiveStateWhicheverWayATurnIsReached()
    {
        runLive();
        final SplittableRandom random = new SplittableRandom(SEED);
        final List<RoomPast> rooms = new ArrayList<>();
        for (int room = 1; room <= ROOMS; room++)
        {
            rooms.add(new RoomPast(parts, room, Scenario::context));
        }
        final int[] moves = new int[8];
        for (int i = 0; i < MOVES; i++)
        {
            final RoomPast room = rooms.get(random.nextInt(ROOMS));
            final int kind = random.nextInt(moves.length);
            final boolean hasMoved = move(room, kind, random);
            moves[kind] += hasMoved ? 1 : 0;
            final String place = "seed " + SEED + ", move " + i + " of kind " + kind + ", room " + room.roomId() +
                ", turn " + room.turn() + ", message " + room.message();
            if (0 == room.message())
            {
                final Described described = new Described();
                room.describe(described);
                final Map<String, Object> before =
                    valuesByPlaceMap.putIfAbsent(room.roomId() + " at " + room.turn(), described.values);
                assertEquals(null == before ? described.values : before, described.values, place);
                assertEquals(liveByTurnMap.get(room.turn())[(int)room.roomId()], room.stateHash(), place);
            }
        }
        for (int kind = 0; kind < moves.length; kind++)
        {
            assertTrue(moves[kind] > MOVES / 40, "moves of kind " + kind + ": " + moves[kind]);
        }
    }

    @Test
    void shouldStepThroughAllTurnsAndBack()
    {
        runLive();
        final RoomPast room = new RoomPast(parts, 3, Scenario::context);
        final List<Long> turns = new ArrayList<>();
        final List<Long> hashes = new ArrayList<>();
        while (room.step())
        {
            turns.add(room.turn());
            hashes.add(room.stateHash());
        }
        assertEquals(turns.stream().sorted().distinct().toList(), turns);
        assertTrue(turns.size() > 100, turns.size() + " turns");
        for (int i = turns.size() - 2; i >= 0; i--)
        {
            assertTrue(room.back(), "turn " + turns.get(i));
            assertEquals(turns.get(i), room.turn());
            assertEquals(hashes.get(i), room.stateHash());
        }
        assertFalse(room.back() && room.back(), "before the first turn");
    }

    @Test
    void shouldStepThroughAllMessagesAndBack()
    {
        runLive();
        final RoomPast room = new RoomPast(parts, 3, Scenario::context);
        final List<String> places = new ArrayList<>();
        while (room.stepMessage())
        {
            places.add(room.turn() + "." + room.message());
            assertEquals(room.turn(), room.inputs(1).get(0).turn());
        }
        assertTrue(places.size() > 50, places.size() + " messages");
        for (int i = places.size() - 1; i >= 0; i--)
        {
            assertTrue(room.backMessage(), places.get(i));
            assertEquals(places.get(i), room.turn() + "." + room.message());
        }
        assertFalse(room.backMessage());
    }

    /** It keeps its own state where the log has a snapshot, which is the same without other inputs. */
    @Test
    void shouldContinueOverTheSnapshotsOfTheLog()
    {
        runLive();
        final long inSnapshot = roomOfASnapshot();
        final RoomPast from = new RoomPast(parts, inSnapshot, Scenario::context);
        from.step();
        final RoomPast room = new RoomPast(parts, inSnapshot, Scenario::context);
        room.continueFrom(from);
        final RoomPast logged = new RoomPast(parts, inSnapshot, Scenario::context);
        logged.step();
        assertEquals(logged.turn(), room.turn());
        while (logged.step())
        {
            assertTrue(room.step(), "turn " + logged.turn());
            assertEquals(logged.turn(), room.turn());
            assertEquals(logged.stateHash(), room.stateHash(), "turn " + room.turn());
        }
        assertFalse(room.step());
        assertTrue(room.turn() > parts.turns.get(PARTS - 1), "turn " + room.turn());
    }

    @Test
    void shouldLeaveOutCommandsToTheEndOfTheLog()
    {
        runLive();
        final long inSnapshot = roomOfASnapshot();
        final RoomPast from = new RoomPast(parts, inSnapshot, Scenario::context);
        final RoomPast room = new RoomPast(parts, inSnapshot, Scenario::context);
        final int[] opened = {0};
        room.continueFrom(from, (input) ->
        {
            final boolean isOpen = OpenRoomDecoder.TEMPLATE_ID == SchemaRules.templateId(input.command(), 0);
            opened[0] += isOpen ? 1 : 0;
            return !isOpen;
        });
        while (room.step())
        {
            assertFalse(room.isOpen(), "turn " + room.turn());
        }
        assertTrue(room.turn() > parts.turns.get(PARTS - 1), "turn " + room.turn());
        assertTrue(opened[0] > 0, "the log opens the room");
    }

    @Test
    void shouldListTheRoomsThatNoSnapshotHas()
    {
        runLive();
        final List<Long> all = RoomPast.rooms(LogHistory.of(log));
        assertEquals(all, RoomPast.rooms(parts));
    }

    private long roomOfASnapshot()
    {
        return RoomHost.roomsOf(parts.snapshots.get(PARTS - 1))[0];
    }

    private boolean move(final RoomPast room, final int kind, final SplittableRandom random)
    {
        return switch (kind)
        {
            case 0 -> seek(room, random.nextLong(lastTurn + 2));
            case 1 -> seek(room, Math.max(0, room.turn() + random.nextInt(41) - 20));
            case 2 -> room.step();
            case 3 -> room.back();
            case 4 -> room.stepMessage();
            case 5 -> room.backMessage();
            case 6 -> room.stepFrame();
            default -> room.backFrame();
        };
    }

    private static boolean seek(final RoomPast room, final long turn)
    {
        room.seek(turn);
        assertTrue(room.turn() <= Math.max(turn, 0), room.turn() + " after a seek of " + turn);
        return true;
    }

    /** Run the whole host, note the hashes, and take snapshots at which the log can begin. */
    private void runLive()
    {
        final ProposalRunner runner = new ProposalRunner(Scenario.context().outputs(NoOutputs.NONE).like(log.config()));
        runner.failBy(log);
        log.rewind();
        note(runner);
        final long between = log.proposals() / PARTS;
        while (log.next())
        {
            if (ProposalReader.isProposal(log.buffer(), log.offset(), log.length()) &&
                runner.run(log.buffer(), log.offset(), log.length()))
            {
                note(runner);
                if (0 == runner.lastProposal() % between)
                {
                    final ByteSink snapshot = new ByteSink();
                    runner.host().snapshot(snapshot);
                    parts.snapshots.add(new UnsafeBuffer(snapshot.toArray()));
                    parts.turns.add(runner.lastProposal());
                }
            }
        }
        lastTurn = runner.lastProposal();
        assertTrue(parts.starts() >= PARTS, parts.starts() + " parts");
    }

    private void note(final ProposalRunner runner)
    {
        final long[] hashes = new long[ROOMS + 1];
        for (int room = 1; room <= ROOMS; room++)
        {
            hashes[room] = runner.host().stateHash(room);
        }
        liveByTurnMap.put(runner.lastProposal(), hashes);
    }

    /** A log with snapshots. */
    private final class Parts implements LogHistory
    {
        private final List<DirectBuffer> snapshots = new ArrayList<>();
        private final List<Long> turns = new ArrayList<>();

        Parts()
        {
            snapshots.add(null);
            turns.add(0L);
        }

        @Override
        public int starts()
        {
            return snapshots.size();
        }

        @Override
        public void read(final int start, final Consumer<LogSource> reader)
        {
            log.rewind();
            reader.accept(new Part(snapshots.get(start), turns.get(start)));
        }
    }

    private final class Part implements LogSource
    {
        private final DirectBuffer snapshot;
        private final long turn;
        private final ProposalReader proposal = new ProposalReader();

        Part(final DirectBuffer snapshot, final long turn)
        {
            this.snapshot = snapshot;
            this.turn = turn;
        }

        @Override
        public HostConfig config()
        {
            return log.config();
        }

        @Override
        public DirectBuffer snapshot()
        {
            return snapshot;
        }

        @Override
        public void rewind()
        {
            log.rewind();
        }

        @Override
        public void rewindToFailed()
        {
            log.rewindToFailed();
        }

        @Override
        public boolean next()
        {
            boolean hasNext = log.next();
            while (hasNext && ProposalReader.isProposal(log.buffer(), log.offset(), log.length()) &&
                0 == proposal.wrap(log.buffer(), log.offset(), log.length()) && proposal.number() <= turn)
            {
                hasNext = log.next();
            }
            return hasNext;
        }

        @Override
        public DirectBuffer buffer()
        {
            return log.buffer();
        }

        @Override
        public int offset()
        {
            return log.offset();
        }

        @Override
        public int length()
        {
            return log.length();
        }

        @Override
        public boolean isFinished()
        {
            return log.isFinished();
        }
    }

    /** To name its values changes nothing in a room. */
    private static final class Described implements RoomDescription
    {
        private final Map<String, Object> values = new HashMap<>();

        @Override
        public void put(final String name, final long value)
        {
            values.put(name, value);
        }

        @Override
        public void put(final String name, final double value)
        {
            values.put(name, value);
        }

        @Override
        public void put(final String name, final String value)
        {
            values.put(name, value);
        }
    }
}
