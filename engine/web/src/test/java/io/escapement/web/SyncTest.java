package io.escapement.web;

import io.escapement.codecs.sync.SyncSchema;
import io.escapement.codecs.sync.SyncSchema.Type;
import io.escapement.codecs.sync.SyncedCopy;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.rooms.bench.BenchSeat;
import io.escapement.rooms.bench.RoomBench;
import io.escapement.rooms.sync.SyncedState;
import io.escapement.testsupport.JavaScriptModules;
import io.escapement.testsupport.Tests;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.agrona.DirectBuffer;
import org.agrona.IoUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.graalvm.polyglot.Value;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** sync.js and the copy in Java do the same with the same bytes: those of a room, and bytes that no room sends. */
class SyncTest
{
    private static final Path MODULE = Path.of("target", "classes", "META-INF", "resources", "escapement", "sync.js");
    private static final String SCRIPT = "sync-test.js";
    private static final int FRAMES = 140;
    private static final int REPORT_EVERY = 8;
    private static final long SEED = 20_261_124;

    private static final SyncSchema.Builder BUILDER = SyncSchema.named("web");
    private static final int ROUND = BUILDER.field("round", Type.INT32);
    private static final int NAME = BUILDER.text("name", 40);
    private static final int THINGS = BUILDER.entities("things", 20);
    private static final int FIRST = BUILDER.field("bool", Type.BOOL);
    private static final int LAST = fields();
    private static final SyncSchema SCHEMA = BUILDER.build();

    private final int[] results = new int[SyncedCopy.Result.values().length];

    private static int fields()
    {
        for (final Type type : Type.values())
        {
            if (Type.TEXT != type)
            {
                BUILDER.field("of_" + type, type);
            }
        }
        // Two long texts make a picture longer than a message.
        BUILDER.text("text1", 250);
        return BUILDER.text("text2", 250);
    }

    @Test
    void shouldDoWhatTheCopyInJavaDoes() throws IOException
    {
        final List<byte[]> messages = messages();
        final Path directory = Files.createDirectories(Tests.newDirectory());
        try (JavaScriptModules scripts = new JavaScriptModules();
            InputStream in = SyncTest.class.getResourceAsStream(SCRIPT))
        {
            Files.copy(MODULE, directory.resolve("sync.js"));
            Files.copy(in, directory.resolve(SCRIPT));
            final Value copy =
                scripts.load(directory.resolve(SCRIPT)).getMember("open").execute(SCHEMA.toJson());
            compare(messages, scripts, copy);
        }
        finally
        {
            IoUtil.delete(directory.toFile(), true);
        }
        // Without these the test would compare nothing.
        final String counts = Arrays.toString(results);
        assertTrue(results[SyncedCopy.Result.APPLIED.ordinal()] > 50, counts);
        assertTrue(results[SyncedCopy.Result.INCOMPLETE.ordinal()] > 5, counts);
        assertTrue(results[SyncedCopy.Result.IGNORED.ordinal()] > 10, counts);
        assertTrue(results[SyncedCopy.Result.MALFORMED.ordinal()] > 5, counts);
    }

    private void compare(final List<byte[]> messages, final JavaScriptModules scripts, final Value copy)
    {
        final SplittableRandom random = new SplittableRandom(SEED);
        final SyncedCopy twin = new SyncedCopy(SCHEMA);
        int applied = 0;
        for (int i = 0; i < messages.size(); i++)
        {
            final byte[] message = messages.get(i);
            final byte[] bytes = 0 == random.nextInt(6) ? mutate(message, random) : message;
            final SyncedCopy.Result result = twin.apply(new UnsafeBuffer(bytes), 0, bytes.length);
            final String number = "seed " + SEED + ", message " + i;
            assertEquals(result.name(), copy.invokeMember("apply", scripts.buffer(bytes)).asString(), number);
            final String held = held(twin);
            assertEquals(held, copy.invokeMember("held").asString(), number);
            if (0 == i % REPORT_EVERY)
            {
                assertEquals(held, copy.invokeMember("reported").asString(), number);
            }
            applied += SyncedCopy.Result.APPLIED == result ? 1 : 0;
            results[result.ordinal()]++;
        }
        assertEquals(applied, copy.invokeMember("frames").asInt());
    }

    private static byte[] mutate(final byte[] message, final SplittableRandom random)
    {
        final byte[] bytes = Arrays.copyOf(message, message.length + random.nextInt(-1, 2));
        final int at = random.nextInt(bytes.length);
        bytes[at] ^= (byte)(1 << random.nextInt(8));
        return bytes;
    }

    private static List<byte[]> messages()
    {
        final RoomBench bench = RoomBench.of(RoomType.of(1, "web", 1, Things::new).outputLimit(128 * 1024));
        final BenchSeat seat = bench.join(7);
        bench.step(FRAMES);
        assertEquals(List.of(), bench.failures());
        return seat.received();
    }

    private static String held(final SyncedCopy copy)
    {
        final StringBuilder lines = new StringBuilder();
        for (int table = 0; table < SCHEMA.tables(); table++)
        {
            for (int row = 0; row < SCHEMA.capacity(table); row++)
            {
                if (copy.isPresent(table, row))
                {
                    lines.append(lines.isEmpty() ? "" : "\n").append(SCHEMA.tableName(table)).append('[').append(row)
                        .append(']');
                    for (int i = 0; i < SCHEMA.fieldCount(table); i++)
                    {
                        lines.append(i > 0 ? ", " : " ").append(text(copy, SCHEMA.firstField(table) + i, row));
                    }
                }
            }
        }
        return lines.toString();
    }

    private static String text(final SyncedCopy copy, final int field, final int row)
    {
        return switch (SCHEMA.type(field))
        {
            case TEXT -> copy.text(field, row);
            case FLOAT, DOUBLE -> Double.isNaN(copy.doubleValue(field, row)) ? "NaN" :
                Long.toHexString(Double.doubleToLongBits(copy.doubleValue(field, row)));
            case BOOL -> Boolean.toString(0 != copy.longValue(field, row));
            // A number in JavaScript.
            case INT64 -> Long.toHexString(Double.doubleToLongBits(copy.longValue(field, row)));
            default -> Long.toString(copy.longValue(field, row));
        };
    }

    /** Sets a few fields at random in each frame. */
    private static final class Things implements RoomLogic
    {
        private final SplittableRandom random = new SplittableRandom(SEED);
        private Room room;
        private SyncedState state;

        @Override
        public void onOpen(final Room opened, final DirectBuffer args, final int offset, final int length)
        {
            room = opened;
            state = SyncedState.open(room, SCHEMA);
            for (int row = 0; row < SCHEMA.capacity(THINGS); row++)
            {
                state.add(THINGS);
                state.setText(LAST - 1, row, "t".repeat(250));
                state.setText(LAST, row, "u".repeat(250));
            }
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
            state.set(ROUND, random.nextInt(3));
            state.setText(NAME, 0, "r\u00f6und \ud83d\ude00 " + frame / 5);
            final int row = random.nextInt(SCHEMA.capacity(THINGS));
            if (!state.isPresent(THINGS, row) || 0 == random.nextInt(3))
            {
                state.add(THINGS);
            }
            else if (0 == random.nextInt(8))
            {
                state.remove(THINGS, row);
            }
            else
            {
                for (int field = FIRST; field < LAST - 1; field++)
                {
                    set(field, row);
                }
                state.setText(LAST, row, "t".repeat(random.nextInt(251)));
            }
            if (0 == frame % 9)
            {
                state.requestPicture(room.seat(0));
            }
            state.publish();
        }

        private void set(final int field, final int row)
        {
            switch (SCHEMA.type(field))
            {
                case FLOAT, DOUBLE -> state.setDouble(field, row,
                    0 == random.nextInt(9) ? Double.NaN : random.nextDouble() - 0.5);
                case BOOL -> state.set(field, row, random.nextInt(2));
                case INT8 -> state.set(field, row, random.nextInt(-128, 128));
                case UINT8 -> state.set(field, row, random.nextInt(256));
                case INT16 -> state.set(field, row, random.nextInt(-32_768, 32_768));
                case UINT16 -> state.set(field, row, random.nextInt(65_536));
                case INT32 -> state.set(field, row, random.nextInt());
                case UINT32 -> state.set(field, row, random.nextLong(1L << 32));
                case INT64 -> state.set(field, row, random.nextLong(-1L << 53, 1L << 53));
                default -> state.set(field, row, random.nextLong());
            }
        }
    }
}
