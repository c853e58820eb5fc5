package io.escapement.rooms.host;

import io.escapement.codecs.RoomCommands;
import io.escapement.codecs.room.DirectoryChange;
import io.escapement.codecs.room.LoopCommandDecoder;
import io.escapement.codecs.room.MessageHeaderDecoder;
import io.escapement.codecs.room.OpenRoomDecoder;
import io.escapement.codecs.room.RefusalCode;
import io.escapement.codecs.room.RequestDecoder;
import io.escapement.codecs.room.SignalDecoder;
import io.escapement.codecs.room.TakenDecoder;
import io.escapement.config.ConfigException;
import io.escapement.rooms.loop.LoopLimits;
import io.escapement.rooms.loop.LoopState;
import io.escapement.rooms.output.ByteSink;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import static io.escapement.rooms.host.Sender.own;
import static io.escapement.rooms.host.Sender.roomId;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The state of a loop besides its rooms: what changes it, what it refuses, and that a restore has it again. */
class LoopStateTest
{
    private static final int QUEUE_FULL = RefusalCode.QUEUE_FULL.value();
    private static final int BAD_VALUE = RefusalCode.BAD_VALUE.value();
    private static final int OLD_SEQUENCE = RefusalCode.OLD_SEQUENCE.value();
    private static final int UNKNOWN_ROOM = RefusalCode.UNKNOWN_ROOM.value();

    private final List<String> events = new ArrayList<>();
    private final HostRig rig = Sender.rig(events);

    @Test
    void shouldRunACommandForARoomOfThisLoopInTheNextTurnOnly()
    {
        open(1, 2);
        rig.turn(() -> rig.signal(own(1), Sender.SIGNAL, own(2)));
        assertEquals(List.of(), events);
        assertEquals(1, state().returns());

        final RoomHost restored = sameAfterARestore();
        assertEquals(1, restored.loopState().returns());
        restored.beginTurn(100);
        assertEquals(1, restored.runReturns());
        restored.endTurn();
        assertEquals(List.of(own(2) + " got " + own(2) + " of " + own(1)), events);
        assertEquals(0, restored.loopState().returns());
        rig.turn(() -> { });
        assertEquals(2, events.size());
        assertFalse(state().hasUnsent());
    }

    @Test
    void shouldRunAReturnFromTheBytesOfALogAndNoOtherCommand()
    {
        open(1, 2);
        rig.turn(() -> rig.signal(own(1), Sender.SIGNAL, own(2)));
        rig.host.beginTurn(50);
        rig.payload.putLong(0, own(2));
        final int length = rig.encoder.signal(rig.buffer, 0, own(2), own(1), 1, rig.payload, 0, 8);
        for (int at = 0; at < length; at++)
        {
            final byte before = rig.buffer.getByte(at);
            rig.buffer.putByte(at, (byte)(before + 1));
            assertFalse(rig.host.onReturn(rig.buffer, 0, length), "byte " + at);
            rig.buffer.putByte(at, before);
        }
        assertFalse(rig.host.onReturn(rig.buffer, 0, length - 1));
        assertTrue(rig.host.onReturn(rig.buffer, 0, length));
        assertFalse(rig.host.onReturn(rig.buffer, 0, length));
        rig.host.endTurn();
        assertEquals(1, events.size());
    }

    /** 1,000 bytes of payload take 1,048 of a queue; the fourth does not fit 4,096, and its refusal always does. */
    @ParameterizedTest
    @CsvSource({"1", "0", "2"})
    void shouldRefuseASignalByTheBytesThatWait(final int toLoop)
    {
        open(1);
        final long to = roomId(toLoop, 9);
        rig.turn(() ->
        {
            for (int i = 0; i < 4; i++)
            {
                rig.signal(own(1), Sender.SIGNAL_LONG, to);
            }
        });
        final int waiting = Sender.LOOP == toLoop ? state().returns() - 1 : state().untaken(toLoop);
        assertEquals(3, waiting);
        assertEquals(1, rig.host.refusals(QUEUE_FULL));
        sameAfterARestore();
        rig.turn(() -> { });
        assertTrue(events.contains(own(1) + " answered 4 with " + QUEUE_FULL), events::toString);
    }

    /** A restored queue has other memory, and refuses what the first would. */
    @Test
    void shouldRefuseAlikeAfterARestore()
    {
        open(1);
        for (int i = 0; i < 50; i++)
        {
            final int sent = i;
            rig.turn(() ->
            {
                rig.signal(own(1), Sender.SIGNAL_LONG, roomId(0, 9));
                rig.command(rig.encoder.taken(rig.buffer, 0, Math.max(0, sent - 3), 0));
            });
            final RoomHost restored = sameAfterARestore();
            restored.beginTurn(1_000);
            restored.runReturns();
            rig.payload.putLong(0, Sender.SIGNAL_LONG);
            rig.payload.putLong(8, roomId(0, 9));
            restored.onCommand(rig.buffer, 0,
                rig.encoder.signal(rig.buffer, 0, own(1), 0, 0, rig.payload, 0, 16));
            restored.endTurn();
            final long before = rig.host.refusals(QUEUE_FULL);
            assertEquals(before + (state().untaken(0) >= 3 ? 1 : 0), restored.refusals(QUEUE_FULL));
        }
    }

    @Test
    void shouldRefuseASignalToALoopThatIsNotThere()
    {
        open(1);
        rig.turn(() -> rig.signal(own(1), Sender.SIGNAL, roomId(3, 1)));
        rig.turn(() -> rig.signal(own(1), Sender.RESERVE, roomId(1_000, 1)));
        rig.turn(() -> { });
        assertEquals(List.of(
            own(1) + " answered 1 with " + UNKNOWN_ROOM, own(1) + " answered 2 with " + UNKNOWN_ROOM), events);
    }

    @Test
    void shouldNotRefuseAnswersWhenTheQueueIsFull()
    {
        open(1, 2);
        rig.turn(() ->
        {
            for (int i = 0; i < 3; i++)
            {
                rig.signal(own(1), Sender.SIGNAL_LONG, own(2));
            }
            for (int i = 0; i < 200; i++)
            {
                rig.command(rig.encoder.reserve(rig.buffer, 0, own(2), 100 + i, 1_000, own(1), 50 + i));
            }
        });
        assertEquals(203, state().returns());
        sameAfterARestore();
    }

    /** A refusal takes 32 bytes of the 8,192 beside the signals; a room may send any number of signals. */
    @Test
    void shouldDropRefusalsOfSignalsAboveTwiceTheLimit()
    {
        open(1);
        rig.turn(() ->
        {
            for (int i = 0; i < 400; i++)
            {
                rig.signal(own(1), Sender.SIGNAL_LONG, own(9));
            }
        });
        assertEquals(397, rig.host.refusals(QUEUE_FULL));
        final int refusals = state().returns() - 3;
        assertTrue(refusals > 150 && refusals < 165, refusals + " refusals");
    }

    @Test
    void shouldKeepARequestUntilItsAnswerRuns()
    {
        open(1);
        rig.turn(() ->
        {
            rig.signal(own(1), Sender.ASYNC, 3);
            rig.signal(own(1), Sender.OPEN, 0);
            rig.signal(own(1), Sender.ASYNC, 4);
        });
        assertEquals(3, state().openRequests());
        assertEquals(List.of(RequestDecoder.TEMPLATE_ID), Sender.requests(state(), 1));
        assertEquals(List.of(OpenRoomDecoder.TEMPLATE_ID, RequestDecoder.TEMPLATE_ID), Sender.requests(state(), 9));
        assertEquals(List.of(), Sender.requests(state(), 9));

        rig.turn(() -> reply(own(1), 1));
        assertEquals(2, state().openRequests());
        rig.turn(() -> rig.command(rig.encoder.refusal(rig.buffer, 0, own(1), 2, UNKNOWN_ROOM)));
        assertEquals(1, state().openRequests());
        rig.turn(() -> reply(own(1), 1));
        rig.turn(() -> reply(own(2), 3));
        assertEquals(1, state().openRequests(), "an answer to another room, or given before");
        sameAfterARestore();
        rig.turn(() -> reply(own(1), 3));
        assertEquals(0, state().openRequests());
    }

    /** A room may ask for its result to be saved, and close. */
    @Test
    void shouldKeepTheRequestOfARoomThatClosed()
    {
        open(1);
        rig.turn(() ->
        {
            rig.signal(own(1), Sender.ASYNC, 3);
            rig.signal(own(1), Sender.CLOSE, 0);
        });
        assertEquals(0, rig.host.openRooms());
        final RoomHost restored = sameAfterARestore();
        assertEquals(List.of(RequestDecoder.TEMPLATE_ID), Sender.requests(restored.loopState(), 9));
        rig.turn(() -> assertEquals(UNKNOWN_ROOM, reply(own(1), 1)));
        assertEquals(0, state().openRequests());
    }

    @Test
    void shouldRefuseRequestsByTheNumberOfOpenOnes()
    {
        open(1);
        rig.turn(() ->
        {
            for (int i = 0; i <= Sender.OPEN_REQUESTS; i++)
            {
                rig.signal(own(1), 0 == i % 2 ? Sender.ASYNC : Sender.OPEN, 3);
            }
        });
        assertEquals(Sender.OPEN_REQUESTS, state().openRequests());
        rig.turn(() -> reply(own(1), 2));
        assertEquals(own(1) + " answered 5 with " + QUEUE_FULL, events.get(0));
        rig.turn(() -> rig.signal(own(1), Sender.ASYNC, 3));
        assertEquals(Sender.OPEN_REQUESTS, state().openRequests());
    }

    @Test
    void shouldNumberMessagesToOtherLoopsAndKeepThemUntilTaken()
    {
        open(1);
        rig.turn(() ->
        {
            for (int i = 1; i <= 5; i++)
            {
                rig.signal(own(1), Sender.SIGNAL, roomId(2, i));
            }
        });
        assertEquals(5, state().untaken(2));
        assertEquals(0, state().untaken(0));
        assertEquals(List.of("1:1", "1:2"), messages(state(), 2, 2));
        rig.turn(() -> assertEquals(0, rig.command(rig.encoder.taken(rig.buffer, 0, 1, 2))));
        assertEquals(4, state().untaken(2));
        assertEquals(List.of("1:3", "1:4", "1:5"), messages(state(), 2, 9));
        assertEquals(List.of("1:2", "1:3", "1:4", "1:5"), messages(sameAfterARestore().loopState(), 2, 9));

        rig.turn(() ->
        {
            assertEquals(0, rig.command(rig.encoder.taken(rig.buffer, 0, 1, 2)), "said twice");
            assertEquals(BAD_VALUE, rig.command(rig.encoder.taken(rig.buffer, 0, 6, 2)), "more than were sent");
            assertEquals(BAD_VALUE, rig.command(rig.encoder.taken(rig.buffer, 0, -1, 2)));
            assertEquals(BAD_VALUE, rig.command(rig.encoder.taken(rig.buffer, 0, 0, Sender.LOOP)));
            assertEquals(BAD_VALUE, rig.command(rig.encoder.taken(rig.buffer, 0, 0, 3)));
            assertEquals(BAD_VALUE, rig.command(rig.encoder.taken(rig.buffer, 0, 0, -1)));
            assertEquals(0, rig.command(rig.encoder.taken(rig.buffer, 0, 5, 2)));
        });
        assertEquals(0, state().untaken(2));
        rig.turn(() -> rig.signal(own(1), Sender.SIGNAL, roomId(2, 1)));
        assertEquals(List.of("1:6"), messages(state(), 2, 9));
    }

    @Test
    void shouldRunAMessageOfAnotherLoopOnce()
    {
        open(1);
        rig.turn(() ->
        {
            assertEquals(0, rig.loopCommand(0, 1, own(1), 41));
            assertEquals(0, rig.loopCommand(2, 1, own(1), 42));
            assertEquals(OLD_SEQUENCE, rig.loopCommand(0, 1, own(1), 41));
            assertEquals(BAD_VALUE, rig.loopCommand(0, 3, own(1), 43), "a gap");
            assertEquals(UNKNOWN_ROOM, rig.loopCommand(0, 2, own(5), 43), "it has arrived, although nobody is there");
            assertEquals(0, rig.loopCommand(0, 3, own(1), 44));
            assertEquals(BAD_VALUE, rig.loopCommand(0, 0, own(1), 45));
            assertEquals(BAD_VALUE, rig.loopCommand(Sender.LOOP, 1, own(1), 45));
            assertEquals(BAD_VALUE, rig.loopCommand(3, 1, own(1), 45));
            assertEquals(BAD_VALUE, rig.loopCommand(-1, 1, own(1), 45));
        });
        assertEquals(List.of("41 of 1", "42 of " + roomId(2, 1), "44 of 1"),
            events.stream().map((event) -> event.substring(event.indexOf("got ") + 4)).toList());
        assertEquals(List.of("1 to 0: 3", "1 to 2: 1"), taken(state()));
        assertEquals(List.of(), taken(state()));
        rig.turn(() -> assertEquals(OLD_SEQUENCE, rig.loopCommand(0, 2, own(1), 46)));
        assertEquals(List.of("1 to 0: 3"), taken(state()), "a message said twice is confirmed twice");
        sameAfterARestore();
        // The refusal of the signal to the room that is not open goes back to loop 0.
        assertEquals(1, state().untaken(0));
    }

    @Test
    void shouldTakeAllLinksDownWhenResumed()
    {
        open(1);
        rig.turn(() ->
        {
            for (int link = 0; link < 3; link++)
            {
                rig.command(rig.encoder.linkUp(rig.buffer, 0, 10 + link, link));
            }
            rig.command(rig.encoder.join(rig.buffer, 0, own(1), 7, 1, 2, rig.payload, 0, 0));
            rig.command(rig.encoder.join(rig.buffer, 0, own(1), 8, 2, 0, rig.payload, 0, 0));
            rig.command(rig.encoder.drain(rig.buffer, 0, 1_000));
        });
        open(2);
        assertEquals(1, rig.host.refusals(RefusalCode.DRAINING.value()));
        final long hash = rig.host.stateHash();
        rig.turn(() -> assertEquals(0, rig.resumed(3, 5_000)));
        assertNotEquals(hash, rig.host.stateHash());
        assertEquals(0, rig.host.linksUp());
        assertEquals(List.of(own(1) + " away 1 at 5000", own(1) + " away 0 at 5000"), events);
        assertEquals(3, rig.host.incarnation());
        open(2);
        assertEquals(2, rig.host.openRooms(), "the stop that a drain announced is over");

        rig.turn(() ->
        {
            assertEquals(OLD_SEQUENCE, rig.resumed(3, 6_000));
            assertEquals(BAD_VALUE, rig.resumed(0, 6_000));
            assertEquals(BAD_VALUE, rig.resumed(-4, 6_000));
            assertEquals(BAD_VALUE,
                rig.command(rig.encoder.hostResumed(rig.buffer, 0, 6_000, 4, -1)));
        });
        final RoomHost restored = sameAfterARestore();
        assertEquals(3, restored.incarnation());
        restored.beginTurn(10);
        restored.onCommand(rig.buffer, 0, rig.encoder.linkUp(rig.buffer, 0, 20, 1));
        restored.onCommand(rig.buffer, 0, rig.encoder.join(rig.buffer, 0, own(1), 9, 1, 1, rig.payload, 0, 0));
        restored.onCommand(rig.buffer, 0, rig.encoder.hostResumed(rig.buffer, 0, 9_000, 4, 2));
        restored.endTurn();
        assertEquals(2, restored.memberId());
        assertEquals(own(1) + " away 2 at 9000", events.get(events.size() - 1));
    }

    @Test
    void shouldSendEverythingAgainWhenResumed()
    {
        open(1);
        rig.turn(() ->
        {
            rig.signal(own(1), Sender.ASYNC, 3);
            rig.signal(own(1), Sender.SIGNAL, roomId(2, 1));
            rig.loopCommand(0, 1, own(1), 5);
        });
        assertTrue(state().hasUnsent());
        assertEquals(1, Sender.requests(state(), 9).size());
        assertEquals(1, messages(state(), 2, 9).size());
        assertEquals(1, taken(state()).size());
        assertFalse(state().hasUnsent());
        rig.turn(() -> rig.resumed(1, 0));
        assertTrue(state().hasUnsent());
        assertEquals(1, Sender.requests(state(), 9).size());
        assertEquals(List.of("1:1"), messages(state(), 2, 9));
        assertEquals(List.of("1 to 0: 1"), taken(state()));
        assertFalse(state().hasUnsent());
    }

    /** One node sends, and the others must have the same state. */
    @Test
    void shouldNotChangeItsStateBySending()
    {
        open(1);
        rig.turn(() ->
        {
            rig.signal(own(1), Sender.ASYNC, 3);
            rig.signal(own(1), Sender.SIGNAL, roomId(2, 1));
            rig.loopCommand(0, 1, own(1), 5);
        });
        final long hash = rig.host.stateHash();
        final byte[] snapshot = rig.snapshot().toArray();
        Sender.requests(state(), 9);
        messages(state(), 2, 9);
        taken(state());
        assertEquals(hash, rig.host.stateHash());
        assertArrayEquals(snapshot, rig.snapshot().toArray());
    }

    @Test
    void shouldRememberTheGreatestSerial()
    {
        open(4, 2);
        assertEquals(4, state().lastSerial());
        rig.turn(() -> rig.open(roomId(2, 90), 0, 0));
        assertEquals(4, state().lastSerial(), "the serial of another loop");
        rig.turn(() -> assertEquals(RefusalCode.UNKNOWN_ROOM_TYPE.value(), rig.command(rig.encoder.openRoom(
            rig.buffer, 0, own(7), 1, 0, 0, 99, rig.payload, 0, 0))));
        assertEquals(7, state().lastSerial(), "an id that was refused is not used again");
        assertEquals(7, sameAfterARestore().loopState().lastSerial());
    }

    @Test
    void shouldAnswerARequestForARoomThatIsOpenWithThatRoom()
    {
        final long opener = roomId(2, 4);
        open(1);
        rig.turn(() ->
        {
            assertEquals(0, rig.open(own(10), opener, 6));
            assertEquals(0, rig.open(own(11), opener, 6));
            assertEquals(0, rig.open(own(10), opener, 6));
            assertEquals(0, rig.open(own(12), opener, 7));
        });
        assertEquals(3, rig.host.openRooms());
        assertEquals(4, state().untaken(2));
        final RoomHost restored = sameAfterARestore();
        restored.beginTurn(9);
        restored.onCommand(
            rig.buffer, 0, rig.encoder.openRoom(rig.buffer, 0, own(13), 1, opener, 6, 1, rig.payload, 0, 0));
        restored.onCommand(rig.buffer, 0, rig.encoder.closeRoom(rig.buffer, 0, own(10)));
        restored.endTurn();
        assertEquals(2, restored.openRooms());
        restored.beginTurn(10);
        restored.onCommand(
            rig.buffer, 0, rig.encoder.openRoom(rig.buffer, 0, own(14), 1, opener, 6, 1, rig.payload, 0, 0));
        restored.endTurn();
        assertEquals(3, restored.openRooms(), "a room that has closed is opened once more");
    }

    /** Two rooms of one loop and the edge: the whole way of a request for a room. */
    @Test
    void shouldAnswerTheOpenerThroughItsLoop()
    {
        open(1);
        rig.turn(() -> rig.signal(own(1), Sender.OPEN, 0));
        rig.turn(() -> rig.open(own(2), own(1), 1));
        assertEquals(1, state().openRequests());
        rig.turn(() -> { });
        assertEquals(List.of(own(1) + " answered 1 with 0 room 2"), events);
        assertEquals(0, state().openRequests());
    }

    @Test
    void shouldRecordAndRefuseARoomWhenFull()
    {
        for (int i = 1; i <= 64; i++)
        {
            open(i);
        }
        final long turn = rig.host.turn();
        rig.turn(() -> assertEquals(RefusalCode.HOST_FULL.value(), rig.open(own(65), own(1), 1)));
        assertEquals(turn + 1, rig.host.turn());
        assertEquals(1, state().returns());
    }

    @Test
    void shouldPassAResetOfTheDirectoryOn()
    {
        open(1);
        rig.turn(() -> assertEquals(0, rig.command(rig.encoder.directoryEntry(
            rig.buffer, 0, own(1), 0, 0, 0, 0, 0, DirectoryChange.RESET, rig.payload, 0, 0))));
        assertEquals(List.of(own(1) + " directory RESET 0"), events);
    }

    @Test
    void shouldHashASubscription()
    {
        open(1);
        final RoomHost restored = rig.restored();
        rig.turn(() -> rig.signal(own(1), Sender.SUBSCRIBE, 0));
        rig.payload.putLong(0, 99);
        restored.beginTurn(rig.host.nowNs());
        restored.onCommand(rig.buffer, 0, rig.encoder.signal(rig.buffer, 0, own(1), 0, 0, rig.payload, 0, 16));
        restored.endTurn();
        assertNotEquals(restored.stateHash(), rig.host.stateHash());
        assertEquals(restored.stateHash(own(1)), rig.host.stateHash(own(1)), "it decides nothing in the room");
        sameAfterARestore();
    }

    @Test
    void shouldRefuseTheCommandsOfALoopIfItKeepsNothing()
    {
        rig.use(new RoomHost(rig.context().loopState(LoopLimits.NOTHING)));
        open(1);
        rig.turn(() ->
        {
            assertEquals(BAD_VALUE, rig.command(rig.encoder.taken(rig.buffer, 0, 0, 0)));
            assertEquals(BAD_VALUE, rig.loopCommand(0, 1, own(1), 5));
            assertEquals(0, rig.host.runReturns());
            rig.command(rig.encoder.linkUp(rig.buffer, 0, 1, 0));
        });
        assertFalse(onReturnOutsideAState());
        final long hash = rig.host.stateHash();
        rig.turn(() -> assertEquals(0, rig.resumed(1, 77)));
        assertNotEquals(hash, rig.host.stateHash());
        assertEquals(0, rig.host.linksUp());
        assertEquals(rig.host.stateHash(), rig.restored(rig.context().loopState(LoopLimits.NOTHING)).stateHash());
    }

    @Test
    void shouldRefuseASnapshotOfOtherLimits()
    {
        open(1);
        final ByteSink snapshot = rig.snapshot();
        for (final LoopLimits other : new LoopLimits[]{
            LoopLimits.NOTHING, new LoopLimits(0, 3, Sender.OPEN_REQUESTS, Sender.QUEUE_LENGTH),
            new LoopLimits(1, 4, Sender.OPEN_REQUESTS, Sender.QUEUE_LENGTH),
            new LoopLimits(1, 3, Sender.OPEN_REQUESTS + 1, Sender.QUEUE_LENGTH),
            new LoopLimits(1, 3, Sender.OPEN_REQUESTS, Sender.QUEUE_LENGTH + 1)})
        {
            final String message = assertThrows(IllegalArgumentException.class, () -> RoomHost.restore(
                rig.context().loopState(other), snapshot.buffer(), 0, snapshot.length())).getMessage();
            assertTrue(message.contains("loopLimits=" + other), message);
        }
    }

    @Test
    void shouldRefuseLimitsOutOfRange()
    {
        new LoopLimits(1_023, 1_024, 1 << 20, 64 << 20);
        new LoopLimits(0, 1, 1, 4 << 10);
        for (final int[] values : new int[][]{
            {0, 0, 1, 4_096}, {0, 1_025, 1, 4_096}, {-1, 1, 1, 4_096}, {1, 1, 1, 4_096}, {0, 1, 0, 4_096},
            {0, 1, (1 << 20) + 1, 4_096}, {0, 1, 1, 4_095}, {0, 1, 1, (64 << 20) + 1}})
        {
            assertThrows(ConfigException.class, () -> new LoopLimits(values[0], values[1], values[2], values[3]));
        }
    }

    @Test
    void shouldRunReturnsInsideATurnOnly()
    {
        assertThrows(IllegalStateException.class, rig.host::runReturn);
        assertThrows(IllegalStateException.class, () -> rig.host.onReturn(rig.buffer, 0, 8));
    }

    private boolean onReturnOutsideAState()
    {
        rig.host.beginTurn(40);
        final boolean isRun = rig.host.onReturn(rig.buffer, 0, 8);
        rig.host.endTurn();
        return isRun;
    }

    private void open(final long... serials)
    {
        rig.turn(() ->
        {
            for (final long serial : serials)
            {
                rig.open(own(serial), 0, 0);
            }
        });
    }

    private int reply(final long roomId, final long correlationId)
    {
        return rig.command(rig.encoder.reply(rig.buffer, 0, roomId, correlationId, 0, rig.payload, 0, 8));
    }

    private LoopState state()
    {
        return rig.host.loopState();
    }

    private RoomHost sameAfterARestore()
    {
        final RoomHost restored = rig.restored();
        assertEquals(rig.host.stateHash(), restored.stateHash());
        final ByteSink second = new ByteSink();
        restored.snapshot(second);
        assertArrayEquals(rig.snapshot().toArray(), second.toArray());
        return restored;
    }

    /** The messages that are sent, as the loop and the number that each names. */
    private static List<String> messages(final LoopState state, final int toLoop, final int most)
    {
        final List<String> sent = new ArrayList<>();
        final MessageHeaderDecoder header = new MessageHeaderDecoder();
        final LoopCommandDecoder decoder = new LoopCommandDecoder();
        final int count = state.sendMessages(toLoop, (buffer, offset, length) ->
        {
            assertEquals(0, RoomCommands.validateCommand(buffer, offset, length));
            decoder.wrapAndApplyHeader(buffer, offset, header);
            final int carried = RoomCommands.carriedOffset(offset);
            assertEquals(toLoop,
                new SignalDecoder().wrapAndApplyHeader(buffer, carried, header).roomId() >>> 54);
            return sent.size() < most && sent.add(decoder.fromLoop() + ":" + decoder.number());
        });
        assertEquals(sent.size(), count);
        return sent;
    }

    private static List<String> taken(final LoopState state)
    {
        final List<String> sent = new ArrayList<>();
        final TakenDecoder decoder = new TakenDecoder();
        for (int loop = -1; loop <= Sender.LOOPS; loop++)
        {
            final int toLoop = loop;
            assertEquals(0, state.sendTaken(toLoop, (buffer, offset, length) -> false));
            state.sendTaken(toLoop, (buffer, offset, length) ->
            {
                decoder.wrapAndApplyHeader(buffer, offset, new MessageHeaderDecoder());
                return sent.add(decoder.fromLoop() + " to " + toLoop + ": " + decoder.upTo());
            });
        }
        return sent;
    }
}
