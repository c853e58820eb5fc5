package io.escapement.rooms.host;

import io.escapement.codecs.RoomCommands;
import io.escapement.codecs.room.MessageHeaderDecoder;
import io.escapement.codecs.room.RequestDecoder;
import io.escapement.codecs.room.RoomEncoder;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import io.escapement.rooms.loop.LoopLimits;
import io.escapement.rooms.loop.LoopState;
import io.escapement.rooms.output.ByteSink;
import io.escapement.rooms.output.NoOutputs;
import io.escapement.testsupport.Tests;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Loops whose rooms send signals to each other and requests to a service, while the process is killed again and again:
 * what waits between the loops is lost, and each loop goes on from its last snapshot and its log. The naive twin is a
 * list of what the program had each room send. Each signal arrives once or is refused once, in the order of its
 * sender; each request has one answer. A follower runs every turn from the log and has the same state.
 */
class LoopsTwinTest
{
    private static final int LOOPS = 3;
    private static final int ROOMS = 3;
    private static final int TYPE = 1;
    private static final int STEPS = Tests.isFull() ? 40_000 : 1_500;
    private static final int SEEDS = Tests.isFull() ? 40 : 3;
    private static final long REQUEST = -1;

    private record Turn(long nowNs, int returns, List<byte[]> commands, long stateHash)
    {
    }

    private record Pair(long from, long to)
    {
    }

    private final RoomEncoder encoder = new RoomEncoder();
    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[RoomCommands.MAX_COMMAND_LENGTH]);
    private final UnsafeBuffer payload = new UnsafeBuffer(new byte[1_024]);
    private final Loop[] loops = new Loop[LOOPS];
    private final Map<Pair, List<Long>> sentByPairMap = new HashMap<>();
    private final Set<Long> executed = new HashSet<>();
    private SplittableRandom random;
    private String name;
    private int incarnation;
    private long lastNumber;
    private long requests;

    @Test
    void shouldRunEachCommandOnceHoweverOftenTheProcessIsKilled()
    {
        for (int seed = 1; seed <= SEEDS; seed++)
        {
            run(seed);
        }
    }

    private void run(final int seed)
    {
        name = "seed " + seed;
        random = new SplittableRandom(seed);
        sentByPairMap.clear();
        executed.clear();
        incarnation = 0;
        requests = 0;
        for (int i = 0; i < LOOPS; i++)
        {
            loops[i] = new Loop(i);
        }
        int kills = 0;
        for (int step = 0; step < STEPS; step++)
        {
            final int dice = random.nextInt(1_000);
            if (dice < 4)
            {
                kill(dice < 2);
                kills++;
            }
            else if (dice < 10)
            {
                loops[random.nextInt(LOOPS)].takeSnapshot();
            }
            else
            {
                loops[random.nextInt(LOOPS)].step(true);
            }
        }
        boolean isWaiting = true;
        for (int round = 0; isWaiting; round++)
        {
            assertTrue(round < 1_000, "something waits for ever, " + name);
            isWaiting = false;
            for (final Loop loop : loops)
            {
                loop.step(false);
            }
            for (final Loop loop : loops)
            {
                isWaiting |= loop.isWaiting();
            }
        }
        assertTrue(kills > STEPS / 1_000, kills + " kills, " + name);
        verify();
    }

    /** End the process, or change the leader, which keeps what the loops have and loses what is between them. */
    private void kill(final boolean isLeaderChange)
    {
        incarnation++;
        for (final Loop loop : loops)
        {
            loop.inbox.clear();
            if (!isLeaderChange)
            {
                loop.recover();
            }
            loop.resume();
        }
    }

    private void verify()
    {
        long arrived = 0;
        long refused = 0;
        long answers = 0;
        for (final Loop loop : loops)
        {
            for (final Post post : loop.posts.values())
            {
                refused += post.refused.size();
                answers += post.answers.size();
                assertEquals(post.answers.size(), new HashSet<>(post.answers).size(), "an answer twice, " + name);
                for (final Loop other : loops)
                {
                    for (final Post sender : other.posts.values())
                    {
                        final List<Long> expected = new ArrayList<>(sentByPairMap.getOrDefault(
                            new Pair(sender.id, post.id), List.of()));
                        expected.removeAll(sender.refused);
                        final List<Long> actual =
                            post.arrived.stream().filter((number) -> senderOf(number) == senderKey(sender.id)).toList();
                        assertEquals(expected, actual, "from " + sender.id + " to " + post.id + ", " + name);
                        arrived += actual.size();
                    }
                }
            }
        }
        assertEquals(requests, answers + loops[0].refusedRequests(loops), "requests, " + name);
        assertEquals(executed.size(), answers, "effects, " + name);
        assertTrue(arrived > STEPS / 4 && refused > 0 && answers > 0,
            arrived + " arrived, " + refused + " refused, " + answers + " answers, " + name);
    }

    private static long senderKey(final long roomId)
    {
        return (roomId >>> 54) * 10 + roomId % 10;
    }

    private static long senderOf(final long number)
    {
        return number % 100;
    }

    private static long roomId(final int loop, final int serial)
    {
        return ((long)loop << 54) | serial;
    }

    private final class Loop
    {
        private final int number;
        private final Deque<byte[]> inbox = new ArrayDeque<>();
        private final List<Turn> turns = new ArrayList<>();
        private final List<byte[]> commands = new ArrayList<>();
        private Map<Long, Post> posts = new HashMap<>();
        private RoomHost host;
        private final RoomHost follower;
        private ByteSink snapshot;
        private long nowNs;

        Loop(final int number)
        {
            this.number = number;
            host = new RoomHost(context(posts));
            follower = new RoomHost(context(new HashMap<>()));
            takeSnapshot();
            for (int serial = 1; serial <= ROOMS; serial++)
            {
                inbox.add(bytes(encoder.openRoom(
                    buffer, 0, roomId(number, serial), serial, 0, 0, TYPE, payload, 0, 0)));
            }
            step(false);
        }

        private HostContext context(final Map<Long, Post> owner)
        {
            return new HostContext().outputs(NoOutputs.NONE).roomLimit(ROOMS)
                .loopState(new LoopLimits(number, LOOPS, 4, LoopLimits.MIN_QUEUE_LENGTH))
                .roomType(RoomType.of(TYPE, "post", 1, () -> new Post(owner)).requests(8));
        }

        boolean isWaiting()
        {
            final LoopState state = host.loopState();
            boolean isWaiting = !inbox.isEmpty() || 0 != state.returns() || state.hasUnsent() ||
                0 != state.openRequests();
            for (int loop = 0; loop < LOOPS; loop++)
            {
                isWaiting |= 0 != state.untaken(loop);
            }
            return isWaiting;
        }

        /** One turn, and then what it may send. */
        void step(final boolean isBusy)
        {
            final long before = host.turn();
            host.beginTurn(++nowNs);
            final int returns = returns();
            for (int i = isBusy ? random.nextInt(6) : 100; i > 0 && !inbox.isEmpty(); i--)
            {
                command(inbox.poll());
            }
            for (int i = isBusy ? random.nextInt(5) : 0; i > 0; i--)
            {
                command(order());
            }
            host.endTurn();
            logged(before, returns);
            if (!isBusy || 0 != random.nextInt(3))
            {
                send(isBusy);
            }
        }

        /** An incarnation begins. */
        void resume()
        {
            final long before = host.turn();
            host.beginTurn(++nowNs);
            final int returns = returns();
            command(bytes(encoder.hostResumed(buffer, 0, 7_000L * incarnation, incarnation, 0)));
            host.endTurn();
            logged(before, returns);
        }

        /** The turn is in the log, and the follower runs it. */
        private void logged(final long before, final int returns)
        {
            if (before != host.turn())
            {
                final Turn turn = new Turn(nowNs, returns, List.copyOf(commands), host.stateHash());
                turns.add(turn);
                run(follower, turn);
            }
            commands.clear();
        }

        void recover()
        {
            posts = new HashMap<>();
            host = RoomHost.restore(context(posts), snapshot.buffer(), 0, snapshot.length());
            for (final Turn turn : turns)
            {
                run(host, turn);
            }
        }

        private void run(final RoomHost runner, final Turn turn)
        {
            runner.beginTurn(turn.nowNs);
            for (int i = 0; i < turn.commands.size(); i++)
            {
                final byte[] command = turn.commands.get(i);
                if (i < turn.returns)
                {
                    assertTrue(runner.onReturn(new UnsafeBuffer(command), 0, command.length), name);
                }
                else
                {
                    runner.onCommand(new UnsafeBuffer(command), 0, command.length);
                }
            }
            runner.endTurn();
            assertEquals(turn.stateHash, runner.stateHash(), name);
        }

        void takeSnapshot()
        {
            snapshot = new ByteSink();
            host.snapshot(snapshot);
            turns.clear();
        }

        private byte[] order()
        {
            final long from = roomId(number, 1 + random.nextInt(ROOMS));
            final long to = roomId(random.nextInt(LOOPS), 1 + random.nextInt(ROOMS));
            final boolean isRequest = 0 == random.nextInt(4);
            lastNumber++;
            final long signal = lastNumber * 100 + senderKey(from);
            if (isRequest)
            {
                requests++;
            }
            else
            {
                sentByPairMap.computeIfAbsent(new Pair(from, to), (pair) -> new ArrayList<>()).add(signal);
            }
            payload.putLong(0, isRequest ? REQUEST : to);
            payload.putLong(8, signal);
            return bytes(encoder.signal(buffer, 0, from, 0, 0, payload, 0, 16));
        }

        private void send(final boolean isBusy)
        {
            final LoopState state = host.loopState();
            for (int i = 0; i < LOOPS; i++)
            {
                final Loop other = loops[i];
                final LoopState.Receiver receiver = (source, offset, length) ->
                    (!isBusy || 0 != random.nextInt(5)) && other.inbox.add(copy(source, offset, length));
                state.sendMessages(i, receiver);
                state.sendTaken(i, receiver);
            }
            state.sendRequests((source, offset, length) ->
                (!isBusy || 0 != random.nextInt(5)) && serve(source, offset));
        }

        /** The service does each request once, and answers as often as it is asked. */
        private boolean serve(final DirectBuffer source, final int offset)
        {
            final RequestDecoder request =
                new RequestDecoder().wrapAndApplyHeader(source, offset, new MessageHeaderDecoder());
            executed.add(request.roomId() * 1_000_003 + request.correlationId());
            inbox.add(bytes(encoder.reply(
                buffer, 0, request.roomId(), request.correlationId(), 0, payload, 0, 0)));
            return true;
        }

        long refusedRequests(final Loop[] all)
        {
            long refused = 0;
            for (final Loop loop : all)
            {
                for (final Post post : loop.posts.values())
                {
                    refused += post.refusedRequests;
                }
            }
            return refused;
        }

        private int returns()
        {
            host.loopState().readReturns(0, (source, offset, length) -> commands.add(copy(source, offset, length)));
            return host.runReturns();
        }

        private void command(final byte[] command)
        {
            commands.add(command);
            host.onCommand(new UnsafeBuffer(command), 0, command.length);
        }

        private byte[] bytes(final int length)
        {
            return copy(buffer, 0, length);
        }

        private byte[] copy(final DirectBuffer source, final int offset, final int length)
        {
            final byte[] copy = new byte[length];
            source.getBytes(offset, copy);
            return copy;
        }
    }

    /** Sends what the program orders, and keeps what arrives as its state. */
    private static final class Post extends Quiet
    {
        private static final int LENGTH = 300;

        private final UnsafeBuffer bytes = new UnsafeBuffer(new byte[LENGTH]);
        private final Map<Long, Post> owner;
        private final List<Long> arrived = new ArrayList<>();
        private final List<Long> refused = new ArrayList<>();
        private final List<Long> answers = new ArrayList<>();
        /** Correlation id and number of each signal that may still be refused. */
        private final Map<Long, Long> numberByCorrelationMap = new HashMap<>();
        private long refusedRequests;
        private long id;

        Post(final Map<Long, Post> owner)
        {
            this.owner = owner;
        }

        @Override
        public void onOpen(final Room opened, final DirectBuffer args, final int offset, final int length)
        {
            super.onOpen(opened, args, offset, length);
            id = room.roomId();
            owner.put(id, this);
        }

        @Override
        public void onSignal(final long from, final DirectBuffer source, final int offset, final int length)
        {
            if (0 != from)
            {
                arrived.add(source.getLong(offset));
                return;
            }
            final long to = source.getLong(offset);
            final long number = source.getLong(offset + 8);
            bytes.putLong(0, number);
            if (REQUEST == to)
            {
                refusedRequests += Room.NO_REQUEST == room.async(1, 1, bytes, 0, 8) ? 1 : 0;
                return;
            }
            final long correlationId = room.signal(to, bytes, 0, LENGTH);
            if (Room.NO_REQUEST == correlationId)
            {
                refused.add(number);
            }
            else
            {
                numberByCorrelationMap.put(correlationId, number);
            }
        }

        @Override
        public void onReply(
            final long correlationId, final int status, final DirectBuffer source, final int offset, final int length)
        {
            final Long number = numberByCorrelationMap.remove(correlationId);
            if (null != number)
            {
                refused.add(number);
            }
            else if (0 == status)
            {
                answers.add(correlationId);
            }
            else
            {
                refusedRequests++;
            }
        }

        @Override
        public void onSnapshot(final StateWriter writer)
        {
            for (final List<Long> list : List.of(arrived, refused, answers))
            {
                writer.putInt(list.size());
                list.forEach(writer::putLong);
            }
            writer.putLong(refusedRequests);
            final List<Long> keys = numberByCorrelationMap.keySet().stream().sorted().toList();
            writer.putInt(keys.size());
            for (final long key : keys)
            {
                writer.putLong(key);
                writer.putLong(numberByCorrelationMap.get(key));
            }
        }

        @Override
        public void onRestore(final Room restored, final int version, final StateReader reader)
        {
            super.onRestore(restored, version, reader);
            id = room.roomId();
            owner.put(id, this);
            for (final List<Long> list : List.of(arrived, refused, answers))
            {
                for (int i = reader.getInt(); i > 0; i--)
                {
                    list.add(reader.getLong());
                }
            }
            refusedRequests = reader.getLong();
            for (int i = reader.getInt(); i > 0; i--)
            {
                numberByCorrelationMap.put(reader.getLong(), reader.getLong());
            }
        }
    }
}
