package io.escapement.rooms.host;

import io.escapement.rooms.RoomType;
import io.escapement.rooms.log.LogFile;
import io.escapement.rooms.replay.Replay;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A replay may know more types than its log. */
class TypesTest
{
    private static final int RECORDED = 5;
    private static final int ADDED = 4;

    @Test
    void shouldReplayWithATypeAdded()
    {
        final HostRig rig = run();
        replay(rig, new HostRig(RoomType.of(ADDED, "added", 1, Quiet::new), recorded()).context());
    }

    private static void replay(final HostRig rig, final HostContext context)
    {
        rig.finish();
        final Replay replay = new Replay(LogFile.open(rig.log.buffer(), 0, rig.log.length()), context).run();
        assertTrue(replay.isSame(), replay.difference());
        assertEquals(rig.host.turn(), replay.turns());
    }

    private static HostRig run()
    {
        final HostRig rig = new HostRig(recorded());
        rig.turn(1, () ->
        {
            rig.open(1, RECORDED);
            rig.open(3, RECORDED);
            assertEquals(0, rig.command(rig.encoder.setRate(rig.buffer, 0, RECORDED, 20)));
        });
        return rig;
    }

    private static RoomType recorded()
    {
        return RoomType.of(RECORDED, "recorded", 1, Quiet::new);
    }
}
