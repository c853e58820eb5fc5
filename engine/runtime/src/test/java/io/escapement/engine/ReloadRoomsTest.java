package io.escapement.engine;

import io.escapement.client.ClientSeat;
import io.escapement.client.SendStatus;
import io.escapement.client.TrunkListener;
import io.escapement.codecs.layout.SchemaRules;
import io.escapement.codecs.room.RefusalCode;
import io.escapement.codecs.room.ReloadDecoder;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import io.escapement.rooms.log.LogSource;
import io.escapement.rooms.log.ProposalReader;
import io.escapement.rooms.replay.ProposalException;
import io.escapement.rooms.replay.Replay;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Rooms of a running engine are reloaded while their players stay. */
class ReloadRoomsTest
{
    private static final int TYPE = 1;
    private static final int ROOMS = 30;
    /** Most rooms that a turn may reload. */
    private static final int BATCH = 8;
    private static final int TAIL_LENGTH = 4 << 20;

    @TempDir
    Path directory;

    private final UnsafeBuffer message = new UnsafeBuffer(new byte[8]);
    private long lastTally;

    @Test
    void shouldReloadTheRoomsOfAllLoopsWhileAPlayerStays() throws Exception
    {
        try (TestEngine engine = new TestEngine(context(type(1)).recordTo(directory));
            TestTrunk trunk = trunk(engine))
        {
            final RoomHandle[] rooms = new RoomHandle[ROOMS];
            for (int i = 0; i < ROOMS; i++)
            {
                rooms[i] = engine.engine().openRoom(TYPE);
                engine.turn();
            }
            final ClientSeat seat = trunk.join(engine, rooms[0].roomId(), 7);
            assertEquals(5, tally(engine, trunk, seat, 5));

            final EngineOperator operator = engine.engine().operator();
            final String unknown = assertThrows(
                IllegalArgumentException.class, () -> operator.reload(TYPE, 1, 2)).getMessage();
            assertEquals("version 2 of room type 1 is not registered", unknown);
            operator.register(type(2));
            assertEquals(10, tally(engine, trunk, seat, 5), "registering changes nothing");

            final EngineOperator.Reload result = await(engine, trunk, operator.reload(TYPE, 1, 2));
            assertEquals(new EngineOperator.Reload(ROOMS, 0, null), result);
            assertEquals(20, tally(engine, trunk, seat, 5), "version 2 goes on with what version 1 had");
            assertEquals(List.of(), trunk.left);
            final RoomHandle later = engine.engine().openRoom(TYPE);
            final ClientSeat other = trunk.join(engine, later.roomId(), 8);
            assertEquals(10, tally(engine, trunk, other, 5), "a new room opens with version 2");
            assertEquals(new EngineOperator.Reload(0, 0, null), await(engine, trunk, operator.reload(TYPE, 1, 2)));
            assertEquals(ROOMS, engine.engine().counter("escapement loop 0: rooms that another version took over") +
                engine.engine().counter("escapement loop 1: rooms that another version took over"));
            assertEquals(List.of(), engine.errors());
        }
        for (int loop = 0; loop < 2; loop++)
        {
            final int number = loop;
            final Replay replay = Recordings.replay(context(type(1)).roomType(type(2)), directory, loop);
            assertTrue(replay.isSame(), replay.difference());
            assertTrue(assertThrows(ProposalException.class,
                () -> Recordings.replay(context(type(1)), directory, number)).getMessage()
                .contains("reloads room type 1 from version 1 to 2, which is not registered"));
            Recordings.read(directory, loop, ReloadRoomsTest::assertFewInEachTurn);
        }
    }

    @Test
    void shouldGoOnWithTheOldVersionAndNameTheReason() throws Exception
    {
        try (TestEngine engine = new TestEngine(context(type(1)).roomType(type(2)).roomType(type(13))
            .roomType(type(3).seats(1)));
            TestTrunk trunk = trunk(engine))
        {
            final RoomHandle room = engine.engine().openRoom(TYPE);
            final ClientSeat seat = trunk.join(engine, room.roomId(), 7);
            assertEquals(5, tally(engine, trunk, seat, 5));
            final EngineOperator operator = engine.engine().operator();
            assertEquals(List.of(TYPE), operator.roomTypes().stream().map(RoomType::id).toList());

            final EngineOperator.Reload failed = await(engine, trunk, operator.reload(TYPE, 1, 13));
            assertEquals(0, failed.rooms());
            assertEquals(1, failed.refused());
            assertEquals(room.roomId(), failed.firstRefused().roomId());
            assertEquals(RefusalCode.RELOAD_FAILED.value(), failed.firstRefused().code());
            assertEquals("unlucky", failed.firstRefused().cause().getMessage());
            assertEquals(10, tally(engine, trunk, seat, 5));
            assertEquals(1, engine.errors().size());
            assertTrue(engine.errors().remove(0).getMessage().contains("because version 13 could not take it over"));
            assertEquals(1, engine.engine().counter("escapement loop 0: refused RELOAD_FAILED") +
                engine.engine().counter("escapement loop 1: refused RELOAD_FAILED"));

            final EngineOperator.Reload narrow = await(engine, trunk, operator.reload(TYPE, 1, 3));
            assertEquals(RefusalCode.LIMIT_OVER_TYPE.value(), narrow.firstRefused().code());
            assertTrue(narrow.firstRefused().cause().getMessage().startsWith("seats: 1: must be at least 4"));
            assertEquals(1, engine.errors().size());
            engine.errors().clear();
        }
    }

    @Test
    void shouldEndAReloadWithTheEngine()
    {
        final CompletableFuture<EngineOperator.Reload> result;
        try (TestEngine engine = new TestEngine(context(type(1)).roomType(type(2))))
        {
            engine.engine().openRoom(TYPE);
            engine.turn();
            // Nothing runs the loops before the engine is closed.
            result = engine.engine().operator().reload(TYPE, 1, 2);
            engine.engine().invoke();
        }
        final ExecutionException ex = assertThrows(ExecutionException.class, result::get);
        assertTrue(ex.getCause().getMessage().startsWith("the engine was closed, after 0 rooms"), ex.toString());
    }

    /** Each room is of the version that the journal says, from its log and from a snapshot. */
    @ParameterizedTest
    @EnumSource(value = Durability.Level.class, names = {"RECORDED", "SYNCED"})
    void shouldRecoverRoomsThatWereReloaded(final Durability.Level level) throws Exception
    {
        final long roomId;
        try (TestEngine engine = new TestEngine(durable(context(type(1)), level)); TestTrunk trunk = trunk(engine))
        {
            roomId = engine.engine().openRoom(TYPE).roomId();
            final ClientSeat seat = trunk.join(engine, roomId, 7);
            assertEquals(5, tally(engine, trunk, seat, 5));
            engine.engine().operator().register(type(2));
            assertEquals(1, await(engine, trunk, engine.engine().operator().reload(TYPE, 1, 2)).rooms());
            assertEquals(15, tally(engine, trunk, seat, 5));
            assertEquals(List.of(), engine.errors());
        }
        for (final EngineContext without : List.of(context(type(1)), context(type(1)).roomType(type(3))))
        {
            final Throwable refused = assertThrows(
                RuntimeException.class, () -> new TestEngine(durable(without, level)).close());
            assertTrue(refused.getMessage().contains("reloads room type 1 from version 1 to 2, which is not"),
                refused.getMessage());
        }
        final Durability journal = Durability.journal(directory.resolve("journal"));
        assertTrue(journal.replay(context(type(1)).roomType(type(2))).stream().allMatch(
            (line) -> line.contains(": the same: ")));
        assertTrue(assertThrows(EngineException.class, () -> journal.replay(context(type(1)))).getMessage()
            .contains("reloads room type 1 from version 1 to 2, which is not registered"));
        try (TestEngine engine = new TestEngine(durable(context(type(1)).roomType(type(2)).roomType(type(4)), level));
            TestTrunk trunk = trunk(engine))
        {
            final ClientSeat seat = trunk.join(engine, roomId, 7);
            assertEquals(25, tally(engine, trunk, seat, 5));
            assertEquals(1, await(engine, trunk, engine.engine().operator().reload(TYPE, 2, 4)).rooms());
            assertEquals(45, tally(engine, trunk, seat, 5));
            assertEquals(List.of(), engine.errors());
        }
    }

    private static void assertFewInEachTurn(final LogSource log)
    {
        int all = 0;
        final ProposalReader turn = new ProposalReader();
        log.rewind();
        while (log.next())
        {
            int inTurn = 0;
            if (ProposalReader.isProposal(log.buffer(), log.offset(), log.length()))
            {
                assertEquals(0, turn.wrap(log.buffer(), log.offset(), log.length()));
                while (turn.nextCommand())
                {
                    inTurn += ReloadDecoder.TEMPLATE_ID ==
                        SchemaRules.templateId(turn.buffer(), turn.commandOffset()) ? 1 : 0;
                }
            }
            assertFalse(inTurn > BATCH, inTurn + " in proposal " + turn.number());
            all += inTurn;
        }
        assertTrue(all > BATCH, all + " reloads");
    }

    /** Send a number, and return the tally that the room answers with. */
    private long tally(final TestEngine engine, final TestTrunk trunk, final ClientSeat seat, final long value)
    {
        message.putLong(0, value);
        lastTally = -1;
        engine.await("the message", trunk,
            () -> SendStatus.SENT == trunk.client().send(seat, message, 0, Long.BYTES));
        engine.await("the tally", trunk, () -> -1 != lastTally);
        return lastTally;
    }

    private TestTrunk trunk(final TestEngine engine)
    {
        return TestTrunk.over(engine).forwardTo(new TrunkListener()
        {
            @Override
            public void onEvent(final ClientSeat seat, final DirectBuffer buffer, final int offset, final int length)
            {
                lastTally = buffer.getLong(offset);
            }
        });
    }

    private static <T> T await(final TestEngine engine, final TestTrunk trunk, final CompletableFuture<T> future)
        throws Exception
    {
        engine.await("the result", trunk, future::isDone);
        return future.get();
    }

    private EngineContext durable(final EngineContext context, final Durability.Level level)
    {
        return context.durability(Durability.journal(directory.resolve("journal")).acknowledge(level)
            .tailLength(TAIL_LENGTH).segmentLength(2 * TAIL_LENGTH).tailDirectory(directory));
    }

    private static EngineContext context(final RoomType type)
    {
        return new EngineContext().roomType(type).loops(2);
    }

    private static RoomType type(final int version)
    {
        return RoomType.of(TYPE, "tally", version, () -> new Tally(version)).seats(4);
    }

    /** Adds up numbers, each times the version of the logic. Version 13 cannot take over a room. */
    private static final class Tally implements RoomLogic
    {
        private final UnsafeBuffer answer = new UnsafeBuffer(new byte[8]);
        private final int version;
        private Room room;
        private long sum;

        Tally(final int version)
        {
            this.version = version;
        }

        @Override
        public void onOpen(final Room opened, final DirectBuffer args, final int offset, final int length)
        {
            room = opened;
        }

        @Override
        public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
        {
            sum += version * buffer.getLong(offset);
            answer.putLong(0, sum);
            room.sendEvent(from, answer, 0, 8);
        }

        @Override
        public void onSnapshot(final StateWriter writer)
        {
            writer.putLong(sum);
        }

        @Override
        public void onRestore(final Room restored, final int from, final StateReader reader)
        {
            if (13 == version)
            {
                throw new IllegalStateException("unlucky");
            }
            room = restored;
            sum = reader.getLong();
        }
    }
}
