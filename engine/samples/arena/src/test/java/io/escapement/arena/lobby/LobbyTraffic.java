package io.escapement.arena.lobby;

import io.escapement.arena.ArenaGame;
import io.escapement.arena.client.ArenaSender;
import io.escapement.arena.codecs.ArenaLayout;
import io.escapement.arena.codecs.CharacterCreatedDecoder;
import io.escapement.arena.codecs.MessageHeaderDecoder;
import io.escapement.arena.codecs.RoomCreatedDecoder;
import io.escapement.arena.codecs.RoomPageDecoder;
import io.escapement.arena.codecs.SeatReservedDecoder;
import io.escapement.arena.common.InMemoryCharacters;
import io.escapement.codecs.layout.SchemaRules;
import io.escapement.rooms.bench.BenchSeat;
import io.escapement.rooms.bench.RoomBench;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Seeded players who use every function of the lobby. */
public final class LobbyTraffic
{
    private static final int PLAYERS = 24;

    public final InMemoryCharacters characters = new InMemoryCharacters();
    public final RoomBench bench = RoomBench.of(ArenaGame.all(characters))
        .service(InMemoryCharacters.SERVICE_ID, characters);
    public final long seed;
    private final SplittableRandom random;
    private final List<Long> rooms = new ArrayList<>();
    private final List<Long> known = new ArrayList<>();
    private final BenchSeat[] seats = new BenchSeat[PLAYERS];
    private final ArenaSender[] senders = new ArenaSender[PLAYERS];
    private final int[] taken = new int[PLAYERS];
    private int entered;
    private int pages;
    private int matches;

    public LobbyTraffic(final long seed)
    {
        this.seed = seed;
        random = new SplittableRandom(seed);
        openMatchmakers(bench);
        for (int i = 0; i < PLAYERS; i++)
        {
            enter(i);
            known.add(characters.create(i + 1, "first of " + i));
        }
    }

    /** Open a matchmaker for each number of players; returns their ids. */
    static List<Long> openMatchmakers(final RoomBench bench)
    {
        final DirectBuffer settings = MatchTypes.settings(bench.roomId());
        return MatchTypes.all().stream()
            .map((type) -> bench.open(type, settings, 0, settings.capacity())).toList();
    }

    public void play(final int steps)
    {
        for (int i = 0; i < steps; i++)
        {
            final int player = random.nextInt(PLAYERS);
            act(player, senders[player]);
            receive(player);
            bench.runFor(random.nextInt(200_000_000));
        }
    }

    public BenchSeat seat(final int player)
    {
        return seats[player];
    }

    public int players()
    {
        return PLAYERS;
    }

    public void assertAllWell()
    {
        assertEquals(List.of(), bench.failures(), "seed " + seed);
        assertTrue(matches > 3, "seed " + seed + ": " + matches + " seats in matches");
        assertTrue(pages > 5 && entered > 3 && rooms.size() > 3,
            "seed " + seed + ": " + pages + " pages, " + entered + " entered, " + rooms.size() + " rooms");
    }

    private void enter(final int player)
    {
        seats[player] = bench.join(player + 1);
        senders[player] = new ArenaSender(seats[player]::send);
        taken[player] = 0;
    }

    private void act(final int player, final ArenaSender say)
    {
        final long roomId = rooms.isEmpty() ? 77 : rooms.get(random.nextInt(rooms.size()));
        final String word = Integer.toString(random.nextInt(1 << 30), 36);
        switch (random.nextInt(17))
        {
            case 0 -> say.createCharacter(1, word);
            case 1 -> say.deleteCharacter(2, known.get(random.nextInt(known.size())));
            case 2 -> say.listCharacters(3);
            case 3, 4 -> say.createRoom(4, word, random.nextInt(18), "foundry", random.nextBoolean() ? word : "");
            case 5 -> say.changeRoom(5, roomId, random.nextBoolean() ? word : null, random.nextBoolean() ? "" : null);
            case 6 -> say.deleteRoom(6, 0 == random.nextInt(4) ? roomId : 3);
            case 7, 8 -> say.enterRoom(7, roomId, known.get(player), "");
            case 9 -> say.lobbyChat(8, word);
            case 12, 13, 14 -> say.quickMatch(10, known.get(player), 2);
            case 15 -> say.cancelMatch(11);
            case 16 -> say.listLeaders(12);
            case 10 ->
            {
                seats[player].leave();
                enter(player);
            }
            default -> say.listRooms(9, random.nextInt(2), random.nextBoolean() ? "" : word.substring(0, 1));
        }
    }

    private void receive(final int player)
    {
        final List<byte[]> received = seats[player].received();
        while (taken[player] < received.size())
        {
            final byte[] bytes = received.get(taken[player]++);
            final UnsafeBuffer buffer = new UnsafeBuffer(bytes);
            final MessageHeaderDecoder header = new MessageHeaderDecoder();
            assertEquals(0, ArenaLayout.RULES.validate(buffer, 0, bytes.length));
            switch (SchemaRules.templateId(buffer, 0))
            {
                case RoomCreatedDecoder.TEMPLATE_ID ->
                    rooms.add(new RoomCreatedDecoder().wrapAndApplyHeader(buffer, 0, header).roomId());
                case CharacterCreatedDecoder.TEMPLATE_ID ->
                    known.add(new CharacterCreatedDecoder().wrapAndApplyHeader(buffer, 0, header).characterId());
                case RoomPageDecoder.TEMPLATE_ID -> pages++;
                case SeatReservedDecoder.TEMPLATE_ID ->
                {
                    final SeatReservedDecoder reserved =
                        new SeatReservedDecoder().wrapAndApplyHeader(buffer, 0, header);
                    entered++;
                    matches += 10 == reserved.requestId() ? 1 : 0;
                    seats[player].join(reserved.roomId());
                }
                default ->
                {
                }
            }
        }
    }
}
