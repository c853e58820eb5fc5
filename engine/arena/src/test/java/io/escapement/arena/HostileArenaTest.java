package io.escapement.arena;

import io.escapement.arena.client.ArenaSender;
import io.escapement.arena.client.BotBrain;
import io.escapement.rooms.bench.BenchSeat;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Players who send whatever they like: nothing throws, and who plays by the rules sees nothing of it. */
@Timeout(120)
class HostileArenaTest
{
    private static final long SEED = 1_703;
    private static final int FRAMES = "full".equals(System.getProperty("escapement.tests")) ? 60_000 : 1_200;

    private final SplittableRandom random = new SplittableRandom(SEED);
    private final List<byte[]> made = new ArrayList<>();
    private final ArenaSender maker = new ArenaSender(this::keep);

    @Test
    void shouldNotDisturbHonestPlayers()
    {
        final ArenaBench arena = new ArenaBench(16);
        final List<ArenaBench.Player> hostile = new ArrayList<>();
        for (int i = 1; i <= 16; i++)
        {
            final ArenaBench.Player player = arena.player(i, 2, 0).join();
            if (i % 2 == 0)
            {
                player.brain = new BotBrain(i);
            }
            else
            {
                hostile.add(player);
            }
        }
        for (int frame = 0; frame < FRAMES; frame++)
        {
            arena.play(1);
            for (final ArenaBench.Player player : hostile)
            {
                for (int n = random.nextInt(4); n > 0; n--)
                {
                    send(player.seat, arena.room().simulation().subStep());
                }
            }
        }
        assertEquals(List.of(), arena.bench.failures(), "seed " + SEED);
        for (final ArenaBench.Player player : arena.players)
        {
            assertEquals(List.of(), player.client.violations(), "seed " + SEED + ", player " + player.playerId);
            assertTrue(player.seat.isPresent());
            if (null != player.brain)
            {
                assertEquals(0, player.client.stats().corrections(), "seed " + SEED + ", player " + player.playerId);
                assertEquals(0, player.client.stats().ownError().getMaxValue());
                assertEquals(1, player.client.stats().pictures());
            }
        }
        final long refused = hostile.stream().mapToLong((player) -> player.client.stats().refusals()).sum();
        final long corrected = hostile.stream().mapToLong((player) -> player.client.stats().corrections()).sum();
        assertTrue(refused > 1_000 && corrected > 100, refused + " refused, " + corrected + " corrected");
        arena.bench.replayAndCompare();
    }

    @Test
    void shouldNotDisturbTheLobby()
    {
        final LobbyTraffic lobby = new LobbyTraffic(SEED);
        for (int i = 0; i < FRAMES / 4; i++)
        {
            lobby.play(1);
            for (int n = random.nextInt(8); n > 0; n--)
            {
                send(lobby.seat(random.nextInt(lobby.players() / 2)), i);
            }
        }
        lobby.assertAllWell();
        lobby.bench.replayAndCompare();
    }

    private void send(final BenchSeat seat, final long now)
    {
        final byte[] bytes = message(now);
        for (int flips = random.nextInt(3) - 1; flips > 0 && bytes.length > 0; flips--)
        {
            bytes[random.nextInt(bytes.length)] = (byte)random.nextInt();
        }
        final int length = 0 == random.nextInt(16) ? random.nextInt(bytes.length + 1) : bytes.length;
        seat.send(new UnsafeBuffer(bytes), 0, length);
    }

    private byte[] message(final long now)
    {
        made.clear();
        final String word = "x".repeat(random.nextInt(64));
        switch (random.nextInt(16))
        {
            case 0, 1, 2 -> maker.claim(now - random.nextInt(4), number(), number(), number(), number());
            case 3, 4 -> maker.claim(now, random.nextInt(32 << 16), random.nextInt(24 << 16), 0, 0);
            case 5 -> maker.dash(number(), number());
            case 6 -> maker.melee(number(), number());
            case 7 -> maker.shoot(number(), number());
            case 8 -> maker.roomChat(word);
            case 9 -> maker.lobbyChat(number(), word);
            case 10 -> maker.createRoom(number(), word, random.nextInt(256), word.substring(0, word.length() / 2), "");
            case 11 -> maker.enterRoom(number(), random.nextInt(20), random.nextInt(60), word);
            case 12 -> maker.changeRoom(number(), random.nextInt(20), word, word);
            case 13 -> maker.listRooms(number(), random.nextInt(65_536), word);
            case 14 -> maker.deleteCharacter(number(), random.nextInt(60));
            default -> made.add(noise());
        }
        return made.get(0);
    }

    /** A header of any message of the schema, and noise. */
    private byte[] noise()
    {
        final byte[] bytes = new byte[8 + random.nextInt(128)];
        random.nextBytes(bytes);
        final UnsafeBuffer buffer = new UnsafeBuffer(bytes);
        buffer.putShort(0, (short)random.nextInt(64));
        buffer.putShort(2, (short)random.nextInt(70));
        buffer.putShort(4, (short)703);
        buffer.putShort(6, (short)0);
        return bytes;
    }

    private int number()
    {
        return switch (random.nextInt(6))
        {
            case 0 -> Integer.MIN_VALUE;
            case 1 -> Integer.MAX_VALUE;
            case 2 -> 0;
            case 3 -> random.nextInt(20) - 10;
            case 4 -> random.nextInt(1 << 17) - (1 << 16);
            default -> random.nextInt();
        };
    }

    private void keep(final DirectBuffer buffer, final int offset, final int length)
    {
        final byte[] bytes = new byte[length];
        buffer.getBytes(offset, bytes);
        made.add(bytes);
    }
}
