package io.escapement.engine.internal.loop;

import io.escapement.codecs.TrunkMessages;
import io.escapement.codecs.room.RefusalCode;
import io.escapement.codecs.room.RequestDecoder;
import io.escapement.codecs.room.RoomEncoder;
import io.escapement.codecs.trunk.AcceptedDecoder;
import io.escapement.codecs.trunk.EventDecoder;
import io.escapement.codecs.trunk.JoinedDecoder;
import io.escapement.codecs.trunk.MessageHeaderDecoder;
import io.escapement.codecs.trunk.RefusedDecoder;
import io.escapement.codecs.trunk.SeatResumedDecoder;
import io.escapement.engine.internal.monitor.EngineCounters;
import io.escapement.engine.internal.queue.CommandQueue;
import io.escapement.engine.internal.queue.ControlSignal;
import io.escapement.engine.internal.queue.EngineClock;
import io.escapement.engine.ledger.History;
import io.escapement.engine.ledger.HistoryChecker;
import io.escapement.engine.ledger.HistoryRoom;
import io.escapement.engine.trunks.TrunkServerContext;
import io.escapement.rooms.host.HostContext;
import io.escapement.rooms.loop.LoopLimits;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Two durable loops with ledger rooms, stepped by hand, the edge and clients that resend, a program and a service. All
 * of it but the logs, the clients' histories and the service's table is killed at random moments.
 */
final class LedgerRig
{
    static final int LOOPS = 2;
    private static final int ROOMS = 4;
    static final int CLIENTS = 3;
    private static final int LINKS = CLIENTS;
    private static final long STEP_NS = 100_000;
    private static final long UNKNOWN_NUMBER = 1_000_000;

    /** The difference of rigs of one seed. */
    enum Kind
    {
        /** Nothing. */
        PLAIN,
        /** Rooms compute something else after the first kill. */
        OTHER_BUILD,
        /** There is one kill, while commands of rooms to rooms of their loop wait. */
        WAITING_RETURNS
    }

    private final Kind kind;
    private final boolean isCompared;
    private final SplittableRandom random;
    private final History history = new History();
    private final Set<String> effects = new HashSet<>();
    private final RoomEncoder commands = new RoomEncoder();
    private final UnsafeBuffer command = new UnsafeBuffer(new byte[CommandQueue.INBOX_SLOT_LENGTH]);
    private final UnsafeBuffer value = new UnsafeBuffer(new byte[64]);
    private final List<Throwable> errors = new ArrayList<>();
    private final List<String> findings = new ArrayList<>();
    private final List<Seat> seats = new ArrayList<>();
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final io.escapement.codecs.room.MessageHeaderDecoder roomHeader =
        new io.escapement.codecs.room.MessageHeaderDecoder();
    private final long[] programSignals = new long[ROOMS];
    private long nowNs = 1;
    private final EngineClock clock = new EngineClock(() -> nowNs);
    private final LedgerLogs logs;
    private LedgerParts parts = new LedgerParts();
    private int kills;
    private long staleProposals;

    LedgerRig(final long seed, final boolean isSynced, final boolean isJournal, final Kind kind)
    {
        this(seed, isSynced, isJournal, kind, true);
    }

    /** With or without a look at the state of loops that have lost nothing, which is not the checker's. */
    LedgerRig(
        final long seed, final boolean isSynced, final boolean isJournal, final Kind kind, final boolean isCompared)
    {
        this.isCompared = isCompared;
        this.kind = kind;
        random = new SplittableRandom(seed);
        logs = isJournal ? new JournalLogs(random, isSynced) : new FakeLogs(random, isSynced);
        begin(new long[LOOPS]);
        for (int i = 0; i < ROOMS; i++)
        {
            value.putLong(0, roomId((i + 1) % ROOMS));
            offer(parts.inboxes[loopOf(i)], ControlSignal.COMMAND, null, commands.openRoom(
                command, 0, roomId(i), 0, 0, 0, HistoryRoom.TYPE, value, 0, 8));
            for (int client = 0; client < CLIENTS; client++)
            {
                seats.add(new Seat(client, i));
            }
        }
        step(3);
        attach(false);
    }

    /** Steps with random messages, signals and kills. */
    void run(final int steps)
    {
        for (int i = 0; i < steps && findings.isEmpty(); i++)
        {
            final int dice = random.nextInt(1_000);
            if (mayKill(dice, steps))
            {
                kill();
                if (!findings.isEmpty())
                {
                    return;
                }
            }
            else if (dice < 100)
            {
                signal(random.nextInt(ROOMS));
            }
            else
            {
                seats.get(random.nextInt(seats.size())).send();
            }
            step(1);
            if (0 == random.nextInt(3))
            {
                serve();
            }
        }
    }

    private boolean mayKill(final int dice, final int steps)
    {
        return Kind.WAITING_RETURNS != kind ? dice < 12 && kills < steps / 40 :
            0 == kills && 0 != parts.agents[0].host().loopState().returns();
    }

    /** Let everything arrive, and check. */
    List<String> finish()
    {
        for (int i = 0; i < 400 && findings.isEmpty(); i++)
        {
            step(1);
            serve();
            for (final Seat seat : seats)
            {
                seat.resend();
            }
        }
        if (!errors.isEmpty() && findings.isEmpty())
        {
            findings.add("errors: " + errors);
        }
        if (findings.isEmpty())
        {
            for (final Seat seat : seats)
            {
                if (seat.accepted != seat.sequence)
                {
                    findings.add("not accepted: " + seat.accepted + " of " + seat.sequence);
                }
            }
            findings.addAll(HistoryChecker.check(history, parts.rooms(), effects));
        }
        return findings;
    }

    int kills()
    {
        return kills;
    }

    int messages()
    {
        return history.size();
    }

    long known()
    {
        return history.known();
    }

    /** Number of loops that were restored from a snapshot. */
    long restored()
    {
        return logs.restored();
    }

    /** Proposals of deposed leaders that no loop has run. */
    long staleProposals()
    {
        return staleProposals;
    }

    private static long roomId(final int room)
    {
        return ((long)loopOf(room) << 54) + 1 + room;
    }

    /** Two rooms of each loop, so that half of the signals are returns. */
    private static int loopOf(final int room)
    {
        return room / (ROOMS / LOOPS);
    }

    private void step(final int times)
    {
        for (int i = 0; i < times; i++)
        {
            nowNs += 1 + random.nextLong(STEP_NS);
            for (int loop = 0; loop < LOOPS; loop++)
            {
                logs.step(loop);
                parts.agents[loop].doWork();
                if (null != parts.agents[loop].fault())
                {
                    findings.add("loop " + loop + " ended: " + parts.agents[loop].fault());
                    return;
                }
            }
            parts.edgeInbox.poll((slot, sequence, isEndOfBatch) -> true);
            receive();
        }
    }

    private void kill()
    {
        kills++;
        final long[] hashes = new long[LOOPS];
        for (int loop = 0; loop < LOOPS; loop++)
        {
            hashes[loop] = isCompared && logs.isWhole(loop) ? parts.agents[loop].host().stateHash() : 0;
        }
        parts = new LedgerParts();
        logs.kill();
        begin(hashes);
        if (!findings.isEmpty())
        {
            return;
        }
        step(1);
        for (int i = 0; i < ROOMS; i++)
        {
            programSignals[i] = parts.rooms().get(roomId(i)).lastSignal(HistoryRoom.PROGRAM);
        }
        seats.forEach(Seat::lose);
        forge();
        step(random.nextInt(4));
        attach(true);
    }

    /** Begin an incarnation. A loop that has lost nothing has the state that it had. */
    private void begin(final long[] hashes)
    {
        try
        {
            for (int loop = 0; loop < LOOPS; loop++)
            {
                final int number = loop;
                parts.agents[loop] = logs.begin(loop, (snapshot) -> agent(number, snapshot));
                staleProposals += parts.agents[loop].committed().runner().stale();
                if (0 != hashes[loop] && hashes[loop] != parts.agents[loop].host().stateHash())
                {
                    findings.add("loop " + loop + " has another state than before it was killed");
                }
            }
            for (int loop = 0; loop < LOOPS; loop++)
            {
                logs.lead(loop, parts.agents[loop]);
            }
        }
        catch (final RuntimeException ex)
        {
            findings.add("a start is refused: " + ex.getMessage());
        }
    }

    /** The edge attaches every client's trunk to both loops. */
    private void attach(final boolean isResumed)
    {
        for (int client = 0; client < CLIENTS; client++)
        {
            for (int loop = 0; loop < LOOPS; loop++)
            {
                final MemoryPublication publication = new MemoryPublication();
                parts.publications[client][loop] = publication;
                final LinkAttachment link = new LinkAttachment(
                    client, publication, new LinkQueues(), true);
                final boolean isUp = parts.agents[loop].host().linksUp() > client;
                offer(parts.inboxes[loop], ControlSignal.ATTACH, link, isResumed && !isUp ?
                    commands.linkResumed(command, 0, trunkOf(client), client, client) :
                    commands.linkUp(command, 0, trunkOf(client), client));
            }
        }
        step(2);
        for (final Seat seat : seats)
        {
            seat.join();
        }
        step(4);
    }

    private static long trunkOf(final int client)
    {
        return 100 + client;
    }

    /** Another client has the same link number, before the seats' own has returned. */
    private void forge()
    {
        step(2);
        for (final Seat seat : seats)
        {
            if (seat.generation != 0)
            {
                seat.offer(seat.sequence + 1, UNKNOWN_NUMBER + kills);
            }
        }
        // The edge gives nobody else the number while commands of the last one wait.
        for (int i = 0; i < 100 && isBusy(); i++)
        {
            step(1);
        }
    }

    private boolean isBusy()
    {
        boolean isBusy = false;
        for (int loop = 0; loop < LOOPS; loop++)
        {
            isBusy |= !parts.rings[loop].isEmpty() || 0 != logs.log(loop).underWay();
        }
        return isBusy;
    }

    private void signal(final int room)
    {
        value.putLong(0, ++programSignals[room]);
        offer(parts.inboxes[loopOf(room)], ControlSignal.COMMAND, null,
            commands.signal(command, 0, roomId(room), HistoryRoom.PROGRAM, 0, value, 0, 8));
    }

    /** The service does each request once by its room and correlation id, and replies to each. */
    private void serve()
    {
        parts.worker.poll((slot, sequence, isEndOfBatch) ->
        {
            final RequestDecoder request =
                new RequestDecoder().wrapAndApplyHeader(parts.worker.block(), slot.offset, roomHeader);
            final long roomId = request.roomId();
            final long correlationId = request.correlationId();
            final int at = request.limit() + RequestDecoder.payloadHeaderLength();
            parts.slow.add(new long[]{roomId, correlationId, parts.worker.block().getLong(at + 8)});
            return true;
        });
        // A kill may come before the service has done some.
        while (!parts.slow.isEmpty() && 0 != random.nextInt(4))
        {
            final long[] next = parts.slow.remove(0);
            effects.add(next[0] + "/" + next[2]);
            offer(parts.inboxes[TrunkMessages.loopOf(next[0])], ControlSignal.REPLY, null,
                commands.reply(command, 0, next[0], next[1], 0, value, 0, 0));
        }
    }

    private void receive()
    {
        for (int client = 0; client < CLIENTS; client++)
        {
            for (int loop = 0; loop < LOOPS; loop++)
            {
                final MemoryPublication publication = parts.publications[client][loop];
                if (null != publication)
                {
                    for (final byte[] message : publication.messages)
                    {
                        receive(client, new UnsafeBuffer(message));
                    }
                    publication.messages.clear();
                    publication.packetLengths.clear();
                }
            }
        }
    }

    private void receive(final int client, final UnsafeBuffer message)
    {
        switch (header.wrap(message, 0).templateId())
        {
            case JoinedDecoder.TEMPLATE_ID ->
            {
                final JoinedDecoder joined = new JoinedDecoder().wrapAndApplyHeader(message, 0, header);
                seat(client, joined.roomId()).present(joined.seatIndex(), joined.generation(), joined.sequence());
            }
            case SeatResumedDecoder.TEMPLATE_ID ->
            {
                final SeatResumedDecoder resumed = new SeatResumedDecoder().wrapAndApplyHeader(message, 0, header);
                seat(client, resumed.roomId()).present(resumed.seatIndex(), resumed.generation(), resumed.sequence());
            }
            case AcceptedDecoder.TEMPLATE_ID ->
            {
                final AcceptedDecoder accepted = new AcceptedDecoder().wrapAndApplyHeader(message, 0, header);
                seat(client, accepted.roomId()).accept(accepted.sequence());
            }
            case EventDecoder.TEMPLATE_ID ->
            {
                final EventDecoder event = new EventDecoder().wrapAndApplyHeader(message, 0, header);
                final long roomId = event.roomId();
                final int at = event.limit() + EventDecoder.payloadHeaderLength();
                if (message.getLong(at + 8) < UNKNOWN_NUMBER)
                {
                    history.answer(
                        message.getLong(at), roomId, message.getLong(at + 8), message.getLong(at + 16), nowNs);
                }
            }
            case RefusedDecoder.TEMPLATE_ID ->
            {
                final RefusedDecoder refused = new RefusedDecoder().wrapAndApplyHeader(message, 0, header);
                if (RefusalCode.OLD_SEQUENCE.value() != refused.code() &&
                    RefusalCode.ALREADY_JOINED.value() != refused.code())
                {
                    findings.add("refused: " + RefusalCode.get((short)refused.code()));
                }
            }
            default -> throw new AssertionError("message " + header.templateId());
        }
    }

    private Seat seat(final int client, final long roomId)
    {
        return seats.stream().filter((seat) -> seat.client == client && roomId(seat.room) == roomId).findFirst()
            .orElseThrow();
    }

    private static void offer(
        final CommandQueue queue, final ControlSignal signal, final Object attachment, final UnsafeBuffer bytes,
        final int length)
    {
        if (!queue.offer(signal, attachment, bytes, 0, length))
        {
            throw new AssertionError("a queue is full");
        }
    }

    private void offer(
        final CommandQueue queue, final ControlSignal signal, final Object attachment, final int length)
    {
        offer(queue, signal, attachment, command, length);
    }

    private LoopAgent agent(final int loop, final DirectBuffer snapshot)
    {
        final boolean isOther = Kind.OTHER_BUILD == kind && 0 != kills;
        final LedgerParts with = parts;
        return LoopAgent.logged(new LoopContext()
            .loop(loop)
            .ring(parts.rings[loop])
            .inboxes(parts.inboxes)
            .edgeInbox(parts.edgeInbox)
            .workersByServiceIdMap(Map.of(HistoryRoom.SERVICE, new CommandQueue[]{parts.worker}))
            .trunks(new TrunkServerContext().limit(LINKS))
            .counters(new LoopCounters(loop, new EngineCounters(), Map.of()))
            .host(new HostContext().loopState(new LoopLimits(loop, LOOPS, 2_048, 256 * 1_024)).linkLimit(LINKS)
                .roomType(HistoryRoom.type(() ->
                {
                    final HistoryRoom room = isOther ? new OtherRoom() : new HistoryRoom();
                    with.made.add(room);
                    return room;
                })))
            .clock(clock)
            .errorHandler(errors::add), snapshot, null);
    }

    /** Of a build that computes something else. */
    private static final class OtherRoom extends HistoryRoom
    {
        @Override
        public long answered(final long position)
        {
            return position + 1;
        }
    }

    /** A client's seat in a room: it keeps what is not accepted, and sends it again when the seat is resumed. */
    private final class Seat
    {
        final int client;
        final int room;
        final TreeMap<Long, Long> numberBySequenceMap = new TreeMap<>();
        int index;
        int generation;
        boolean isPresent;
        long sequence;
        long number;
        long accepted;
        long acceptedNumber;

        Seat(final int client, final int room)
        {
            this.client = client;
            this.room = room;
        }

        void join()
        {
            if (0 == generation)
            {
                ring(commands.join(command, 0, roomId(room), 1 + client, 1, client, value, 0, 0));
            }
        }

        void send()
        {
            if (isPresent && numberBySequenceMap.size() < 32)
            {
                history.invoke(client, roomId(room), ++number, nowNs);
                numberBySequenceMap.put(++sequence, number);
                offer(sequence, number);
            }
        }

        void present(final int newIndex, final int newGeneration, final long lastAccepted)
        {
            index = newIndex;
            generation = newGeneration;
            isPresent = true;
            // A client that does not look: the last message that has run is sent again too.
            if (0 != acceptedNumber)
            {
                offer(accepted, acceptedNumber);
            }
            for (final Map.Entry<Long, Long> kept : numberBySequenceMap.entrySet())
            {
                offer(kept.getKey(), kept.getValue());
            }
            accept(lastAccepted);
        }

        /** Send again what has no answer. It waits in the ring, or is lost. */
        void resend()
        {
            if (isPresent && numberBySequenceMap.size() > 24)
            {
                numberBySequenceMap.forEach(this::offer);
            }
        }

        void accept(final long lastAccepted)
        {
            accepted = Math.max(accepted, lastAccepted);
            for (final long ran : numberBySequenceMap.headMap(lastAccepted, true).values())
            {
                history.accept(client, roomId(room), ran);
                acceptedNumber = ran;
            }
            numberBySequenceMap.headMap(lastAccepted, true).clear();
        }

        void lose()
        {
            isPresent = false;
        }

        void offer(final long ofSequence, final long ofNumber)
        {
            value.putLong(0, client);
            value.putLong(8, ofNumber);
            ring(commands.message(command, 0, roomId(room), ofSequence, index, generation, client,
                value, 0, HistoryRoom.MESSAGE_LENGTH));
        }

        private void ring(final int length)
        {
            LedgerRig.offer(parts.rings[loopOf(room)], ControlSignal.COMMAND, null, command, length);
        }
    }
}
