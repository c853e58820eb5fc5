package io.escapement.arena.lobby;

import io.escapement.arena.codecs.ChangeArenaDecoder;
import io.escapement.arena.codecs.CharacterListDecoder;
import io.escapement.arena.codecs.ClaimDecoder;
import io.escapement.arena.codecs.FreedDecoder;
import io.escapement.arena.codecs.GuestEncoder;
import io.escapement.arena.codecs.MessageHeaderEncoder;
import io.escapement.arena.codecs.SeatedDecoder;
import io.escapement.arena.common.ArenaCounters;
import io.escapement.arena.common.ArenaMaps;
import io.escapement.arena.common.CharacterStore;
import io.escapement.arena.common.InMemoryCharacters;
import io.escapement.arena.room.ArenaRoom;
import io.escapement.codecs.RoomCommands;
import io.escapement.codecs.SchemaWalk;
import io.escapement.codecs.room.RefusalCode;
import io.escapement.codecs.room.RoomEncoder;
import io.escapement.matchmaking.codecs.AbandonMatchDecoder;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.bench.BenchSeat;
import io.escapement.rooms.bench.RoomBench;
import io.escapement.rooms.host.HostContext;
import io.escapement.rooms.log.LogFile;
import io.escapement.rooms.output.CapturedOutputs;
import io.escapement.rooms.output.HostListener;
import io.escapement.rooms.replay.Replay;
import java.util.List;
import java.util.Set;
import java.util.function.IntPredicate;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Every id of the schemas, and two that they do not have, through the dispatchers of lobby and arena. */
class DispatchersTest
{
    private static final int MAX_ID = 65_535;
    private static final long PLAYER = 7;
    private static final int LAST_TIMER = 4;
    private static final int LAST_KIND = 32;
    private static final Set<Integer> SIGNALS_OF_ARENAS = Set.of(SeatedDecoder.TEMPLATE_ID, FreedDecoder.TEMPLATE_ID);
    private static final Set<Integer> KINDS_OF_CHARACTERS =
        Set.of(CharacterStore.LIST, CharacterStore.CREATE, CharacterStore.DELETE, CharacterStore.LEADERS);

    private final SchemaWalk schema = new SchemaWalk("/io/escapement/arena/protocol/arena.xml");
    private final SchemaWalk matchmaking = new SchemaWalk("/io/escapement/matchmaking/matchmaking.xml");
    private final InMemoryCharacters characters = new InMemoryCharacters();
    private final RoomType lobbyType = LobbyRoom.type(characters, new ArenaMaps());
    private final RoomType arenaType = ArenaRoom.type(ArenaRoom.LEAST_SEATS, characters, new ArenaMaps());
    private final UnsafeBuffer command = new UnsafeBuffer(new byte[RoomCommands.MAX_COMMAND_LENGTH]);
    private final RoomEncoder encoder = new RoomEncoder();

    @Test
    void shouldTakeEveryMessageOfAPlayerOfTheLobbyAndRefuseTheRest()
    {
        for (final int id : schema.everyId())
        {
            final RoomBench bench = bench(lobbyType);
            assertTakenOrRefused(id, schema.has(id, 1, ClaimDecoder.TEMPLATE_ID), bench, bench.join(PLAYER));
        }
    }

    @Test
    void shouldTakeEveryMessageOfAPlayerOfAnArenaAndRefuseTheRest()
    {
        for (final int id : schema.everyId())
        {
            final RoomBench bench = bench(arenaType);
            final UnsafeBuffer guest = new UnsafeBuffer(new byte[128]);
            final int length = new GuestEncoder().wrapAndApplyHeader(guest, 0, new MessageHeaderEncoder())
                .playerId(PLAYER).characterId(1).kills(0).deaths(0).putName(new byte[]{'A'}, 0, 1).encodedLength();
            signal(bench, guest, MessageHeaderEncoder.ENCODED_LENGTH + length);
            bench.command(command, 0,
                encoder.reserve(command, 0, bench.roomId(), PLAYER, ArenaRoom.RESERVATION_NS, 0, 0));
            assertTakenOrRefused(id, schema.has(id, ClaimDecoder.TEMPLATE_ID, CharacterListDecoder.TEMPLATE_ID),
                bench, bench.join(PLAYER));
        }
    }

    @Test
    void shouldTakeTheSignalsOfArenasInTheLobbyAndCountTheRest()
    {
        assertCountsTheRest(lobbyType, schema, SIGNALS_OF_ARENAS::contains);
    }

    @Test
    void shouldTakeTheSignalsOfTheLobbyInAnArenaAndCountTheRest()
    {
        assertCountsTheRest(arenaType, schema, (id) ->
            schema.has(id, ChangeArenaDecoder.TEMPLATE_ID, MAX_ID) && !SIGNALS_OF_ARENAS.contains(id));
    }

    @Test
    void shouldTakeTheSignalOfAMatchmakerInAnArenaAndCountTheRest()
    {
        assertCountsTheRest(arenaType, matchmaking, (id) -> AbandonMatchDecoder.TEMPLATE_ID == id);
    }

    @Test
    void shouldRefuseATimerOfAnArenaThatIsNone()
    {
        for (final int kind : new int[]{-1, 0, LAST_TIMER + 1})
        {
            final Throwable refusal = assertThrows(IllegalStateException.class,
                () -> new ArenaRoom(characters, new ArenaMaps()).onTimer(1, kind, 0), "kind " + kind);
            assertEquals("no timer of an arena: kind " + kind, refusal.getMessage());
        }
    }

    @Test
    void shouldRefuseAnAnswerThatIsOfNoRequestForCharacters()
    {
        final LobbyCharacters lobby = new LobbyCharacters(null, null, null, null);
        for (int kind = 0; kind <= LAST_KIND; kind++)
        {
            final LobbyRequest request = new LobbyRequest();
            request.kind = kind;
            if (!KINDS_OF_CHARACTERS.contains(kind))
            {
                final Throwable refusal = assertThrows(
                    IllegalStateException.class, () -> lobby.onDone(null, request), "kind " + kind);
                assertEquals("no request for characters: " + kind, refusal.getMessage());
            }
        }
    }

    private RoomBench bench(final RoomType type)
    {
        return RoomBench.of(type).service(InMemoryCharacters.SERVICE_ID, characters);
    }

    private void assertTakenOrRefused(
        final int id, final boolean isListed, final RoomBench bench, final BenchSeat seat)
    {
        final byte[] message = schema.message(id);
        final int received = seat.received().size();
        seat.send(new UnsafeBuffer(message), 0, message.length);
        if (isListed)
        {
            assertFalse(seat.refusals().contains(RefusalCode.UNKNOWN_MESSAGE.value()), "template " + id);
        }
        else
        {
            assertEquals(List.of(RefusalCode.UNKNOWN_MESSAGE.value()), seat.refusals(), "template " + id);
            assertEquals(received, seat.received().size(), "template " + id);
        }
        assertEquals(List.of(), bench.failures(), "template " + id);
    }

    private void assertCountsTheRest(final RoomType type, final SchemaWalk walk, final IntPredicate isListed)
    {
        for (final int id : walk.everyId())
        {
            final RoomBench bench = bench(type);
            final byte[] message = walk.message(id);
            signal(bench, new UnsafeBuffer(message), message.length);
            assertEquals(isListed.test(id) ? 0 : 1, badSignals(bench.log(), type), "template " + id);
            assertEquals(List.of(), bench.failures(), "template " + id);
        }
    }

    private void signal(final RoomBench bench, final UnsafeBuffer message, final int length)
    {
        assertEquals(0, bench.command(command, 0,
            encoder.signal(command, 0, bench.roomId(), 0, 0, message, 0, length)));
    }

    /** A bench has no listener, so the turns are run in a host that has one. */
    private static long badSignals(final byte[] log, final RoomType type)
    {
        final long[] counted = new long[1];
        final HostContext context = new HostContext().outputs(new CapturedOutputs()).roomType(type)
            .listener(new HostListener()
            {
                @Override
                public void onCount(final long roomId, final int counterId, final long delta)
                {
                    counted[0] += ArenaCounters.BAD_SIGNALS == counterId ? delta : 0;
                }
            });
        final LogFile file = LogFile.openUnfinished(new UnsafeBuffer(log), 0, log.length);
        assertTrue(new Replay(file, context).run().isSame());
        return counted[0];
    }
}
