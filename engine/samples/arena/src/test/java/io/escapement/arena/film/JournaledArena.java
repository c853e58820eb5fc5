package io.escapement.arena.film;

import io.aeron.Aeron;
import io.aeron.driver.MediaDriver;
import io.escapement.arena.ArenaGame;
import io.escapement.arena.codecs.GuestEncoder;
import io.escapement.arena.codecs.MessageHeaderEncoder;
import io.escapement.arena.room.ArenaPicture;
import io.escapement.arena.room.ArenaRoom;
import io.escapement.arena.room.RoundTime;
import io.escapement.client.SendStatus;
import io.escapement.client.TrunkClient;
import io.escapement.client.TrunkContext;
import io.escapement.client.TrunkListener;
import io.escapement.driver.DriverDirectory;
import io.escapement.engine.Durability;
import io.escapement.engine.Engine;
import io.escapement.engine.EngineContext;
import io.escapement.engine.EngineOperator;
import io.escapement.engine.RoomHandle;
import io.escapement.engine.ThreadingMode;
import io.escapement.engine.trunks.TrunkServerContext;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import io.escapement.rooms.replay.RoomPast;
import io.escapement.testsupport.Tests;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.CachedNanoClock;
import org.agrona.concurrent.UnsafeBuffer;

/** An engine of the game with a journal, whose time the test passes, and an arena with players who stand still. */
public final class JournaledArena implements AutoCloseable
{
    private static final byte[] SECRET = "a secret of this test".getBytes(StandardCharsets.US_ASCII);
    private static final UnsafeBuffer NOTHING = new UnsafeBuffer(new byte[0]);
    private static final int USHER = 90;
    private static final int SEATS = 4;
    private static final int SUB_STEPS_A_MINUTE = 60 * 120;
    private static final long STEP_NS = TimeUnit.SECONDS.toNanos(1) / 120;

    private final CachedNanoClock clock = new CachedNanoClock();
    private final Engine engine;
    private final Aeron aeron;
    private final TrunkClient client;
    private final RoomHandle arena;
    private final Map<Long, byte[]> pictureBySubStepMap = new HashMap<>();

    /** Reserves a seat for a player, as the lobby does for players with characters. */
    private static final class Usher implements RoomLogic
    {
        @Override
        public void onOpen(final Room room, final DirectBuffer args, final int offset, final int length)
        {
            room.reserve(args.getLong(offset), args.getLong(offset + Long.BYTES), ArenaRoom.RESERVATION_NS);
        }

        @Override
        public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
        {
            throw new IllegalStateException("it has no seats");
        }

        @Override
        public void onSnapshot(final StateWriter to)
        {
            // It has no state.
        }

        @Override
        public void onRestore(final Room room, final int version, final StateReader from)
        {
            // It has no state.
        }
    }

    /**
     * Launch the engine and open an arena.
     *
     * @param directory of the journal, or null for none.
     * @param game      whose films are tested.
     */
    public JournaledArena(final Path directory, final ArenaGame game)
    {
        final EngineContext context = new EngineContext().loops(1).clock(clock).threadingMode(ThreadingMode.INVOKER)
            .driverContext(new MediaDriver.Context().aeronDirectoryName(DriverDirectory.temporary())
                .threadingMode(io.aeron.driver.ThreadingMode.INVOKER).termBufferSparseFile(true)
                .dirDeleteOnStart(true).dirDeleteOnShutdown(true))
            .errorHandler((ex) -> { })
            .trunks(new TrunkServerContext().ipc(true).secret(SECRET, true));
        game.roomTypes().forEach(context::roomType);
        context.roomType(RoomType.of(USHER, "usher", 1, Usher::new).requests(1));
        if (null != directory)
        {
            context.durability(Durability.journal(directory).withoutTail().keepNs(TimeUnit.HOURS.toNanos(1))
                .snapshotIntervalNs(TimeUnit.MINUTES.toNanos(1)));
        }
        game.configure(context);
        engine = Engine.launch(context);
        game.openRooms(engine);
        arena = engine.openRoom(ArenaRoom.TYPE_BASE + SEATS);
        aeron = Aeron.connect(new Aeron.Context().aeronDirectoryName(engine.aeronDirectory())
            .useConductorAgentInvoker(true).errorHandler((ex) -> { }));
        client = TrunkClient.connect(new TrunkContext().ipc().aeron(aeron).secret(SECRET).clock(clock)
            .identity("players").listener(new TrunkListener()
            {
            }));
    }

    /** A player takes a seat. */
    public void join(final long playerId)
    {
        final UnsafeBuffer message = new UnsafeBuffer(new byte[512]);
        final byte[] name = ("player " + playerId).getBytes(StandardCharsets.UTF_8);
        final int length = new GuestEncoder().wrapAndApplyHeader(message, 0, new MessageHeaderEncoder())
            .playerId(playerId).characterId(playerId).kills(0).deaths(0).putName(name, 0, name.length).encodedLength();
        awaitTurns(() -> RoomHandle.State.OPENED == arena.state(), "the arena");
        arena.signal(message, 0, MessageHeaderEncoder.ENCODED_LENGTH + length);
        message.putLong(0, roomId());
        message.putLong(Long.BYTES, playerId);
        final RoomHandle usher = engine.openRoom(USHER, message, 0, 2 * Long.BYTES);
        awaitTurns(() -> RoomHandle.State.OPENED == usher.state(), "the reservation");
        awaitTurns(() ->
            SendStatus.SENT == client.join(1, roomId(), playerId, new byte[0], NOTHING, 0, 0), "the trunk");
        final int seats = 1 + seats();
        awaitTurns(() -> seats() == seats, "the seat");
    }

    /** Pass the time until a sub-step, and keep the pictures. */
    public void playUntil(final long subStep)
    {
        while (subStep() < subStep)
        {
            turn();
            // The journal's thread, for which no time passes here.
            final long minutes = subStep() / SUB_STEPS_A_MINUTE - 1;
            if (engine.operator().hasPast() && snapshots() < minutes)
            {
                await(() -> snapshots() >= minutes, "a snapshot");
            }
        }
    }

    /** Wait until the files of the journal have what has happened. */
    public void awaitFiles()
    {
        final long now = subStep();
        await(() ->
        {
            final RoomPast past = engine.operator().past(roomId());
            past.seekEnd();
            return past.isOpen() && RoundTime.of(past.host().logic(roomId())).subStep() >= now;
        }, "the journal");
    }

    /** Time of the arena. */
    public long subStep()
    {
        return read(RoundTime::of).subStep();
    }

    /** The picture of a sub-step, as the arena had it then. */
    public byte[] picture(final long subStep)
    {
        return pictureBySubStepMap.get(subStep);
    }

    /** Reads the log. */
    public EngineOperator operator()
    {
        return engine.operator();
    }

    /** Snapshots of the journal. */
    public long snapshots()
    {
        return engine.counter("escapement loop 0: snapshots");
    }

    /** Id of the arena. */
    public long roomId()
    {
        return arena.roomId();
    }

    private int seats()
    {
        return result(engine.operator().seats(roomId())).size();
    }

    private <T> T read(final Function<RoomLogic, T> reader)
    {
        return result(engine.operator().read(roomId(), reader));
    }

    private <T> T result(final CompletableFuture<T> future)
    {
        while (!future.isDone())
        {
            engine.invoke();
        }
        return future.join();
    }

    private void turn()
    {
        clock.advance(STEP_NS);
        poll();
        if (RoomHandle.State.OPENED == arena.state())
        {
            pictureBySubStepMap.put(subStep(), read(ArenaPicture::of));
        }
    }

    private void awaitTurns(final BooleanSupplier condition, final String what)
    {
        Tests.await(() ->
        {
            turn();
            return condition.getAsBoolean();
        }, what);
    }

    private void await(final BooleanSupplier condition, final String what)
    {
        Tests.await(() -> poll() && condition.getAsBoolean(), what);
    }

    private boolean poll()
    {
        engine.invoke();
        aeron.conductorAgentInvoker().invoke();
        client.poll();
        return true;
    }

    @Override
    public void close()
    {
        CloseHelper.closeAll(client, aeron, engine);
    }
}
