package io.escapement.engine;

import io.escapement.client.ClientSeat;
import io.escapement.client.SendStatus;
import io.escapement.client.TrunkListener;
import io.escapement.codecs.room.RefusalCode;
import io.escapement.config.ConfigException;
import io.escapement.engine.spi.AsyncService;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Requests of rooms to services, and their replies. */
class ServiceTest
{
    private static final int DOUBLING = 5;
    private static final int UNKNOWN = 6;
    private static final int KEYS = 8;
    private static final int REQUESTS = 2_000;
    /** Fewer than may be open, so that slow workers answer late and refuse nothing. */
    private static final int OPEN_REQUESTS = 256;

    private final Map<Long, Set<String>> threadsByKeyMap = new ConcurrentHashMap<>();

    @Test
    void shouldAnswerEachRequestInTheOrderOfItsKey()
    {
        final Map<Long, List<Long>> answersByKeyMap = new TreeMap<>();
        try (TestEngine engine = engine(this::doubled); TestTrunk trunk = trunk(engine, answersByKeyMap))
        {
            final ClientSeat seat = trunk.join(engine, engine.engine().openRoom(1).roomId(), 7);
            final long[] sent = new long[1];
            engine.await("every answer", trunk, () ->
            {
                final int answered = answersByKeyMap.values().stream().mapToInt(List::size).sum();
                if (sent[0] < Math.min(REQUESTS, answered + OPEN_REQUESTS) &&
                    ask(trunk, seat, DOUBLING, sent[0] % KEYS, sent[0]))
                {
                    sent[0]++;
                }
                return REQUESTS == answered;
            });
            answersByKeyMap.forEach((key, answers) ->
            {
                for (int i = 0; i < answers.size(); i++)
                {
                    assertEquals(2 * (key + (long)i * KEYS), answers.get(i), "answer " + i + " of key " + key);
                }
                assertEquals(1, threadsByKeyMap.get(key).size(), "a key has one worker");
            });
            assertTrue(threadsByKeyMap.values().stream().flatMap(Set::stream).distinct().count() > 1,
                "keys are spread over workers");
        }
    }

    @Test
    void shouldSayWhatTheServiceSaysAndThatItThrew()
    {
        final Map<Long, List<Long>> statusByKeyMap = new TreeMap<>();
        try (TestEngine engine = engine((request) ->
        {
            if (1 == request.orderKey())
            {
                throw new IllegalStateException("on purpose");
            }
            return ~2_000;
        }); TestTrunk trunk = trunk(engine, statusByKeyMap))
        {
            final ClientSeat seat = trunk.join(engine, engine.engine().openRoom(1).roomId(), 7);
            engine.await("requests", trunk, () -> ask(trunk, seat, DOUBLING, 0, 1));
            engine.await("requests", trunk, () -> ask(trunk, seat, DOUBLING, 1, 1));
            engine.await("requests", trunk, () -> ask(trunk, seat, UNKNOWN, 2, 1));
            engine.await("answers", trunk, () -> 3 == statusByKeyMap.size());
            assertEquals(List.of(-2_000L), statusByKeyMap.get(0L));
            assertEquals(List.of(-(long)RefusalCode.SERVICE_FAILED.value()), statusByKeyMap.get(1L));
            assertEquals(List.of(-(long)RefusalCode.UNKNOWN_SERVICE.value()), statusByKeyMap.get(2L));
            assertEquals("on purpose", engine.errors().remove(0).getMessage());
        }
    }

    @Test
    void shouldKeepWhatTheServiceHasNoRoomFor() throws InterruptedException
    {
        final CountDownLatch gate = new CountDownLatch(1);
        final Map<Long, List<Long>> answersByKeyMap = new TreeMap<>();
        try (TestEngine engine = engine((request) ->
        {
            gate.await();
            return doubled(request);
        }); TestTrunk trunk = trunk(engine, answersByKeyMap))
        {
            final ClientSeat seat = trunk.join(engine, engine.engine().openRoom(1).roomId(), 7);
            final int asked = 600;
            final long[] sent = new long[1];
            engine.await("every request to be sent", trunk, () ->
            {
                sent[0] += sent[0] < asked && ask(trunk, seat, DOUBLING, 3, sent[0]) ? 1 : 0;
                return asked == sent[0];
            });
            final List<Long> answers = answersByKeyMap.computeIfAbsent(3L, (key) -> new ArrayList<>());
            // Half the inbox is reserved for 512 replies. The other requests wait in the state of the loop.
            engine.await("the service to be full", trunk,
                () -> asked == engine.engine().counter("escapement loop 0: requests to services open"));
            gate.countDown();
            engine.await("all answers", trunk, () -> asked == answers.size());
            for (int i = 0; i < asked; i++)
            {
                assertEquals(2L * i, answers.get(i));
            }
            engine.await("another", trunk, () -> ask(trunk, seat, DOUBLING, 3, asked));
            engine.await("its answer: credits are back", trunk, () -> asked + 1 == answers.size());
            assertEquals(2L * asked, answers.get(asked));
            assertEquals(0, engine.engine().counter("escapement loop 0: requests to services open"));
        }
    }

    @Test
    void shouldWaitForServicesWhenDraining()
    {
        try (TestEngine engine = engine(this::doubled); TestTrunk trunk = trunk(engine, new TreeMap<>()))
        {
            final ClientSeat seat = trunk.join(engine, engine.engine().openRoom(1).roomId(), 7);
            for (int i = 0; i < 100; i++)
            {
                engine.await("requests", trunk, () -> ask(trunk, seat, DOUBLING, 0, 1));
            }
            final DrainReport report = engine.drain(trunk, TimeUnit.SECONDS.toNanos(1));
            assertTrue(report.isClean(), report::toString);
        }
    }

    @Test
    void shouldNameAWrongService()
    {
        final EngineContext context = new EngineContext().service(1, "one", 1, () -> this::doubled);
        final ConfigException twice = assertThrows(ConfigException.class,
            () -> context.service(1, "other", 1, () -> this::doubled));
        assertEquals("service other: id: 1: used by service one, choose another id", twice.getMessage());
        final ConfigException none = assertThrows(ConfigException.class,
            () -> context.service(2, "other", 0, () -> this::doubled));
        assertEquals("service other: workers: 0: use 1 to 64", none.getMessage());
    }

    private TestEngine engine(final AsyncService service)
    {
        return new TestEngine(new EngineContext()
            .roomType(RoomType.of(1, "asking", 1, Asking::new).requests(4_096))
            .service(DOUBLING, "doubling", 3, () -> service));
    }

    private int doubled(final AsyncService.Request request)
    {
        threadsByKeyMap.computeIfAbsent(request.orderKey(), (key) -> ConcurrentHashMap.newKeySet())
            .add(Thread.currentThread().getName());
        request.reply().putLong(0, 2 * request.buffer().getLong(request.offset()));
        return Long.BYTES;
    }

    private static TestTrunk trunk(final TestEngine engine, final Map<Long, List<Long>> answersByKeyMap)
    {
        return TestTrunk.over(engine).forwardTo(new TrunkListener()
        {
            @Override
            public void onEvent(final ClientSeat seat, final DirectBuffer buffer, final int offset, final int length)
            {
                answersByKeyMap.computeIfAbsent(buffer.getLong(offset), (key) -> new ArrayList<>())
                    .add(buffer.getLong(offset + Long.BYTES));
            }
        });
    }

    private static boolean ask(
        final TestTrunk trunk, final ClientSeat seat, final int service, final long key, final long value)
    {
        final UnsafeBuffer message = new UnsafeBuffer(new byte[3 * Long.BYTES]);
        message.putLong(0, service);
        message.putLong(8, key);
        message.putLong(16, value);
        return SendStatus.SENT == trunk.client().send(seat, message, 0, message.capacity());
    }

    /** Forwards requests, and sends the key and the reply, or the status as a negative number. */
    private static final class Asking implements RoomLogic
    {
        private final Map<Long, Long> keyByCorrelationMap = new TreeMap<>();
        private final UnsafeBuffer out = new UnsafeBuffer(new byte[2 * Long.BYTES]);
        private Room room;

        @Override
        public void onOpen(final Room opened, final DirectBuffer args, final int offset, final int length)
        {
            room = opened;
        }

        @Override
        public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
        {
            final long key = buffer.getLong(offset + 8);
            keyByCorrelationMap.put(
                room.async((int)buffer.getLong(offset), key, buffer, offset + 16, Long.BYTES), key);
        }

        @Override
        public void onReply(
            final long correlationId, final int status, final DirectBuffer buffer, final int offset, final int length)
        {
            out.putLong(0, keyByCorrelationMap.remove(correlationId));
            out.putLong(8, 0 == status ? buffer.getLong(offset) : -status);
            room.sendEvent(room.everyone(), out, 0, out.capacity());
        }
    }
}
