package io.escapement.arena.room;

import io.escapement.arena.client.ArenaClient;
import io.escapement.arena.client.ArenaSender;
import io.escapement.arena.client.BotBrain;
import io.escapement.arena.client.ClientCommons;
import io.escapement.arena.codecs.GuestEncoder;
import io.escapement.arena.codecs.MessageHeaderEncoder;
import io.escapement.arena.common.ArenaMaps;
import io.escapement.arena.common.InMemoryCharacters;
import io.escapement.arena.simulation.ArenaRules;
import io.escapement.codecs.RoomCommands;
import io.escapement.codecs.room.RoomEncoder;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.bench.BenchSeat;
import io.escapement.rooms.bench.RoomBench;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** An arena on a bench, with players whose messages may have latency. */
final class ArenaBench
{
    /** A player: its seat, its client, and optionally a bot's brain. */
    final class Player
    {
        final long playerId;
        final long characterId;
        final int latency;
        final ArenaClient client;
        final ArenaSender sender = new ArenaSender(this::sendNow);
        private final ArrayDeque<byte[]> sent = new ArrayDeque<>();
        private final ArrayDeque<Long> sentAt = new ArrayDeque<>();
        private final ArrayDeque<Long> receivedAt = new ArrayDeque<>();
        final ClientCommons commons = new ClientCommons(maps);
        BotBrain brain;
        BenchSeat seat;
        boolean isLossy;
        int taken;
        private int scheduled;

        Player(final long playerId, final int sampling, final int latency)
        {
            this.playerId = playerId;
            this.latency = latency;
            characterId = characters.create(playerId, "fighter" + playerId);
            client = new ArenaClient(commons, sampling, 15, this::send);
        }

        /** Announced by the lobby and joined; or returned to its seat. */
        Player join()
        {
            letIn(playerId, characterId);
            return sit();
        }

        /** As {@link #join}, with a character without a kill and a death. */
        Player joinAsNewcomer()
        {
            letIn(playerId, characterId, 0, 0);
            return sit();
        }

        Player sit()
        {
            taken = 0;
            scheduled = 0;
            receivedAt.clear();
            seat = bench.join(bench.roomId(), playerId, new UnsafeBuffer(new byte[0]), 0, 0);
            return this;
        }

        void leave()
        {
            seat.leave();
            client.onAway();
        }

        /** Receive the messages whose latency has passed. */
        void receive()
        {
            while (scheduled < seat.received().size())
            {
                receivedAt.add(frames + latency);
                scheduled++;
            }
            while (!receivedAt.isEmpty() && receivedAt.peek() <= frames)
            {
                receivedAt.remove();
                final byte[] message = seat.received().get(taken++);
                if (!isLossy)
                {
                    client.onMessage(new UnsafeBuffer(message), 0, message.length);
                }
            }
        }

        void deliver()
        {
            while (!sentAt.isEmpty() && sentAt.peek() <= frames)
            {
                sentAt.remove();
                final byte[] message = sent.remove();
                if (seat.isPresent())
                {
                    seat.send(new UnsafeBuffer(message), 0, message.length);
                }
            }
        }

        private void send(final DirectBuffer buffer, final int offset, final int length)
        {
            final byte[] message = new byte[length];
            buffer.getBytes(offset, message);
            sent.add(message);
            sentAt.add(frames + latency);
        }

        private void sendNow(final DirectBuffer buffer, final int offset, final int length)
        {
            seat.send(buffer, offset, length);
        }
    }

    final InMemoryCharacters characters = new InMemoryCharacters();
    final ArenaMaps maps = new ArenaMaps();
    final RoomBench bench;
    final List<Player> players = new ArrayList<>();
    final List<ArenaRoom> rooms = new ArrayList<>();
    final int seats;
    long frames;
    private final UnsafeBuffer command = new UnsafeBuffer(new byte[RoomCommands.MAX_COMMAND_LENGTH]);
    private final UnsafeBuffer message = new UnsafeBuffer(new byte[512]);
    final RoomEncoder encoder = new RoomEncoder();

    ArenaBench(final int seats)
    {
        this.seats = seats;
        bench = RoomBench.of(type()).service(InMemoryCharacters.SERVICE_ID, characters);
    }

    RoomType type()
    {
        return ArenaRoom.type(seats, () ->
        {
            final ArenaRoom room = new ArenaRoom(characters, maps);
            rooms.add(room);
            return room;
        });
    }

    ArenaRoom room()
    {
        return rooms.get(0);
    }

    ArenaBench rate(final int hz)
    {
        run(encoder.setRate(command, 0, ArenaRoom.TYPE_BASE + seats, hz));
        return this;
    }

    Player player(final long playerId, final int sampling, final int latency)
    {
        final Player player = new Player(playerId, sampling, latency);
        players.add(player);
        return player;
    }

    Player player(final long playerId)
    {
        return player(playerId, 1, 0);
    }

    void letIn(final long playerId, final long characterId)
    {
        letIn(playerId, characterId, 10, 5);
    }

    void letIn(final long playerId, final long characterId, final long kills, final long deaths)
    {
        final byte[] name = ("fighter" + playerId).getBytes(StandardCharsets.UTF_8);
        final int length = new GuestEncoder().wrapAndApplyHeader(message, 0, new MessageHeaderEncoder())
            .playerId(playerId).characterId(characterId).kills(kills).deaths(deaths)
            .putName(name, 0, name.length).encodedLength();
        signal(0, 8 + length);
        reserve(playerId);
    }

    void reserve(final long playerId)
    {
        run(encoder.reserve(command, 0, bench.roomId(), playerId, ArenaRoom.RESERVATION_NS, 0, 0));
    }

    /** Send the content of the message buffer as a signal. */
    void signal(final long fromRoomId, final int length)
    {
        run(encoder.signal(command, 0, bench.roomId(), fromRoomId, 0, message, 0, length));
    }

    UnsafeBuffer message()
    {
        return message;
    }

    int stateLost(final Player player)
    {
        return run(encoder.stateLost(command, 0, bench.roomId(), player.seat.index(), 1));
    }

    int drain(final long deadlineNs)
    {
        return run(encoder.drain(command, 0, deadlineNs));
    }

    /** Run frames in which every player receives, decides and sends. */
    ArenaBench play(final int count)
    {
        for (int i = 0; i < count; i++)
        {
            bench.step(1);
            frames++;
            for (final Player player : players)
            {
                player.receive();
                if (null != player.brain && player.seat.isPresent())
                {
                    player.brain.think(player.client);
                }
                player.deliver();
            }
        }
        return this;
    }

    /** Shots need a free line, so both players move there first. */
    int shootUntilDeath(final ArenaBench.Player killer, final ArenaBench.Player victim)
    {
        for (int frame = 0; frame < 6_000; frame++)
        {
            if (victim.client.canAct() && killer.client.canAct())
            {
                final int dx = victim.client.x() - killer.client.x();
                final int dy = victim.client.y() - killer.client.y();
                final int shrink = 1 + (Math.abs(dx) + Math.abs(dy)) / ArenaRules.DIRECTION_LIMIT;
                killer.client.run(0 == frame / 40 % 3 ? -dy / shrink : dx / shrink, dy / shrink);
                killer.client.shoot(dx / shrink, dy / shrink);
            }
            play(1);
            if (room().simulation().players().deaths(victim.seat.index()) > 0)
            {
                play(1);
                return frame;
            }
        }
        throw new AssertionError("nobody died");
    }

    private int run(final int length)
    {
        return bench.command(command, 0, length);
    }

    /** Neither the room nor a client found a fault, and a replay and restored rooms give the same bytes. */
    void assertReplaysToTheSame()
    {
        assertEquals(List.of(), bench.failures());
        for (final Player player : players)
        {
            assertEquals(List.of(), player.client.violations());
        }
        bench.replayAndCompare();
        bench.restoreAndCompare();
    }
}
