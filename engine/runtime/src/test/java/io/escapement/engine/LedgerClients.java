package io.escapement.engine;

import io.escapement.client.ClientSeat;
import io.escapement.client.SendStatus;
import io.escapement.client.TrunkContext;
import io.escapement.client.TrunkListener;
import io.escapement.engine.ledger.History;
import io.escapement.engine.ledger.HistoryRoom;
import io.escapement.testsupport.RealTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Trunks that outlive the engine: they resume, send again what was not accepted, and write a history. While an engine
 * is up they send at a rate, whether it answers or not (open loop). Polled by the test.
 */
@RealTime("a helper of processes that are killed, in real time")
final class LedgerClients implements AutoCloseable
{
    static final int TRUNKS = 4;
    /** Commands a second of all trunks together. */
    static final int RATE = 20_000;
    private static final long MS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final int RESEND_LENGTH = 512 * 1_024;
    /** Messages between two polls, so that answers are received in time. */
    private static final int BURST = 64;
    /** A message that is due and not sent by then counts as not offered. */
    private static final long PATIENCE_NS = 50 * MS;

    private final TestHost host;
    private final History history;
    private final List<TestTrunk> trunks = new ArrayList<>();
    private final List<ClientSeat> seats = new ArrayList<>();
    private final Set<String> requested = new HashSet<>();
    private final UnsafeBuffer message = new UnsafeBuffer(new byte[HistoryRoom.MESSAGE_LENGTH]);
    private final Map<TestTrunk, Integer> codeByTrunkMap = new HashMap<>();
    private long pacedFromNs;
    private long paced;
    private int nextSeat;
    private long sent;
    private long due;
    private long resumed;

    LedgerClients(final TestHost host, final String ingress, final String response, final History history)
    {
        this.host = host;
        this.history = history;
        for (int i = 0; i < TRUNKS; i++)
        {
            final TestTrunk trunk = TestTrunk.on(host, new TrunkContext().udp(ingress, response).identity("tests")
                .secret(TestTrunk.SECRET).reconnect(20 * MS, 50 * MS).connectTimeoutNs(3_000 * MS)
                .resendLength(RESEND_LENGTH));
            trunks.add(trunk.forwardTo(new Writer(trunk)));
        }
    }

    /** Receive, without sending. */
    void poll()
    {
        host.poll(trunks);
    }

    /** Every player joins every room once; after that its trunk keeps the seats. */
    boolean join(final List<Long> rooms)
    {
        for (int i = 0; i < TRUNKS; i++)
        {
            for (final long roomId : rooms)
            {
                final String name = i + "/" + roomId;
                if (!requested.contains(name) && SendStatus.SENT == trunks.get(i).client().join(
                    1 + requested.size(), roomId, 1 + i, TestTrunk.NO_TOKEN, message, 0, 0))
                {
                    requested.add(name);
                }
            }
        }
        return seats.size() == TRUNKS * rooms.size();
    }

    /** Whether all seats are up. */
    boolean isUp()
    {
        return seats.stream().allMatch(ClientSeat::isPresent);
    }

    /** Begin to send at the rate. */
    void startPacing()
    {
        pacedFromNs = System.nanoTime();
        paced = 0;
    }

    /** Send what is due, and receive. */
    void pace()
    {
        final long target = (System.nanoTime() - pacedFromNs) * RATE / TimeUnit.SECONDS.toNanos(1);
        for (int i = 0; i < BURST && paced < target; i++)
        {
            if (sendOne())
            {
                sent++;
            }
            else
            {
                // Nobody has room.
                break;
            }
            paced++;
            due++;
        }
        final long late = target - paced - RATE * PATIENCE_NS / TimeUnit.SECONDS.toNanos(1);
        if (late > 0)
        {
            paced += late;
            due += late;
        }
        poll();
    }

    private boolean sendOne()
    {
        for (int i = 0; i < seats.size(); i++)
        {
            nextSeat = (nextSeat + 1) % seats.size();
            final ClientSeat seat = seats.get(nextSeat);
            if (seat.isPresent() && send((TestTrunk)seat.attachment(), seat))
            {
                return true;
            }
        }
        return false;
    }

    private boolean send(final TestTrunk trunk, final ClientSeat seat)
    {
        final long number = seat.sequence() + 1;
        message.putLong(0, seat.playerId());
        message.putLong(8, number);
        final long nowNs = System.nanoTime();
        if (SendStatus.SENT != trunk.client().send(seat, message, 0, HistoryRoom.MESSAGE_LENGTH))
        {
            return false;
        }
        history.invoke(seat.playerId(), seat.roomId(), number, nowNs);
        return true;
    }

    /** Messages that were sent for the first time. */
    long sent()
    {
        return sent;
    }

    /** Messages that were due while an engine was up. */
    long due()
    {
        return due;
    }

    /** Number of times that a trunk was resumed. */
    long resumed()
    {
        return resumed;
    }

    /** The codes with which trunks went down for the first time, 0 for a lost connection. */
    List<Integer> codes()
    {
        return List.copyOf(codeByTrunkMap.values());
    }

    List<ClientSeat> seats()
    {
        return seats;
    }

    @Override
    public void close()
    {
        trunks.forEach(TestTrunk::close);
    }

    /** Writes the history of a trunk. */
    private final class Writer implements TrunkListener
    {
        private final TestTrunk trunk;

        Writer(final TestTrunk trunk)
        {
            this.trunk = trunk;
        }

        @Override
        public void onUp(final boolean isResumed)
        {
            resumed += isResumed ? 1 : 0;
        }

        @Override
        public void onDown(final int code)
        {
            codeByTrunkMap.putIfAbsent(trunk, code);
        }

        @Override
        public void onDisconnected(final int code)
        {
            codeByTrunkMap.putIfAbsent(trunk, code);
        }

        @Override
        public void onJoined(final long requestId, final ClientSeat seat)
        {
            if (!seats.contains(seat))
            {
                seats.add(seat);
                seat.attachment(trunk);
            }
            onAccepted(seat);
        }

        @Override
        public void onSeatResumed(final ClientSeat seat)
        {
            onAccepted(seat);
        }

        @Override
        public void onAccepted(final ClientSeat seat)
        {
            history.accept(seat.playerId(), seat.roomId(), seat.acceptedSequence());
        }

        @Override
        public void onEvent(final ClientSeat seat, final DirectBuffer buffer, final int offset, final int length)
        {
            history.answer(buffer.getLong(offset), seat.roomId(), buffer.getLong(offset + 8),
                buffer.getLong(offset + 16), System.nanoTime());
        }
    }
}
