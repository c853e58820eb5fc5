package io.escapement.perf.rig;

import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.escapement.engine.Engine;
import io.escapement.engine.EngineContext;
import io.escapement.rooms.RoomType;
import java.util.List;
import java.util.function.Function;

/** The engine of {@code echo} and {@code ingress}: one loop and one room. */
public final class LoopbackGame extends EngineGame<DurablePlan>
{
    /** Allocated by the engine's threads in the measured part. */
    public static final String ENGINE_BYTES = "engineBytes";

    static final long ROOM_ID = 1;
    /** Receive window of the server, as bare Aeron's. */
    private static final int WINDOW = 128 * 1024;

    private final RoomType type;
    private final String idle;
    private final LoopMeter loop = new LoopMeter(false);
    private long bytesBefore;

    /**
     * @param type makes the type of the room.
     * @param idle strategy of a driver's threads.
     */
    public LoopbackGame(final DurablePlan plan, final Function<Control, RoomType> type, final String idle)
    {
        super(plan);
        this.type = type.apply(plan.isCluster() ? null : control());
        this.idle = idle;
    }

    /** The options of the program. */
    public static List<String> options(final String mode, final String idle)
    {
        return List.of("--mode=" + mode, "--idle=" + idle, "--loops=1", "--trunk-limit=1",
            "--term-length=" + PerfDriver.TERM_LENGTH);
    }

    @Override
    public List<RoomType> roomTypes()
    {
        return List.of(type);
    }

    @Override
    public void configure(final EngineContext context)
    {
        super.configure(context);
        context.trunks().largestFrame(WINDOW / 2);
    }

    @Override
    protected MediaDriver.Context driver()
    {
        return PerfDriver.context(plan.directory, ThreadingMode.INVOKER, idle);
    }

    @Override
    protected void open(final Engine engine)
    {
        loop.engine(engine);
        if (ROOM_ID != engine.openRoom(type.id()).roomId())
        {
            throw new IllegalStateException("the first room is not room " + ROOM_ID);
        }
    }

    @Override
    protected void follow(final Engine engine)
    {
        control().serve(plan,
            () ->
            {
                bytesBefore = allocated(EngineGame::isCarrier);
                loop.start();
            },
            () -> loop.stop().put(ENGINE_BYTES, allocated(EngineGame::isCarrier) - bytesBefore));
    }
}
