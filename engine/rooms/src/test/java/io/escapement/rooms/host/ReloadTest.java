package io.escapement.rooms.host;

import io.escapement.codecs.room.RefusalCode;
import io.escapement.config.ConfigException;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.rooms.log.LogFile;
import io.escapement.rooms.output.ByteSink;
import io.escapement.rooms.replay.ProposalException;
import io.escapement.rooms.replay.Replay;
import io.escapement.rooms.replay.RoomCut;
import io.escapement.testsupport.Allocations;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import static io.escapement.rooms.host.ReloadRig.ROOM;
import static io.escapement.rooms.host.ReloadRig.TYPE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Another version of its type takes over a room between two turns, and nothing of the room is lost. */
class ReloadTest
{
    private static final int OTHER_VERSION = RefusalCode.OTHER_VERSION.value();
    private static final int RELOAD_FAILED = RefusalCode.RELOAD_FAILED.value();
    private static final int LIMIT_OVER_TYPE = RefusalCode.LIMIT_OVER_TYPE.value();
    private static final int UNKNOWN_ROOM_TYPE = RefusalCode.UNKNOWN_ROOM_TYPE.value();

    /** Each value that the room adds up is multiplied by the version, so each wait that ends shows which one runs. */
    @Test
    void shouldGoOnInEveryKindOfWait()
    {
        final ReloadRig rig = new ReloadRig(1, 2);
        rig.play(0, ReloadRig.RELOAD);
        assertEquals(1, rig.host.versionOf(ROOM));
        final ReloadRig.Waiter before = rig.newest;
        rig.play(ReloadRig.RELOAD, ReloadRig.RELOAD + 1);
        assertEquals(2, rig.host.versionOf(ROOM));
        final ReloadRig.Waiter after = rig.newest;
        assertNotEquals(before, after);
        rig.play(ReloadRig.RELOAD + 1, ReloadRig.STEPS);
        assertEquals(2, after.version);
        for (final String event : List.of("message", "timer", "reply", "signal", "steps", "directory", "frame", "away",
            "back", "leave"))
        {
            assertTrue(after.seen.contains(event), "no " + event + " in version 2: " + after.seen);
        }
        assertEquals(List.of(), rig.failures);
        rig.assertReplays();
    }

    /** Live, replayed, and recovered from a snapshot or an image of each turn, the reload's among them. */
    @Test
    void shouldReachTheSameStateFromASnapshotOfEachTurn()
    {
        final ReloadRig whole = new ReloadRig(1, 2);
        whole.play(0, ReloadRig.STEPS);
        final long hash = whole.host.stateHash();
        for (int step = 0; step <= ReloadRig.STEPS; step++)
        {
            final ReloadRig rig = new ReloadRig(1, 2);
            rig.play(0, step);
            final byte[] snapshot = rig.snapshot();
            final HostImage image = new HostImage();
            rig.host.beginImage(image);
            rig.play(step, ReloadRig.STEPS);
            rig.host.fillImage(Long.MAX_VALUE);
            assertEquals(hash, rig.host.stateHash(), "without a restart");
            final ByteSink imaged = new ByteSink();
            image.writeTo(imaged, Integer.MAX_VALUE);
            assertArrayEquals(snapshot, imaged.toArray(), "image of step " + step);

            rig.restore(snapshot);
            rig.play(step, ReloadRig.STEPS);
            assertEquals(hash, rig.host.stateHash(), "restored behind step " + step);
            rig.restore(imaged.toArray());
            rig.play(step, ReloadRig.STEPS);
            assertEquals(hash, rig.host.stateHash(), "restored from the image of step " + step);
        }
    }

    @Test
    void shouldReplayOneRoomAlone()
    {
        final ReloadRig rig = new ReloadRig(1, 2);
        rig.play(0, ReloadRig.STEPS);
        rig.finish();
        final ByteSink alone = new ByteSink();
        final RoomCut cut = new RoomCut(rig.log(), ReloadRig.LATER_ROOM, rig::context, alone).run();
        assertTrue(cut.isSame(), cut.difference());
        assertTrue(cut.commands() > 1);
        final Replay replay = new Replay(LogFile.open(alone.buffer(), 0, alone.length()), rig.context()).run();
        assertTrue(replay.isSame(), replay.difference());
        assertEquals(2, replay.host().versionOf(ReloadRig.LATER_ROOM), "it opened after the reload");
    }

    @Test
    void shouldOpenRoomsWithTheOldestVersionUntilAReloadNamesAnother()
    {
        final ReloadRig rig = new ReloadRig(3, 1, 2);
        rig.open(1);
        assertEquals(1, rig.host.versionOf(1));
        assertEquals(OTHER_VERSION, rig.reload(0, 2, 3));
        assertEquals(0, rig.reload(0, 1, 3));
        assertEquals(3, rig.host.openingVersion(TYPE));
        rig.open(2);
        assertEquals(3, rig.host.versionOf(2));
        assertEquals(1, rig.host.versionOf(1), "an open room waits for its own reload");
        rig.restore(rig.snapshot());
        rig.open(3);
        assertEquals(List.of(1, 3, 3), List.of(rig.host.versionOf(1), rig.host.versionOf(2), rig.host.versionOf(3)));
    }

    @Test
    void shouldReloadTwice()
    {
        final ReloadRig rig = new ReloadRig(1, 2, 3);
        rig.play(0, ReloadRig.RELOAD);
        assertEquals(0, rig.reload(ROOM, 1, 2));
        rig.signal(5);
        assertEquals(0, rig.reload(ROOM, 2, 3));
        rig.signal(5);
        assertEquals(3, rig.host.versionOf(ROOM));
        assertEquals(OTHER_VERSION, rig.reload(ROOM, 2, 3), "it has that version");
        rig.assertReplays();
    }

    @Test
    void shouldRefuseToGoBack()
    {
        final ReloadRig rig = new ReloadRig(1, 2);
        rig.open(1);
        assertEquals(0, rig.reload(1, 1, 2));
        final long hash = rig.host.stateHash(1);
        assertEquals(RefusalCode.BAD_VALUE.value(), rig.reload(1, 2, 1));
        assertEquals(2, rig.host.versionOf(1));
        assertEquals(hash, rig.host.stateHash(1));
        assertTrue(rig.causes.get(0).getMessage().contains("higher version"), rig.causes.toString());
        rig.assertReplays();
    }

    /** A replay may have the version, so neither the log nor the state may have the refusal. */
    @Test
    void shouldCountAndForgetAReloadToAnUnknownVersion()
    {
        final ReloadRig rig = new ReloadRig(1);
        rig.open(1);
        final long turn = rig.host.turn();
        assertEquals(UNKNOWN_ROOM_TYPE, rig.reload(1, 1, 2));
        assertEquals(UNKNOWN_ROOM_TYPE, rig.reload(0, 1, 2));
        assertEquals(2, rig.host.refusals(UNKNOWN_ROOM_TYPE));
        assertEquals(turn, rig.host.turn());
        rig.host.register(rig.type(2));
        assertEquals(0, rig.reload(1, 1, 2), "registered while the host runs");
        rig.finish();
        final Replay replay = new Replay(rig.log(), rig.context().roomType(rig.type(2))).run();
        assertTrue(replay.isSame(), replay.difference());
        assertEquals(rig.host.stateHash(), replay.host().stateHash());
    }

    @Test
    void shouldStopALogThatNeedsAnUnknownVersion()
    {
        final ReloadRig rig = new ReloadRig(1);
        rig.open(1);
        rig.host.register(rig.type(2));
        rig.reload(1, 1, 2);
        rig.finish();
        final String message = assertThrows(
            ProposalException.class, () -> new Replay(rig.log(), rig.context()).run()).getMessage();
        assertTrue(message.endsWith("proposal 2 reloads room type 1 from version 1 to 2, which is not registered: " +
            "register it, and launch again"), message);
        final byte[] snapshot = rig.snapshot();
        final String refused = assertThrows(
            IllegalArgumentException.class, () -> rig.restore(snapshot)).getMessage();
        assertEquals("the snapshot has rooms of waiter (type 1) in version 2, which is not registered", refused);
    }

    /** A program that runs logs of many versions registers them all. */
    @Test
    void shouldReplayALogThatBeginsWithANewerVersion()
    {
        final ReloadRig rig = new ReloadRig(2);
        rig.play(0, ReloadRig.RELOAD);
        rig.finish();
        final Replay replay = new Replay(rig.log(), rig.context().roomType(rig.type(1)).roomType(rig.type(3))).run();
        assertTrue(replay.isSame(), replay.difference());
        assertEquals(2, replay.host().versionOf(ROOM));
    }

    @ParameterizedTest
    @ValueSource(strings = {"onSnapshot", "supplier", "null", "onRestore", "unread", "random", "seat data"})
    void shouldGoOnUntouchedWhenTheNewVersionCannotTakeOver(final String failure)
    {
        final ReloadRig rig = new ReloadRig(1, 2);
        rig.play(0, ReloadRig.RELOAD);
        final ReloadRig.Waiter old = rig.newest;
        rig.failure = failure;
        assertEquals(RELOAD_FAILED, rig.reload(ROOM, 1, 2));
        assertEquals(1, rig.causes.size());
        assertEquals(1, rig.host.refusals(RELOAD_FAILED));
        rig.failure = "";
        rig.signal(6);
        rig.play(ReloadRig.RELOAD + 1, ReloadRig.STEPS);
        assertEquals(1, rig.host.versionOf(ROOM));
        assertTrue(old.seen.contains("leave"), "the old logic runs to the end: " + old.seen);

        final ReloadRig never = new ReloadRig(1, 2);
        never.play(0, ReloadRig.RELOAD);
        final ReloadRig.Waiter expected = never.newest;
        never.signal(6);
        never.play(ReloadRig.RELOAD + 1, ReloadRig.STEPS);
        assertEquals(expected.sum, old.sum, "as if no reload had been tried");
        assertEquals(expected.random, old.random);
        assertEquals(7, old.data);
        assertEquals(expected.data, old.data);
        rig.failure = failure;
        rig.assertReplays();
    }

    /** The depth of a stack depends on the machine: the log names the callback, and a replay fails there too. */
    @ParameterizedTest
    @ValueSource(strings = {"overflow", "interrupt"})
    void shouldCloseTheRoomWhenTheMachineIsTheReason(final String failure)
    {
        final ReloadRig rig = new ReloadRig(1, 2);
        rig.play(0, ReloadRig.RELOAD);
        rig.failure = failure;
        rig.reload(ROOM, 1, 2);
        assertEquals(1, rig.failures.size());
        rig.failure = "";
        rig.open(7);
        rig.assertReplays();
    }

    @Test
    void shouldNameTheOptionThatDoesNotHoldTheRoom()
    {
        final ReloadRig rig = new ReloadRig();
        rig.start(rig.type(1), rig.type(2).seats(ReloadRig.SEATS - 1), rig.type(3).groups(2),
            rig.type(4).flush(RoomType.Flush.FRAME), rig.type(5).timers(1), rig.type(6).seatData(16),
            rig.type(7).closeWhenEmptyNs(9), rig.type(8).seats(ReloadRig.SEATS + 5).graceNs(7));
        rig.open(1);
        for (int version = 2; version <= 7; version++)
        {
            assertEquals(LIMIT_OVER_TYPE, rig.reload(1, 1, version), "version " + version);
        }
        assertEquals(List.of("seats", "groups", "flush", "timers", "seatData", "closeWhenEmptyNs"),
            rig.causes.stream().map((cause) -> ((ConfigException)cause).option()).toList());
        assertEquals(6, rig.host.refusals(LIMIT_OVER_TYPE));
        assertEquals(0, rig.reload(1, 1, 8), "more seats and another grace");
        rig.restore(rig.snapshot());
        assertEquals(8, rig.host.versionOf(1));
    }

    @Test
    void shouldRefuseWhatIsNotThere()
    {
        final ReloadRig rig = new ReloadRig();
        rig.start(rig.type(1), rig.type(2), RoomType.of(8, "other", 2, Quiet::new));
        rig.open(1);
        assertEquals(RefusalCode.UNKNOWN_ROOM.value(), rig.reload(5, 1, 2));
        assertEquals(OTHER_VERSION, rig.reload(1, 3, 2));
        assertEquals(OTHER_VERSION, rig.reload(1, 8, 1, 2), "a room of another type");
        assertEquals(UNKNOWN_ROOM_TYPE, rig.reload(0, 9, 1, 1));
        assertEquals(0, rig.reload(1, 1, 2));
        rig.assertReplays();
    }

    @Test
    void shouldRefuseAnotherTypeAndEphemeralVersions()
    {
        final ReloadRig rig = new ReloadRig(1);
        for (final RoomType wrong : List.of(rig.type(1), RoomType.of(TYPE, "else", 2, Quiet::new),
            rig.type(2).ephemeral(), RoomType.of(77, "new", 1, Quiet::new)))
        {
            assertEquals("roomType", assertThrows(ConfigException.class, () -> rig.host.register(wrong)).option());
        }
    }

    @Test
    void shouldNotAllocateInTheFramesAfterAReload()
    {
        final ReloadRig rig = new ReloadRig(1, 2);
        rig.play(0, ReloadRig.RELOAD);
        // A host without a log, whose memory grows.
        rig.restore(rig.snapshot());
        rig.play(ReloadRig.RELOAD, ReloadRig.RELOAD + 1);
        assertEquals(2, rig.host.versionOf(ROOM));
        rig.newest.isNoting = false;
        assertEquals(0, Allocations.least(5, () -> rig.frames(1_000)));
    }

    /** A seat is the same object for the old and the new logic. */
    @Test
    void shouldKeepTheSeatOfAPlayer()
    {
        final ReloadRig rig = new ReloadRig(1, 2);
        rig.play(0, ReloadRig.RELOAD);
        final Seat before = rig.newest.seat;
        rig.reload(ROOM, 1, 2);
        rig.play(ReloadRig.RELOAD + 1, ReloadRig.STEPS - 2);
        assertEquals(before, rig.newest.seat);
        assertTrue(before.isPresent());
    }

    @Test
    void shouldPassTheOldVersionToOnRestore()
    {
        final ReloadRig rig = new ReloadRig(4, 7);
        rig.open(1);
        assertEquals(0, rig.reload(1, 4, 7));
        assertEquals(4, rig.newest.restoredFrom);
    }
}
