package io.escapement.gateway;

import io.escapement.codecs.PlayerMessages;
import io.escapement.codecs.SchemaWalk;
import io.escapement.codecs.player.CloseCode;
import io.escapement.codecs.player.HelloDecoder;
import io.escapement.codecs.trunk.AwayDecoder;
import io.escapement.codecs.trunk.CancelJoinDecoder;
import io.escapement.codecs.trunk.JoinDecoder;
import io.escapement.codecs.trunk.LeaveDecoder;
import io.escapement.codecs.trunk.SendDecoder;
import io.escapement.codecs.trunk.TrunkCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

/** Every id of the schemas, and two that they do not have, through the dispatchers of a gateway. */
class DispatchersTest
{
    private static final long SEATED_ROOM = 1;
    private static final long HELD_ROOM = 2;
    /** Messages of a gateway to the engine whose refusal changes something. */
    private static final Set<Integer> AWAITED = Set.of(JoinDecoder.TEMPLATE_ID, SendDecoder.TEMPLATE_ID,
        LeaveDecoder.TEMPLATE_ID, CancelJoinDecoder.TEMPLATE_ID, AwayDecoder.TEMPLATE_ID);

    @Test
    void shouldTakeEveryMessageOfAPlayerAndCloseForTheRest()
    {
        final SchemaWalk schema = new SchemaWalk("player.xml");
        for (final int id : schema.everyId())
        {
            final GatewayBench bench = new GatewayBench();
            final FakeLink link = HelloDecoder.TEMPLATE_ID == id ?
                new FakeLink().open(bench.sessions, "10.0.0.1") : bench.seated(7, SEATED_ROOM);
            bench.engine.log.clear();
            final byte[] message = schema.message(id);
            link.connection.onMessage(new UnsafeBuffer(message), 0, message.length);
            if (schema.has(id, 1, PlayerMessages.FIRST_REPLY))
            {
                assertNotEquals(CloseCode.MALFORMED, link.closed, "template " + id);
                continue;
            }
            assertEquals(CloseCode.MALFORMED, link.closed, "template " + id);
            assertEquals(List.of(), link.received, "template " + id);
            assertEquals(List.of(), bench.engine.log, "template " + id);
        }
    }

    @Test
    void shouldPassOnRefusalsOfWhatIsAwaitedAndIgnoreTheRest()
    {
        final SchemaWalk schema = new SchemaWalk("trunk.xml");
        for (final int id : schema.everyId())
        {
            final List<String> effects = effectsOfRefusals(id);
            if (AWAITED.contains(id))
            {
                assertFalse(effects.isEmpty(), "template " + id);
            }
            else
            {
                assertEquals(List.of(), effects, "template " + id);
            }
        }
    }

    /** The engine refuses, by its rate, a message of this id for a seat, for a held seat, and for two joins. */
    private static List<String> effectsOfRefusals(final int templateId)
    {
        final GatewayBench bench = new GatewayBench();
        final FakeLink seated = bench.seated(1, SEATED_ROOM);
        bench.seated(2, HELD_ROOM).lose();
        final FakeLink waiting = waiting(bench, 3);
        final FakeLink cancelling = waiting(bench, 4);
        cancelling.leave(FakeEngine.ASKING_ROOM);
        bench.sessions.beginTurn();
        bench.sessions.endTurn();
        bench.engine.log.clear();

        final int code = TrunkCode.RATE_LIMITED.value();
        bench.engine.seatByRoomAndPlayerMap.values().forEach((seat) ->
            bench.engine.listener.onRefused(templateId, seat.roomId, seat.index, 1, code));
        for (final Map.Entry<Long, Long> join : bench.engine.waiting.entrySet())
        {
            bench.engine.listener.onRefused(templateId, FakeEngine.ASKING_ROOM, -1, join.getKey(), code);
        }
        bench.sessions.beginTurn();
        bench.sessions.endTurn();
        final List<String> effects = new ArrayList<>(bench.engine.log);
        effects.addAll(seated.take());
        effects.addAll(waiting.take());
        effects.addAll(cancelling.take());
        return effects;
    }

    private static FakeLink waiting(final GatewayBench bench, final long playerId)
    {
        final FakeLink link = bench.player(playerId);
        link.join(9, FakeEngine.ASKING_ROOM);
        bench.turns(3);
        link.take();
        return link;
    }
}
