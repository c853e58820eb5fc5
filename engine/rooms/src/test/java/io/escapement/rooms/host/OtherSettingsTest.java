package io.escapement.rooms.host;

import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.output.ByteSink;
import io.escapement.rooms.output.NoOutputs;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A snapshot of a host with other limits or another version of a room type: refused unless asked for. */
class OtherSettingsTest
{
    private static final int TYPE = 1;
    private static final int LINK = 2;

    private final List<Integer> versions = new ArrayList<>();
    private final ByteSink snapshot = snapshot();

    @Test
    void shouldRestoreWithTheVersionOfTheSnapshot()
    {
        assertThrows(IllegalArgumentException.class, () -> restore(context(2)));
        final RoomHost host = restore(context(2).acceptOtherSettings(true));
        assertEquals(2, host.openRooms());
        assertEquals(List.of(1, 1), versions);
        restore(context(1));
        assertEquals(List.of(1, 1, 1, 1), versions);
    }

    @Test
    void shouldRestoreWithGreaterLimits()
    {
        final RoomHost host = restore(
            context(1).roomLimit(5_000).linkLimit(500).seatLimit(70_000).timerLimit(300_000).acceptOtherSettings(true));
        assertEquals(2, host.openRooms());
        assertEquals(1, host.linksUp());
        assertTrue(host.hasSeats(LINK));
        assertEquals(host.stateHash(1), restore(context(1)).stateHash(1));
    }

    @Test
    void shouldRefuseALimitThatTheRoomsDoNotFitIn()
    {
        assertThrows(RuntimeException.class, () -> restore(context(1).roomLimit(1).acceptOtherSettings(true)));
        assertThrows(RuntimeException.class, () -> restore(context(1).linkLimit(1).acceptOtherSettings(true)));
    }

    @Test
    void shouldRefuseOtherPhaseGroupsInAnyCase()
    {
        final String message = assertThrows(IllegalArgumentException.class,
            () -> restore(context(1).phaseGroups(8).acceptOtherSettings(true))).getMessage();
        assertTrue(message.endsWith("phase groups or limits of the loop's state cannot be accepted"), message);
    }

    private RoomHost restore(final HostContext context)
    {
        return RoomHost.restore(context, snapshot.buffer(), 0, snapshot.length());
    }

    private HostContext context(final int version)
    {
        final Supplier<RoomLogic> supplier = () -> new Quiet()
        {
            @Override
            public void onRestore(final Room restored, final int of, final StateReader reader)
            {
                versions.add(of);
            }
        };
        return new HostContext().outputs(NoOutputs.NONE).roomLimit(64)
            .roomType(RoomType.of(TYPE, "versioned", version, supplier));
    }

    private static ByteSink snapshot()
    {
        final HostRig rig = new HostRig(RoomType.of(TYPE, "versioned", 1, Quiet::new));
        rig.turn(1, () ->
        {
            rig.linkUp(LINK);
            rig.open(1, TYPE);
            rig.open(2, TYPE);
            rig.join(1, 42, LINK);
        });
        final ByteSink sink = new ByteSink();
        rig.host.snapshot(sink);
        return sink;
    }
}
