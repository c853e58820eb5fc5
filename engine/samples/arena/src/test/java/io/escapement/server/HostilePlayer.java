package io.escapement.server;

import io.escapement.accounts.Credentials;
import io.escapement.arena.client.ArenaClient;
import io.escapement.arena.client.ArenaSender;
import io.escapement.arena.client.ClientCommons;
import io.escapement.arena.codecs.ArenaCode;
import io.escapement.arena.codecs.ArenaLayout;
import io.escapement.arena.codecs.CharacterCreatedDecoder;
import io.escapement.arena.codecs.CharacterListDecoder;
import io.escapement.arena.codecs.CorrectionDecoder;
import io.escapement.arena.codecs.EnterRoomDecoder;
import io.escapement.arena.codecs.PongDecoder;
import io.escapement.arena.codecs.RefusedDecoder;
import io.escapement.arena.codecs.RoomCreatedDecoder;
import io.escapement.arena.codecs.RoomPageDecoder;
import io.escapement.arena.codecs.SeatReservedDecoder;
import io.escapement.arena.common.ArenaMaps;
import io.escapement.arena.common.HostileMessages;
import io.escapement.arena.lobby.LobbyRoom;
import io.escapement.arena.protocol.ArenaMessages;
import io.escapement.client.ClientSeat;
import io.escapement.client.ForgedSeats;
import io.escapement.client.SendStatus;
import io.escapement.client.TrunkClient;
import io.escapement.codecs.layout.SchemaRules;
import io.escapement.rooms.MessageHandlers;
import io.escapement.testsupport.RealTime;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A player with an account, a character and a seat among honest players, which then attacks. It always returns to the
 * same room, its home, and therefore takes no seat that an honest player needs.
 */
@RealTime("a crowd, in real time")
final class HostilePlayer
{
    private static final byte[] PASSWORD = "known to itself alone".getBytes(StandardCharsets.US_ASCII);
    private static final int PAGES = 4;
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(3);
    /** Exceeds the burst limit of a seat; LARGE_FLOOD also that of the trunk. */
    private static final int FLOOD = 80;
    private static final int LARGE_FLOOD = 400;
    private static final int SEVERAL = 7;
    private static final int WATCHERS = 3;
    /** Every 8th player opens rooms: more would use up the limit of rooms. */
    private static final int OWNERS = 8;

    private final MessageHandlers<HostilePlayer> handlers = new MessageHandlers<HostilePlayer>(ArenaLayout.RULES)
        .on(new CharacterListDecoder(), HostilePlayer::onCharacterList)
        .on(new CharacterCreatedDecoder(), HostilePlayer::onCharacterCreated)
        .on(new RoomCreatedDecoder(), HostilePlayer::onRoomCreated)
        .on(new RoomPageDecoder(), HostilePlayer::onRoomPage)
        .on(new SeatReservedDecoder(), HostilePlayer::onSeatReserved)
        .on(new RefusedDecoder(), HostilePlayer::onRefused)
        .on(new CorrectionDecoder(), HostilePlayer::onCorrection)
        .on(new PongDecoder(), HostilePlayer::onPong);

    private final int number;
    private final String home;
    private final HostileCrowd crowd;
    private final TrunkClient trunk;
    private final SplittableRandom random;
    private final HostileMessages messages;
    private final ArenaClient arena;
    private final ArenaSender toLobby = new ArenaSender((buffer, offset, length) -> sendToLobby(buffer, length));
    private final ArenaSender toArena = new ArenaSender((buffer, offset, length) -> sendToArena(buffer, length));
    private final UnsafeBuffer nothing = new UnsafeBuffer(new byte[0]);
    private final byte[] name = new byte[ArenaMessages.MAX_NAME_LENGTH];
    private boolean isPeaceful;
    private long dueNs;
    private long setUpNs;
    private long playerId;
    private byte[] token;
    private long characterId;
    private long ownRoomId;
    private ClientSeat lobbySeat;
    private ClientSeat arenaSeat;
    private long acts;
    private long answered;
    private long pongs;

    HostilePlayer(
        final int number, final String home, final HostileCrowd crowd, final TrunkClient trunk, final ArenaMaps maps)
    {
        this.number = number;
        this.home = home;
        this.crowd = crowd;
        this.trunk = trunk;
        random = new SplittableRandom(crowd.seed() * 31 + number);
        messages = new HostileMessages(random);
        arena = new ArenaClient(
            new ClientCommons(maps), 1, 0, (buffer, offset, length) -> sendToArena(buffer, length));
    }

    /** Whether it is in the arena of the honest players. */
    boolean isIn()
    {
        return null != arenaSeat && arena.index() >= 0;
    }

    /** One player in three decodes states; the others attack blindly. */
    boolean isWatching()
    {
        return 0 == number % WATCHERS;
    }

    ArenaClient arena()
    {
        return arena;
    }

    ClientSeat arenaSeat()
    {
        return arenaSeat;
    }

    long acts()
    {
        return acts;
    }

    /** From now on, send only requests that must succeed. */
    void calm()
    {
        isPeaceful = true;
        answered = 0;
        pongs = 0;
    }

    /** Whether lobby and arena have answered since it calmed down. */
    boolean isServed()
    {
        return answered > 0 && pongs > 0;
    }

    @Override
    public String toString()
    {
        return number + " of " + home + ": lobby " + (null != lobbySeat) + ", arena " + isIn() + ", character " +
            characterId + ", answers " + answered + ", pongs " + pongs;
    }

    void act(final long nowNs)
    {
        if (nowNs < dueNs)
        {
            return;
        }
        dueNs = nowNs + 1 + random.nextInt(crowd.pauseNs());
        if ((null == lobbySeat || null == arenaSeat || 0 == characterId) && nowNs - setUpNs > PATIENCE_NS)
        {
            setUpNs = nowNs;
            setUp();
        }
        else if (isPeaceful)
        {
            if (null != lobbySeat)
            {
                toLobby.listRooms(number, 0, "");
            }
            if (null != arenaSeat)
            {
                toArena.ping(nowNs);
            }
            dueNs = nowNs + PATIENCE_NS / 2;
        }
        else if (crowd.isLoose() && null != lobbySeat)
        {
            acts++;
            attack();
        }
    }

    /** The next step of the set-up: log-in, lobby, character, seat. */
    private void setUp()
    {
        final Long homeId = crowd.roomId(home);
        if (null == token)
        {
            trunk.logIn(number, Credentials.signUp(
                "hostile" + number, PASSWORD, "10.77." + (number >> 8) + "." + (number & 255)));
        }
        else if (null == lobbySeat)
        {
            join(LobbyRoom.ROOM_ID, playerId, token);
        }
        else if (0 == characterId)
        {
            toLobby.listCharacters(number);
        }
        else if (null == homeId)
        {
            // Names of other rooms begin with this name: page through them.
            toLobby.listRooms(number, random.nextInt(PAGES), home);
        }
        else
        {
            toLobby.enterRoom(number, homeId, characterId, "");
        }
    }

    private void attack()
    {
        switch (random.nextInt(32))
        {
            case 0, 1, 2, 3, 4, 5, 6, 7, 8, 9 -> cheat();
            case 10, 11, 12, 13 -> toSeat(arenaSeat, messages.damaged(messages.arena(now())));
            case 14, 15, 16 -> toSeat(lobbySeat, messages.damaged(messages.lobby()));
            case 17, 18, 19 -> toSeat(random.nextBoolean() ? lobbySeat : arenaSeat, messages.any(now()));
            case 20 -> toSeat(lobbySeat, messages.arena(now()));
            case 21 -> toSeat(arenaSeat, messages.lobby());
            case 22, 23 -> attackLobby();
            case 24 ->
            {
                if (0 == random.nextInt(4))
                {
                    flood();
                }
            }
            case 25, 26 -> joinWrongly();
            case 27 -> leave();
            case 28, 29 -> forge();
            case 30 -> logInWrongly();
            default -> toLobby.lobbyChat(number, "x".repeat(1 + random.nextInt(160)));
        }
    }

    private void cheat()
    {
        if (null != arenaSeat && arena.canAct())
        {
            // The same action twice is within its cooldown, except for claims.
            final byte[] bytes = messages.cheat(arena);
            toSeat(arenaSeat, bytes);
            toSeat(arenaSeat, bytes);
        }
        else
        {
            toSeat(arenaSeat, messages.arena(now()));
        }
    }

    /** Requests of an honest player, but for rooms, characters and passwords of others. */
    private void attackLobby()
    {
        final Long homeId = crowd.roomId(home);
        final long roomId = null == homeId || random.nextBoolean() ? ownRoomId : homeId;
        switch (random.nextInt(10))
        {
            case 0 -> toLobby.deleteRoom(number, roomId);
            case 1 -> toLobby.changeRoom(number, roomId, random.nextBoolean() ? home : null, null);
            case 2 -> toLobby.changeRoom(number, ownRoomId, null, random.nextBoolean() ? "" : "secret");
            case 3 -> toLobby.enterRoom(number, roomId, random.nextInt(1_000), "");
            case 4, 5 -> several(() -> toLobby.enterRoom(number, ownRoomId, characterId, "guess " + random.nextInt()));
            case 6 -> toLobby.createCharacter(number, "n" + number + "." + random.nextInt(20));
            case 7 -> toLobby.createRoom(number, home, 2 + random.nextInt(2), "courtyard", "");
            case 8 -> several(() -> toLobby.listCharacters(number));
            default ->
            {
                if (0 == number % OWNERS)
                {
                    toLobby.createRoom(number, "own " + number + "." + random.nextInt(1_000),
                        1 + random.nextInt(3), "courtyard", "secret");
                }
            }
        }
    }

    /** More requests than a player may have in flight. */
    private static void several(final Runnable action)
    {
        for (int i = 0; i < SEVERAL; i++)
        {
            action.run();
        }
    }

    private void flood()
    {
        final int kind = random.nextInt(16);
        final byte[] bytes = messages.arena(now());
        for (int i = 0; i < (0 == kind ? LARGE_FLOOD : FLOOD) && null != arenaSeat; i++)
        {
            toSeat(arenaSeat, bytes);
        }
        for (int i = 0; i < FLOOD && 1 == kind; i++)
        {
            toLobby.deleteRoom(number, 0);
        }
    }

    private void joinWrongly()
    {
        final Long homeId = crowd.roomId(home);
        switch (random.nextInt(6))
        {
            case 0 -> join(random.nextInt(1 << 20), playerId, token);
            case 1 -> join(null == homeId ? random.nextInt(4) : homeId + random.nextInt(3), playerId, token);
            case 2 -> join(LobbyRoom.ROOM_ID, playerId, token);
            case 3 -> join(LobbyRoom.ROOM_ID, 1 + random.nextInt(64), token);
            case 4 -> join(LobbyRoom.ROOM_ID, playerId, new byte[random.nextInt(token.length)]);
            default ->
            {
                final byte[] other = token.clone();
                other[random.nextInt(other.length)] ^= 1;
                join(LobbyRoom.ROOM_ID, playerId, other);
            }
        }
    }

    private void leave()
    {
        if (0 == random.nextInt(8))
        {
            crowd.offered(trunk.leave(random.nextBoolean() || null == arenaSeat ? lobbySeat : arenaSeat));
        }
    }

    /** Seats of other trunks, earlier seats, earlier sequence numbers. */
    private void forge()
    {
        final ClientSeat other = crowd.seatOfAnother(trunk, random);
        final ClientSeat own = random.nextBoolean() || null == arenaSeat ? lobbySeat : arenaSeat;
        final ClientSeat forged = switch (random.nextInt(4))
        {
            case 0 -> ForgedSeats.of(own.roomId(), own.index(), own.generation(), own.sequence() / 2 - 1);
            case 1 -> ForgedSeats.of(own.roomId(), own.index(), own.generation() + 1 + random.nextInt(9), 1L << 40);
            case 2 -> ForgedSeats.of(own.roomId(), random.nextInt(), random.nextInt(), random.nextLong());
            default -> null == other ? ForgedSeats.of(random.nextInt(9), 0, 1, 1) :
                ForgedSeats.of(other.roomId(), other.index(), other.generation(), 1L << 40);
        };
        final boolean isOfOwn = forged.index() == own.index() && forged.generation() == own.generation();
        if (random.nextBoolean() && !isOfOwn)
        {
            crowd.offered(trunk.leave(forged));
        }
        else
        {
            toSeat(forged, messages.arena(now()));
        }
    }

    private void logInWrongly()
    {
        if (0 != random.nextInt(8))
        {
            return;
        }
        final String address = "10.78." + (number >> 8) + "." + (number & 255);
        final byte[] bytes = switch (random.nextInt(4))
        {
            case 0 -> Credentials.logIn("bot1x" + random.nextInt(16), PASSWORD, address);
            case 1 -> Credentials.signUp("hostile" + number, PASSWORD, address);
            case 2 -> Credentials.signUp("\u00ff", PASSWORD, address);
            default -> messages.noise();
        };
        trunk.logIn(HostileCrowd.NOBODY, bytes);
    }

    private long now()
    {
        return arena.world().subStep();
    }

    private void join(final long roomId, final long asPlayerId, final byte[] withToken)
    {
        crowd.offered(trunk.join(number, roomId, asPlayerId, withToken, nothing, 0, 0));
    }

    private void toSeat(final ClientSeat seat, final byte[] bytes)
    {
        if (null != seat)
        {
            crowd.offered(trunk.send(seat, new UnsafeBuffer(bytes), 0, bytes.length));
        }
    }

    private void sendToLobby(final DirectBuffer buffer, final int length)
    {
        crowd.offered(trunk.send(lobbySeat, buffer, 0, length));
    }

    private void sendToArena(final DirectBuffer buffer, final int length)
    {
        crowd.offered(null == arenaSeat ? SendStatus.NOT_READY : trunk.send(arenaSeat, buffer, 0, length));
    }

    // Callbacks of the trunk and of the messages

    void onLogIn(final int status, final long loggedInPlayerId, final byte[] newToken)
    {
        if (0 == status)
        {
            playerId = loggedInPlayerId;
            token = newToken;
            setUpNs = 0;
        }
    }

    void onJoined(final ClientSeat seat)
    {
        seat.attachment(this);
        setUpNs = 0;
        if (LobbyRoom.ROOM_ID == seat.roomId())
        {
            lobbySeat = seat;
        }
        else if (Long.valueOf(seat.roomId()).equals(crowd.roomId(home)))
        {
            arenaSeat = seat;
        }
        else
        {
            // Its own room or another's: leave, to attack only at home.
            crowd.offered(trunk.leave(seat));
        }
    }

    void onSeatLost(final ClientSeat seat)
    {
        if (seat == lobbySeat)
        {
            lobbySeat = null;
        }
        else if (seat == arenaSeat)
        {
            arenaSeat = null;
            arena.onAway();
        }
    }

    void onMessage(final ClientSeat seat, final DirectBuffer buffer, final int offset, final int length)
    {
        handlers.onMessage(this, buffer, offset, length);
        if (seat == arenaSeat && PongDecoder.TEMPLATE_ID != SchemaRules.templateId(buffer, offset))
        {
            arena.onMessage(buffer, offset, length);
        }
    }

    private void onCharacterList(final CharacterListDecoder list)
    {
        final CharacterListDecoder.CharactersDecoder characters = list.characters();
        if (0 == characterId && characters.hasNext())
        {
            characterId = characters.next().characterId();
            setUpNs = 0;
        }
        else if (0 == characterId)
        {
            toLobby.createCharacter(number, "hostile" + number + "." + random.nextInt(1_000));
        }
    }

    private void onCharacterCreated(final CharacterCreatedDecoder created)
    {
        if (0 == characterId)
        {
            characterId = created.characterId();
            setUpNs = 0;
        }
    }

    private void onRoomCreated(final RoomCreatedDecoder created)
    {
        ownRoomId = created.roomId();
    }

    private void onRoomPage(final RoomPageDecoder page)
    {
        answered++;
        for (final RoomPageDecoder.RoomsDecoder room : page.rooms())
        {
            final long roomId = room.roomId();
            final int length = room.getName(name, 0, name.length);
            room.skipMapName();
            crowd.room(new String(name, 0, length, StandardCharsets.UTF_8), roomId);
        }
        setUpNs = null == arenaSeat && null != crowd.roomId(home) ? 0 : setUpNs;
    }

    private void onSeatReserved(final SeatReservedDecoder reserved)
    {
        join(reserved.roomId(), playerId, token);
    }

    private void onRefused(final RefusedDecoder refused)
    {
        final ArenaCode code = refused.code();
        crowd.refused(code.name());
        if (ArenaCode.UNKNOWN_CHARACTER == code && EnterRoomDecoder.TEMPLATE_ID == refused.refusedTemplate())
        {
            // It may have deleted its own.
            characterId = 0;
        }
    }

    private void onCorrection(final CorrectionDecoder correction)
    {
        crowd.refused(correction.code().name());
    }

    private void onPong(final PongDecoder pong)
    {
        pongs++;
    }
}
