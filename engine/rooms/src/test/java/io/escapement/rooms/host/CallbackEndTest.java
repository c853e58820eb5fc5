package io.escapement.rooms.host;

import io.escapement.codecs.room.RefusalCode;
import io.escapement.rooms.CloseReason;
import io.escapement.rooms.LeaveReason;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** A close or a kick is done when the callback that requested it has returned, and a lost state is always notified. */
class CallbackEndTest
{
    private static final int TYPE = 1;
    private static final long MS = 1_000_000;

    enum Flushing
    {
        TURN, FRAME, FRAME_WITH_FRAMES, INTERVAL
    }

    private final List<String> calls = new ArrayList<>();
    private final UnsafeBuffer out = new UnsafeBuffer(new byte[4 * 1024]);
    private BiConsumer<Noting, String> action = (logic, call) ->
    {
    };
    private int joinAnswer = RoomLogic.ACCEPT;
    private HostRig rig;

    @Test
    void shouldRunNoFurtherFrameOfACatchUpAfterAClose()
    {
        open((type) -> type.catchUp(64));
        on("frame", (logic, call) -> logic.room.close());
        frames(60);
        rig.turn(1_000 * MS, this::nothing);
        assertCalls("message", "frame", "close BY_LOGIC");
    }

    @Test
    void shouldRunNoFurtherFrameOfACatchUpAfterTheRateIsSetAgain()
    {
        open((type) -> type.catchUp(64));
        on("frame", (logic, call) ->
        {
            logic.room.frameRate(0);
            logic.room.frameRate(60);
        });
        frames(60);
        rig.turn(1_000 * MS, this::nothing);
        assertCalls("message", "frame");
    }

    /** A frame would have notified the logic once more. */
    @Test
    void shouldNotifyOfAStateThatWasLostAgainWhenTheFramesEnd()
    {
        open((type) -> type.flush(RoomType.Flush.FRAME));
        join(7);
        on("lost", (logic, call) -> logic.room.sendState(logic.room.seat(0), out, 0, 2_000));
        on("frame", (logic, call) -> logic.room.sendState(logic.room.seat(0), out, 0, 2_000));
        on("message", (logic, call) -> logic.room.frameRate(calls.size() > 3 ? 0 : 60));
        signal();
        rig.turn(20 * MS, this::nothing);
        rig.turn(21 * MS, this::sendSignal);
        assertCalls("join 7", "message", "frame", "lost 7", "message", "lost 7");
    }

    @Test
    void shouldFreeAKickedSeatBeforeTheNextFrameOfACatchUp()
    {
        open((type) -> type.catchUp(64));
        join(7);
        on("frame", (logic, call) ->
        {
            if (0 != logic.room.seatsTaken())
            {
                logic.room.kick(logic.room.seat(0));
            }
        });
        frames(60);
        rig.turn(53 * MS, this::nothing);
        assertCalls("join 7", "message", "frame", "leave 7 KICKED 0", "frame", "frame");
    }

    @Test
    void shouldFireNoOtherTimerOfAFrameAfterAClose()
    {
        open((type) -> type);
        on("timer", (logic, call) -> logic.room.close());
        on("message", (logic, call) ->
        {
            logic.room.frameRate(60);
            logic.room.everyFrames(1, 1, 1);
            logic.room.everyFrames(1, 2, 2);
        });
        signal();
        rig.turn(100 * MS, this::nothing);
        assertCalls("message", "timer 1", "close BY_LOGIC");
    }

    @Test
    void shouldNotNotifyAnotherSeatOfItsLostStateAfterAClose()
    {
        open((type) -> type);
        join(7);
        join(8);
        on("lost", (logic, call) -> logic.room.close());
        on("message", (logic, call) -> logic.room.sendState(logic.room.everyone(), out, 0, 2_000));
        signal();
        assertCalls("join 7", "join 8", "message", "lost 7", "leave 7 ROOM_CLOSED 1", "leave 8 ROOM_CLOSED 0",
            "close BY_LOGIC");
    }

    @Test
    void shouldNotNotifyAKickedSeatOfItsLostState()
    {
        open((type) -> type.flush(RoomType.Flush.FRAME));
        join(7);
        on("frame", (logic, call) ->
        {
            if (0 != logic.room.seatsTaken())
            {
                logic.room.sendState(logic.room.everyone(), out, 0, 2_000);
                logic.room.kick(logic.room.seat(0));
            }
        });
        frames(60);
        rig.turn(20 * MS, this::nothing);
        assertCalls("join 7", "message", "frame", "leave 7 KICKED 0");
    }

    @Test
    void shouldReportNoOtherRefusalAfterAClose()
    {
        open((type) -> type.requests(0));
        on("reply", (logic, call) -> logic.room.close());
        on("message", (logic, call) ->
        {
            logic.room.async(1, 1, out, 0, 8);
            logic.room.async(1, 1, out, 0, 8);
        });
        signal();
        rig.turn(10 * MS, this::nothing);
        assertCalls("message", "reply 1 " + RefusalCode.REQUEST_LIMIT.value(), "close BY_LOGIC");
    }

    @Test
    void shouldCloseForThePlayerWhoseAwayClosedTheRoom()
    {
        open((type) -> type.graceNs(0));
        join(7);
        on("away", (logic, call) -> logic.room.close());
        rig.turn(2 * MS, () -> rig.command(rig.encoder.linkDown(rig.buffer, 0, 7)));
        assertCalls("join 7", "away 7", "leave 7 ROOM_CLOSED 0", "close BY_LOGIC");
    }

    @Test
    void shouldKickThePlayerWhoseAwayKickedIt()
    {
        open((type) -> type.graceNs(0));
        join(7);
        on("away", (logic, call) -> logic.room.kick(logic.room.seat(0)));
        rig.turn(2 * MS, () -> rig.command(rig.encoder.linkDown(rig.buffer, 0, 7)));
        assertCalls("join 7", "away 7", "leave 7 KICKED 0");
    }

    @Test
    void shouldFreeASeatThatAJoinRequestKickedBeforeTheJoin()
    {
        open((type) -> type);
        join(7);
        on("request 8", (logic, call) -> logic.room.kick(logic.room.seat(0)));
        join(8);
        assertCalls("join 7", "leave 7 KICKED 0", "join 8");
    }

    /** The logic's answer has no effect any more: the player is refused as by a room that is not there. */
    @ParameterizedTest
    @ValueSource(ints = {RoomLogic.ACCEPT, RoomLogic.FIRST_APPLICATION_CODE})
    void shouldSeatNobodyInARoomThatItsJoinRequestCloses(final int answer)
    {
        open((type) -> type);
        join(7);
        joinAnswer = answer;
        on("request 8", (logic, call) -> logic.room.close());
        rig.turn(2 * MS, () ->
        {
            rig.linkUp(8);
            assertEquals(RefusalCode.UNKNOWN_ROOM.value(), rig.join(1, 8, 8));
            assertEquals(RefusalCode.UNKNOWN_ROOM.value(), rig.join(1, 9, 8));
        });
        assertCalls("join 7", "leave 7 ROOM_CLOSED 0", "close BY_LOGIC");
    }

    @Test
    void shouldSeatNobodyInARoomThatClosedEarlierInTheTurn()
    {
        open((type) -> type);
        on("message", (logic, call) -> logic.room.close());
        rig.turn(2 * MS, () ->
        {
            rig.linkUp(8);
            sendSignal();
            assertEquals(RefusalCode.UNKNOWN_ROOM.value(), rig.join(1, 8, 8));
            assertEquals(RefusalCode.UNKNOWN_ROOM.value(),
                rig.command(rig.encoder.reserve(rig.buffer, 0, 1, 8, MS, 0, 0)));
        });
        assertCalls("message", "close BY_LOGIC");
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1_000 * MS})
    void shouldNeitherFreeNorHoldTheSeatWhoseAwayThrew(final long graceNs)
    {
        open((type) -> type.graceNs(graceNs));
        join(7);
        on("away", (logic, call) ->
        {
            throw new IllegalStateException("on purpose");
        });
        rig.turn(2 * MS, () -> rig.command(rig.encoder.linkDown(rig.buffer, 0, 7)));
        assertEquals(0, rig.host.pendingTimers());
        assertCalls("join 7", "away 7");
    }

    @Test
    void shouldNotReturnAPlayerToARoomThatItsAwayClosed()
    {
        open((type) -> type);
        join(7);
        on("away", (logic, call) -> logic.room.close());
        rig.turn(2 * MS, () ->
        {
            rig.linkUp(9);
            assertEquals(RefusalCode.UNKNOWN_ROOM.value(), rig.join(1, 7, 9));
        });
        assertCalls("join 7", "away 7", "leave 7 ROOM_CLOSED 0", "close BY_LOGIC");
    }

    @Test
    void shouldNotReturnAPlayerToARoomThatItsAwayFailed()
    {
        open((type) -> type);
        join(7);
        on("away", (logic, call) ->
        {
            throw new IllegalStateException("on purpose");
        });
        rig.turn(2 * MS, () ->
        {
            rig.linkUp(9);
            assertEquals(RefusalCode.ROOM_FAILED.value(), rig.join(1, 7, 9));
        });
        assertCalls("join 7", "away 7");
    }

    @Test
    void shouldNotReturnAPlayerThatItsAwayKicked()
    {
        open((type) -> type);
        join(7);
        on("away", (logic, call) -> logic.room.kick(logic.room.seat(0)));
        rig.turn(2 * MS, () ->
        {
            rig.linkUp(9);
            assertEquals(RefusalCode.NOT_JOINED.value(), rig.join(1, 7, 9));
        });
        assertCalls("join 7", "away 7", "leave 7 KICKED 0");
    }

    @Test
    void shouldNotCountTheSeatThatLeaves()
    {
        open((type) -> type);
        join(7);
        join(8);
        rig.turn(2 * MS, () -> rig.command(rig.encoder.leave(rig.buffer, 0, 1, 0, 1, 7)));
        rig.turn(3 * MS, () -> rig.command(rig.encoder.kick(rig.buffer, 0, 1, 8)));
        assertCalls("join 7", "join 8", "leave 7 LEFT 1", "leave 8 KICKED 0");
    }

    @ParameterizedTest
    @EnumSource(Flushing.class)
    void shouldNotifyOfALostStateThatWasTheOnlyMessage(final Flushing flushing)
    {
        open((type) -> flushing(type, flushing));
        join(7);
        on("message", (logic, call) ->
        {
            logic.room.frameRate(Flushing.FRAME_WITH_FRAMES == flushing ? 60 : 0);
            logic.room.sendState(logic.room.seat(0), out, 0, 2_000);
        });
        signal();
        rig.turn(100 * MS, this::nothing);
        calls.remove("frame");
        assertCalls("join 7", "message", "lost 7");
    }

    @ParameterizedTest
    @EnumSource(Flushing.class)
    void shouldNotifyOfALostStateAfterAJoinThatFlushed(final Flushing flushing)
    {
        open((type) -> flushing(type, flushing));
        join(7);
        on("message", (logic, call) ->
        {
            logic.room.frameRate(Flushing.FRAME_WITH_FRAMES == flushing ? 60 : 0);
            logic.room.sendState(logic.room.seat(0), out, 0, 8);
            logic.room.sendState(logic.room.seat(0), out, 0, 2_000);
        });
        rig.turn(1, () ->
        {
            sendSignal();
            rig.linkUp(8);
            rig.join(1, 8, 8);
        });
        rig.turn(100 * MS, this::nothing);
        calls.remove("frame");
        assertCalls("join 7", "message", "join 8", "lost 7");
    }

    @ParameterizedTest
    @EnumSource(Flushing.class)
    void shouldNotifyAgainWhenTheAnswerIsLostToo(final Flushing flushing)
    {
        open((type) -> flushing(type, flushing));
        join(7);
        on("message", (logic, call) ->
        {
            logic.room.frameRate(Flushing.FRAME_WITH_FRAMES == flushing ? 60 : 0);
            logic.room.sendState(logic.room.seat(0), out, 0, 2_000);
        });
        on("lost", (logic, call) -> logic.room.sendState(
            logic.room.seat(0), out, 0, calls.stream().filter("lost 7"::equals).count() < 3 ? 2_000 : 8));
        signal();
        for (int i = 1; i <= 100; i++)
        {
            rig.turn((10 + i) * MS, this::nothing);
        }
        calls.removeIf("frame"::equals);
        assertCalls("join 7", "message", "lost 7", "lost 7", "lost 7");
    }

    /** In onBack the room sends a full state, so the notice would cost a second one. */
    @Test
    void shouldForgetTheLostStateOfASeatThatGoesAwayAndReturns()
    {
        open((type) -> type);
        join(7);
        on("message", (logic, call) -> logic.room.sendState(logic.room.seat(0), out, 0, 2_000));
        rig.turn(1, () ->
        {
            sendSignal();
            rig.command(rig.encoder.linkDown(rig.buffer, 0, 7));
            rig.command(rig.encoder.linkResumed(rig.buffer, 0, 7, 7, 7));
        });
        rig.turn(100 * MS, this::nothing);
        assertCalls("join 7", "message", "away 7", "back 7");
    }

    @Test
    void shouldForgetTheLostStateOfASeatThatMissesAnEventAndReturns()
    {
        open((type) -> type);
        join(7);
        on("message", (logic, call) ->
        {
            logic.room.sendState(logic.room.seat(0), out, 0, 2_000);
            logic.room.sendEvent(logic.room.seat(0), out, 0, 2_000);
        });
        rig.turn(1, () ->
        {
            sendSignal();
            rig.join(1, 7, 7);
        });
        rig.turn(100 * MS, this::nothing);
        assertCalls("join 7", "message", "away 7", "back 7");
    }

    @Test
    void shouldNotifyOfNoStateOrEventThatTheLastPlayerOfAPlaceLost()
    {
        open((type) -> type.seats(2));
        join(7);
        join(8);
        on("message", (logic, call) ->
        {
            if (null != logic.room.seatOf(7))
            {
                logic.room.sendState(logic.room.seat(0), out, 0, 2_000);
                logic.room.sendEvent(logic.room.seat(0), out, 0, 2_000);
                logic.room.kick(logic.room.seat(0));
            }
            else
            {
                logic.room.kick(logic.room.seat(1));
            }
        });
        rig.turn(1, () ->
        {
            rig.linkUp(9);
            sendSignal();
            rig.join(1, 9, 9);
            sendSignal();
        });
        rig.turn(100 * MS, this::nothing);
        assertCalls("join 7", "join 8", "message", "leave 7 KICKED 1", "join 9", "message", "leave 8 KICKED 1");
    }

    @Test
    void shouldNotNotifyAnAwaySeatOfStatesThatItsLinkLost()
    {
        open((type) -> type);
        join(7);
        on("message", (logic, call) -> logic.room.sendEvent(logic.room.seat(0), out, 0, 2_000));
        signal();
        // The seat missed an event and is away, while its link is up.
        rig.turn(2 * MS, () ->
        {
            assertEquals(0, rig.command(rig.encoder.linkStateLost(rig.buffer, 0, 7)));
            assertEquals(RefusalCode.STALE_SEAT.value(),
                rig.command(rig.encoder.stateLost(rig.buffer, 0, 1, 0, 1)));
        });
        rig.turn(100 * MS, this::nothing);
        assertCalls("join 7", "message", "away 7");
    }

    @Test
    void shouldFlushAMessageAtOnceWhileANoticeWaits()
    {
        open((type) -> type);
        join(7);
        // The first state and the answer to its loss are too long, later ones are not.
        on("message", (logic, call) -> logic.room.sendState(logic.room.seat(0), out, 0, calls.size() > 3 ? 8 : 2_000));
        on("lost", (logic, call) -> logic.room.sendState(logic.room.seat(0), out, 0, calls.size() > 3 ? 0 : 2_000));
        signal();
        final long before = rig.outputs.messages();
        rig.turn(2 * MS, this::sendSignal);
        assertEquals(2, rig.outputs.messages() - before);
        assertCalls("join 7", "message", "lost 7", "message", "lost 7");
    }

    private RoomType flushing(final RoomType type, final Flushing flushing)
    {
        return switch (flushing)
        {
            case TURN -> type;
            case INTERVAL -> type.flushEveryNs(5 * MS);
            default -> type.flush(RoomType.Flush.FRAME);
        };
    }

    private void open(final UnaryOperator<RoomType> settings)
    {
        rig = new HostRig(settings.apply(
            RoomType.of(TYPE, "noting", 1, Noting::new).seats(4).outputLimit(RoomType.MIN_OUTPUT_LIMIT)));
        rig.turn(1, () -> rig.open(1, TYPE));
    }

    /** Let a player join through the link of that number. */
    private void join(final int playerId)
    {
        rig.turn(1, () ->
        {
            rig.linkUp(playerId);
            rig.join(1, playerId, playerId);
        });
    }

    private void frames(final int hz)
    {
        on("message", (logic, call) -> logic.room.frameRate(hz));
        signal();
    }

    private void signal()
    {
        rig.turn(1, this::sendSignal);
    }

    private void sendSignal()
    {
        rig.command(rig.encoder.signal(rig.buffer, 0, 1, 0, 0, rig.payload, 0, 8));
    }

    private void nothing()
    {
    }

    private void on(final String prefix, final BiConsumer<Noting, String> next)
    {
        final BiConsumer<Noting, String> before = action;
        action = (logic, call) -> (call.startsWith(prefix) ? next : before).accept(logic, call);
    }

    private void assertCalls(final String... expected)
    {
        assertEquals(List.of(expected), calls);
        final List<String> live = List.copyOf(calls);
        calls.clear();
        rig.assertReplays();
        calls.removeIf("frame"::equals);
        final List<String> withoutFrames = new ArrayList<>(live);
        withoutFrames.removeIf("frame"::equals);
        assertEquals(withoutFrames, calls, "in the replay");
    }

    private final class Noting extends Quiet
    {
        @Override
        public int onJoinRequest(final long playerId, final DirectBuffer args, final int offset, final int length)
        {
            action.accept(this, "request " + playerId);
            return 8 == playerId ? joinAnswer : ACCEPT;
        }

        @Override
        public void onJoin(final Seat seat)
        {
            note("join " + seat.playerId());
        }

        @Override
        public void onAway(final Seat seat)
        {
            note("away " + seat.playerId());
        }

        @Override
        public void onBack(final Seat seat)
        {
            note("back " + seat.playerId());
        }

        @Override
        public void onLeave(final Seat seat, final LeaveReason reason)
        {
            note("leave " + seat.playerId() + " " + reason + " " + room.seatsTaken());
        }

        @Override
        public void onSignal(final long from, final DirectBuffer buffer, final int offset, final int length)
        {
            note("message");
        }

        @Override
        public void onReply(
            final long id, final int status, final DirectBuffer buffer, final int offset, final int length)
        {
            note("reply " + id + " " + status);
        }

        @Override
        public void onTimer(final long handle, final int kind, final long tag)
        {
            note("timer " + tag);
        }

        @Override
        public void onFrame(final long frame, final long elapsedNs)
        {
            note("frame");
        }

        @Override
        public void onStateLost(final Seat seat)
        {
            note("lost " + seat.playerId());
        }

        @Override
        public void onDrain(final Room draining, final long deadlineNs)
        {
            note("drain");
        }

        @Override
        public void onClose(final CloseReason reason)
        {
            note("close " + reason);
        }

        private void note(final String call)
        {
            calls.add(call);
            action.accept(this, call);
        }
    }
}
