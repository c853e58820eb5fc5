package io.escapement.rooms.host;

import io.escapement.codecs.room.RoomEncoder;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.host.RecordedOutputs.Kind;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** A message reaches the players who were seated when it was sent, and no player who comes later in the turn. */
class FlushBeforeSeatChangeTest
{
    private static final int STAYS = 1;
    private static final int CHANGES = 2;
    private static final int OTHER_LINK = 3;

    private final RoomEncoder encoder = new RoomEncoder();
    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[256]);
    private final RecordedOutputs outputs = new RecordedOutputs();
    private final Quiet logic = new Quiet();
    private final RoomHost host = new RoomHost(new HostContext()
        .roomType(RoomType.of(1, "sending", 1, () -> logic).seats(4)).outputs(outputs));

    @Test
    void shouldNotReachAPlayerWhoJoinsLater()
    {
        open(STAYS);
        afterASend(() -> join(CHANGES, CHANGES));
        assertEquals(List.of("message to 1", "control to 2"), sent());
    }

    @Test
    void shouldNotReachAPlayerWhoReturnsLater()
    {
        open(STAYS, CHANGES);
        command(encoder.linkDown(buffer, 0, CHANGES));
        afterASend(() -> join(CHANGES, OTHER_LINK));
        assertEquals(List.of("message to 1", "control to 3"), sent());
    }

    @Test
    void shouldNotReachAPlayerWhoseTrunkIsResumedLater()
    {
        open(STAYS, CHANGES);
        command(encoder.linkDown(buffer, 0, CHANGES));
        afterASend(() -> command(encoder.linkResumed(buffer, 0, CHANGES, CHANGES, CHANGES)));
        assertEquals(List.of("message to 1", "control to 2"), sent());
    }

    @Test
    void shouldReachAPlayerWhoLeavesLater()
    {
        open(STAYS, CHANGES);
        afterASend(() -> command(encoder.leave(buffer, 0, 1, 1, 1, CHANGES)));
        assertEquals(List.of("message to 1", "message to 2", "control to 2"), sent());
    }

    @Test
    void shouldReachAPlayerAtTheLinkThatItMovesFrom()
    {
        open(STAYS, CHANGES);
        afterASend(() -> join(CHANGES, OTHER_LINK));
        assertEquals(List.of("message to 1", "message to 2", "control to 2", "control to 3"), sent());
    }

    /** Open the room for players, each at the link of its number. */
    private void open(final int... players)
    {
        host.beginTurn(1);
        command(encoder.openRoom(buffer, 0, 1, 1, 0, 0, 1, buffer, 0, 0));
        for (int link = STAYS; link <= OTHER_LINK; link++)
        {
            command(encoder.linkUp(buffer, 0, link, link));
        }
        for (final int player : players)
        {
            join(player, player);
        }
        host.endTurn();
        host.beginTurn(2);
    }

    /** Let the room send to everyone, then change a seat in the same turn. */
    private void afterASend(final Runnable change)
    {
        logic.onSignal = () -> logic.room.sendEvent(logic.room.everyone(), new UnsafeBuffer(new byte[8]), 0, 8);
        command(encoder.signal(buffer, 0, 1, 0, 0, new UnsafeBuffer(new byte[8]), 0, 8));
        outputs.take();
        change.run();
        host.endTurn();
    }

    /** Messages and control output, in order. */
    private List<String> sent()
    {
        return outputs.take().stream()
            .filter((output) -> Kind.MESSAGE == output.kind() || Kind.LINK == output.kind()).map((output) ->
            (Kind.MESSAGE == output.kind() ? "message to " : "control to ") + output.link()).toList();
    }

    private void join(final long player, final int link)
    {
        command(encoder.join(buffer, 0, 1, player, 0, link, buffer, 0, 0));
    }

    private void command(final int length)
    {
        assertEquals(0, host.onCommand(buffer, 0, length));
    }
}
