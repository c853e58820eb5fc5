package io.escapement.gateway;

import io.escapement.client.SendStatus;
import io.escapement.codecs.room.RefusalCode;
import io.escapement.codecs.trunk.AwayDecoder;
import io.escapement.codecs.trunk.CancelJoinDecoder;
import io.escapement.codecs.trunk.JoinDecoder;
import io.escapement.codecs.trunk.LeaveDecoder;
import io.escapement.codecs.trunk.SendDecoder;
import io.escapement.codecs.trunk.TrunkCode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** An engine behind a trunk, with rooms 1 to 99. It answers in the poll after a request. */
final class FakeEngine implements Upstream
{
    static final int ROOMS = 99;
    /** New players of this room wait until {@link #admit()}. */
    static final long ASKING_ROOM = 98;

    /** A seat as trunk and engine hold it. */
    static final class FakeSeat extends TrunkSeat
    {
        final long roomId;
        final int index;
        final long playerId;
        long sequence;
        boolean isPresentHere;
        /** For the engine, which handles orders later. */
        boolean isPresentThere;
        boolean isFreed;

        FakeSeat(final long roomId, final int index, final long playerId)
        {
            this.roomId = roomId;
            this.index = index;
            this.playerId = playerId;
        }

        @Override
        long roomId()
        {
            return roomId;
        }

        @Override
        int index()
        {
            return index;
        }

        @Override
        long playerId()
        {
            return playerId;
        }

        @Override
        long sequence()
        {
            return sequence;
        }

        @Override
        boolean isPresent()
        {
            return isPresentHere;
        }

        @Override
        void skipSequence()
        {
            sequence++;
        }
    }

    /** Of the messages of rooms. */
    long turn;
    final Map<String, FakeSeat> seatByRoomAndPlayerMap = new LinkedHashMap<>();
    final List<String> log = new ArrayList<>();
    final List<Long> openLogIns = new ArrayList<>();
    final Map<Long, Long> waiting = new LinkedHashMap<>();
    /** Of the room's logic to players with a new seat. */
    String answer = "";
    final ArrayDeque<Runnable> answers = new ArrayDeque<>();
    Listener listener;
    boolean isUp = true;
    boolean isBlocked;
    boolean isAttached = true;
    boolean answersLogIns = true;
    /** Orders for seats, Away and Leave, that are refused by their rate. */
    int ordersToRefuse;
    int nextIndex;

    @Override
    public boolean isUp()
    {
        return isUp;
    }

    @Override
    public long serverTimeNs()
    {
        return 77;
    }

    @Override
    public long roundTripNs()
    {
        return 1;
    }

    private SendStatus status()
    {
        return !isUp || !isAttached ? SendStatus.NOT_READY : isBlocked ? SendStatus.BACK_PRESSURED : SendStatus.SENT;
    }

    @Override
    public SendStatus logIn(final long requestId, final byte[] credentials)
    {
        final SendStatus status = isUp ? isBlocked ? SendStatus.BACK_PRESSURED : SendStatus.SENT : SendStatus.NOT_READY;
        if (SendStatus.SENT == status)
        {
            openLogIns.add(requestId);
            final String name = new String(credentials, StandardCharsets.US_ASCII);
            log.add("logIn " + name);
            if (answersLogIns)
            {
                answers.add(() -> answerLogIn(requestId, name));
            }
        }
        return status;
    }

    /** Refuse the log-in that is open for longest. */
    void refuseLogIn()
    {
        listener.onLogIn(openLogIns.remove(0), 1_104, 0, new byte[0], new byte[0]);
    }

    /** Names are the numbers of players; others are refused. */
    private void answerLogIn(final long requestId, final String name)
    {
        openLogIns.remove(requestId);
        final boolean isNumber = name.chars().allMatch(Character::isDigit);
        listener.onLogIn(requestId, isNumber ? 0 : 1_100, isNumber ? Long.parseLong(name) : 0, new byte[]{1},
            ("session of " + name).getBytes(StandardCharsets.US_ASCII));
    }

    @Override
    public SendStatus join(
        final long requestId,
        final long roomId,
        final long playerId,
        final boolean isSpectator,
        final byte[] token,
        final DirectBuffer args,
        final int argsLength)
    {
        final SendStatus status = status();
        if (SendStatus.SENT == status)
        {
            log.add((isSpectator ? "watch " : "join ") + roomId + " " + playerId);
            answers.add(() -> answerJoin(requestId, roomId, playerId));
        }
        return status;
    }

    private void answerJoin(final long requestId, final long roomId, final long playerId)
    {
        final String key = roomId + "/" + playerId;
        final FakeSeat held = seatByRoomAndPlayerMap.get(key);
        if (roomId > ROOMS)
        {
            listener.onRefused(JoinDecoder.TEMPLATE_ID, roomId, -1, requestId, RefusalCode.UNKNOWN_ROOM.value());
        }
        else if (ASKING_ROOM == roomId && null == held && !waiting.containsKey(requestId))
        {
            waiting.put(requestId, playerId);
        }
        else if (null != held && held.isPresentThere)
        {
            listener.onRefused(JoinDecoder.TEMPLATE_ID, roomId, -1, requestId, RefusalCode.ALREADY_JOINED.value());
        }
        else
        {
            final FakeSeat seat = null == held ? new FakeSeat(roomId, nextIndex++, playerId) : held;
            seatByRoomAndPlayerMap.put(key, seat);
            seat.isPresentHere = true;
            seat.isPresentThere = true;
            final UnsafeBuffer answer = new UnsafeBuffer(FakeLink.bytes(null == held ? this.answer : ""));
            listener.onJoined(requestId, seat, answer, 0, answer.capacity());
        }
    }

    /** Admit all whose join waits in the asking room. */
    void admit()
    {
        List.copyOf(waiting.entrySet()).forEach((join) ->
        {
            answerJoin(join.getKey(), ASKING_ROOM, join.getValue());
            waiting.remove(join.getKey());
        });
    }

    @Override
    public SendStatus cancelJoin(final long requestId, final long roomId, final long playerId)
    {
        final SendStatus status = status();
        if (SendStatus.SENT == status)
        {
            log.add("cancel " + roomId + " " + playerId);
            answers.add(() ->
            {
                final boolean isWaiting = waiting.remove(requestId, playerId);
                listener.onRefused(isWaiting ? JoinDecoder.TEMPLATE_ID : CancelJoinDecoder.TEMPLATE_ID, roomId, -1,
                    requestId, (isWaiting ? RefusalCode.JOIN_CANCELLED : RefusalCode.NOT_JOINED).value());
            });
        }
        return status;
    }

    @Override
    public SendStatus leave(final TrunkSeat seat, final int code)
    {
        final SendStatus status = status();
        if (SendStatus.SENT == status)
        {
            final FakeSeat left = (FakeSeat)seat;
            log.add("leave " + left.roomId + " " + left.playerId + (0 == code ? "" : " " + code));
            answers.add(() ->
            {
                if (isRefused(LeaveDecoder.TEMPLATE_ID, left))
                {
                    return;
                }
                if (left.isFreed || !left.isPresentThere)
                {
                    listener.onRefused(
                        LeaveDecoder.TEMPLATE_ID, left.roomId, left.index, 0, RefusalCode.STALE_SEAT.value());
                }
                else
                {
                    free(left, 0, code);
                }
            });
        }
        return status;
    }

    /** Refuse an order by its rate, if the test says so. */
    private boolean isRefused(final int templateId, final FakeSeat seat)
    {
        if (0 == ordersToRefuse)
        {
            return false;
        }
        ordersToRefuse--;
        listener.onRefused(templateId, seat.roomId, seat.index, 0, TrunkCode.RATE_LIMITED.value());
        return true;
    }

    /** Free a seat, for an ordinal of LeaveReason. */
    void free(final FakeSeat seat, final int reason)
    {
        free(seat, reason, 0);
    }

    void free(final FakeSeat seat, final int reason, final int code)
    {
        seat.isFreed = true;
        seat.isPresentHere = false;
        seat.isPresentThere = false;
        seatByRoomAndPlayerMap.remove(seat.roomId + "/" + seat.playerId);
        listener.onLeft(seat, reason, code);
    }

    @Override
    public SendStatus send(final TrunkSeat seat, final DirectBuffer buffer, final int offset, final int length)
    {
        final FakeSeat sender = (FakeSeat)seat;
        final SendStatus status = status();
        if (SendStatus.SENT == status)
        {
            final long sequence = ++sender.sequence;
            final byte[] bytes = new byte[length];
            buffer.getBytes(offset, bytes);
            final String text = new String(bytes, StandardCharsets.US_ASCII);
            log.add("send " + sender.roomId + " " + sender.playerId + " " + text);
            if ("refuse".equals(text))
            {
                answers.add(() -> listener.onRefused(
                    SendDecoder.TEMPLATE_ID, sender.roomId, sender.index, sequence, 1_024));
            }
        }
        return status;
    }

    @Override
    public SendStatus away(final TrunkSeat seat)
    {
        final SendStatus status = status();
        if (SendStatus.SENT == status)
        {
            final FakeSeat away = (FakeSeat)seat;
            log.add("away " + away.roomId + " " + away.playerId);
            away.isPresentHere = false;
            answers.add(() -> away.isPresentThere &= isRefused(AwayDecoder.TEMPLATE_ID, away));
        }
        return status;
    }

    @Override
    public SendStatus stateLost(final TrunkSeat seat)
    {
        final SendStatus status = status();
        if (SendStatus.SENT == status)
        {
            log.add("stateLost " + seat.roomId() + " " + seat.playerId());
        }
        return status;
    }

    @Override
    public void forget(final TrunkSeat seat)
    {
        if (seat.isPresent())
        {
            throw new IllegalStateException("a present seat was forgotten");
        }
    }

    /** Everything that was requested before this call is answered. */
    @Override
    public int poll()
    {
        int work = 0;
        for (int i = answers.size(); isUp && i > 0; i--)
        {
            answers.remove().run();
            work++;
        }
        return work;
    }

    @Override
    public boolean flush()
    {
        return !isBlocked;
    }

    @Override
    public void close()
    {
        isUp = false;
    }

    /** A message to all present seats of a room. */
    void message(final long roomId, final boolean isState, final String text)
    {
        final byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        final List<FakeSeat> seats = seatByRoomAndPlayerMap.values().stream()
            .filter((seat) -> seat.roomId == roomId && seat.isPresentHere).toList();
        listener.onRoomMessage(roomId, isState, turn, seats, new UnsafeBuffer(bytes), 0, bytes.length);
    }

    /** The connection is lost: requests on their way are lost too, and all seats are away. */
    void disconnect(final int code)
    {
        isUp = false;
        answers.clear();
        openLogIns.clear();
        waiting.clear();
        seatByRoomAndPlayerMap.values().forEach((seat) ->
        {
            seat.isPresentHere = false;
        });
        listener.onDown(code, false);
    }

    /** The trunk is resumed: seats return that went away with it. */
    void resume()
    {
        isUp = true;
        listener.onUp(true);
        for (final FakeSeat seat : List.copyOf(seatByRoomAndPlayerMap.values()))
        {
            if (seat.isPresentThere)
            {
                seat.isPresentHere = true;
                listener.onSeatResumed(seat);
            }
        }
    }

    /** Another engine answers, without any seat. */
    void restart()
    {
        isUp = true;
        seatByRoomAndPlayerMap.values().forEach((seat) -> seat.isPresentHere = false);
        seatByRoomAndPlayerMap.clear();
        listener.onUp(false);
    }
}
