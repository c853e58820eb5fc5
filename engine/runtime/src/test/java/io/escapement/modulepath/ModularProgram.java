package io.escapement.modulepath;

import io.escapement.config.ConfigException;
import io.escapement.driver.DriverProfile;
import io.escapement.engine.Engine;
import io.escapement.engine.EngineContext;
import io.escapement.engine.RoomHandle;
import io.escapement.engine.ThreadingMode;
import io.escapement.engine.monitor.LoopRecorder;
import io.escapement.engine.monitor.MonitorContext;
import io.escapement.engine.spi.LogInService;
import io.escapement.engine.trunks.TrunkServerContext;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.agrona.DirectBuffer;

/** Opens a room in an engine, and prints the modules of the types that it uses. Its package is in no module. */
final class ModularProgram
{
    static final String RAN = "frames ran";

    private static final int TYPE = 1;
    private static final byte[] SECRET =
        "a secret of this test of the module path".getBytes(StandardCharsets.US_ASCII);

    private ModularProgram()
    {
    }

    public static void main(final String[] args)
    {
        for (final Class<?> type : List.of(
            ConfigException.class, DriverProfile.class, Engine.class, LoopRecorder.class, LogInService.class,
            Room.class, DirectBuffer.class))
        {
            System.out.println(type.getSimpleName() + " in " + type.getModule().getName());
        }
        final int[] frames = new int[1];
        try (Engine engine = Engine.launch(new EngineContext()
            .threadingMode(ThreadingMode.INVOKER)
            .trunks(new TrunkServerContext().ipc(true).secret(SECRET, false))
            .monitor(new MonitorContext())
            .roomType(RoomType.of(TYPE, "counting", 1, () -> new Counting(frames)))
            .errorHandler(Throwable::printStackTrace)))
        {
            final RoomHandle room = engine.openRoom(TYPE);
            while (frames[0] < 3)
            {
                engine.invoke();
            }
            System.out.println(RAN + " in room " + room.roomId());
        }
    }

    private record Counting(int[] frames) implements RoomLogic
    {
        @Override
        public void onOpen(final Room room, final DirectBuffer args, final int offset, final int length)
        {
            room.frameRate(60);
        }

        @Override
        public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
        {
            // No client joins.
        }

        @Override
        public void onFrame(final long frame, final long elapsedNs)
        {
            frames[0]++;
        }
    }
}
