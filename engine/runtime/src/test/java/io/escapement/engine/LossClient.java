package io.escapement.engine;

import io.escapement.client.ClientSeat;
import io.escapement.client.SendStatus;
import io.escapement.client.TrunkContext;
import io.escapement.client.TrunkListener;
import io.escapement.codecs.sync.SyncedCopy;
import io.escapement.testsupport.RealTime;
import io.escapement.testsupport.Tests;
import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A client whose players send numbers until a line is read, check that each comes back once and in order, and copy the
 * states of their rooms, which come on feeds, until these have settled.
 */
@RealTime("a process on a network that loses packets")
final class LossClient implements TrunkListener
{
    static final String PLAYING = "playing";
    /** A packet of a feed is missing. */
    static final String GAP = "feed gap";
    /** Then how often packets of feeds were missing, and how often a feed fell silent. */
    static final String GAPS = "gaps ";
    static final String FEEDS_LEFT = "feeds left ";
    /** Then the numbers that were sent and came back, of all players. */
    static final String SENT = "sent ";
    static final String EVENTS = "events ";
    /** Then how often the connection was lost. A player misses the events of such a time only. */
    static final String LOSSES = "losses ";
    static final String REFUSALS = "refusals ";
    static final int PLAYERS = 4;

    /** All players together send at four times this rate. */
    private static final long SEND_NS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final int RESEND_LENGTH = 1_024 * 1_024;
    private static final long MIN_RECONNECT_NS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long MAX_RECONNECT_NS = TimeUnit.MILLISECONDS.toNanos(500);

    private final UnsafeBuffer message = new UnsafeBuffer(new byte[Long.BYTES]);
    private final TestHost host;
    private final TestTrunk trunk;
    private long sent;
    private long events;
    private int losses;

    /** Of a seat, to which it is attached. */
    private static final class Player
    {
        private final SyncedCopy copy = new SyncedCopy(LossServer.SCHEMA);
        private long last;

        static Player at(final ClientSeat seat)
        {
            return (Player)seat.attachment();
        }

        boolean isSettled()
        {
            return copy.isCurrent() && 1 == copy.longValue(LossServer.IS_SETTLED, 0);
        }
    }

    private LossClient(final TestHost host, final TrunkContext context)
    {
        this.host = host;
        trunk = TestTrunk.on(host, context).forwardTo(this);
    }

    /** Plays in rooms of an engine: {ingress, response, endpoint of feeds, id of the first player, ids of rooms}. */
    public static void main(final String[] args) throws IOException
    {
        final TrunkContext context = new TrunkContext().udp(args[0], args[1]).feed(args[2]).identity("tests")
            .secret(TestTrunk.SECRET).reconnect(MIN_RECONNECT_NS, MAX_RECONNECT_NS).resendLength(RESEND_LENGTH);
        try (TestHost host = new TestHost())
        {
            final LossClient client = new LossClient(host, context);
            client.join(Integer.parseInt(args[3]), Arrays.copyOfRange(args, 4, args.length));
            client.play();
            client.settle();
            client.leave();
            System.out.println(SENT + client.sent);
            System.out.println(EVENTS + client.events);
            System.out.println(LOSSES + client.losses);
            System.out.println(GAPS + client.trunk.client().feedGaps());
            System.out.println(FEEDS_LEFT + client.trunk.client().feedsLeft());
            System.out.println(REFUSALS + client.trunk.refusals);
            LossServer.print(host);
            client.trunk.close();
        }
    }

    private void join(final int firstPlayer, final String... rooms)
    {
        for (int i = 0; i < PLAYERS; i++)
        {
            final int player = firstPlayer + i;
            final long roomId = Long.parseLong(rooms[i % rooms.length]);
            await("a seat to be requested", () -> trunk.tryJoin(roomId, player));
        }
        await("the seats", () -> PLAYERS == trunk.joined.size());
        System.out.println(PLAYING);
    }

    private void play() throws IOException
    {
        final long startNs = System.nanoTime();
        boolean hasGap = false;
        while (0 == System.in.available())
        {
            if (!hasGap && trunk.client().feedGaps() > 0)
            {
                hasGap = true;
                System.out.println(GAP);
            }
            await("the next number", () -> System.nanoTime() - startNs >= sent * SEND_NS / PLAYERS);
            final ClientSeat seat = trunk.joined.get((int)(sent % PLAYERS));
            message.putLong(0, sent / PLAYERS + 1);
            await("to send", () -> SendStatus.SENT == trunk.client().send(seat, message, 0, Long.BYTES));
            sent++;
        }
        await("the engine to accept all", () -> trunk.joined.stream().allMatch(this::isComplete));
    }

    /** A player that was away misses events. */
    private boolean isComplete(final ClientSeat seat)
    {
        return Player.at(seat).last == seat.sequence() ||
            losses > 0 && seat.isPresent() && seat.acceptedSequence() == seat.sequence();
    }

    /** Nothing but a whole state or each difference leads to the last state, which the rooms do not repeat. */
    private void settle()
    {
        await("the last states", () -> trunk.joined.stream().map(Player::at).allMatch(Player::isSettled));
        long malformed = trunk.client().malformedMessages();
        for (final ClientSeat seat : trunk.joined)
        {
            System.out.println(LossServer.STATE + LossServer.summary(seat.roomId(), Player.at(seat).copy));
            malformed += Player.at(seat).copy.malformedCount();
        }
        if (0 != malformed)
        {
            System.out.println(LossServer.WRONG + malformed + " malformed messages");
        }
    }

    private void leave()
    {
        for (final ClientSeat seat : trunk.joined)
        {
            await("to leave", () -> SendStatus.SENT == trunk.client().leave(seat));
        }
        await("the seats to be left", () -> PLAYERS == trunk.left.size());
    }

    private void await(final String what, final BooleanSupplier condition)
    {
        Tests.await(() ->
        {
            host.poll();
            trunk.poll();
            return condition.getAsBoolean();
        }, what);
    }

    @Override
    public void onDisconnected(final int code)
    {
        losses++;
        trunk.joined.forEach((seat) -> Player.at(seat).copy.reset());
    }

    @Override
    public void onJoined(final long requestId, final ClientSeat seat)
    {
        seat.attachment(new Player());
    }

    @Override
    public void onState(final ClientSeat seat, final DirectBuffer buffer, final int offset, final int length)
    {
        Player.at(seat).copy.apply(buffer, offset, length);
    }

    @Override
    public void onEvent(final ClientSeat seat, final DirectBuffer buffer, final int offset, final int length)
    {
        final long number = buffer.getLong(offset);
        final Player player = Player.at(seat);
        final long last = player.last;
        if (number <= last || 0 == losses && number != last + 1)
        {
            System.out.println(LossServer.WRONG + number + " came back after " + last);
        }
        player.last = number;
        events++;
    }
}
