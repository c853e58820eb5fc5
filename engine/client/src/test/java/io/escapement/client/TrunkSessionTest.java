package io.escapement.client;

import io.escapement.client.TrunkClient.State;
import io.escapement.codecs.trunk.AttachDecoder;
import io.escapement.codecs.trunk.GoodbyeDecoder;
import io.escapement.codecs.trunk.JoinDecoder;
import io.escapement.codecs.trunk.KeepaliveDecoder;
import io.escapement.codecs.trunk.LogInDecoder;
import io.escapement.codecs.trunk.MessageHeaderDecoder;
import io.escapement.codecs.trunk.TrunkCode;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

class TrunkSessionTest
{
    private static final long MS = TimeUnit.MILLISECONDS.toNanos(1);

    /** Ways in which a trunk may end, and two events that do not end it. */
    enum Event
    {
        GOODBYE("down 149"),
        IMAGE_LOST("down 0"),
        SILENCE("down 147"),
        CLOSE(null),
        ABANDON(null),
        LOOP_LOST(null),
        ATTACHED(null);

        private final String callback;

        Event(final String callback)
        {
            this.callback = callback;
        }

        boolean isEnd()
        {
            return LOOP_LOST != this && ATTACHED != this;
        }

        void apply(final SteppedTrunk trunk)
        {
            switch (this)
            {
                case GOODBYE -> trunk.control().deliver(Messages.goodbye(TrunkCode.ENGINE_STOPPING));
                case IMAGE_LOST -> trunk.control().hasImage = false;
                case SILENCE -> trunk.step(3 * Messages.KEEPALIVE_NS + 1);
                case CLOSE -> trunk.client.close();
                case ABANDON -> trunk.client.abandon();
                case LOOP_LOST ->
                {
                    trunk.loop(0).hasImage = false;
                    trunk.loop(0).isConnected = false;
                }
                case ATTACHED -> trunk.control().deliver(Messages.attached(0));
            }
            trunk.step();
        }
    }

    /** Every order of three events: the first that ends the trunk decides, and is reported at most once. */
    @ParameterizedTest
    @EnumSource(Event.class)
    void shouldEndOnceInEveryOrderOfLossAndDrain(final Event first)
    {
        for (final Event second : EnumSet.complementOf(EnumSet.of(first)))
        {
            for (final Event third : EnumSet.complementOf(EnumSet.of(first, second)))
            {
                final List<Event> order = List.of(first, second, third);
                final SteppedTrunk trunk = SteppedTrunk.withSeats(1);
                final ClientSeat seat = trunk.seats.get(0);
                trunk.control().takeSent();
                order.forEach((event) -> event.apply(trunk));

                final Event end = order.stream().filter(Event::isEnd).findFirst().orElseThrow();
                assertEquals(State.DOWN, trunk.client.state(), order::toString);
                assertEquals(
                    null == end.callback ? List.of() : List.of(end.callback), trunk.callbacks, order::toString);
                assertEquals(
                    Event.CLOSE == end, templates(trunk).contains(GoodbyeDecoder.TEMPLATE_ID), order::toString);
                trunk.streamByNumberMap.values().forEach((stream) -> assertTrue(stream.isClosed, order::toString));
                assertFalse(seat.isPresent(), order::toString);
                assertNotNull(trunk.client.ticket(), order::toString);
                assertEquals(SendStatus.NOT_READY, trunk.send(seat, 1), order::toString);
                assertEquals(SendStatus.NOT_READY, trunk.client.leave(seat), order::toString);
                assertEquals(SendStatus.NOT_READY, trunk.join(0), order::toString);
                assertEquals(SendStatus.NOT_READY, trunk.client.logIn(1, new byte[1]), order::toString);
            }
        }
    }

    @Test
    void shouldSendQueuedEntriesBeforeGoodbye()
    {
        final SteppedTrunk trunk = SteppedTrunk.withSeats(1);
        trunk.control().takeSent();
        trunk.send(trunk.seats.get(0), 3);
        trunk.client.close();
        assertEquals(List.of("1/0#1:3"), Messages.entries(trunk.loop(0).sent.get(0)));
        assertEquals(List.of(GoodbyeDecoder.TEMPLATE_ID), templates(trunk));
    }

    @ParameterizedTest
    @CsvSource({"CONNECTING", "GREETED", "PROVEN", "DOWN"})
    void shouldSendNoGoodbyeUnlessItIsUp(final State state)
    {
        final SteppedTrunk trunk = SteppedTrunk.in(state);
        trunk.client.close();
        assertEquals(List.of(), trunk.control().sent);
        assertTrue(trunk.control().isClosed);
        trunk.client.close();
        assertEquals(List.of(), trunk.callbacks);
    }

    /** The interval is 1 s. The first keepalive is sent with Welcome, so that a round trip is known early. */
    @Test
    void shouldSendAKeepaliveEveryHalfOfItsInterval()
    {
        final SteppedTrunk trunk = SteppedTrunk.in(State.PROVEN);
        trunk.control().deliver(Messages.welcome(1, false));
        for (int i = 0; i < 5; i++)
        {
            trunk.step(1 + 500 * MS);
            assertEquals(List.of(KeepaliveDecoder.TEMPLATE_ID), Messages.templates(trunk.control().takeSent()));
            trunk.step(SteppedTrunk.STEP_NS);
            trunk.step(500 * MS - SteppedTrunk.STEP_NS);
            trunk.control().deliver(Messages.keepaliveReply(0, 0));
            assertEquals(List.of(), templates(trunk), "not before half of the interval has passed");
        }
    }

    @Test
    void shouldSendADelayedKeepaliveOnce()
    {
        final SteppedTrunk trunk = SteppedTrunk.in(State.UP);
        trunk.control().isBackPressured = true;
        trunk.step(501 * MS);
        trunk.step();
        trunk.step();
        trunk.control().isBackPressured = false;
        trunk.step();
        assertEquals(List.of(KeepaliveDecoder.TEMPLATE_ID), templates(trunk));
    }

    /** Whether the trunk is still up after this much silence, and which message breaks the silence. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', useHeadersInDisplayName = true, textBlock = """
        received       | silence in ns | state
        nothing        | 3_000_000_000 | UP
        nothing        | 3_000_000_001 | DOWN
        KeepaliveReply | 3_000_000_001 | UP
        LogInReply     | 3_000_000_001 | UP
        malformed      | 3_000_000_001 | UP
        Event on loop  | 3_000_000_001 | DOWN
        """)
    void shouldGoDownAfterThreeIntervalsOfSilence(final String received, final String silence, final State state)
    {
        final SteppedTrunk trunk = SteppedTrunk.in(State.PROVEN);
        trunk.control().deliver(Messages.welcome(1, false));
        trunk.step();
        final long silenceNs = Long.parseLong(silence.replace("_", ""));
        trunk.takeCallbacks();
        if ("Event on loop".equals(received))
        {
            // Attached takes three more steps, the last of which ends the silence of the control stream.
            trunk.attach(0);
            trunk.loop(0).deliver(Messages.refused());
        }
        else if (!"nothing".equals(received))
        {
            trunk.step(silenceNs / 2);
            trunk.control().deliverRaw("malformed".equals(received) ? new byte[3] : Messages.batch(
                "LogInReply".equals(received) ? Messages.logInReply() : Messages.keepaliveReply(0, 0)));
            trunk.step(silenceNs - silenceNs / 2);
            assertEquals(state, trunk.client.state());
            return;
        }
        trunk.step(silenceNs);
        assertEquals(state, trunk.client.state());
        assertEquals(State.DOWN == state, trunk.callbacks.contains("down 147"));
    }

    @Test
    void shouldEstimateTheEnginesTimeFromTheRoundTrip()
    {
        final SteppedTrunk trunk = SteppedTrunk.in(State.UP);
        assertEquals(0, trunk.client.roundTripNs());
        final long sentNs = trunk.clock.nanoTime();
        trunk.clock.advance(10 * MS);
        trunk.control().deliver(Messages.keepaliveReply(sentNs, 5_000 * MS));
        trunk.step(0);
        assertEquals(10 * MS, trunk.client.roundTripNs());
        assertEquals(5_005 * MS, trunk.client.serverTimeNs());
        trunk.clock.advance(MS);
        assertEquals(5_006 * MS, trunk.client.serverTimeNs());
    }

    @Test
    void shouldReportTheLastRoundTripInTheNextKeepalive()
    {
        final SteppedTrunk trunk = SteppedTrunk.in(State.PROVEN);
        trunk.control().deliver(Messages.welcome(1, false));
        trunk.step(1 + 500 * MS);
        assertEquals(0, Messages.reportedRoundTripNs(trunk.control().takeSent()), "the first");
        for (final long roundTripMs : new long[]{10, 3})
        {
            trunk.control().deliver(Messages.keepaliveReply(trunk.clock.nanoTime(), 0));
            trunk.step(roundTripMs * MS);
            trunk.step(501 * MS - roundTripMs * MS);
            assertEquals(roundTripMs * MS, Messages.reportedRoundTripNs(trunk.control().takeSent()));
        }
    }

    @Test
    void shouldAttachALoopWhenItIsFirstNeeded()
    {
        final SteppedTrunk trunk = SteppedTrunk.in(State.UP);
        assertEquals(SendStatus.SENT, trunk.join(1));
        assertEquals(List.of(7_000, 7_002), List.copyOf(trunk.streamByNumberMap.keySet()));
        trunk.step();
        assertEquals(List.of(), trunk.loop(1).sent, "not connected");
        trunk.loop(1).isConnected = true;
        trunk.step();
        final AttachDecoder attach = new AttachDecoder()
            .wrapAndApplyHeader(Messages.messages(trunk.loop(1).sent.get(0)).get(0), 0, new MessageHeaderDecoder());
        assertEquals(Messages.TRUNK_ID, attach.trunkId());
        assertEquals(Messages.ATTACH_TOKEN, attach.attachToken());
        trunk.step();
        assertEquals(1, trunk.loop(1).sent.size(), "not attached");
        trunk.control().deliver(Messages.attached(1));
        trunk.step();
        trunk.step();
        assertEquals(List.of(AttachDecoder.TEMPLATE_ID, JoinDecoder.TEMPLATE_ID),
            Messages.templates(trunk.loop(1).sent));
        assertEquals(SendStatus.NO_ROOM, trunk.join(SteppedTrunk.LOOPS), "no such loop");
        assertFalse(trunk.streamByNumberMap.containsKey(7_001 + SteppedTrunk.LOOPS));
    }

    /** Attach is repeated every 500 ms until Attached comes; an Attach under back pressure is offered again at once. */
    @Test
    void shouldRepeatAttachUntilItIsAnswered()
    {
        final SteppedTrunk trunk = SteppedTrunk.in(State.UP);
        trunk.join(0);
        trunk.loop(0).isConnected = true;
        trunk.loop(0).isBackPressured = true;
        trunk.step();
        trunk.step();
        assertEquals(2, trunk.loop(0).offers);
        trunk.loop(0).isBackPressured = false;
        trunk.step();
        trunk.step();
        trunk.step(499 * MS);
        assertEquals(List.of(AttachDecoder.TEMPLATE_ID), Messages.templates(trunk.loop(0).takeSent()));
        trunk.step(MS);
        assertEquals(List.of(AttachDecoder.TEMPLATE_ID), Messages.templates(trunk.loop(0).takeSent()));

        trunk.loop(0).isBackPressured = true;
        trunk.step(501 * MS);
        trunk.control().deliver(Messages.attached(0));
        trunk.step();
        trunk.loop(0).isBackPressured = false;
        trunk.step(501 * MS);
        assertEquals(List.of(JoinDecoder.TEMPLATE_ID), Messages.templates(trunk.loop(0).sent),
            "an Attach that was left in the batch would make the engine refuse it");
    }

    @Test
    void shouldPollLoopsInEveryCallAndTheControlStreamAtItsInterval()
    {
        final SteppedTrunk trunk = SteppedTrunk.withSeats(1);
        trunk.loop(0).deliver(Messages.refused());
        trunk.control().deliver(Messages.entryRefused());
        assertEquals(1, trunk.step(1));
        assertEquals(List.of("refused 4 3 6 4 44"), trunk.takeCallbacks());
        assertEquals(1, trunk.step(SteppedTrunk.STEP_NS));
        assertEquals(List.of("refused 2 3 -1 4 140"), trunk.takeCallbacks());
    }

    @Test
    void shouldSendALogInAtOnce()
    {
        final SteppedTrunk trunk = SteppedTrunk.in(State.UP);
        assertEquals(SendStatus.SENT, trunk.client.logIn(1, new byte[512]));
        assertEquals(List.of(LogInDecoder.TEMPLATE_ID), templates(trunk));
        assertEquals(SendStatus.TOO_LONG, trunk.client.logIn(1, new byte[1_281]));
        trunk.control().isBackPressured = true;
        assertEquals(SendStatus.SENT, trunk.client.logIn(1, new byte[512]), "kept in the batch");
        assertEquals(SendStatus.SENT, trunk.client.logIn(1, new byte[512]));
        assertEquals(SendStatus.BACK_PRESSURED, trunk.client.logIn(1, new byte[512]));
        trunk.control().isBackPressured = false;
        trunk.step();
        assertEquals(3, templates(trunk).size());
    }

    private static List<Integer> templates(final SteppedTrunk trunk)
    {
        return Messages.templates(trunk.control().sent);
    }
}
