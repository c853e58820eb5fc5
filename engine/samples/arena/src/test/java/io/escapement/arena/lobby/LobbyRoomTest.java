package io.escapement.arena.lobby;

import io.escapement.arena.ArenaGame;
import io.escapement.arena.client.ArenaSender;
import io.escapement.arena.codecs.ArenaCode;
import io.escapement.arena.codecs.ArenaEncoder;
import io.escapement.arena.codecs.CharacterCreatedDecoder;
import io.escapement.arena.codecs.CharacterDeletedDecoder;
import io.escapement.arena.codecs.CharacterListDecoder;
import io.escapement.arena.codecs.ChatDecoder;
import io.escapement.arena.codecs.ClosingDecoder;
import io.escapement.arena.codecs.CreateRoomEncoder;
import io.escapement.arena.codecs.EnteredDecoder;
import io.escapement.arena.codecs.LeadersDecoder;
import io.escapement.arena.codecs.MessageHeaderEncoder;
import io.escapement.arena.codecs.RefusedDecoder;
import io.escapement.arena.codecs.RoomChangedDecoder;
import io.escapement.arena.codecs.RoomCreatedDecoder;
import io.escapement.arena.codecs.RoomDeletedDecoder;
import io.escapement.arena.codecs.RoomPageDecoder;
import io.escapement.arena.codecs.SeatReservedDecoder;
import io.escapement.arena.codecs.WelcomeDecoder;
import io.escapement.arena.common.ArenaMaps;
import io.escapement.arena.common.InMemoryCharacters;
import io.escapement.arena.common.Received;
import io.escapement.arena.protocol.ArenaMessages;
import io.escapement.codecs.RoomCommands;
import io.escapement.codecs.room.RefusalCode;
import io.escapement.codecs.room.RoomEncoder;
import io.escapement.rooms.bench.BenchSeat;
import io.escapement.rooms.bench.RoomBench;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import static io.escapement.arena.common.Received.assertRefused;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

class LobbyRoomTest
{
    private static final long SECOND = 1_000_000_000L;

    private final InMemoryCharacters characters = new InMemoryCharacters();
    private final RoomBench bench = RoomBench.of(ArenaGame.all(characters))
        .service(InMemoryCharacters.SERVICE_ID, characters);
    private final UnsafeBuffer command = new UnsafeBuffer(new byte[RoomCommands.MAX_COMMAND_LENGTH]);
    private final RoomEncoder encoder = new RoomEncoder();

    private static final class Player
    {
        final long id;
        final BenchSeat seat;
        final ArenaSender say;

        Player(final long id, final BenchSeat seat)
        {
            this.id = id;
            this.seat = seat;
            say = new ArenaSender(seat::send);
        }
    }

    @AfterEach
    void shouldReplayToTheSame()
    {
        assertEquals(List.of(), bench.failures());
        bench.replayAndCompare();
        bench.restoreAndCompare();
    }

    @Test
    void shouldListCreateAndDeleteCharacters()
    {
        final Player ann = enter(1);
        ann.say.createCharacter(5, "Ann\u00e9e");
        final CharacterCreatedDecoder created = Received.last(ann.seat, new CharacterCreatedDecoder());
        assertEquals(5, created.requestId());
        final long id = created.characterId();
        characters.create(2, "not hers");
        ann.say.listCharacters(6);
        final CharacterListDecoder list = Received.last(ann.seat, new CharacterListDecoder());
        assertEquals(6, list.requestId());
        final CharacterListDecoder.CharactersDecoder group = list.characters();
        assertEquals(1, group.count());
        assertEquals(id, group.next().characterId());
        final byte[] name = new byte[group.nameLength()];
        group.getName(name, 0, name.length);
        assertEquals("Ann\u00e9e", new String(name, StandardCharsets.UTF_8));
        ann.say.deleteCharacter(7, id);
        assertEquals(id, Received.last(ann.seat, new CharacterDeletedDecoder()).characterId());
        assertEquals(1, characters.characterByIdMap.size());
        assertEquals(List.of(), Received.refusals(ann.seat));
    }

    @Test
    void shouldListTheLeadersAsOftenAsAPlayerMay()
    {
        final Player ann = enter(1);
        ann.say.listLeaders(5);
        assertEquals("5: place 0", leaders(ann));
        for (int i = 1; i <= 12; i++)
        {
            characters.characterByIdMap.get(characters.create(1 + i % 2, "fighter" + i)).kills = i;
        }
        ann.say.listLeaders(6);
        assertEquals("6: place 1, fighter12 12, fighter11 11, fighter10 10, fighter9 9, fighter8 8, fighter7 7, " +
            "fighter6 6, fighter5 5, fighter4 4, fighter3 3", leaders(ann));
        final Player ben = enter(2);
        ben.say.listLeaders(7);
        assertTrue(leaders(ben).startsWith("7: place 2, fighter12 12, "), leaders(ben));
        ann.say.listLeaders(8);
        assertEquals(List.of(), Received.refusals(ann.seat));
        ann.say.listLeaders(9);
        assertRefused(ArenaCode.LEADERS_FLOOD, ann.seat);
        assertEquals(9, Received.last(ann.seat, new RefusedDecoder()).reference());
        bench.runFor(1_000_000_000);
        ann.say.listLeaders(10);
        assertTrue(leaders(ann).startsWith("10: "), leaders(ann));
    }

    private static String leaders(final Player player)
    {
        final LeadersDecoder list = Received.last(player.seat, new LeadersDecoder());
        final StringBuilder text = new StringBuilder(list.requestId() + ": place " + list.place());
        for (final LeadersDecoder.CharactersDecoder one : list.characters())
        {
            final long kills = one.kills();
            final byte[] name = new byte[one.nameLength()];
            one.getName(name, 0, name.length);
            text.append(", ").append(new String(name, StandardCharsets.UTF_8)).append(' ').append(kills);
        }
        return text.toString();
    }

    @Test
    void shouldRefuseWhatTheServiceRefuses()
    {
        final Player ann = enter(1);
        final long foreign = characters.create(2, "Bob");
        ann.say.deleteCharacter(1, foreign);
        assertRefused(ArenaCode.UNKNOWN_CHARACTER, ann.seat);
        ann.say.createCharacter(2, "Bob");
        assertRefused(ArenaCode.NAME_TAKEN, ann.seat);
        for (int i = 0; i < ArenaMessages.MAX_CHARACTERS; i++)
        {
            ann.say.createCharacter(3, "Ann " + i);
        }
        ann.say.createCharacter(4, "one more");
        assertRefused(ArenaCode.TOO_MANY_CHARACTERS, ann.seat);
        bench.service(InMemoryCharacters.SERVICE_ID, (key, request) -> new byte[0]);
        ann.say.listCharacters(77);
        assertRefused(ArenaCode.CHARACTERS_UNAVAILABLE, ann.seat);
        assertEquals(77, Received.last(ann.seat, new RefusedDecoder()).reference());
    }

    @Test
    void shouldRefuseNamesThatAreNone()
    {
        final Player ann = enter(1);
        ann.say.createCharacter(1, "");
        assertRefused(ArenaCode.TEXT_EMPTY, ann.seat);
        ann.say.createCharacter(1, "x");
        assertRefused(ArenaCode.TEXT_TOO_SHORT, ann.seat);
        ann.say.createCharacter(1, "x".repeat(33));
        assertRefused(ArenaCode.TEXT_TOO_LONG, ann.seat);
        ann.say.createCharacter(1, "a\nb");
        assertRefused(ArenaCode.TEXT_NOT_PRINTABLE, ann.seat);
        final UnsafeBuffer message = new UnsafeBuffer(new byte[256]);
        final int longest = new ArenaEncoder().createCharacter(message, 0, 1, new byte[64]);
        message.putShort(longest - 64 - Short.BYTES, (short)65, ByteOrder.LITTLE_ENDIAN);
        ann.seat.send(message, 0, longest + 1);
        assertEquals(List.of(RefusalCode.DATA_TOO_LONG.value()), ann.seat.refusals());
        final byte[] broken = {'a', (byte)0xC3, 'b'};
        final int length = new CreateRoomEncoder().wrapAndApplyHeader(message, 0, new MessageHeaderEncoder())
            .requestId(1).seats((short)4).putName(broken, 0, 3).putMapName(broken, 0, 0).putPassword(broken, 0, 0)
            .encodedLength();
        ann.seat.send(message, 0, 8 + length);
        assertRefused(ArenaCode.TEXT_NOT_UTF8, ann.seat);
        assertTrue(characters.characterByIdMap.isEmpty());
    }

    @Test
    void shouldOpenAndListARoom()
    {
        final Player ann = enter(1);
        final long roomId = create(ann, "The Pit", 4, "secret");
        final RoomPageDecoder page = list(enter(2), 0, "");
        assertEquals(1, page.total());
        assertEquals(1, page.pages());
        final RoomPageDecoder.RoomsDecoder room = page.rooms().next();
        assertEquals(roomId, room.roomId());
        assertEquals(1, room.ownerId());
        assertEquals(4, room.seats());
        assertEquals(0, room.seatsTaken());
        assertEquals(1, room.hasPassword());
        assertEquals("The Pit", name(room));
    }

    @Test
    void shouldRefuseRoomsThatCannotBe()
    {
        final Player ann = enter(1);
        ann.say.createRoom(1, "Pit", 1, "courtyard", "");
        assertRefused(ArenaCode.BAD_SEAT_COUNT, ann.seat);
        ann.say.createRoom(1, "Pit", 17, "courtyard", "");
        assertRefused(ArenaCode.BAD_SEAT_COUNT, ann.seat);
        ann.say.createRoom(1, "Pit", 4, "nowhere", "");
        assertRefused(ArenaCode.UNKNOWN_MAP, ann.seat);
        create(ann, "Pit", 4, "");
        ann.say.createRoom(1, "pIT", 4, "courtyard", "");
        assertRefused(ArenaCode.NAME_TAKEN, ann.seat);
        for (int i = 0; i < 3; i++)
        {
            create(ann, "Pit " + i, 4, "");
        }
        ann.say.createRoom(1, "one more", 4, "courtyard", "");
        assertRefused(ArenaCode.TOO_MANY_OWN_ROOMS, ann.seat);
        assertEquals(5, bench.host().openRooms());
    }

    @Test
    void shouldPageAndFilter()
    {
        final Map<Long, String> created = new TreeMap<>();
        for (int owner = 1; owner <= 10; owner++)
        {
            final Player player = enter(owner);
            for (int i = 0; i < 4; i++)
            {
                final String name = (0 == i ? "Even " : "odd ") + owner + "." + i;
                created.put(create(player, name, 2 + i, ""), name);
            }
        }
        final Player ann = enter(99);
        final List<Long> listed = new ArrayList<>();
        for (int page = 0; page < 3; page++)
        {
            final RoomPageDecoder answer = list(ann, page, "");
            assertEquals(3, answer.pages());
            assertEquals(40, answer.total());
            assertEquals(page, answer.page());
            for (final RoomPageDecoder.RoomsDecoder room : answer.rooms())
            {
                listed.add(room.roomId());
                assertEquals(created.get(room.roomId()), name(room));
                room.skipMapName();
            }
        }
        assertEquals(new ArrayList<>(created.keySet()), listed);
        ann.say.listRooms(1, 3, "");
        assertRefused(ArenaCode.BAD_PAGE, ann.seat);
        assertEquals(10, list(ann, 0, "eVEN").total());
        assertEquals(0, list(ann, 0, "nothing like it").total());
        ann.say.listRooms(1, 0, "x".repeat(40));
        assertRefused(ArenaCode.TEXT_TOO_LONG, ann.seat);
    }

    @Test
    void shouldLetAPlayerIn()
    {
        final Player ann = enter(1);
        final long roomId = create(ann, "Pit", 4, "");
        final BenchSeat seat = reserveAndJoin(ann, roomId, "");
        assertEquals(0, seat.index());
        bench.step(1);
        assertEquals(roomId, Received.last(seat, new WelcomeDecoder()).roomId());
        assertEquals(1, Received.last(seat, new EnteredDecoder()).playerId());
        assertEquals(1, list(ann, 0, "").rooms().next().seatsTaken());
    }

    @Test
    void shouldLetNobodyInOtherwise()
    {
        final Player ann = enter(1);
        final long roomId = create(ann, "Pit", 4, "secret");
        assertEquals(-1, ann.seat.join(roomId).index());
        final long mine = characters.create(1, "mine");
        final long foreign = characters.create(2, "foreign");
        ann.say.enterRoom(1, 12_345, mine, "");
        assertRefused(ArenaCode.UNKNOWN_ROOM, ann.seat);
        ann.say.enterRoom(1, bench.roomId(), mine, "");
        assertRefused(ArenaCode.UNKNOWN_ROOM, ann.seat);
        ann.say.enterRoom(1, roomId, mine, "wrong");
        assertRefused(ArenaCode.WRONG_PASSWORD, ann.seat);
        ann.say.enterRoom(1, roomId, mine, "");
        assertRefused(ArenaCode.WRONG_PASSWORD, ann.seat);
        ann.say.enterRoom(1, roomId, foreign, "secret");
        assertRefused(ArenaCode.UNKNOWN_CHARACTER, ann.seat);
        for (int i = 0; i < 3; i++)
        {
            ann.say.enterRoom(1, roomId, mine, "guess " + i);
        }
        assertRefused(ArenaCode.PASSWORD_FLOOD, ann.seat);
        assertEquals(0, Received.count(ann.seat, SeatReservedDecoder.TEMPLATE_ID));
        bench.runFor(5 * SECOND);
        ann.say.enterRoom(1, roomId, mine, "secret");
        assertEquals(1, Received.count(ann.seat, SeatReservedDecoder.TEMPLATE_ID));
    }

    @Test
    void shouldGiveTheLastSeatToOne()
    {
        final Player ann = enter(1);
        final Player bob = enter(2);
        final Player eve = enter(3);
        final long roomId = create(ann, "Pit", 2, "");
        reserveAndJoin(ann, roomId, "");
        final long bobs = characters.create(2, "bob");
        final long eves = characters.create(3, "eve");
        bob.say.enterRoom(1, roomId, bobs, "");
        eve.say.enterRoom(1, roomId, eves, "");
        assertEquals(1, Received.count(bob.seat, SeatReservedDecoder.TEMPLATE_ID));
        assertEquals(0, Received.count(eve.seat, SeatReservedDecoder.TEMPLATE_ID));
        assertRefused(ArenaCode.ROOM_FULL, eve.seat);
        assertEquals(-1, eve.seat.join(roomId).index());
        assertEquals(1, bob.seat.join(roomId).index());
    }

    @Test
    void shouldFreeASeatThatWasNotTaken()
    {
        final Player ann = enter(1);
        final Player bob = enter(2);
        final Player eve = enter(3);
        final long roomId = create(ann, "Pit", 2, "");
        reserveAndJoin(ann, roomId, "");
        bob.say.enterRoom(1, roomId, characters.create(2, "bob"), "");
        bench.runFor(11 * SECOND);
        assertEquals(-1, bob.seat.join(roomId).index());
        assertEquals(1, reserveAndJoin(eve, roomId, "").index());
    }

    @Test
    void shouldFreeTheSeatOfAnAccountThatComesThroughAnotherTrunk()
    {
        final Player ann = enter(1);
        final long roomId = create(ann, "Pit", 4, "");
        final BenchSeat old = reserveAndJoin(ann, roomId, "");
        final Player again = enter(1);
        assertFalse(ann.seat.isPresent());
        assertFalse(old.isPresent());
        final long character = characters.characterByIdMap.firstKey();
        assertEquals(1, characters.characterByIdMap.get(character).saves);
        again.say.enterRoom(1, roomId, character, "");
        assertEquals(roomId, Received.last(again.seat, new SeatReservedDecoder()).roomId());
        assertTrue(again.seat.join(roomId).isPresent());
        assertEquals(RefusalCode.FOREIGN_SEAT.value(), ann.seat.send("anything"));
        assertEquals(RefusalCode.STALE_SEAT.value(), old.send("anything"));
    }

    @Test
    void shouldLeaveASeatOfTheSameTrunkAlone()
    {
        final Player ann = enter(1);
        final long roomId = create(ann, "Pit", 4, "");
        final BenchSeat seat = reserveAndJoin(ann, roomId, "");
        ann.seat.leave();
        assertTrue(seat.join(bench.roomId()).isPresent());
        assertTrue(seat.isPresent());
    }

    @Test
    void shouldNotLetAnAccountPlayThroughATrunkThatItIsNotInTheLobbyThrough()
    {
        final Player ann = enter(1);
        final long roomId = create(ann, "Pit", 4, "");
        ann.say.enterRoom(1, roomId, characters.create(1, "fighter"), "");
        enter(1);
        final BenchSeat late = ann.seat.join(roomId);
        assertEquals(0, late.index(), "it had a reservation");
        assertFalse(late.isPresent());
    }

    @Test
    void shouldLetAnAccountIntoOneArenaAtATime()
    {
        final Player ann = enter(1);
        final long pit = create(ann, "Pit", 4, "secret");
        final long den = create(ann, "Den", 4, "");
        final long character = characters.create(1, "fighter");
        ann.say.enterRoom(1, pit, character, "secret");
        ann.say.enterRoom(2, den, character, "");
        final BenchSeat first = ann.seat.join(pit);
        final BenchSeat second = ann.seat.join(den);
        assertFalse(first.isPresent(), "the later one counts");
        assertTrue(second.isPresent());
        ann.say.enterRoom(3, pit, character, "wrong");
        assertRefused(ArenaCode.WRONG_PASSWORD, ann.seat);
        ann.say.enterRoom(3, pit, character, "secret");
        assertRefused(ArenaCode.SEATED_ELSEWHERE, ann.seat);
        second.leave();
        ann.say.enterRoom(4, pit, character, "secret");
        assertTrue(ann.seat.join(pit).isPresent());
    }

    @Test
    void shouldLetAnAccountInWhenWhatItReachedIsSaved()
    {
        final Player ann = enter(1);
        final long pit = create(ann, "Pit", 4, "");
        final long den = create(ann, "Den", 4, "");
        reserveAndJoin(ann, pit, "");
        bench.service(InMemoryCharacters.SERVICE_ID, (key, request) -> new byte[0]);
        final Player again = enter(1);
        final long character = characters.characterByIdMap.firstKey();
        again.say.enterRoom(1, den, character, "");
        assertRefused(ArenaCode.SEATED_ELSEWHERE, again.seat);
        again.say.enterRoom(1, pit, character, "");
        assertEquals(List.of(ArenaCode.SEATED_ELSEWHERE, ArenaCode.SEATED_ELSEWHERE), Received.refusals(again.seat));
        bench.service(InMemoryCharacters.SERVICE_ID, characters);
        bench.runFor(4 * SECOND);
        again.say.enterRoom(2, den, character, "");
        final BenchSeat seat = again.seat.join(den);
        assertTrue(seat.isPresent());
        bench.service(InMemoryCharacters.SERVICE_ID, (key, request) -> new byte[0]);
        seat.leave();
        again.say.enterRoom(3, den, character, "");
        assertEquals(3, Received.refusals(again.seat).size(), "into the same arena through the same trunk neither");
    }

    @Test
    void shouldForgetWhoWasInAnArenaThatIsGone()
    {
        final Player ann = enter(1);
        final long pit = create(ann, "Pit", 4, "");
        final long den = create(ann, "Den", 4, "");
        reserveAndJoin(ann, pit, "");
        bench.command(command, 0, encoder.closeRoom(command, 0, pit));
        ann.say.enterRoom(1, den, characters.characterByIdMap.firstKey(), "");
        assertTrue(ann.seat.join(den).isPresent());
    }

    @Test
    void shouldChangeARoomForItsOwnerAlone()
    {
        final Player ann = enter(1);
        final Player bob = enter(2);
        final long roomId = create(ann, "Pit", 4, "");
        create(bob, "Taken", 4, "");
        bob.say.changeRoom(1, roomId, "Bob's", null);
        assertRefused(ArenaCode.NOT_OWNER, bob.seat);
        ann.say.changeRoom(1, 99, "x y", null);
        assertRefused(ArenaCode.UNKNOWN_ROOM, ann.seat);
        ann.say.changeRoom(1, roomId, null, null);
        assertRefused(ArenaCode.NOTHING_TO_CHANGE, ann.seat);
        ann.say.changeRoom(1, roomId, "tAKEN", null);
        assertRefused(ArenaCode.NAME_TAKEN, ann.seat);
        ann.say.changeRoom(1, roomId, "", null);
        assertRefused(ArenaCode.TEXT_EMPTY, ann.seat);
        ann.say.changeRoom(1, roomId, "Den", "secret");
        assertEquals(roomId, Received.last(ann.seat, new RoomChangedDecoder()).roomId());
        final RoomPageDecoder.RoomsDecoder room = list(bob, 0, "den").rooms().next();
        assertEquals(1, room.hasPassword());
        assertEquals("Den", name(room));
        final long bobs = characters.create(2, "bob");
        bob.say.enterRoom(1, roomId, bobs, "");
        assertRefused(ArenaCode.WRONG_PASSWORD, bob.seat);
        ann.say.changeRoom(1, roomId, null, "");
        bob.say.enterRoom(1, roomId, bobs, "");
        assertEquals(1, Received.count(bob.seat, SeatReservedDecoder.TEMPLATE_ID));
        assertEquals("Den", name(list(bob, 0, "den").rooms().next()));
    }

    @Test
    void shouldDeleteARoomForItsOwnerAlone()
    {
        final Player ann = enter(1);
        final Player bob = enter(2);
        final long roomId = create(ann, "Pit", 4, "");
        final BenchSeat seat = reserveAndJoin(bob, roomId, "");
        bob.say.deleteRoom(1, roomId);
        assertRefused(ArenaCode.NOT_OWNER, bob.seat);
        ann.say.deleteRoom(1, 99);
        assertRefused(ArenaCode.UNKNOWN_ROOM, ann.seat);
        ann.say.deleteRoom(1, roomId);
        assertEquals(roomId, Received.last(ann.seat, new RoomDeletedDecoder()).roomId());
        assertEquals(0, list(ann, 0, "").total());
        bob.say.enterRoom(1, roomId, characters.create(2, "another"), "");
        assertRefused(ArenaCode.UNKNOWN_ROOM, bob.seat);
        bench.runFor(SECOND);
        assertEquals(ArenaCode.ROOM_DELETED, Received.last(seat, new ClosingDecoder()).code());
        assertFalse(seat.isPresent());
        assertEquals(1, bench.host().openRooms());
        ann.say.deleteRoom(1, roomId);
        assertRefused(ArenaCode.UNKNOWN_ROOM, ann.seat);
    }

    @Test
    void shouldCloseARoomInWhichNobodyIs()
    {
        final Player ann = enter(1);
        create(ann, "Pit", 4, "");
        bench.runFor(61 * SECOND);
        assertEquals(1, bench.host().openRooms());
        assertEquals(0, list(ann, 0, "").total());
    }

    @Test
    void shouldChat()
    {
        final Player ann = enter(1);
        final Player bob = enter(2);
        ann.say.lobbyChat(1, "hello \u4f60\u597d");
        for (final Player player : List.of(ann, bob))
        {
            final ChatDecoder chat = Received.last(player.seat, new ChatDecoder());
            assertEquals(1, chat.playerId());
            final byte[] text = new byte[chat.textLength()];
            chat.getText(text, 0, text.length);
            assertEquals("hello \u4f60\u597d", new String(text, StandardCharsets.UTF_8));
        }
        bob.say.lobbyChat(2, "x".repeat(161));
        assertRefused(ArenaCode.TEXT_TOO_LONG, bob.seat);
        bob.say.lobbyChat(2, "");
        assertRefused(ArenaCode.TEXT_EMPTY, bob.seat);
        for (int i = 0; i < 4; i++)
        {
            bob.say.lobbyChat(2, "spam");
        }
        assertRefused(ArenaCode.CHAT_FLOOD, bob.seat);
        assertEquals(4, Received.count(ann.seat, ChatDecoder.TEMPLATE_ID));
    }

    @Test
    void shouldTellAFlooderOnceASecond()
    {
        final Player ann = enter(1);
        for (int i = 0; i < 200; i++)
        {
            ann.say.listRooms(i, 0, "");
        }
        assertEquals(40, Received.count(ann.seat, RoomPageDecoder.TEMPLATE_ID));
        assertEquals(List.of(ArenaCode.FLOOD), Received.refusals(ann.seat));
        final Player bob = enter(2);
        list(bob, 0, "");
    }

    @Test
    void shouldForgetAPlayerThatLeft()
    {
        final RoomBench small = RoomBench.of(LobbyRoom.type(characters, new ArenaMaps()).seats(1));
        final Player ann = new Player(1, small.join(1));
        for (int i = 0; i < 41; i++)
        {
            ann.say.listRooms(i, 0, "");
        }
        assertRefused(ArenaCode.FLOOD, ann.seat);
        ann.seat.leave();
        final Player bob = new Player(2, small.join(2));
        assertEquals(0, bob.seat.index());
        list(bob, 0, "");
        assertEquals(List.of(), Received.refusals(bob.seat));
        small.replayAndCompare();
        small.restoreAndCompare();
    }

    @Test
    void shouldRefuseWhatIsNotForIt()
    {
        final Player ann = enter(1);
        ann.say.claim(0, 1, 1, 0, 0);
        ann.say.roomChat("hello");
        ann.seat.send("no message");
        assertEquals(List.of(
            RefusalCode.UNKNOWN_MESSAGE.value(), RefusalCode.UNKNOWN_MESSAGE.value(),
            RefusalCode.UNKNOWN_MESSAGE.value()), ann.seat.refusals());
    }

    @Test
    void shouldTellPlayersThatTheServerStops()
    {
        final Player ann = enter(1);
        final long roomId = create(ann, "Pit", 4, "");
        final BenchSeat seat = reserveAndJoin(ann, roomId, "");
        bench.command(command, 0, encoder.drain(command, 0, bench.host().nowNs() + 2 * SECOND));
        bench.runFor(SECOND);
        assertEquals(ArenaCode.STOPPING, Received.last(ann.seat, new ClosingDecoder()).code());
        assertEquals(ArenaCode.STOPPING, Received.last(seat, new ClosingDecoder()).code());
        assertEquals(0, bench.host().openRooms());
    }

    private Player enter(final long playerId)
    {
        return new Player(playerId, bench.join(playerId));
    }

    private long create(final Player owner, final String name, final int seats, final String password)
    {
        owner.say.createRoom(1, name, seats, "courtyard", password);
        return Received.last(owner.seat, new RoomCreatedDecoder()).roomId();
    }

    private RoomPageDecoder list(final Player player, final int page, final String filter)
    {
        player.say.listRooms(1, page, filter);
        return Received.last(player.seat, new RoomPageDecoder());
    }

    private BenchSeat reserveAndJoin(final Player player, final long roomId, final String password)
    {
        player.say.enterRoom(1, roomId, characters.create(player.id, "fighter " + player.id), password);
        assertEquals(roomId, Received.last(player.seat, new SeatReservedDecoder()).roomId());
        return player.seat.join(roomId);
    }

    private static String name(final RoomPageDecoder.RoomsDecoder room)
    {
        final byte[] name = new byte[room.nameLength()];
        room.getName(name, 0, name.length);
        return new String(name, StandardCharsets.UTF_8);
    }
}
