package io.escapement.engine;

import io.escapement.codecs.room.RefusalCode;
import io.escapement.codecs.trunk.TrunkCode;
import io.escapement.engine.internal.loop.ApplicationQuestions;
import io.escapement.rooms.CloseReason;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import io.escapement.testsupport.Tests;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Questions of the program to rooms: each future ends, with the answer or a code. */
class AskTest
{
    private static final int TYPE = 1;
    private static final int MUTE = 2;
    private static final int QUESTIONS = 4;
    private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(30);

    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[64]);

    private static EngineContext context()
    {
        return new EngineContext()
            .roomType(RoomType.of(TYPE, "oracle", 1, Oracle::new).questions(QUESTIONS))
            .roomType(RoomType.of(MUTE, "mute", 1, Oracle::new));
    }

    private CompletableFuture<byte[]> ask(final RoomHandle room, final String question, final long timeoutNs)
    {
        return room.ask(buffer, 0, buffer.putStringWithoutLengthAscii(0, question), timeoutNs);
    }

    private CompletableFuture<byte[]> ask(final RoomHandle room, final String question)
    {
        return ask(room, question, TIMEOUT_NS);
    }

    private static String answer(final TestEngine engine, final CompletableFuture<byte[]> future)
    {
        engine.await("an answer", future::isDone);
        return new String(future.join(), StandardCharsets.US_ASCII);
    }

    private static int code(final TestEngine engine, final CompletableFuture<byte[]> future)
    {
        engine.await("a refusal", future::isDone);
        return code(future);
    }

    private static int code(final CompletableFuture<byte[]> future)
    {
        final Throwable cause = assertThrows(CompletionException.class, future::join).getCause();
        return ((AskException)cause).code();
    }

    @Test
    void shouldGetAnswersAtOnceLaterAndWithACode()
    {
        try (TestEngine engine = new TestEngine(context()))
        {
            final RoomHandle room = engine.engine().openRoom(TYPE);
            final Thread[] thread = {null};
            final CompletableFuture<byte[]> later = ask(room, "later");
            assertEquals("0 echo", answer(engine, ask(room, "echo").whenComplete((bytes, thrown) ->
                thread[0] = Thread.currentThread())));
            assertFalse(later.isDone());
            assertFalse(thread[0] == Thread.currentThread(), "the thread of the engine ran code of the application");
            assertEquals(RoomLogic.FIRST_APPLICATION_CODE, code(engine, ask(room, "code")));
            ask(room, "now");
            assertEquals("later", answer(engine, later));
            final AskException refused = (AskException)assertThrows(CompletionException.class,
                () -> answer(engine, ask(engine.engine().openRoom(MUTE), "echo"))).getCause();
            assertEquals(RefusalCode.UNKNOWN_MESSAGE.value(), refused.code());
            assertTrue(refused.getMessage().endsWith(": UNKNOWN_MESSAGE"), refused.getMessage());
            assertEquals(List.of(), engine.errors());
        }
    }

    @Test
    void shouldEndQuestionsThatNobodyAnswers()
    {
        final CompletableFuture<byte[]> open;
        final RoomHandle other;
        try (TestEngine engine = new TestEngine(context()))
        {
            final RoomHandle room = engine.engine().openRoom(TYPE);
            other = engine.engine().openRoom(TYPE);
            assertEquals(RefusalCode.TIMED_OUT.value(), code(engine, ask(room, "later", 1_000_000)));
            final CompletableFuture<byte[]> closed = ask(room, "later");
            final CompletableFuture<byte[]> thrown = ask(room, "throw");
            assertEquals(RefusalCode.ROOM_FAILED.value(), code(engine, thrown));
            assertEquals(RefusalCode.ROOM_FAILED.value(), code(engine, closed));
            assertEquals(RefusalCode.UNKNOWN_ROOM.value(), code(engine, ask(room, "echo")));
            final CompletableFuture<byte[]> unanswered = ask(other, "later");
            other.close();
            assertEquals(RefusalCode.ROOM_CLOSED.value(), code(engine, unanswered));
            engine.errors().clear();
            open = ask(engine.engine().openRoom(TYPE), "later");
            engine.turn();
            assertFalse(open.isDone());
        }
        assertEquals(TrunkCode.ENGINE_STOPPING.value(), await(open));
        assertEquals(TrunkCode.ENGINE_STOPPING.value(), await(ask(other, "echo")));
    }

    @Test
    void shouldEndTheOpenQuestionsOfADrain()
    {
        try (TestEngine engine = new TestEngine(context()))
        {
            final CompletableFuture<byte[]> open = ask(engine.engine().openRoom(TYPE), "later");
            engine.turn();
            assertTrue(engine.engine().drain(TimeUnit.SECONDS.toNanos(10)).isClean());
            assertEquals(RefusalCode.ROOM_CLOSED.value(), await(open));
        }
    }

    /** The room takes four, the loop's inbox what it has slots for, and the engine a fixed number. */
    @Test
    void shouldLimitTheQuestionsOfTheProgram()
    {
        try (TestEngine engine = new TestEngine(context().inboxSlots(2 * ApplicationQuestions.LIMIT)))
        {
            final RoomHandle room = engine.engine().openRoom(TYPE);
            engine.turn();
            final List<CompletableFuture<byte[]>> asked = new ArrayList<>();
            for (int i = 0; i <= ApplicationQuestions.LIMIT; i++)
            {
                asked.add(ask(room, "later"));
            }
            assertEquals(RefusalCode.QUEUE_FULL.value(), await(asked.get(ApplicationQuestions.LIMIT)));
            assertFalse(asked.get(ApplicationQuestions.LIMIT - 1).isDone());
            engine.await("the refusals of the room", () ->
                ApplicationQuestions.LIMIT + 1 - QUESTIONS == asked.stream().filter(CompletableFuture::isDone).count());
            assertFalse(asked.get(QUESTIONS - 1).isDone());
            assertEquals(RefusalCode.QUEUE_FULL.value(), code(asked.get(QUESTIONS)));
            room.close();
            assertEquals(RefusalCode.ROOM_CLOSED.value(), code(engine, asked.get(0)));
        }
    }

    @Test
    void shouldEndAQuestionThatNoTurnRuns()
    {
        try (TestEngine engine = new TestEngine(context().inboxSlots(16)))
        {
            final RoomHandle room = engine.engine().openRoom(TYPE);
            engine.turn();
            final CompletableFuture<byte[]> notRun = ask(room, "echo", 1);
            for (int i = 0; i < 16; i++)
            {
                room.signal(buffer, 0, 0);
            }
            assertEquals(RefusalCode.QUEUE_FULL.value(), await(ask(room, "echo")));
            assertEquals(RefusalCode.TIMED_OUT.value(), await(notRun));
            assertThrows(IllegalArgumentException.class, () -> ask(room, "echo", 0));
            assertThrows(IllegalArgumentException.class, () -> room.ask(buffer, 0, 1_921, 1));
        }
    }

    /** A durable room still has the question of the engine before, whose program is gone, and answers those of this. */
    @Test
    void shouldNotMistakeTheAnswerToAQuestionOfAnEarlierStart(@TempDir final Path directory)
    {
        final Path journal = directory.resolve("journal");
        final CompletableFuture<byte[]> before;
        try (TestEngine engine = new TestEngine(context().durability(Durability.journal(journal))))
        {
            final RoomHandle room = engine.engine().openRoom(TYPE);
            before = ask(room, "later");
            assertEquals("0 echo", answer(engine, ask(room, "echo")));
        }
        assertEquals(TrunkCode.ENGINE_STOPPING.value(), await(before));
        try (TestEngine engine = new TestEngine(context().durability(Durability.journal(journal))))
        {
            final RoomHandle room = engine.engine().recoveredRooms(TYPE).get(0);
            final CompletableFuture<byte[]> after = ask(room, "later");
            final CompletableFuture<byte[]> third = ask(room, "echo");
            assertEquals("0 echo", answer(engine, third));
            ask(room, "now");
            assertEquals("later", answer(engine, after));
            assertEquals(List.of(), engine.errors());
        }
    }

    private static int await(final CompletableFuture<byte[]> future)
    {
        Tests.await(future::isDone, "the end of a question");
        return code(future);
    }

    /** Echoes, keeps, refuses, or throws, and answers at "now" what it has kept. */
    private static final class Oracle implements RoomLogic
    {
        private final UnsafeBuffer bytes = new UnsafeBuffer(new byte[64]);
        private final List<Long> kept = new ArrayList<>();
        private Room room;

        @Override
        public void onOpen(final Room opened, final DirectBuffer args, final int offset, final int length)
        {
            room = opened;
        }

        @Override
        public void onMessage(final Seat from, final DirectBuffer source, final int offset, final int length)
        {
        }

        @Override
        public void onAsk(
            final long askId, final long from, final DirectBuffer source, final int offset, final int length)
        {
            final String question = source.getStringWithoutLengthAscii(offset, length);
            switch (question)
            {
                case "echo" ->
                    room.answer(askId, 0, bytes, 0, bytes.putStringWithoutLengthAscii(0, from + " " + question));
                case "code" -> room.answer(askId, FIRST_APPLICATION_CODE, bytes, 0, 0);
                case "later" -> kept.add(askId);
                case "now" ->
                {
                    room.answer(askId, 0, bytes, 0, 0);
                    kept.forEach((id) ->
                        room.answer(id, 0, bytes, 0, bytes.putStringWithoutLengthAscii(0, "later")));
                    kept.clear();
                }
                default -> throw new IllegalStateException("on purpose");
            }
        }

        @Override
        public void onClose(final CloseReason reason)
        {
            kept.clear();
        }

        @Override
        public void onSnapshot(final StateWriter writer)
        {
            writer.putInt(kept.size());
            kept.forEach(writer::putLong);
        }

        @Override
        public void onRestore(final Room restored, final int version, final StateReader reader)
        {
            room = restored;
            for (int i = reader.getInt(); i > 0; i--)
            {
                kept.add(reader.getLong());
            }
        }
    }
}
