package io.escapement.rooms.host;

import io.escapement.codecs.room.RefusalCode;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;

class RequestLimitTest
{
    private static final int TYPE = 1;
    private static final int LIMIT = 3;

    private final List<Long> ids = new ArrayList<>();
    private final List<Integer> left = new ArrayList<>();
    private final List<Integer> codes = new ArrayList<>();
    private final List<Long> refused = new ArrayList<>();
    private int asksAgain;
    private final HostRig rig = new HostRig(RoomType.of(TYPE, "asking", 1, Asking::new).requests(LIMIT));

    @Test
    void shouldCountTheRequestsThatMayStillBeMade()
    {
        ask(5);
        assertEquals(List.of(3, 2, 1, 0, 0, 0), left);
        left.clear();
        rig.turn(2, () -> rig.command(rig.encoder.reply(rig.buffer, 0, 1, 2, 0, rig.payload, 0, 0)));
        ask(0);
        assertEquals(List.of(1), left);
        rig.assertReplays();
    }

    @Test
    void shouldRefuseFurtherRequestsAtOnceAndKeepTheRoomOpen()
    {
        ask(LIMIT + Room.MAX_REFUSALS + 10);
        assertEquals(LIMIT + Room.MAX_REFUSALS, ids.stream().filter((id) -> Room.NO_REQUEST != id).count());
        assertEquals(List.of(), rig.failures);
        assertEquals(1, rig.host.openRooms());

        rig.turn(20_000_000, () ->
        {
        });
        assertEquals(Room.MAX_REFUSALS, codes.size());
        assertEquals(RefusalCode.REQUEST_LIMIT.value(), codes.get(0));
        ids.clear();
        ask(1);
        assertEquals(List.of(LIMIT + Room.MAX_REFUSALS + 1L), ids);
        rig.assertReplays();
    }

    /** A request that a reply makes has its own number and code, and is reported after the reports that run. */
    @Test
    void shouldReportTheRefusalsThatReportsMakeAfterThem()
    {
        asksAgain = 3;
        ask(LIMIT + 2);
        for (int turn = 2; turn < 5; turn++)
        {
            rig.turn(turn * 10_000_000L, () ->
            {
            });
        }
        assertEquals(List.of(4L, 5L, 6L, 7L, 8L), refused);
        assertEquals(Collections.nCopies(5, RefusalCode.REQUEST_LIMIT.value()), codes);
        assertEquals(List.of(), rig.failures);
    }

    private void ask(final int requests)
    {
        rig.payload.putInt(0, requests);
        rig.turn(10_000_000, () ->
        {
            if (0 == rig.host.openRooms())
            {
                rig.open(1, TYPE);
            }
            rig.command(rig.encoder.signal(rig.buffer, 0, 1, 0, 0, rig.payload, 0, 8));
        });
    }

    private final class Asking extends Quiet
    {
        private final UnsafeBuffer out = new UnsafeBuffer(new byte[8]);

        @Override
        public void onSignal(final long from, final DirectBuffer buffer, final int offset, final int length)
        {
            left.add(room.requestsLeft());
            for (int i = 0, requests = buffer.getInt(offset); i < requests; i++)
            {
                ids.add(room.async(1, 1, out, 0, 8));
                left.add(room.requestsLeft());
            }
        }

        @Override
        public void onReply(
            final long id, final int status, final DirectBuffer buffer, final int offset, final int length)
        {
            if (0 != status)
            {
                refused.add(id);
                codes.add(status);
                if (asksAgain > 0)
                {
                    asksAgain--;
                    ids.add(room.async(1, 1, out, 0, 8));
                }
            }
        }
    }
}
