package io.escapement.client;

import io.escapement.client.TrunkClient.State;
import io.escapement.codecs.TrunkMessages;
import io.escapement.codecs.trunk.AttachDecoder;
import io.escapement.codecs.trunk.GoodbyeDecoder;
import io.escapement.codecs.trunk.HelloDecoder;
import io.escapement.codecs.trunk.JoinDecoder;
import io.escapement.codecs.trunk.KeepaliveDecoder;
import io.escapement.codecs.trunk.MessageHeaderDecoder;
import io.escapement.codecs.trunk.ProofDecoder;
import io.escapement.codecs.trunk.ResumeDecoder;
import io.escapement.codecs.trunk.SendDecoder;
import io.escapement.codecs.trunk.StandDecoder;
import io.escapement.codecs.trunk.TrunkCode;
import io.escapement.config.ConfigException;
import io.escapement.testsupport.Tests;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.logging.Logger;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A client that stands by at several engines and has its trunk at the one that leads. Budget: 2 s. */
class MembersTest
{
    private static final long MS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final int LOOPS = 2;
    private static final int NONE = TrunkMessages.NO_LEADER;
    private static final int UNKNOWN_TRUNK = TrunkCode.UNKNOWN_TRUNK.value();
    private static final int BAD_CREDENTIALS = TrunkCode.BAD_CREDENTIALS.value();
    private static final int SCHEDULES = 3_000;
    private static final int STEPS = 60;

    private static final Map<String, byte[]> MESSAGES = Map.ofEntries(
        Map.entry("Challenge", Messages.challenge()),
        Map.entry("Welcome", Messages.welcome(LOOPS, false)),
        Map.entry("Standby", Messages.standby(0, NONE, 0, LOOPS)),
        Map.entry("Standby leads", Messages.standby(0, 0, 5, LOOPS)),
        Map.entry("Leading", Messages.leading(0, 6)),
        Map.entry("Unknown trunk", Messages.reject(UNKNOWN_TRUNK)),
        Map.entry("Reject", Messages.reject(TrunkCode.TOO_MANY_TRUNKS.value())),
        Map.entry("Refused", Messages.reject(BAD_CREDENTIALS)),
        Map.entry("Goodbye", Messages.goodbye(TrunkCode.NOT_LEADING)),
        Map.entry("Replaced", Messages.goodbye(TrunkCode.REPLACED)),
        Map.entry("Attached", Messages.attached(0)),
        Map.entry("KeepaliveReply", Messages.keepaliveReply(0, 0)),
        Map.entry("LogInReply", Messages.logInReply()),
        Map.entry("EntryRefused", Messages.entryRefused()),
        Map.entry("Event", Messages.event(1, Audience.ALL, 0, "x")));

    private static final Logger LOGGER = Logger.getLogger("io.escapement.client");

    private SteppedTrunk trunk = group(3);

    @AfterEach
    void log()
    {
        LOGGER.setFilter(null);
    }

    /**
     * Messages of one of two members. The other stands by and follows. A cell has the state of the client, the messages
     * that it sends, and its callbacks; "drop" that the message is dropped and counted.
     */
    @ParameterizedTest
    @CsvSource(delimiter = '|', useHeadersInDisplayName = true, textBlock = """
        message        | GREETED       | STANDING     | STANDBY      | ASKED        | UP
        Challenge      | STANDBY Stand | drop         | drop         | drop         | drop
        Welcome        | drop          | drop         | drop         | UP up new    | drop
        Standby        | drop          | STANDBY      | drop         | STANDBY      | drop
        Standby leads  | drop          | PROVEN Proof | drop         | PROVEN Proof | drop
        Leading        | drop          | drop         | PROVEN Proof | PROVEN       | drop
        Unknown trunk  | STANDBY       | STANDBY      | STANDBY      | PROVEN Proof | STANDBY disconnected 135
        Reject         | STANDBY       | STANDBY      | STANDBY      | STANDBY      | STANDBY disconnected 132
        Refused        | STANDBY       | STANDBY      | STANDBY      | STANDBY      | DOWN down 130
        Goodbye        | STANDBY       | STANDBY      | STANDBY      | STANDBY      | STANDBY disconnected 152
        Replaced       | STANDBY       | STANDBY      | STANDBY      | STANDBY      | DOWN down 148
        Attached       | drop          | drop         | STANDBY      | PROVEN       | UP
        KeepaliveReply | drop          | drop         | STANDBY      | PROVEN       | UP
        LogInReply     | drop          | drop         | drop         | drop         | UP logIn 1 0 2 [9]
        EntryRefused   | drop          | drop         | drop         | drop         | UP refused 2 3 -1 4 140
        Event          | drop          | drop         | drop         | drop         | drop
        """)
    void shouldHandleEveryMessageInEveryState(
        final String message,
        final String greeted,
        final String standing,
        final String standby,
        final String asked,
        final String up)
    {
        final List<String> cells = List.of(greeted, standing, standby, asked, up);
        for (final MemberState state : MemberState.values())
        {
            trunk = group(2);
            bring(1, MemberState.STANDBY);
            bring(0, state);
            final FakeStream control = trunk.controlOf(0);
            control.takeSent();
            trunk.takeCallbacks();
            final State before = trunk.client.state();
            control.deliver(MESSAGES.get(message));
            trunk.step();
            final String cell = cells.get(state.ordinal());
            final String context = message + " when " + state;
            final StringBuilder after = new StringBuilder(trunk.client.state().name());
            requests(control).forEach((sent) -> after.append(' ').append(sent));
            trunk.callbacks.forEach((callback) -> after.append(' ').append(callback));
            assertEquals("drop".equals(cell) ? before.name() : cell, after.toString(), context);
            assertEquals("drop".equals(cell) ? 1 : 0, trunk.client.malformedMessages(), context);
            final boolean isOver = List.of("Unknown trunk", "Reject", "Refused", "Goodbye", "Replaced")
                .contains(message) && !("Unknown trunk".equals(message) && MemberState.ASKED == state);
            assertEquals(isOver, control.isClosed, context);
        }
    }

    @Test
    void shouldStandByAtEachAndAskTheOneThatLeads()
    {
        assertEquals(State.CONNECTING, trunk.client.state());
        bring(0, MemberState.STANDBY);
        bring(2, MemberState.STANDBY);
        assertEquals(State.STANDBY, trunk.client.state());
        for (int loop = 0; loop < LOOPS; loop++)
        {
            final FakeStream stream = trunk.loopOf(0, loop);
            stream.isConnected = true;
            trunk.step();
            assertAttach(stream, TrunkMessages.NO_TRUNK, Messages.STANDBY_TOKEN);
        }
        bring(1, MemberState.ASKED);
        assertEquals(State.PROVEN, trunk.client.state());
        trunk.controlOf(1).deliver(Messages.welcome(LOOPS, false));
        trunk.step();
        assertEquals(List.of("up new"), trunk.callbacks);
        assertEquals(SendStatus.NOT_READY, trunk.client.cancelJoin(1, 1, 2));
        attach(1);
        assertEquals(SendStatus.SENT, trunk.join(0));
    }

    /** A change of the leader costs one message in each direction, and the same for each loop. */
    @Test
    void shouldResumeOnTheStreamsThatItHas()
    {
        up(0);
        final ClientSeat seat = seat(0);
        standByWithStreams(1);
        final int opened = trunk.opened;
        trunk.controlOf(1).deliver(Messages.leading(1, 6));
        trunk.step();
        assertEquals(List.of("disconnected 152"), trunk.takeCallbacks());
        assertFalse(seat.isPresent());
        assertTrue(trunk.controlOf(0).isClosed && trunk.loopOf(0, 0).isClosed);
        assertEquals(List.of("Resume"), requests(trunk.controlOf(1)));
        assertEquals(SendStatus.NOT_READY, trunk.send(seat, 1));

        trunk.controlOf(1).deliver(Messages.welcome(LOOPS, true));
        trunk.step();
        assertAttach(trunk.loopOf(1, 0), Messages.TRUNK_ID, Messages.ATTACH_TOKEN);
        assertAttach(trunk.loopOf(1, 1), Messages.TRUNK_ID, Messages.ATTACH_TOKEN);
        trunk.controlOf(1).deliver(Messages.attached(0), Messages.attached(1));
        trunk.loopOf(1, 0).deliver(Messages.seatResumed(1, 0, 1, 7));
        trunk.step();
        assertEquals(List.of("up resumed", "seatResumed 1/0.1 after 7"), trunk.takeCallbacks());
        assertSame(seat, trunk.seats.get(1));
        assertEquals(SendStatus.SENT, trunk.send(seat, 1));
        assertEquals(opened, trunk.opened, "streams");

        trunk.step(600 * MS);
        assertEquals(opened + 1, trunk.opened, "it stands by where it was");
        assertFalse(trunk.controlOf(0).isClosed);
    }

    @Test
    void shouldSendAgainWhatTheLeaderHadNotAccepted()
    {
        trunk = group(3, (context) -> context.resendLength(4_096));
        up(0);
        final ClientSeat seat = seat(0);
        for (int i = 0; i < 4; i++)
        {
            assertEquals(SendStatus.SENT, trunk.send(seat, 1));
        }
        trunk.loopOf(0, 0).deliver(Messages.accepted(1, 0, 1, 1));
        trunk.step();
        standByWithStreams(1);
        trunk.controlOf(1).deliver(Messages.leading(1, 6));
        trunk.step();
        trunk.controlOf(1).deliver(Messages.welcome(LOOPS, true));
        trunk.step();
        attach(1);
        trunk.loopOf(1, 0).deliver(Messages.seatResumed(1, 0, 1, 2));
        trunk.step();
        assertEquals(List.of(3L, 4L), sequences(trunk.loopOf(1, 0)));
        assertEquals(SendStatus.SENT, trunk.send(seat, 1));
        trunk.step();
        assertEquals(List.of(5L), sequences(trunk.loopOf(1, 0)));
    }

    @Test
    void shouldBelieveTheGreaterIncarnationOfTwoThatLead()
    {
        bring(0, MemberState.STANDBY);
        bring(1, MemberState.STANDBY);
        bring(2, MemberState.STANDBY);
        trunk.controlOf(1).deliver(Messages.leading(1, 6));
        trunk.step();
        trunk.controlOf(1).deliver(Messages.welcome(LOOPS, false));
        trunk.step();
        trunk.controlOf(0).deliver(Messages.leading(0, 5));
        trunk.controlOf(2).deliver(Messages.leading(2, 6));
        trunk.step();
        assertEquals(List.of("up new"), trunk.takeCallbacks());
        assertEquals(List.of(), requests(trunk.controlOf(0)), "an older one");
        assertEquals(List.of(), requests(trunk.controlOf(2)), "two of one incarnation: the first");
        trunk.controlOf(0).deliver(Messages.leading(0, 7));
        trunk.step();
        assertEquals(List.of("Resume"), requests(trunk.controlOf(0)));
    }

    @Test
    void shouldGoToTheNextWhenTheLeaderDiesWhileItResumes()
    {
        up(0);
        bring(1, MemberState.STANDBY);
        bring(2, MemberState.STANDBY);
        trunk.controlOf(1).deliver(Messages.leading(1, 6));
        trunk.step();
        assertEquals(State.PROVEN, trunk.client.state());
        trunk.controlOf(2).deliver(Messages.leading(2, 7));
        trunk.step();
        assertTrue(trunk.controlOf(1).isClosed);
        assertEquals(List.of("Resume"), requests(trunk.controlOf(2)));
        trunk.controlOf(2).deliver(Messages.welcome(LOOPS, true));
        trunk.step();
        assertEquals(List.of("disconnected 152", "up resumed"), trunk.takeCallbacks());
    }

    @Test
    void shouldWaitForTheNextWhenTheLeaderDiesWhileItResumesAndNobodyLeadsYet()
    {
        up(0);
        bring(1, MemberState.STANDBY);
        bring(2, MemberState.STANDBY);
        trunk.controlOf(1).deliver(Messages.leading(1, 6));
        trunk.step();
        trunk.controlOf(1).hasImage = false;
        trunk.step();
        assertEquals(State.STANDBY, trunk.client.state());
        trunk.controlOf(2).deliver(Messages.leading(2, 7));
        trunk.step();
        assertEquals(List.of("Resume"), requests(trunk.controlOf(2)));
        assertEquals(List.of("disconnected 152"), trunk.takeCallbacks());
    }

    @Test
    void shouldAskForANewTrunkWhereTheOldOneIsUnknown()
    {
        up(0);
        final ClientSeat seat = seat(0);
        standByWithStreams(1);
        trunk.controlOf(1).deliver(Messages.leading(1, 6));
        trunk.step();
        trunk.controlOf(1).takeSent();
        trunk.controlOf(1).deliver(Messages.reject(UNKNOWN_TRUNK));
        trunk.step();
        assertEquals(List.of("Proof"), requests(trunk.controlOf(1)));
        trunk.controlOf(1).deliver(Messages.welcome(LOOPS, false));
        trunk.step();
        attach(1);
        trunk.step();
        trunk.step();
        assertEquals(List.of("Join"), requests(trunk.loopOf(1, 0)), "players are joined again");
        assertFalse(seat.isPresent());
    }

    @Test
    void shouldWorkWithOneMember()
    {
        trunk = group(1);
        up(0);
        trunk.controlOf(0).deliver(Messages.goodbye(TrunkCode.NOT_LEADING));
        trunk.step();
        assertEquals(State.WAITING, trunk.client.state());
        final FakeStream first = trunk.controlOf(0);
        trunk.step(600 * MS);
        assertNotSame(first, trunk.controlOf(0));
        bring(0, MemberState.STANDBY);
        trunk.controlOf(0).deliver(Messages.leading(0, 8));
        trunk.step();
        assertEquals(List.of("Resume"), requests(trunk.controlOf(0)));
    }

    /** Ids are for people: each engine speaks for itself. */
    @Test
    void shouldNotDependOnTheIdsOfMembers()
    {
        trunk = group(2);
        for (int i = 0; i < 2; i++)
        {
            greet(i);
            trunk.controlOf(i).deliver(Messages.challenge());
            trunk.step();
            trunk.controlOf(i).deliver(Messages.standby(7, 9, 3, LOOPS));
            trunk.step();
        }
        assertEquals(State.STANDBY, trunk.client.state());
        pass(TrunkContext.CONNECT_TIMEOUT_DEFAULT_NS + MS, 0, 1);
        assertEquals("no engine of 2 gives a trunk; 2 follow, and name member 9 as the leader: check that its " +
            "endpoints are given, and reachable", trunk.client.failure());
        trunk.controlOf(1).takeSent();
        trunk.controlOf(1).deliver(Messages.leading(-3, 4));
        trunk.step();
        assertEquals(List.of("Proof"), requests(trunk.controlOf(1)));
    }

    @Test
    void shouldGoDownWhenAllRefuse()
    {
        trunk = group(2);
        bring(0, MemberState.STANDING);
        bring(1, MemberState.STANDING);
        trunk.controlOf(0).deliver(Messages.reject(BAD_CREDENTIALS));
        trunk.step();
        assertEquals(List.of(), trunk.callbacks);
        assertTrue(trunk.client.failure().startsWith("the engine at host0:1: BAD_CREDENTIALS: "));
        trunk.controlOf(1).deliver(Messages.reject(BAD_CREDENTIALS));
        trunk.step();
        assertEquals(List.of("down 130"), trunk.callbacks);
        assertEquals(State.DOWN, trunk.client.state());
        trunk.step(MS);
        assertEquals(2, trunk.opened);
    }

    @Test
    void shouldKeepItsPlacesAndMakeNewOnesWhereAMemberIsSilent()
    {
        trunk = group(2);
        bring(0, MemberState.STANDBY);
        bring(1, MemberState.STANDBY);
        pass(4_000 * MS, 0, 1);
        assertTrue(trunk.controlOf(0).takeSent().size() >= 6, "keepalives");
        final FakeStream silent = trunk.controlOf(1);
        pass(4_000 * MS, 0);
        assertTrue(silent.isClosed);
        assertFalse(trunk.controlOf(0).isClosed);
        assertEquals(List.of(), trunk.callbacks);
        bring(1, MemberState.STANDBY);
    }

    @Test
    void shouldTryAMemberAgainThatDoesNotAnswer()
    {
        trunk = group(2);
        bring(0, MemberState.STANDBY);
        final FakeStream first = trunk.controlOf(1);
        pass(TrunkContext.CONNECT_TIMEOUT_DEFAULT_NS + 600 * MS, 0);
        assertTrue(first.isClosed);
        assertFalse(trunk.controlOf(1).isClosed);
        assertEquals("no engine of 2 gives a trunk; 1 follow, and name no leader: check that a majority of them runs",
            trunk.client.failure());
    }

    @Test
    void shouldTakeItsLeaveOfAllWhenItIsClosed()
    {
        up(0);
        bring(1, MemberState.STANDBY);
        trunk.controlOf(0).takeSent();
        trunk.controlOf(1).takeSent();
        trunk.client.close();
        assertEquals(List.of("Goodbye"), requests(trunk.controlOf(0)));
        assertEquals(List.of("Goodbye"), requests(trunk.controlOf(1)));
        assertEquals(State.DOWN, trunk.client.state());
        trunk.streamByNumberMap.values().forEach((stream) -> assertTrue(stream.isClosed));
        trunk.step(5_000 * MS);
        assertEquals(3 + 2 * LOOPS, trunk.opened);
    }

    @Test
    void shouldTryAgainWhenTheDriverRefusesAStream()
    {
        greet(1);
        trunk.controlOf(1).deliver(Messages.challenge());
        trunk.step();
        final FakeStream first = trunk.controlOf(1);
        trunk.isDriverDown = true;
        first.deliver(Messages.standby(1, NONE, 0, LOOPS));
        trunk.step();
        assertTrue(first.isClosed);
        trunk.step(600 * MS);
        assertTrue(trunk.client.failure().startsWith("the media driver refused a stream: "), trunk.client.failure());
        trunk.isDriverDown = false;
        trunk.step(600 * MS);
        bring(1, MemberState.STANDBY);
    }

    @Test
    void shouldRefuseAMemberThatIsNamedTwice()
    {
        assertThrows(ConfigException.class, () -> group(2, (context) -> context.member("host0:1", "host0:2")));
    }

    /**
     * Members that say anything at any time. The trunk is up at one of them at most, and in the end at the one that
     * leads.
     */
    @Test
    void shouldHaveOneTrunkInRandomSchedules()
    {
        // Each failure is logged.
        LOGGER.setFilter((line) -> false);
        final long seed = Tests.seed();
        final byte[][] messages = MESSAGES.entrySet().stream()
            .filter((entry) -> !List.of("Replaced", "Refused").contains(entry.getKey()))
            .map(Map.Entry::getValue).toArray(byte[][]::new);
        int ups = 0;
        for (int run = 0; run < (Tests.isFull() ? 20 : 1) * SCHEDULES; run++)
        {
            final Random random = new Random(seed + run);
            trunk = group(3);
            try
            {
                for (int step = 0; step < STEPS; step++)
                {
                    disturb(random, messages);
                }
                ups += State.UP == trunk.client.state() ? 1 : 0;
                settle();
                checkCallbacks();
            }
            catch (final Throwable ex)
            {
                throw new AssertionError("-Descapement.seed=" + (seed + run), ex);
            }
        }
        assertTrue(ups > SCHEDULES / 100, "schedules end with a trunk now and then: " + ups);
    }

    private void disturb(final Random random, final byte[][] messages)
    {
        final int member = random.nextInt(3);
        final FakeStream control = trunk.controlOf(member);
        switch (random.nextInt(8))
        {
            case 0 -> control.deliver(Messages.leading(member, random.nextInt(9)));
            case 1 -> control.deliver(Messages.standby(member, random.nextInt(3), random.nextInt(9), LOOPS));
            case 2 -> control.hasImage = random.nextInt(8) > 0;
            case 3 -> trunk.step(random.nextInt(1_000) * MS);
            case 4 -> greet(member);
            default -> control.deliver(messages[random.nextInt(messages.length)]);
        }
        trunk.step();
    }

    /** All connections are new, and member 2 leads. */
    private void settle()
    {
        for (int i = 0; i < 3; i++)
        {
            trunk.controlOf(i).deliver(Messages.goodbye(TrunkCode.ENGINE_STOPPING));
            trunk.controlOf(i).hasImage = true;
        }
        trunk.step();
        trunk.step(600 * MS);
        assertEquals(State.CONNECTING, trunk.client.state());
        for (int i = 0; i < 3; i++)
        {
            bring(i, MemberState.STANDBY);
        }
        trunk.controlOf(2).deliver(Messages.leading(2, 100));
        trunk.step();
        trunk.controlOf(2).deliver(Messages.welcome(LOOPS, true));
        trunk.step();
        assertEquals(State.UP, trunk.client.state());
    }

    private void checkCallbacks()
    {
        boolean isUp = false;
        for (final String callback : trunk.callbacks)
        {
            if (callback.startsWith("up") || callback.startsWith("disconnected"))
            {
                assertEquals(isUp, callback.startsWith("disconnected"), () -> trunk.callbacks.toString());
                isUp = !isUp;
            }
        }
    }

    /** A client of some engines that have two loops. */
    private static SteppedTrunk group(final int members)
    {
        return group(members, (context) -> context);
    }

    private static SteppedTrunk group(final int members, final UnaryOperator<TrunkContext> options)
    {
        return new SteppedTrunk((context) ->
        {
            for (int i = 0; i < members; i++)
            {
                context.member("host" + i + ":1", "host" + i + ":2");
            }
            return options.apply(context);
        });
    }

    private void greet(final int member)
    {
        trunk.controlOf(member).isConnected = true;
        trunk.step();
        trunk.controlOf(member).hasImage = true;
    }

    private void bring(final int member, final MemberState state)
    {
        greet(member);
        final FakeStream control = trunk.controlOf(member);
        if (state.ordinal() >= MemberState.STANDING.ordinal())
        {
            control.deliver(Messages.challenge());
            trunk.step();
            assertEquals(List.of("Hello", "Stand"), requests(control));
        }
        if (state.ordinal() >= MemberState.STANDBY.ordinal())
        {
            control.deliver(Messages.standby(member, NONE, 0, LOOPS));
            trunk.step();
        }
        if (state.ordinal() >= MemberState.ASKED.ordinal())
        {
            control.deliver(Messages.leading(member, 5));
            trunk.step();
        }
        if (MemberState.UP == state)
        {
            control.deliver(Messages.welcome(LOOPS, false));
            trunk.step();
        }
    }

    private void up(final int member)
    {
        bring(member, MemberState.UP);
        assertEquals(List.of("up new"), trunk.takeCallbacks());
    }

    /** Join the player of request 1, in room 1 of loop 0. */
    private ClientSeat seat(final int member)
    {
        attach(member);
        assertEquals(SendStatus.SENT, trunk.join(0));
        trunk.step();
        trunk.loopOf(member, 0).deliver(Messages.joined(1, 1, 0, 1, 2));
        trunk.step();
        assertEquals(List.of("joined 1 1/0.1"), trunk.takeCallbacks());
        trunk.loopOf(member, 0).takeSent();
        return trunk.seats.get(0);
    }

    private void attach(final int member)
    {
        trunk.loopOf(member, 0).isConnected = true;
        trunk.loopOf(member, 0).hasImage = true;
        trunk.step();
        trunk.controlOf(member).deliver(Messages.attached(0));
        trunk.step();
        trunk.loopOf(member, 0).takeSent();
    }

    private void standByWithStreams(final int member)
    {
        bring(member, MemberState.STANDBY);
        for (int loop = 0; loop < LOOPS; loop++)
        {
            trunk.loopOf(member, loop).isConnected = true;
            trunk.loopOf(member, loop).hasImage = true;
            trunk.controlOf(member).deliver(Messages.attached(loop));
        }
        trunk.step();
        for (int loop = 0; loop < LOOPS; loop++)
        {
            trunk.loopOf(member, loop).takeSent();
        }
        trunk.controlOf(member).takeSent();
    }

    /** Let time pass in which these members answer. */
    private void pass(final long ns, final int... members)
    {
        for (long passed = 0; passed < ns; passed += 100 * MS)
        {
            for (final int member : members)
            {
                trunk.controlOf(member).deliver(Messages.keepaliveReply(0, 0));
            }
            trunk.step(100 * MS);
        }
    }

    private static void assertAttach(final FakeStream stream, final long trunkId, final long token)
    {
        final List<byte[]> sent = stream.takeSent();
        assertEquals(1, sent.size(), "Attach");
        final UnsafeBuffer message = Messages.messages(sent.get(0)).get(0);
        final AttachDecoder attach = new AttachDecoder().wrapAndApplyHeader(message, 0, new MessageHeaderDecoder());
        assertEquals(trunkId, attach.trunkId());
        assertEquals(token, attach.attachToken());
    }

    /** The messages that were sent on a stream since the last call, without keepalives. */
    private static List<String> requests(final FakeStream stream)
    {
        final List<Integer> templates = new ArrayList<>(Messages.templates(stream.takeSent()));
        templates.removeIf((template) -> KeepaliveDecoder.TEMPLATE_ID == template);
        return templates.stream().map((template) -> switch (template)
        {
            case JoinDecoder.TEMPLATE_ID -> "Join";
            case HelloDecoder.TEMPLATE_ID -> "Hello";
            case ProofDecoder.TEMPLATE_ID -> "Proof";
            case ResumeDecoder.TEMPLATE_ID -> "Resume";
            case StandDecoder.TEMPLATE_ID -> "Stand";
            case GoodbyeDecoder.TEMPLATE_ID -> "Goodbye";
            default -> "template " + template;
        }).toList();
    }

    /** The sequences of the messages that were sent on a stream. */
    private static List<Long> sequences(final FakeStream stream)
    {
        final List<Long> sequences = new ArrayList<>();
        for (final byte[] batch : stream.takeSent())
        {
            for (final UnsafeBuffer message : Messages.messages(batch))
            {
                final SendDecoder send = new SendDecoder().wrapAndApplyHeader(message, 0, new MessageHeaderDecoder());
                send.messages().forEach((player) ->
                {
                    sequences.add(player.sequence());
                    player.skipPayload();
                });
            }
        }
        return sequences;
    }

    /** States of the connection to a member. */
    private enum MemberState
    {
        GREETED,
        /** Stand was sent. */
        STANDING,
        STANDBY,
        /** Proof was sent. */
        ASKED,
        UP
    }
}
