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
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import static io.escapement.rooms.host.ReloadScript.ROOM;
import static io.escapement.rooms.host.ReloadScript.TYPE;
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
        final ReloadScript script = new ReloadScript(1, 2);
        script.play(0, ReloadScript.RELOAD);
        assertEquals(1, script.rig.host.versionOf(ROOM));
        final ReloadScript.Waiter before = script.newest;
        script.play(ReloadScript.RELOAD, ReloadScript.RELOAD + 1);
        assertEquals(2, script.rig.host.versionOf(ROOM));
        final ReloadScript.Waiter after = script.newest;
        assertNotEquals(before, after);
        script.play(ReloadScript.RELOAD + 1, ReloadScript.STEPS);
        assertEquals(2, after.version);
        for (final String event : List.of("message", "timer", "reply", "signal", "steps", "directory", "frame", "away",
            "back", "leave"))
        {
            assertTrue(after.seen.contains(event), "no " + event + " in version 2: " + after.seen);
        }
        assertEquals(List.of(), script.rig.failures);
        script.rig.assertReplays();
    }

    /** Live, replayed, and recovered from a snapshot or an image of each turn, the reload's among them. */
    @Test
    void shouldReachTheSameStateFromASnapshotOfEachTurn()
    {
        final ReloadScript whole = new ReloadScript(1, 2);
        whole.play(0, ReloadScript.STEPS);
        final long hash = whole.rig.host.stateHash();
        for (int step = 0; step <= ReloadScript.STEPS; step++)
        {
            final ReloadScript script = new ReloadScript(1, 2);
            script.play(0, step);
            final byte[] snapshot = script.rig.snapshot().toArray();
            final HostImage image = new HostImage();
            script.rig.host.beginImage(image);
            script.play(step, ReloadScript.STEPS);
            script.rig.host.fillImage(Long.MAX_VALUE);
            assertEquals(hash, script.rig.host.stateHash(), "without a restart");
            final ByteSink imaged = new ByteSink();
            image.writeTo(imaged, Integer.MAX_VALUE);
            assertArrayEquals(snapshot, imaged.toArray(), "image of step " + step);

            script.rig.restore(snapshot);
            script.play(step, ReloadScript.STEPS);
            assertEquals(hash, script.rig.host.stateHash(), "restored behind step " + step);
            script.rig.restore(imaged.toArray());
            script.play(step, ReloadScript.STEPS);
            assertEquals(hash, script.rig.host.stateHash(), "restored from the image of step " + step);
        }
    }

    @Test
    void shouldReplayOneRoomAlone()
    {
        final ReloadScript script = new ReloadScript(1, 2);
        script.play(0, ReloadScript.STEPS);
        script.rig.finish();
        final ByteSink alone = new ByteSink();
        final RoomCut cut = new RoomCut(script.rig.log(), ReloadScript.LATER_ROOM, script.rig::context, alone).run();
        assertTrue(cut.isSame(), cut.difference());
        assertTrue(cut.commands() > 1);
        final Replay replay = new Replay(LogFile.open(alone.buffer(), 0, alone.length()), script.rig.context()).run();
        assertTrue(replay.isSame(), replay.difference());
        assertEquals(2, replay.host().versionOf(ReloadScript.LATER_ROOM), "it opened after the reload");
    }

    @Test
    void shouldOpenRoomsWithTheOldestVersionUntilAReloadNamesAnother()
    {
        final ReloadScript script = new ReloadScript(3, 1, 2);
        script.open(1);
        assertEquals(1, script.rig.host.versionOf(1));
        assertEquals(OTHER_VERSION, script.reload(0, 2, 3));
        assertEquals(0, script.reload(0, 1, 3));
        assertEquals(3, script.rig.host.openingVersion(TYPE));
        script.open(2);
        assertEquals(3, script.rig.host.versionOf(2));
        assertEquals(1, script.rig.host.versionOf(1), "an open room waits for its own reload");
        script.rig.restore(script.rig.snapshot().toArray());
        script.open(3);
        assertEquals(List.of(1, 3, 3), LongStream.rangeClosed(1, 3).mapToObj(script.rig.host::versionOf).toList());
    }

    @Test
    void shouldReloadTwice()
    {
        final ReloadScript script = new ReloadScript(1, 2, 3);
        script.play(0, ReloadScript.RELOAD);
        assertEquals(0, script.reload(ROOM, 1, 2));
        script.signal(5);
        assertEquals(0, script.reload(ROOM, 2, 3));
        script.signal(5);
        assertEquals(3, script.rig.host.versionOf(ROOM));
        assertEquals(OTHER_VERSION, script.reload(ROOM, 2, 3), "it has that version");
        script.rig.assertReplays();
    }

    @Test
    void shouldRefuseToGoBack()
    {
        final ReloadScript script = new ReloadScript(1, 2);
        script.open(1);
        assertEquals(0, script.reload(1, 1, 2));
        final long hash = script.rig.host.stateHash(1);
        assertEquals(RefusalCode.BAD_VALUE.value(), script.reload(1, 2, 1));
        assertEquals(2, script.rig.host.versionOf(1));
        assertEquals(hash, script.rig.host.stateHash(1));
        assertTrue(script.rig.events.causes.get(0).getMessage().contains("higher version"),
            script.rig.events.causes::toString);
        script.rig.assertReplays();
    }

    /** A replay may have the version, so neither the log nor the state may have the refusal. */
    @Test
    void shouldCountAndForgetAReloadToAnUnknownVersion()
    {
        final ReloadScript script = new ReloadScript(1);
        script.open(1);
        final long turn = script.rig.host.turn();
        assertEquals(UNKNOWN_ROOM_TYPE, script.reload(1, 1, 2));
        assertEquals(UNKNOWN_ROOM_TYPE, script.reload(0, 1, 2));
        assertEquals(2, script.rig.host.refusals(UNKNOWN_ROOM_TYPE));
        assertEquals(turn, script.rig.host.turn());
        script.rig.host.register(script.type(2));
        assertEquals(0, script.reload(1, 1, 2), "registered while the host runs");
        script.rig.finish();
        final Replay replay = new Replay(script.rig.log(), script.rig.context().roomType(script.type(2))).run();
        assertTrue(replay.isSame(), replay.difference());
        assertEquals(script.rig.host.stateHash(), replay.host().stateHash());
    }

    @Test
    void shouldStopALogThatNeedsAnUnknownVersion()
    {
        final ReloadScript script = new ReloadScript(1);
        script.open(1);
        script.rig.host.register(script.type(2));
        script.reload(1, 1, 2);
        script.rig.finish();
        final String message = assertThrows(
            ProposalException.class, () -> new Replay(script.rig.log(), script.rig.context()).run()).getMessage();
        assertTrue(message.endsWith("proposal 2 reloads room type 1 from version 1 to 2, which is not registered: " +
            "register it, and launch again"), message);
        final byte[] snapshot = script.rig.snapshot().toArray();
        final String refused = assertThrows(
            IllegalArgumentException.class, () -> script.rig.restore(snapshot)).getMessage();
        assertEquals("the snapshot has rooms of waiter (type 1) in version 2, which is not registered", refused);
    }

    /** A program that runs logs of many versions registers them all. */
    @Test
    void shouldReplayALogThatBeginsWithANewerVersion()
    {
        final ReloadScript script = new ReloadScript(2);
        script.play(0, ReloadScript.RELOAD);
        script.rig.finish();
        final Replay replay = new Replay(
            script.rig.log(), script.rig.context().roomType(script.type(1)).roomType(script.type(3))).run();
        assertTrue(replay.isSame(), replay.difference());
        assertEquals(2, replay.host().versionOf(ROOM));
    }

    @ParameterizedTest
    @ValueSource(strings = {"onSnapshot", "supplier", "null", "onRestore", "unread", "random", "seat data"})
    void shouldGoOnUntouchedWhenTheNewVersionCannotTakeOver(final String failure)
    {
        final ReloadScript script = new ReloadScript(1, 2);
        script.play(0, ReloadScript.RELOAD);
        final ReloadScript.Waiter old = script.newest;
        script.failure = failure;
        assertEquals(RELOAD_FAILED, script.reload(ROOM, 1, 2));
        assertEquals(1, script.rig.events.causes.size());
        assertEquals(1, script.rig.host.refusals(RELOAD_FAILED));
        script.failure = "";
        script.signal(6);
        script.play(ReloadScript.RELOAD + 1, ReloadScript.STEPS);
        assertEquals(1, script.rig.host.versionOf(ROOM));
        assertTrue(old.seen.contains("leave"), "the old logic runs to the end: " + old.seen);

        final ReloadScript never = new ReloadScript(1, 2);
        never.play(0, ReloadScript.RELOAD);
        final ReloadScript.Waiter expected = never.newest;
        never.signal(6);
        never.play(ReloadScript.RELOAD + 1, ReloadScript.STEPS);
        assertEquals(expected.sum, old.sum, "as if no reload had been tried");
        assertEquals(expected.random, old.random);
        assertEquals(7, old.data);
        assertEquals(expected.data, old.data);
        script.failure = failure;
        script.rig.assertReplays();
    }

    /** The depth of a stack depends on the machine: the log names the callback, and a replay fails there too. */
    @ParameterizedTest
    @ValueSource(strings = {"overflow", "interrupt"})
    void shouldCloseTheRoomWhenTheMachineIsTheReason(final String failure)
    {
        final ReloadScript script = new ReloadScript(1, 2);
        script.play(0, ReloadScript.RELOAD);
        script.failure = failure;
        script.reload(ROOM, 1, 2);
        assertEquals(1, script.rig.failures.size());
        script.failure = "";
        script.open(7);
        script.rig.assertReplays();
    }

    @Test
    void shouldNameTheOptionThatDoesNotHoldTheRoom()
    {
        final ReloadScript script = new ReloadScript();
        script.start(script.type(1), script.type(2).seats(ReloadScript.SEATS - 1), script.type(3).groups(2),
            script.type(4).flush(RoomType.Flush.FRAME), script.type(5).timers(1), script.type(6).seatData(16),
            script.type(7).closeWhenEmptyNs(9), script.type(8).seats(ReloadScript.SEATS + 5).graceNs(7));
        script.open(1);
        for (int version = 2; version <= 7; version++)
        {
            assertEquals(LIMIT_OVER_TYPE, script.reload(1, 1, version), "version " + version);
        }
        assertEquals(List.of("seats", "groups", "flush", "timers", "seatData", "closeWhenEmptyNs"),
            script.rig.events.causes.stream().map((cause) -> ((ConfigException)cause).option()).toList());
        assertEquals(6, script.rig.host.refusals(LIMIT_OVER_TYPE));
        assertEquals(0, script.reload(1, 1, 8), "more seats and another grace");
        script.rig.restore(script.rig.snapshot().toArray());
        assertEquals(8, script.rig.host.versionOf(1));
    }

    @Test
    void shouldRefuseWhatIsNotThere()
    {
        final ReloadScript script = new ReloadScript();
        script.start(script.type(1), script.type(2), RoomType.of(8, "other", 2, Quiet::new));
        script.open(1);
        assertEquals(RefusalCode.UNKNOWN_ROOM.value(), script.reload(5, 1, 2));
        assertEquals(OTHER_VERSION, script.reload(1, 3, 2));
        assertEquals(OTHER_VERSION, script.reload(1, 8, 1, 2), "a room of another type");
        assertEquals(UNKNOWN_ROOM_TYPE, script.reload(0, 9, 1, 1));
        assertEquals(0, script.reload(1, 1, 2));
        script.rig.assertReplays();
    }

    @Test
    void shouldRefuseAnotherTypeAndEphemeralVersions()
    {
        final ReloadScript script = new ReloadScript(1);
        for (final RoomType wrong : List.of(script.type(1), RoomType.of(TYPE, "else", 2, Quiet::new),
            script.type(2).ephemeral(), RoomType.of(77, "new", 1, Quiet::new)))
        {
            assertEquals("roomType", assertThrows(
                ConfigException.class, () -> script.rig.host.register(wrong)).option());
        }
    }

    @Test
    void shouldNotAllocateInTheFramesAfterAReload()
    {
        final ReloadScript script = new ReloadScript(1, 2);
        script.play(0, ReloadScript.RELOAD);
        // A host without a log, whose memory grows.
        script.rig.restore(script.rig.snapshot().toArray());
        script.play(ReloadScript.RELOAD, ReloadScript.RELOAD + 1);
        assertEquals(2, script.rig.host.versionOf(ROOM));
        script.newest.isNoting = false;
        script.rig.outputs.stop();
        assertEquals(0, Allocations.least(5, () -> script.frames(1_000)));
    }

    /** A seat is the same object for the old and the new logic. */
    @Test
    void shouldKeepTheSeatOfAPlayer()
    {
        final ReloadScript script = new ReloadScript(1, 2);
        script.play(0, ReloadScript.RELOAD);
        final Seat before = script.newest.seat;
        script.reload(ROOM, 1, 2);
        script.play(ReloadScript.RELOAD + 1, ReloadScript.STEPS - 2);
        assertEquals(before, script.newest.seat);
        assertTrue(before.isPresent());
    }

    @Test
    void shouldPassTheOldVersionToOnRestore()
    {
        final ReloadScript script = new ReloadScript(4, 7);
        script.open(1);
        assertEquals(0, script.reload(1, 4, 7));
        assertEquals(4, script.newest.restoredFrom);
    }
}
