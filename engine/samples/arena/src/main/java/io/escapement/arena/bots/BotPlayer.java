package io.escapement.arena.bots;

import io.escapement.accounts.AccountCode;
import io.escapement.accounts.Credentials;
import io.escapement.arena.client.ArenaClient;
import io.escapement.arena.client.ArenaSender;
import io.escapement.arena.client.BotBrain;
import io.escapement.arena.client.ClientCommons;
import io.escapement.arena.codecs.ArenaCode;
import io.escapement.arena.codecs.ArenaLayout;
import io.escapement.arena.codecs.CharacterCreatedDecoder;
import io.escapement.arena.codecs.CharacterListDecoder;
import io.escapement.arena.codecs.MessageHeaderDecoder;
import io.escapement.arena.codecs.PongDecoder;
import io.escapement.arena.codecs.RefusedDecoder;
import io.escapement.arena.codecs.RoomCreatedDecoder;
import io.escapement.arena.codecs.ScoreDecoder;
import io.escapement.arena.codecs.SeatReservedDecoder;
import io.escapement.arena.lobby.LobbyRoom;
import io.escapement.arena.simulation.ArenaRules;
import io.escapement.client.ClientSeat;
import io.escapement.client.SendStatus;
import io.escapement.client.TrunkClient;
import io.escapement.codecs.layout.SchemaRules;
import io.escapement.codecs.trunk.TrunkCode;
import io.escapement.rooms.MessageHandlers;
import io.escapement.server.BotOptions;
import io.escapement.server.BotProvider;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A bot as a state machine: it signs up, creates a character, opens its room or waits for it, or for a match, enters,
 * plays, and sometimes leaves and returns. It never blocks. A failed action is retried in the next turn.
 */
final class BotPlayer implements BotProvider.Bot
{
    /** State of the bot. */
    enum Step
    {
        /** Not logged in. */
        LOG_IN,
        /** Log-in sent. */
        LOGGING_IN,
        /** Logged in, not in the lobby. */
        JOIN_LOBBY,
        /** Join of the lobby sent. */
        JOINING_LOBBY,
        /** In the lobby, characters not listed. */
        LIST,
        /** Account without a character. */
        CREATE,
        /** Has a character. The first player of the room must open it, unless matches do. */
        OPEN,
        /** The room is open, or the player asks for a match. */
        ENTER,
        /** A seat is reserved. */
        JOIN_ARENA,
        /** Waits for an answer. */
        WAITING,
        /** In the arena. */
        PLAYING,
        /** Leave sent. */
        LEAVING,
        /** Stopped. */
        DONE
    }

    private static final byte[] PASSWORD = "nobody would guess this".getBytes(StandardCharsets.US_ASCII);
    /** How soon a change of the step by a message, or the end of back pressure, is noticed. */
    private static final long POLL_NS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long LEAVE_RETRY_NS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long PING_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(5);
    /** Longer than a player of the lobby waits for a match. */
    private static final long MATCH_PATIENCE_NS = TimeUnit.SECONDS.toNanos(90);
    /** Delay of a retry while the last progress is being saved. */
    private static final long SAVING_NS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final long STAY_NS = TimeUnit.SECONDS.toNanos(45);
    /** The first stay is short, so that leaving and returning happen during the warm-up. */
    private static final long FIRST_STAY_NS = TimeUnit.SECONDS.toNanos(4);

    /** Shared by the players of a room, which may run in different threads. */
    static final class Group
    {
        volatile long roomId;

        static Group[] of(final int rooms)
        {
            final Group[] groups = new Group[rooms];
            Arrays.setAll(groups, (room) -> new Group());
            return groups;
        }
    }

    private final MessageHandlers<BotPlayer> lobbyHandlers = new MessageHandlers<BotPlayer>(ArenaLayout.RULES)
        .on(new CharacterListDecoder(), BotPlayer::onCharacters)
        .on(new CharacterCreatedDecoder(), BotPlayer::onCharacterCreated)
        .on(new RoomCreatedDecoder(), BotPlayer::onRoomCreated)
        .on(new SeatReservedDecoder(), BotPlayer::onSeatReserved)
        .on(new RefusedDecoder(), BotPlayer::onRefused);

    private final int number;
    private final String name;
    private final boolean isFirst;
    private final Group group;
    private final BotOptions options;
    private final BotProvider.Host host;
    private final TrunkClient trunk;
    private final ArenaClient arena;
    private final ArenaSender toLobby;
    private final ArenaSender toArena;
    private final BotBrain brain;
    private final Set<Long> playerIds;
    private final PongDecoder pong = new PongDecoder();
    private final ScoreDecoder score = new ScoreDecoder();
    private final DeliveryCheck delivery;
    private final UnsafeBuffer nothing = new UnsafeBuffer(new byte[0]);
    private Step step = Step.LOG_IN;
    private Step next;
    private long overdueNs;
    private boolean hasAccount;
    private long playerId;
    private byte[] token;
    private long characterId;
    /** Where its seat is reserved. */
    private long arenaRoomId;
    private ClientSeat lobbySeat;
    private ClientSeat arenaSeat;
    private long kills;
    private long deaths;
    private boolean isSent;
    /** When the last message of the arena arrived, or 0. */
    private long messageNs;
    private long pingDueNs;
    private long leaveDueNs;
    private int roomNamesTaken;
    private boolean hasPlayed;
    private boolean isStopping;

    BotPlayer(
        final int number,
        final Group group,
        final BotOptions options,
        final ClientCommons commons,
        final Set<Long> playerIds,
        final BotProvider.Host host,
        final TrunkClient trunk)
    {
        this.number = number;
        this.group = group;
        isFirst = 0 == number % options.seats();
        this.options = options;
        this.playerIds = playerIds;
        this.host = host;
        this.trunk = trunk;
        name = "bot" + options.runNumber() + "x" + number;
        arena = new ArenaClient(commons, ArenaRules.SUB_STEPS_PER_SECOND / options.sampling(),
            options.watched(), this::sendToArena);
        toArena = new ArenaSender(this::sendToArena);
        toLobby = new ArenaSender(this::sendToLobby);
        delivery = new DeliveryCheck(host::onDelivered);
        brain = new BotBrain(options.seed() * 31 + number, playerIds::contains);
    }

    ArenaClient arena()
    {
        return arena;
    }

    @Override
    public long violationCount()
    {
        return arena.violationCount();
    }

    @Override
    public List<String> violations()
    {
        return arena.violations();
    }

    @Override
    public String picture()
    {
        return null == arena.map() ? null : TextPicture.of(arena);
    }

    @Override
    public boolean isPlaying()
    {
        return Step.PLAYING == step && arena.index() >= 0;
    }

    @Override
    public boolean hasPlayed()
    {
        return hasPlayed;
    }

    /** Also after a Leave, until Left arrives. */
    @Override
    public boolean isSeated()
    {
        return null != arenaSeat;
    }

    @Override
    public boolean isPlayer(final long id)
    {
        return playerId == id;
    }

    Step step()
    {
        return step;
    }

    @Override
    public void stop()
    {
        isStopping = true;
    }

    @Override
    public long act(final long nowNs)
    {
        switch (step)
        {
            case LOG_IN -> logIn(nowNs);
            case JOIN_LOBBY -> join(LobbyRoom.ROOM_ID, Step.JOINING_LOBBY, nowNs);
            case LIST -> request(Step.LIST, nowNs);
            case CREATE -> request(Step.CREATE, nowNs);
            case OPEN ->
            {
                if (options.isMatched() || 0 != group.roomId)
                {
                    step = Step.ENTER;
                }
                else if (isFirst)
                {
                    request(Step.OPEN, nowNs);
                }
            }
            case ENTER -> request(Step.ENTER, nowNs);
            case JOIN_ARENA -> join(arenaRoomId, Step.WAITING, nowNs);
            case PLAYING -> play(nowNs);
            case LOGGING_IN, JOINING_LOBBY, WAITING, LEAVING ->
            {
                if (nowNs - overdueNs > 0 && null != next)
                {
                    step = next;
                }
            }
            default ->
            {
            }
        }
        return switch (step)
        {
            case PLAYING -> Math.min(pingDueNs, leaveDueNs);
            case DONE -> Long.MAX_VALUE;
            default -> nowNs + POLL_NS;
        };
    }

    @Override
    public boolean onLogIn(final int status, final long loggedInPlayerId, final byte[] newToken)
    {
        if (!isAwaited(Step.LOG_IN))
        {
            return true;
        }
        if (0 == status)
        {
            host.onLogIn();
            playerId = loggedInPlayerId;
            playerIds.add(playerId);
            token = newToken;
            step = Step.JOIN_LOBBY;
        }
        else
        {
            hasAccount |= AccountCode.NAME_TAKEN.value() == status;
            step = Step.LOG_IN;
        }
        return 0 == status;
    }

    @Override
    public void onJoined(final ClientSeat seat, final long nowNs)
    {
        seat.attachment(this);
        // A trunk rejoins by itself when it could not be resumed, or had no answer: the seat is the same then.
        if (LobbyRoom.ROOM_ID == seat.roomId())
        {
            step = seat == lobbySeat && Step.JOINING_LOBBY != step ? step : Step.LIST;
            lobbySeat = seat;
        }
        else if (seat != arenaSeat)
        {
            arenaSeat = seat;
            step = Step.PLAYING;
            delivery.onSeat();
            messageNs = 0;
            kills = 0;
            deaths = 0;
            pingDueNs = nowNs + number * 7_919_003L % PING_NS;
            final long stayNs = hasPlayed ? STAY_NS : FIRST_STAY_NS;
            leaveDueNs = nowNs + stayNs + number * 104_729_001L % stayNs;
            hasPlayed = true;
        }
    }

    @Override
    public boolean onLeft(final ClientSeat seat)
    {
        if (seat != arenaSeat)
        {
            return false;
        }
        arenaSeat = null;
        arena.onAway();
        step = isStopping ? Step.DONE : Step.ENTER;
        return !isStopping;
    }

    @Override
    public boolean onJoinRefused(final long roomId, final int code)
    {
        final Step retry = LobbyRoom.ROOM_ID == roomId ? Step.JOIN_LOBBY : Step.ENTER;
        host.onRefused();
        if (TrunkCode.BAD_PLAYER_TOKEN.value() == code || TrunkCode.PLAYER_TOKEN_EXPIRED.value() == code)
        {
            return onTokenVoid();
        }
        if (null != arenaSeat && arenaSeat.roomId() == roomId)
        {
            // A trunk that could not be resumed has rejoined. The seat had been freed, unless it is back by now.
            return !arenaSeat.isPresent() && onLeft(arenaSeat);
        }
        if (!isAwaited(retry))
        {
            return false;
        }
        step = retry;
        return true;
    }

    /** The token was for a trunk that no server knows any more, or is old. */
    private boolean onTokenVoid()
    {
        if (Step.LOG_IN == step || Step.LOGGING_IN == step || null != arenaSeat && arenaSeat.isPresent())
        {
            return false;
        }
        arenaSeat = null;
        arena.onAway();
        step = isStopping ? Step.DONE : Step.LOG_IN;
        return !isStopping;
    }

    @Override
    public void onSendRefused(final long roomId, final int seatIndex)
    {
        if (null != arenaSeat && arenaSeat.roomId() == roomId && arenaSeat.index() == seatIndex)
        {
            delivery.onRefused();
        }
    }

    @Override
    public void onMessage(
        final ClientSeat seat, final DirectBuffer buffer, final int offset, final int length, final boolean isState)
    {
        if (seat == lobbySeat)
        {
            lobbyHandlers.onMessage(this, buffer, offset, length);
            return;
        }
        if (options.isGroup())
        {
            final long nowNs = System.nanoTime();
            host.onWait(0 == messageNs ? 0 : nowNs - messageNs);
            messageNs = nowNs;
        }
        final int templateId = SchemaRules.templateId(buffer, offset);
        if (PongDecoder.TEMPLATE_ID == templateId)
        {
            pong.wrap(buffer, offset + MessageHeaderDecoder.ENCODED_LENGTH, PongDecoder.BLOCK_LENGTH,
                PongDecoder.SCHEMA_VERSION);
            final long pingNs = System.nanoTime() - pong.stamp();
            host.onPing(pingNs);
            delivery.onPong(pong.stamp(), pong.received());
            return;
        }
        if (ScoreDecoder.TEMPLATE_ID == templateId)
        {
            onScore(buffer, offset);
        }
        arena.onMessage(buffer, offset, length);
        if (isState && !isStopping)
        {
            brain.think(arena);
        }
    }

    private void logIn(final long nowNs)
    {
        final byte[] credentials = hasAccount ?
            Credentials.logIn(name, PASSWORD, "10.0.0." + number % 250) :
            Credentials.signUp(name, PASSWORD, "10." + (number >> 8) + "." + (number & 255) + ".1");
        if (SendStatus.SENT == trunk.logIn(number, credentials))
        {
            wait(Step.LOGGING_IN, Step.LOG_IN, nowNs);
        }
    }

    private void join(final long roomId, final Step waiting, final long nowNs)
    {
        if (isSent(trunk.join(joinOf(roomId), roomId, playerId, token, nothing, 0, 0)))
        {
            wait(waiting, LobbyRoom.ROOM_ID == roomId ? Step.JOIN_LOBBY : Step.ENTER, nowNs);
        }
    }

    private int joinOf(final long roomId)
    {
        return BotProvider.JOINS_PER_BOT * number + (LobbyRoom.ROOM_ID == roomId ? 0 : 1);
    }

    private void request(final Step what, final long nowNs)
    {
        switch (what)
        {
            case LIST -> toLobby.listCharacters(number);
            case CREATE -> toLobby.createCharacter(number, name);
            case OPEN -> toLobby.createRoom(number, roomName(),
                options.seats() + options.spare(), 0 == (number & 1) ? "courtyard" : "foundry", "");
            default -> enter();
        }
        if (isSent)
        {
            wait(Step.WAITING, what, nowNs);
            overdueNs = isMatch(what) ? nowNs + MATCH_PATIENCE_NS : overdueNs;
        }
    }

    private void enter()
    {
        if (options.isMatched())
        {
            toLobby.quickMatch(number, characterId, options.seats());
        }
        else
        {
            toLobby.enterRoom(number, group.roomId, characterId, "");
        }
    }

    private boolean isMatch(final Step what)
    {
        return options.isMatched() && Step.ENTER == what;
    }

    private String roomName()
    {
        return "Arena " + number / options.seats() + (0 == roomNamesTaken ? "" : "." + roomNamesTaken);
    }

    private void wait(final Step waiting, final Step otherwise, final long nowNs)
    {
        step = waiting;
        next = otherwise;
        overdueNs = nowNs + PATIENCE_NS;
    }

    private void play(final long nowNs)
    {
        if (!isStopping && nowNs >= leaveDueNs && !host.tryLeave(nowNs))
        {
            leaveDueNs = nowNs + LEAVE_RETRY_NS;
        }
        if (isStopping || nowNs >= leaveDueNs)
        {
            if (isSent(trunk.leave(arenaSeat)))
            {
                wait(Step.LEAVING, Step.PLAYING, nowNs);
            }
            return;
        }
        if (nowNs >= pingDueNs)
        {
            // Measured from the planned time, so that a back-pressured trunk counts (coordinated omission).
            toArena.ping(pingDueNs);
            if (isSent)
            {
                delivery.onPing(pingDueNs, arenaSeat.sequence());
                pingDueNs += PING_NS;
            }
        }
    }

    private void onScore(final DirectBuffer buffer, final int offset)
    {
        score.wrap(buffer, offset + MessageHeaderDecoder.ENCODED_LENGTH, ScoreDecoder.BLOCK_LENGTH,
            ScoreDecoder.SCHEMA_VERSION);
        if (score.playerIndex() == arena.index())
        {
            // A new round starts at 0.
            kills = Math.min(kills, score.kills());
            deaths = Math.min(deaths, score.deaths());
            host.count("kills", score.kills() - kills);
            host.count("deaths", score.deaths() - deaths);
            kills = score.kills();
            deaths = score.deaths();
        }
    }

    /**
     * Whether the step waits for this answer. If a request was overdue and resent, its first answer may arrive late as
     * a duplicate. The duplicate must not send the bot back.
     */
    private boolean isAwaited(final Step retry)
    {
        return retry == step || isWaiting() && retry == next;
    }

    private boolean isWaiting()
    {
        return Step.WAITING == step || Step.LOGGING_IN == step || Step.JOINING_LOBBY == step;
    }

    private void onCharacters(final CharacterListDecoder list)
    {
        if (!isAwaited(Step.LIST))
        {
            return;
        }
        final CharacterListDecoder.CharactersDecoder characters = list.characters();
        if (characters.hasNext())
        {
            characterId = characters.next().characterId();
            step = Step.OPEN;
        }
        else
        {
            step = Step.CREATE;
        }
    }

    private void onCharacterCreated(final CharacterCreatedDecoder created)
    {
        host.count("created", 1);
        characterId = created.characterId();
        step = isAwaited(Step.CREATE) ? Step.OPEN : step;
    }

    private void onRoomCreated(final RoomCreatedDecoder created)
    {
        group.roomId = created.roomId();
        step = isAwaited(Step.OPEN) ? Step.ENTER : step;
    }

    private void onSeatReserved(final SeatReservedDecoder reserved)
    {
        if (isAwaited(Step.ENTER))
        {
            arenaRoomId = reserved.roomId();
            host.count("matches", options.isMatched() ? 1 : 0);
            step = Step.JOIN_ARENA;
        }
    }

    private void onRefused(final RefusedDecoder refused)
    {
        host.onRefused();
        if (ArenaCode.NAME_TAKEN == refused.code() && isAwaited(Step.CREATE))
        {
            step = Step.LIST;
        }
        if (ArenaCode.NAME_TAKEN == refused.code() && isAwaited(Step.OPEN))
        {
            // An earlier run's room, which closes some time after its last player has left.
            roomNamesTaken++;
            step = Step.OPEN;
        }
        if (ArenaCode.SEATED_ELSEWHERE == refused.code() || isWaiting() && isMatch(next))
        {
            overdueNs = System.nanoTime() + SAVING_NS;
        }
        // Other refusals are retried when overdue.
    }

    private void sendToLobby(final DirectBuffer buffer, final int offset, final int length)
    {
        isSent = isSent(trunk.send(lobbySeat, buffer, offset, length));
    }

    private void sendToArena(final DirectBuffer buffer, final int offset, final int length)
    {
        isSent = null != arenaSeat && isSent(trunk.send(arenaSeat, buffer, offset, length));
    }

    private boolean isSent(final SendStatus status)
    {
        if (SendStatus.SENT == status)
        {
            host.onSent();
        }
        return SendStatus.SENT == status;
    }
}
