package io.escapement.matchmaking;

import io.escapement.codecs.SchemaWalk;
import io.escapement.codecs.room.RefusalCode;
import io.escapement.codecs.room.RoomEncoder;
import io.escapement.matchmaking.codecs.CancelPlayerDecoder;
import io.escapement.matchmaking.codecs.EnqueuePlayerDecoder;
import io.escapement.matchmaking.codecs.MatchmakingCode;
import io.escapement.matchmaking.codecs.QueuedDecoder;
import io.escapement.matchmaking.codecs.RatingDecoder;
import java.nio.ByteOrder;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

/** Every id of matchmaking.xml, and two that it does not have, through the dispatchers of a matchmaker. */
class DispatchersTest
{
    private static final long PLAYER = 11;
    private static final int PLAYER_ID_OFFSET = 8;
    private static final int FRAMES = 3;

    private final SchemaWalk schema = new SchemaWalk("/io/escapement/matchmaking/matchmaking.xml");
    private MatchRig rig = new MatchRig(context(), 2);

    private static MatchmakerContext context()
    {
        return new MatchmakerContext(MatchRig.MATCH, 2);
    }

    @AfterEach
    void shouldNotHaveFailed()
    {
        assertEquals(List.of(), rig.bench.failures());
        rig.bench.replayAndCompare();
    }

    @Test
    void shouldTakeEveryMessageOfAPlayerAndRefuseTheRest()
    {
        for (final int id : schema.everyId())
        {
            rig = new MatchRig(context(), 2);
            final MatchRig.Player player = rig.join(PLAYER);
            final byte[] message = schema.message(id);
            player.seat.send(new UnsafeBuffer(message), 0, message.length);
            rig.bench.step(FRAMES);
            if (schema.has(id, 1, QueuedDecoder.TEMPLATE_ID))
            {
                assertFalse(player.seat.refusals().contains(RefusalCode.UNKNOWN_MESSAGE.value()), "template " + id);
                continue;
            }
            assertEquals(List.of(RefusalCode.UNKNOWN_MESSAGE.value()), player.seat.refusals(), "template " + id);
            assertEquals(List.of(), player.events(), "template " + id);
        }
    }

    @Test
    void shouldTakeTheQuestionOfARoomAndRefuseTheRest()
    {
        for (final int id : schema.everyId())
        {
            // The room of this test sends CancelPlayer as a signal.
            if (CancelPlayerDecoder.TEMPLATE_ID != id)
            {
                rig = new MatchRig(context(), 2);
                rig.ask(ofPlayer(id).byteArray());
                rig.bench.step(FRAMES);
                assertEquals(0, rig.answer(PLAYER), "template " + id);
                assertEquals(EnqueuePlayerDecoder.TEMPLATE_ID == id ? 0 : -MatchmakingCode.BAD_REQUEST.value(),
                    rig.answer(MatchRig.NO_PLAYER), "template " + id);
            }
        }
    }

    @Test
    void shouldTakeTheSignalOfARoomAndIgnoreTheRest()
    {
        final UnsafeBuffer command = new UnsafeBuffer(new byte[512]);
        for (final int id : schema.everyId())
        {
            rig = new MatchRig(context(), 2);
            rig.ask(PLAYER, 1_000);
            final UnsafeBuffer signal = ofPlayer(id);
            assertEquals(0, rig.bench.command(command, 0, new RoomEncoder()
                .signal(command, 0, rig.bench.roomId(), 0, 0, signal, 0, signal.capacity())));
            rig.bench.step(FRAMES);
            assertEquals(CancelPlayerDecoder.TEMPLATE_ID == id ? -MatchmakingCode.CANCELLED.value() : 0,
                rig.answer(PLAYER), "template " + id);
        }
    }

    @Test
    void shouldTakeTheAnswerOfAServiceAndRefuseTheRest()
    {
        for (final int id : schema.everyId())
        {
            rig = new MatchRig(context().ratingService(MatchRig.SERVICE), 2);
            rig.bench.service(MatchRig.SERVICE, (orderKey, request) -> schema.message(id));
            final MatchRig.Player player = rig.join(PLAYER);
            player.enqueue(1_000);
            rig.bench.step(FRAMES);
            final boolean isRating = RatingDecoder.TEMPLATE_ID == id;
            assertEquals(isRating ? List.of() : List.of(MatchmakingCode.NO_RATING.value()), player.seat.refusals(),
                "template " + id);
            assertEquals(isRating ? List.of("queued 0") : List.of(), player.events(), "template " + id);
        }
    }

    /** A message that concerns the player if it names any. */
    private UnsafeBuffer ofPlayer(final int id)
    {
        final UnsafeBuffer message = new UnsafeBuffer(schema.message(id));
        if (message.capacity() >= PLAYER_ID_OFFSET + Long.BYTES)
        {
            message.putLong(PLAYER_ID_OFFSET, PLAYER, ByteOrder.LITTLE_ENDIAN);
        }
        return message;
    }
}
