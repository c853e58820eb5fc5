package io.escapement.matchmaking;

import io.escapement.testsupport.Tests;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Players and parties enqueue, find rooms, cancel, leave and lose connections at random. A model follows each player: a
 * seat or a removal ends a ticket, for all of its party at once, and nothing else reaches a player without a ticket.
 * The seats of a match are all reserved or none. Each run is replayed, and continued from snapshots.
 */
class MatchmakerTwinTest
{
    private static final int SEEDS = Tests.isFull() ? 300 : 6;
    private static final int STEPS = 300;
    private static final int PLAYERS = 4;
    private static final int ONLINE = 32;
    private static final int CUTS = 2;

    private int matched;
    private int seated;
    private int removed;
    private int abandoned;

    @Test
    void shouldFollowTheModel()
    {
        for (long seed = 1; seed <= SEEDS; seed++)
        {
            new Run(seed).run();
        }
        // Without these the test would compare nothing.
        final String counts = matched + " matches, " + seated + " in halls, " +
            removed + " removals, " + abandoned + " abandoned";
        assertTrue(matched > 4 * SEEDS, counts);
        assertTrue(seated > 5 * SEEDS, counts);
        assertTrue(removed > 10 * SEEDS, counts);
        assertTrue(abandoned > SEEDS, counts);
    }

    /** A player online. The party is the set of players with whom it shares a ticket. */
    private static final class Model
    {
        final MatchRig.Player player;
        final long id;
        final int rating;
        long party;
        int read;
        boolean hasTicket;

        Model(final MatchRig.Player player, final long id, final int rating)
        {
            this.player = player;
            this.id = id;
            this.rating = rating;
        }
    }

    private final class Run
    {
        private final long seed;
        private final SplittableRandom random;
        private final MatchRig rig;
        private final List<Model> models = new ArrayList<>();
        private final Map<Long, List<Model>> matchMap = new TreeMap<>();
        private Model newest;
        private long lastId;
        private long lastParty;
        private int step;

        private Run(final long seed)
        {
            this.seed = seed;
            random = new SplittableRandom(seed);
            rig = new MatchRig(new MatchmakerContext(MatchRig.MATCH, PLAYERS).findTypeId(MatchRig.HALL)
                .initialRange(100).rangePerSecond(20).maxRange(200).timeoutNs(TimeUnit.SECONDS.toNanos(12)), PLAYERS);
        }

        private void run()
        {
            rig.openHall("0=a");
            rig.openHall("0=a");
            rig.openHall("0=b");
            for (step = 0; step < STEPS; step++)
            {
                while (models.size() < ONLINE)
                {
                    models.add(new Model(rig.join(++lastId), lastId, random.nextInt(500)));
                }
                act(models.get(random.nextInt(models.size())));
                check();
            }
            assertEquals(List.of(), rig.bench.failures(), this::toString);
            abandoned += rig.abandoned.size();
            rig.bench.replayAndCompare();
            rig.bench.restoreAndCompare();
        }

        private void act(final Model model)
        {
            final int dice = random.nextInt(20);
            if (dice < 7)
            {
                rig.bench.step(1);
            }
            else if (dice < 8)
            {
                rig.bench.runFor(TimeUnit.MILLISECONDS.toNanos(random.nextInt(3_000)));
            }
            else if (dice < 13)
            {
                enqueue(model, 0, 1, label());
            }
            else if (dice < 16)
            {
                enqueueParty(model);
            }
            else
            {
                // Often in the middle of a match: who enqueued last probably made it possible.
                final Model goes = random.nextBoolean() && models.contains(newest) ? newest : model;
                rig.bench.step(random.nextInt(4));
                check();
                end(goes, dice);
            }
        }

        private void end(final Model model, final int dice)
        {
            if (dice < 18)
            {
                model.player.cancel();
                return;
            }
            // A player that returns is another one for the model.
            models.remove(model);
            if (18 == dice)
            {
                model.player.seat.disconnect();
            }
            else
            {
                model.player.seat.leave();
            }
            endTicket(model);
        }

        /** Some parties stay incomplete. */
        private void enqueueParty(final Model first)
        {
            final long party = ++lastParty;
            final int size = random.nextInt(2, PLAYERS + 1);
            final String label = label();
            enqueue(first, party, size, label);
            for (int i = random.nextInt(4) > 0 ? size - 1 : size - 2; i > 0; i--)
            {
                enqueue(models.get(random.nextInt(models.size())), party, size, label);
            }
        }

        /** The label of a hall to find, or null for a match. */
        private String label()
        {
            return 0 == random.nextInt(5) ? "0=" + "ab".charAt(random.nextInt(2)) : null;
        }

        private void enqueue(final Model model, final long party, final int size, final String label)
        {
            check();
            final int refusals = model.player.seat.refusals().size();
            if (null == label)
            {
                model.player.enqueue(model.rating, party, size);
            }
            else
            {
                model.player.find(party, size, label);
            }
            assertEquals(model.hasTicket, model.player.seat.refusals().size() > refusals, this::toString);
            if (!model.hasTicket)
            {
                newest = model;
                model.hasTicket = true;
                model.party = 1 == size ? -model.id : party;
            }
        }

        /** The ticket of a player ends; the others with it have to learn that at once. */
        private void endTicket(final Model model)
        {
            if (model.hasTicket)
            {
                for (final Model other : models)
                {
                    if (other.hasTicket && other.party == model.party)
                    {
                        assertTrue(other.player.lastEvent().startsWith("removed"), this::toString);
                    }
                }
            }
        }

        private void check()
        {
            for (final Model model : models)
            {
                final List<String> events = model.player.events();
                for (; model.read < events.size(); model.read++)
                {
                    final String event = events.get(model.read);
                    assertTrue(model.hasTicket, () -> this + ": " + model.id + " received " + event);
                    if (event.startsWith("matched"))
                    {
                        matchMap.computeIfAbsent(model.player.roomId(), (id) -> new ArrayList<>()).add(model);
                    }
                    model.hasTicket = event.startsWith("queued");
                    removed += event.startsWith("removed") ? 1 : 0;
                }
            }
            matchMap.forEach(this::checkMatch);
            matchMap.clear();
            for (final long roomId : rig.abandoned)
            {
                assertEquals(0, rig.bench.host().seatsOccupied(roomId), this::toString);
            }
        }

        private void checkMatch(final long roomId, final List<Model> players)
        {
            final TreeSet<Long> parties = new TreeSet<>();
            players.forEach((model) -> parties.add(model.party));
            for (final Model model : models)
            {
                assertTrue(!model.hasTicket || !parties.contains(model.party), this::toString);
            }
            if (!rig.openedMap.containsKey(roomId))
            {
                seated += players.size();
                assertTrue(players.size() <= rig.bench.host().seatsOccupied(roomId), this::toString);
                return;
            }
            matched++;
            assertEquals(PLAYERS, players.size(), this::toString);
            assertEquals(PLAYERS, rig.bench.host().seatsOccupied(roomId), this::toString);
            final TreeSet<String> expected = new TreeSet<>();
            players.forEach((model) -> expected.add(model.id + ":" + model.rating));
            final TreeSet<String> opened = new TreeSet<>();
            final TreeSet<String> openedParties = new TreeSet<>();
            for (final String player : rig.openedMap.get(roomId))
            {
                opened.add(player.substring(0, player.lastIndexOf(':')));
                openedParties.add(player.substring(player.lastIndexOf(':')));
            }
            assertEquals(expected, opened, this::toString);
            assertEquals(parties.size(), openedParties.size(), this::toString);
        }

        @Override
        public String toString()
        {
            return "seed " + seed + ", step " + step;
        }
    }
}
