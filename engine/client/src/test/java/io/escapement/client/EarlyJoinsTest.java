package io.escapement.client;

import io.escapement.client.TrunkClient.State;
import io.escapement.codecs.room.RefusalCode;
import io.escapement.codecs.trunk.AttachDecoder;
import io.escapement.codecs.trunk.JoinDecoder;
import io.escapement.codecs.trunk.MessageHeaderDecoder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.agrona.DirectBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** Joins of a trunk that is up, whose streams are not attached yet. */
class EarlyJoinsTest
{
    private static final long MS = 1_000_000;

    private final SteppedTrunk trunk = SteppedTrunk.in(State.UP);

    @Test
    void shouldSendTheJoinsOfALoopInTheirOrderWhenItIsAttached()
    {
        for (int i = 1; i <= 3; i++)
        {
            assertEquals(SendStatus.SENT, join(trunk, i, 0));
            assertEquals(SendStatus.SENT, join(trunk, 10 + i, 1));
        }
        attach(trunk, 1);
        assertEquals(List.of(11L, 12L, 13L), joins(trunk, 1));
        assertEquals(SendStatus.SENT, join(trunk, 14, 1));
        trunk.step();
        assertEquals(List.of(14L), joins(trunk, 1), "loop 0 does not delay it");
        attach(trunk, 0);
        assertEquals(List.of(1L, 2L, 3L), joins(trunk, 0));
        assertEquals(List.of(), trunk.takeCallbacks());
    }

    @Test
    void shouldKeepTheOrderUnderBackPressure()
    {
        final int joins = 40;
        for (int i = 1; i <= joins; i++)
        {
            assertEquals(SendStatus.SENT, join(trunk, i, 0, 0 == i % 3 ? 0 : 512));
        }
        attach(trunk, 0);
        final List<Long> sent = new ArrayList<>(joins(trunk, 0));
        trunk.loop(0).isBackPressured = true;
        trunk.step();
        assertEquals(SendStatus.SENT, join(trunk, joins + 1, 0, 0), "it would fit before the others");
        trunk.loop(0).isBackPressured = false;
        for (int i = 0; i < 2 * joins; i++)
        {
            trunk.step();
            sent.addAll(joins(trunk, 0));
        }
        final List<Long> expected = new ArrayList<>();
        for (long i = 1; i <= joins + 1; i++)
        {
            expected.add(i);
        }
        assertEquals(expected, sent);
    }

    @Test
    void shouldTakeAJoinWithinOnUp()
    {
        final TrunkClient[] client = new TrunkClient[1];
        final List<SendStatus> statuses = new ArrayList<>();
        final SteppedTrunk joining = new SteppedTrunk((context) -> context.listener(new TrunkListener()
        {
            @Override
            public void onUp(final boolean isResumed)
            {
                statuses.add(client[0].join(1, 1, 2, SteppedTrunk.NO_TOKEN, SteppedTrunk.PAYLOAD, 0, 0));
            }
        }));
        client[0] = joining.client;
        joining.advanceTo(State.UP);
        assertEquals(List.of(SendStatus.SENT), statuses);
        attach(joining, 0);
        assertEquals(List.of(1L), joins(joining, 0));
    }

    @Test
    void shouldRefuseAJoinWhoseStreamIsNotAttachedInTime()
    {
        join(trunk, 1, 0);
        keepUp(TrunkContext.CONNECT_TIMEOUT_DEFAULT_NS / 2);
        join(trunk, 2, 0);
        keepUp(TrunkContext.CONNECT_TIMEOUT_DEFAULT_NS / 2);
        assertEquals(List.of("refused 2 1 -1 1 " + RefusalCode.JOIN_TIMEOUT.value()), trunk.takeCallbacks());
        attach(trunk, 0);
        assertEquals(List.of(2L), joins(trunk, 0));
    }

    @Test
    void shouldRefuseAWithdrawnJoin()
    {
        join(trunk, 1, 0);
        join(trunk, 2, 0);
        assertEquals(SendStatus.SENT, trunk.client.cancelJoin(1, 1, 2));
        assertEquals(SendStatus.NOT_READY, trunk.client.cancelJoin(1, 1, 2), "once");
        trunk.step();
        assertEquals(List.of("refused 2 1 -1 1 " + RefusalCode.JOIN_CANCELLED.value()), trunk.takeCallbacks());
        attach(trunk, 0);
        assertEquals(List.of(2L), joins(trunk, 0));
    }

    @Test
    void shouldHoldNoMoreThanTheLimit()
    {
        for (int i = 0; i < EarlyJoins.LIMIT; i++)
        {
            assertEquals(SendStatus.SENT, join(trunk, i, i % SteppedTrunk.LOOPS));
        }
        assertEquals(SendStatus.NOT_READY, join(trunk, 9_999, 0));
        assertEquals(SendStatus.TOO_LONG, join(trunk, 9_999, 0, 513));
    }

    @Test
    void shouldForgetJoinsOfATrunkThatIsLost()
    {
        join(trunk, 1, 0);
        trunk.control().hasImage = false;
        trunk.step();
        assertEquals(State.DOWN, trunk.client.state());
        keepUp(TrunkContext.CONNECT_TIMEOUT_DEFAULT_NS);
        assertEquals(List.of("down 0"), trunk.takeCallbacks());
    }

    @Test
    void shouldSendThemInTheirOrderWhenTheTrunkIsBack()
    {
        final SteppedTrunk again = new SteppedTrunk(
            (context) -> context.reconnect(MS, 2 * MS).random(new Random(1)));
        again.advanceTo(State.UP);
        final List<Long> expected = new ArrayList<>();
        // Numbers whose order in a hash map is another one.
        for (long i = 20; i > 0; i--)
        {
            assertEquals(SendStatus.SENT, join(again, i * 1_000_003, 0));
            expected.add(i * 1_000_003);
        }
        again.control().hasImage = false;
        again.step();
        assertEquals(List.of("disconnected 0"), again.takeCallbacks());
        again.streamByNumberMap.clear();
        again.step(2 * MS);
        again.advanceTo(State.UP);
        again.step();
        attach(again, 0);
        final List<Long> sent = new ArrayList<>(joins(again, 0));
        for (int i = 0; i < 25; i++)
        {
            again.step();
            sent.addAll(joins(again, 0));
        }
        assertEquals(expected, sent);
    }

    private void keepUp(final long ns)
    {
        for (long passedNs = 0; passedNs < ns; passedNs += 500 * MS)
        {
            trunk.control().deliver(Messages.keepaliveReply(0, 0));
            trunk.step(500 * MS);
        }
    }

    private static SendStatus join(final SteppedTrunk trunk, final long requestId, final int loop)
    {
        return join(trunk, requestId, loop, 0);
    }

    private static SendStatus join(
        final SteppedTrunk trunk, final long requestId, final int loop, final int argsLength)
    {
        return trunk.client.join(
            requestId, ((long)loop << 54) + 1, 2, SteppedTrunk.NO_TOKEN, SteppedTrunk.PAYLOAD, 0, argsLength);
    }

    private static void attach(final SteppedTrunk trunk, final int loop)
    {
        trunk.loop(loop).isConnected = true;
        trunk.loop(loop).hasImage = true;
        trunk.step();
        assertEquals(List.of(AttachDecoder.TEMPLATE_ID), Messages.templates(trunk.loop(loop).takeSent()));
        trunk.control().deliver(Messages.attached(loop));
        trunk.step();
        trunk.step();
    }

    /** The request ids of the joins that a stream sent since the last call. */
    private static List<Long> joins(final SteppedTrunk trunk, final int loop)
    {
        final List<Long> ids = new ArrayList<>();
        for (final byte[] batch : trunk.loop(loop).takeSent())
        {
            for (final DirectBuffer message : Messages.messages(batch))
            {
                ids.add(new JoinDecoder().wrapAndApplyHeader(message, 0, new MessageHeaderDecoder()).requestId());
            }
        }
        return ids;
    }
}
