package io.escapement.arena.simulation;

import io.escapement.testsupport.Tests;
import java.util.ArrayDeque;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Clients that obey the rules: they run, turn and dash at random, report at their sampling rate, over links with
 * latency. None is ever corrected, and while no report is pending or in flight the simulation holds each of them
 * exactly where its client shows it.
 */
class HonestClientTest
{
    private static final int SECONDS = Tests.isFull() ? 2_000 : 100;

    private record Message(long sentAt, long arrivesAt, int age, int[] claim, int[] dash)
    {
    }

    private SplittableRandom random;
    private ArenaSimulation simulation;
    private long seed;
    private int sampling;
    private int latency;
    private int jitter;
    private int wrong;
    private long claims;
    private long dashes;
    private long exact;
    private long bent;

    @ParameterizedTest
    @CsvSource({
        "courtyard, 1, 0, 0", "courtyard, 2, 6, 0", "courtyard, 8, 12, 6", "courtyard, 15, 30, 20",
        "foundry, 1, 30, 0", "foundry, 4, 6, 3", "foundry, 8, 40, 20", "foundry, 15, 6, 0",
        "catacombs, 2, 0, 0", "catacombs, 4, 12, 3", "catacombs, 8, 6, 6", "catacombs, 15, 40, 20"})
    void shouldNeverBeCorrected(final String map, final int newSampling, final int newLatency, final int newJitter)
    {
        play(map, newSampling, newLatency, newJitter, 0);
        assertTrue(exact > 100, "held exactly " + exact + " times only");
    }

    @ParameterizedTest
    @CsvSource({"courtyard, 2, 12, 6", "courtyard, 15, 12, 6", "foundry, 4, 20, 0", "catacombs, 8, 20, 12"})
    void shouldNotBeCorrectedWhenTheyAreNotSureOfTheAge(
        final String map, final int newSampling, final int newLatency, final int newJitter)
    {
        play(map, newSampling, newLatency, newJitter, ArenaRules.ROUND_TRIP / 2);
    }

    private void play(
        final String map, final int newSampling, final int newLatency, final int newJitter, final int newWrong)
    {
        seed = 71 + newSampling;
        random = new SplittableRandom(seed);
        simulation = new ArenaSimulation(ArenaMap.shipped(map));
        sampling = newSampling;
        latency = newLatency;
        jitter = newJitter;
        wrong = newWrong;
        final Client[] clients = new Client[ArenaRules.PLAYER_LIMIT];
        for (int player = 0; player < clients.length; player++)
        {
            simulation.enter(player);
            clients[player] = new Client(player);
        }
        for (int now = 0; now < SECONDS * ArenaRules.SUB_STEPS_PER_SECOND; now++)
        {
            for (final Client client : clients)
            {
                client.think();
            }
            for (final Client client : clients)
            {
                client.deliver();
            }
            simulation.step(1);
            simulation.events().clear();
            for (final Client client : clients)
            {
                client.advance();
            }
        }
        assertTrue(claims > 10L * SECONDS, "only " + claims + " claims");
        assertTrue(dashes > SECONDS, "only " + dashes + " dashes");
        assertTrue(bent > 0 || sampling < 4, "no client ever turned twice between two samples");
    }

    private final class Client
    {
        private final int player;
        private final Extrapolation body = new Extrapolation(simulation.map());
        private final ArrayDeque<Message> underWay = new ArrayDeque<>();
        private int vx;
        private int vy;
        private int turns;
        private long lastSentAt;
        private long dashAt = -ArenaRules.DASH_COOLDOWN;

        Client(final int player)
        {
            this.player = player;
            body.set(simulation.players().x(player), simulation.players().y(player), 0, 0);
        }

        void think()
        {
            final long now = simulation.subStep();
            if (random.nextInt(25) == 0)
            {
                turn();
            }
            // Before this, the server cannot distinguish a first claim from one sent before the spawn.
            if ((now + player) % sampling == 0 && now > wrong)
            {
                final boolean dashes = now - dashAt >= ArenaRules.DASH_COOLDOWN + 2 * wrong && random.nextInt(10) == 0;
                // With uncertain ages the server may hold it beyond a corner, and soon far away: report in time.
                final boolean isDue = wrong > 0 && now - lastSentAt >= ArenaRules.SAMPLING_LIMIT;
                if (turns > 0 || dashes || isDue)
                {
                    send(now, dashes);
                }
            }
        }

        void deliver()
        {
            final long now = simulation.subStep();
            while (!underWay.isEmpty() && underWay.peek().arrivesAt <= now)
            {
                final Message message = underWay.remove();
                final int[] claim = message.claim;
                final int age = Math.max(0, (int)(now - message.sentAt) + message.age);
                final int code = simulation.claim(player, claim[0], claim[1], claim[2], claim[3], age);
                assertEquals("NONE", Refusal.nameOf(code), () -> describe(message));
                claims++;
                if (null != message.dash)
                {
                    final int dashed = simulation.dash(player, message.dash[0], message.dash[1]);
                    assertEquals("NONE", Refusal.nameOf(dashed), () -> describe(message));
                }
            }
        }

        void advance()
        {
            body.advance(1);
            final boolean isAllSent = 0 == turns && underWay.isEmpty() && 0 == wrong;
            if (isAllSent)
            {
                assertEquals(0, body.error(simulation.players().x(player), simulation.players().y(player)),
                    () -> "seed " + seed + ", player " + player + " at " + simulation.subStep());
                exact++;
            }
        }

        private void turn()
        {
            final int dirX = random.nextInt(2_001) - 1_000;
            final int dirY = random.nextInt(2_001) - 1_000;
            final int speed = random.nextInt(4) == 0 ? random.nextInt(ArenaRules.RUN_SPEED) : ArenaRules.RUN_SPEED;
            final boolean isRest = 0 == (dirX | dirY) || random.nextInt(8) == 0;
            vx = isRest ? 0 : Fixed.scale(dirX, dirX, dirY, speed);
            vy = isRest ? 0 : Fixed.scale(dirY, dirX, dirY, speed);
            body.turn(vx, vy);
            turns++;
            bent += turns > 1 ? 1 : 0;
        }

        private void send(final long now, final boolean dashes)
        {
            final int[] dash = dashes ? new int[] {random.nextInt(2_001) - 1_000, 1 + random.nextInt(1_000)} : null;
            final long arrivesAt = now + latency + (jitter > 0 ? random.nextInt(jitter) : 0);
            final long notBefore = underWay.isEmpty() ? 0 : underWay.peekLast().arrivesAt;
            final int age = wrong > 0 ? random.nextInt(2 * wrong + 1) - wrong : 0;
            underWay.add(new Message(
                now, Math.max(arrivesAt, notBefore), age, new int[] {body.x(), body.y(), vx, vy}, dash));
            turns = 0;
            lastSentAt = now;
            if (dashes)
            {
                dashAt = now;
                HonestClientTest.this.dashes++;
                body.dash(
                    Fixed.scale(dash[0], dash[0], dash[1], ArenaRules.DASH_SPEED),
                    Fixed.scale(dash[1], dash[0], dash[1], ArenaRules.DASH_SPEED), ArenaRules.DASH_TIME);
            }
        }

        private String describe(final Message message)
        {
            return "seed " + seed + ", player " + player + ", sent at " + message.sentAt + ": " +
                message.claim[0] + " " + message.claim[1] + ", held at " + simulation.players().x(player) + " " +
                simulation.players().y(player) + ", now " + simulation.subStep();
        }
    }
}
