package io.escapement.rooms.sync;

import io.escapement.codecs.sync.SyncSchema;
import io.escapement.codecs.sync.SyncSchema.Type;
import io.escapement.codecs.sync.SyncedCopy;
import io.escapement.config.ConfigException;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.rooms.bench.BenchSeat;
import io.escapement.rooms.bench.RoomBench;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The cost of a change on the wire, the guide's example, and everything that is refused. */
class SyncedStateTest
{
    private static final int RECORD = 2;
    private static final int MASK = 1;

    @Test
    void shouldDoWhatTheGuideSays() throws IOException
    {
        final Path sources = Path.of("src/test/java/io/escapement/rooms/sync");
        final String compiled = flat(Files.readString(sources.resolve("Race.java"))) +
            flat(Files.readString(sources.resolve("Hunt.java"))) +
            flat(Files.readString(sources.resolve("SyncedStateTest.java")));
        final String[] blocks = Files.readString(Path.of("../guide/state.md")).split("```java\n");
        assertEquals(4, blocks.length, "the room, its client and its grid");
        for (int i = 1; i < blocks.length; i++)
        {
            final String block = flat(blocks[i].substring(0, blocks[i].indexOf("```")));
            assertTrue(compiled.contains(block), block);
        }
        assertTrue(blocks[1].substring(0, blocks[1].indexOf("```")).lines().count() < 30, "lines");

        final RoomBench bench = RoomBench.of(RoomType.of(1, "race", 1, Race::new).seats(8));
        final BenchSeat ann = bench.join(1);
        final BenchSeat ben = bench.join(2);
        bench.step(1);
        final UnsafeBuffer move = new UnsafeBuffer(new byte[2]);
        move.putShort(0, (short)-300);
        assertEquals(0, ann.send(move, 0, 2));
        bench.step(1);
        final SyncedCopy own = copyOf(Race.SCHEMA, ann.received());
        final SyncedCopy other = copyOf(Race.SCHEMA, ben.received());
        assertEquals(-300, own.longValue(Race.X, ann.index()));
        assertEquals(-300, other.longValue(Race.X, ann.index()));
        assertEquals(100, own.longValue(Race.FUEL, ann.index()));
        assertEquals(0, other.longValue(Race.FUEL, ann.index()), "a secret");
        assertEquals(0, ben.leave());
        bench.step(1);
        assertFalse(copyOf(Race.SCHEMA, ann.received()).isPresent(Race.CARS, ben.index()));
        bench.replayAndCompare();
    }

    @Test
    void shouldReportWhatTheGuidesListenerGets()
    {
        final List<Integer> moved = new ArrayList<>();
        final SyncedCopy race = new SyncedCopy(Race.SCHEMA, new SyncedCopy.Listener()
        {
            @Override
            public void onChanged(final int field, final int row)
            {
                if (Race.X == field)
                {
                    moved.add(row);
                }
            }
        });
        final RoomBench bench = RoomBench.of(RoomType.of(1, "race", 1, Race::new).seats(8));
        final BenchSeat ann = bench.join(1);
        bench.step(1);
        final UnsafeBuffer move = new UnsafeBuffer(new byte[2]);
        move.putShort(0, (short)7);
        assertEquals(0, ann.send(move, 0, 2));
        bench.step(1);
        for (final byte[] message : ann.states())
        {
            assertEquals(SyncedCopy.Result.APPLIED, race.apply(new UnsafeBuffer(message), 0, message.length));
        }
        assertEquals(List.of(ann.index()), moved);
    }

    @Test
    void shouldShowTheGuidesAnimalsOnlyNearby()
    {
        final RoomBench bench = RoomBench.of(RoomType.of(1, "hunt", 1, Hunt::new).seats(2));
        final BenchSeat ann = bench.join(1);
        bench.step(1);
        assertFalse(copyOf(Hunt.SCHEMA, ann.received()).isPresent(Hunt.ANIMALS, 0), "far away");
        final UnsafeBuffer place = new UnsafeBuffer(new byte[8]);
        place.putInt(0, 2_100);
        place.putInt(Integer.BYTES, 1_900);
        assertEquals(0, ann.send(place, 0, 8));
        bench.step(1);
        assertTrue(copyOf(Hunt.SCHEMA, ann.received()).isPresent(Hunt.ANIMALS, 0), "near");
        place.putInt(0, 3_900);
        assertEquals(0, ann.send(place, 0, 8));
        bench.step(1);
        assertFalse(copyOf(Hunt.SCHEMA, ann.received()).isPresent(Hunt.ANIMALS, 0), "gone");
        bench.replayAndCompare();
    }

    @Test
    void shouldSendChangesOnly()
    {
        final Scripted logic = new Scripted(small());
        final RoomBench bench = RoomBench.of(RoomType.of(1, "scripted", 1, () -> logic));
        final BenchSeat seat = bench.join(1);
        bench.step(1);
        assertEquals(1, seat.received().size(), "the full state");
        logic.next = (state) -> state.set(0, 7);
        bench.step(1);
        assertEquals(SyncSchema.HEADER_LENGTH + RECORD + MASK + Integer.BYTES, seat.received().get(1).length);
        bench.step(3);
        assertEquals(2, seat.received().size(), "the same value is no change");
        logic.next = (state) -> state.remove(1, state.add(1));
        bench.step(3);
        assertEquals(2, seat.received().size(), "nobody saw the entity");
    }

    @Test
    void shouldGiveAFullStateToWhoeverAsks()
    {
        final Scripted logic = new Scripted(small());
        final RoomBench bench = RoomBench.of(RoomType.of(1, "scripted", 1, () -> logic));
        final BenchSeat seat = bench.join(1);
        bench.step(2);
        logic.next = (state) -> state.requestFullState(logic.room.seat(0));
        bench.step(1);
        logic.next = (state) ->
        {
        };
        bench.step(3);
        assertEquals(2, seat.received().size());
        assertEquals(SyncSchema.FULL_STATE, seat.received().get(1)[2]);
    }

    @Test
    void shouldRefuseAtOnceWhatCannotWork()
    {
        final List<Consumer<SyncedState>> mistakes = List.of(
            (state) -> state.set(0, 1L << 31),
            (state) -> state.set(2, 0, 1),
            (state) -> state.setDouble(0, 0, 1),
            (state) -> state.setText(2, state.add(1), "longer than 8"),
            (state) -> state.remove(1, 3),
            (state) -> state.remove(0, 0),
            (state) -> state.add(0),
            (state) -> state.see(1, 0, 0, SyncedState.Sight.OPEN),
            (state) -> state.see(0, 1, 1, SyncedState.Sight.OPEN),
            (state) -> state.look(0, 1, 0, 0, 1));
        for (int i = 0; i < mistakes.size(); i++)
        {
            final Scripted logic = new Scripted(small());
            final RoomBench bench = RoomBench.of(RoomType.of(1, "scripted", 1, () -> logic));
            logic.next = mistakes.get(i);
            bench.step(1);
            final String mistake = "mistake " + i;
            assertEquals(1, bench.failures().size(), mistake);
            assertTrue(bench.failures().get(0) instanceof IllegalArgumentException ||
                bench.failures().get(0) instanceof IllegalStateException ||
                bench.failures().get(0) instanceof IndexOutOfBoundsException, mistake);
        }
    }

    @Test
    void shouldRefuseALayoutThatDoesNotFit()
    {
        refused("many: 40000: ", (builder) -> builder.entities("many", 40_000));
        refused("some: 16385 rows", (builder) ->
        {
            builder.entities("some", 16_384);
            builder.field("a", Type.INT8);
        });
        refused("a full state of up to", (builder) ->
        {
            builder.entities("wide", 2_000);
            builder.text("text", 250);
        });
        refused("rows of 2302 bytes", (builder) ->
        {
            for (int i = 0; i < 9; i++)
            {
                builder.text("text" + i, 254);
            }
        });
        refused("65: fields", (builder) ->
        {
            for (int i = 0; i < 65; i++)
            {
                builder.field("f" + i, Type.BOOL);
            }
        });
        refused("is the name of two fields", (builder) -> builder.text("first", 1));
        refused("is the name of two tables", (builder) -> builder.entities("room", 1));
        refused("must be a letter", (builder) -> builder.field("no name", Type.BOOL));
        refused("needs a length", (builder) -> builder.field("name", Type.TEXT));
        refused("empty: 0 fields", (builder) -> builder.entities("empty", 1));
        refused("must be a number in the table declared last", (builder) ->
            builder.grid(0, builder.entities("other", 1), 1, 1, 1));
    }

    private static void refused(final String message, final Consumer<SyncSchema.Builder> declaration)
    {
        final SyncSchema.Builder builder = SyncSchema.named("refused");
        builder.field("first", Type.BOOL);
        final ConfigException refusal = assertThrows(ConfigException.class, () ->
        {
            declaration.accept(builder);
            builder.build();
        });
        assertTrue(refusal.getMessage().contains(message), refusal.getMessage());
    }

    /** A field of the room, and a table whose rows have a text. */
    private static SyncSchema small()
    {
        final SyncSchema.Builder builder = SyncSchema.named("small");
        builder.field("count", Type.INT32);
        builder.field("other", Type.BOOL);
        builder.entities("things", 4);
        builder.text("name", 8);
        return builder.build();
    }

    private static SyncedCopy copyOf(final SyncSchema schema, final List<byte[]> messages)
    {
        final SyncedCopy copy = new SyncedCopy(schema);
        for (final byte[] message : messages)
        {
            assertEquals(SyncedCopy.Result.APPLIED, copy.apply(new UnsafeBuffer(message), 0, message.length));
        }
        return copy;
    }

    private static String flat(final String text)
    {
        return text.lines().map(String::strip).filter((line) -> !line.isEmpty())
            .reduce("", (all, line) -> all + line + '\n');
    }

    /** A room that does the next thing in each frame. */
    private static final class Scripted implements RoomLogic
    {
        private final SyncSchema schema;
        private Room room;
        private SyncedState state;
        private Consumer<SyncedState> next = (unused) ->
        {
        };

        private Scripted(final SyncSchema schema)
        {
            this.schema = schema;
        }

        @Override
        public void onOpen(final Room opened, final DirectBuffer args, final int offset, final int length)
        {
            room = opened;
            state = SyncedState.open(room, schema);
            room.frameRate(60);
        }

        @Override
        public void onMessage(final Seat from, final DirectBuffer message, final int offset, final int length)
        {
            throw new IllegalStateException("players of this room say nothing");
        }

        @Override
        public void onJoin(final Seat seat)
        {
            state.onJoin(seat);
        }

        @Override
        public void onFrame(final long frame, final long elapsedNs)
        {
            next.accept(state);
            state.publish();
        }
    }
}
