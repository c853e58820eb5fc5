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
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BiConsumer;
import org.agrona.DirectBuffer;
import org.agrona.IoUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.graalvm.polyglot.Value;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * sync.js and the copy in Java do the same with the same bytes: with messages of a room in and out of order, and with
 * bytes that no room sends.
 */
class SyncTest
{
    private static final Path MODULE = Path.of("target", "classes", "META-INF", "resources", "escapement", "sync.js");
    private static final String SCRIPT = "sync-test.js";
    private static final int FRAMES = 140;
    private static final int REPORT_EVERY = 8;
    private static final long SEED = 20_261_124;
    private static final int TEMPLATE = 2;
    private static final int SEQUENCE = 12;
    private static final int VIEW = 16;
    private static final int PART = 18;
    private static final int IS_LAST = 19;
    /** The state of this number has the number 0. */
    private static final int WRAP_AT = 60;

    private static final SyncSchema.Builder BUILDER = SyncSchema.named("web");
    private static final int ROUND = BUILDER.field("round", Type.INT32);
    private static final int NAME = BUILDER.text("name", 40);
    private static final int THINGS = BUILDER.entities("things", 20);
    private static final int FIRST = BUILDER.field("bool", Type.BOOL);
    private static final int LAST = fields();
    private static final SyncSchema SCHEMA = BUILDER.build();

    private final int[] results = new int[SyncedCopy.Result.values().length];
    private int frames;
    private int framesFromHeld;
    private int applied;
    private final SyncedCopy twin = new SyncedCopy(SCHEMA, new SyncedCopy.Listener()
    {
        @Override
        public void onFrame()
        {
            frames++;
        }
    });

    private static int fields()
    {
        for (final Type type : Type.values())
        {
            if (Type.TEXT != type)
            {
                BUILDER.field("of_" + type, type);
            }
        }
        // Two long texts make a full state longer than a message.
        BUILDER.text("text1", 250);
        return BUILDER.text("text2", 250);
    }

    @Test
    void shouldDoWhatTheCopyInJavaDoes() throws IOException
    {
        compare(this::compareInOrder);
        // Without these the test would compare nothing.
        final String counts = Arrays.toString(results);
        assertTrue(results[SyncedCopy.Result.APPLIED.ordinal()] > 50, counts);
        assertTrue(results[SyncedCopy.Result.INCOMPLETE.ordinal()] > 5, counts);
        assertTrue(results[SyncedCopy.Result.HELD.ordinal()] > 10, counts);
        assertTrue(results[SyncedCopy.Result.IGNORED.ordinal()] > 0, counts);
        assertTrue(results[SyncedCopy.Result.MALFORMED.ordinal()] > 5, counts);
    }

    @Test
    void shouldHoldWhatTheCopyInJavaHolds() throws IOException
    {
        compare(this::compareOutOfOrder);
        final String counts = Arrays.toString(results) + ", " + framesFromHeld + " from held messages";
        assertTrue(results[SyncedCopy.Result.APPLIED.ordinal()] > 80, counts);
        assertTrue(results[SyncedCopy.Result.INCOMPLETE.ordinal()] > 10, counts);
        assertTrue(results[SyncedCopy.Result.HELD.ordinal()] > 100, counts);
        assertTrue(results[SyncedCopy.Result.IGNORED.ordinal()] > 20, counts);
        assertTrue(results[SyncedCopy.Result.MALFORMED.ordinal()] > 5, counts);
        assertTrue(framesFromHeld > 20, counts);
    }

    @Test
    void shouldHaveTheLimitsOfTheCopyInJava() throws IOException
    {
        compare(this::compareLimits);
        assertTrue(framesFromHeld > 3 * SyncedCopy.MAX_HELD_MESSAGES, Integer.toString(framesFromHeld));
    }

    private void compare(final BiConsumer<JavaScriptModules, Value> comparison) throws IOException
    {
        final Path directory = Files.createDirectories(Tests.newDirectory());
        try (JavaScriptModules scripts = new JavaScriptModules();
            InputStream in = SyncTest.class.getResourceAsStream(SCRIPT))
        {
            Files.copy(MODULE, directory.resolve("sync.js"));
            Files.copy(in, directory.resolve(SCRIPT));
            final Value copy =
                scripts.load(directory.resolve(SCRIPT)).getMember("open").execute(SCHEMA.toJson());
            comparison.accept(scripts, copy);
        }
        finally
        {
            IoUtil.delete(directory.toFile(), true);
        }
    }

    private void compareInOrder(final JavaScriptModules scripts, final Value copy)
    {
        final SplittableRandom random = new SplittableRandom(SEED);
        for (final byte[] message : messages(1, FRAMES))
        {
            apply(scripts, copy, 0 == random.nextInt(6) ? mutate(message, random) : message);
        }
    }

    /** Messages that are split, late, lost, too long or of another view, and a copy that is reset. */
    private void compareOutOfOrder(final JavaScriptModules scripts, final Value copy)
    {
        final SplittableRandom random = new SplittableRandom(SEED);
        final List<byte[]> inFlight = new ArrayList<>();
        for (final byte[] received : messages(2, 3 * FRAMES))
        {
            final byte[] message = shifted(received, -WRAP_AT);
            inFlight.add(message);
            if (0 == message[PART] && 1 == message[IS_LAST] && 0 == random.nextInt(4))
            {
                message[IS_LAST] = 0;
                final byte[] last = Arrays.copyOf(message, SyncSchema.HEADER_LENGTH);
                last[PART] = 1;
                last[IS_LAST] = 1;
                inFlight.add(last);
            }
            // Now and then more than a copy holds.
            final int most = 0 == random.nextInt(20) ? 40 : random.nextInt(6);
            while (inFlight.size() > most)
            {
                deliver(scripts, copy, inFlight.remove(random.nextInt(1 + random.nextInt(inFlight.size()))), random);
            }
            if (0 == random.nextInt(50))
            {
                twin.reset();
                copy.invokeMember("reset");
            }
        }
    }

    /** One message more than a copy holds, and one byte more, where the sequence is the largest. */
    private void compareLimits(final JavaScriptModules scripts, final Value copy)
    {
        final List<byte[]> received = messages(2, FRAMES);
        final List<byte[]> fullState = received.stream()
            .takeWhile((bytes) -> SyncSchema.FULL_STATE == bytes[TEMPLATE]).toList();
        final List<byte[]> differences = received.stream().filter((bytes) -> SyncSchema.DIFFERENCE == bytes[TEMPLATE])
            .limit(SyncedCopy.MAX_HELD_MESSAGES + 1).toList();
        final int base = new UnsafeBuffer(fullState.get(0)).getInt(SEQUENCE, ByteOrder.LITTLE_ENDIAN);
        for (final int first : new int[]{0, -1, -5, Integer.MAX_VALUE, Integer.MAX_VALUE - 5})
        {
            twin.reset();
            copy.invokeMember("reset");
            differences.forEach((bytes) -> apply(scripts, copy, shifted(bytes, first - base)));
            fullState.forEach((bytes) -> apply(scripts, copy, shifted(bytes, first - base)));
            assertEquals(first, twin.sequence(), "the first difference was dropped");
            apply(scripts, copy, shifted(differences.get(0), first - base));
            assertEquals(first + differences.size(), twin.sequence());
            differences.forEach((bytes) -> apply(scripts, copy, shifted(bytes, first - base)));
            fullState.forEach((bytes) -> apply(scripts, copy, shifted(bytes, first - base)));
            assertEquals(first + differences.size(), twin.sequence());
        }
        for (int more = 0; more < 2; more++)
        {
            twin.reset();
            copy.invokeMember("reset");
            apply(scripts, copy, differences.get(0));
            apply(scripts, copy, Arrays.copyOf(differences.get(1),
                SyncedCopy.MAX_HELD_LENGTH - differences.get(0).length + more));
            fullState.forEach((bytes) -> apply(scripts, copy, bytes));
            assertEquals(base + 1 - more, twin.sequence());
        }
    }

    private static byte[] shifted(final byte[] message, final int by)
    {
        final byte[] bytes = message.clone();
        final UnsafeBuffer buffer = new UnsafeBuffer(bytes);
        buffer.putInt(SEQUENCE, buffer.getInt(SEQUENCE, ByteOrder.LITTLE_ENDIAN) + by, ByteOrder.LITTLE_ENDIAN);
        return bytes;
    }

    private void deliver(
        final JavaScriptModules scripts, final Value copy, final byte[] message, final SplittableRandom random)
    {
        switch (random.nextInt(40))
        {
            case 0 ->
            {
                // Lost.
            }
            case 1 -> apply(scripts, copy, mutate(message, random));
            case 2 -> apply(scripts, copy, Arrays.copyOf(message, SyncedCopy.MAX_HELD_LENGTH / 3));
            case 3 -> apply(scripts, copy, Arrays.copyOf(message, SyncedCopy.MAX_HELD_LENGTH + random.nextInt(2)));
            case 4 ->
            {
                message[VIEW] = 1;
                apply(scripts, copy, message);
            }
            case 5 ->
            {
                apply(scripts, copy, message);
                apply(scripts, copy, message);
            }
            default -> apply(scripts, copy, message);
        }
    }

    private void apply(final JavaScriptModules scripts, final Value copy, final byte[] bytes)
    {
        final int framesBefore = frames;
        final SyncedCopy.Result result = twin.apply(new UnsafeBuffer(bytes), 0, bytes.length);
        final String number = "seed " + SEED + ", message " + applied;
        assertEquals(result.name(), copy.invokeMember("apply", scripts.buffer(bytes)).asString(), number);
        final String held = held(twin);
        assertEquals(held, copy.invokeMember("held").asString(), number);
        assertEquals(twin.isCurrent() + " " + twin.isBehind() + " " + Integer.toUnsignedLong(twin.sequence()) + " " +
            twin.view() + " " + twin.malformedCount(), copy.invokeMember("figures").asString(), number);
        assertEquals(frames, copy.invokeMember("frames").asInt(), number);
        if (0 == applied % REPORT_EVERY)
        {
            assertEquals(held, copy.invokeMember("reported").asString(), number);
        }
        framesFromHeld += frames > framesBefore ? frames - framesBefore - 1 : 0;
        applied++;
        results[result.ordinal()]++;
    }

    private static byte[] mutate(final byte[] message, final SplittableRandom random)
    {
        final byte[] bytes = Arrays.copyOf(message, message.length + random.nextInt(-1, 2));
        final int at = random.nextInt(bytes.length);
        bytes[at] ^= (byte)(1 << random.nextInt(8));
        return bytes;
    }

    /** Messages to the first of some players. The state of more than one has differences between the full states. */
    private static List<byte[]> messages(final int players, final int count)
    {
        final RoomBench bench = RoomBench.of(RoomType.of(1, "web", 1, Things::new).seats(2).outputLimit(128 * 1024));
        final BenchSeat seat = bench.join(7);
        for (int player = 1; player < players; player++)
        {
            bench.join(7 + player);
        }
        bench.step(count);
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
                state.requestFullState(room.seat(0));
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
