package io.escapement.rooms.replay;

import io.escapement.codecs.RoomCommands;
import io.escapement.codecs.layout.SchemaRules;
import io.escapement.codecs.room.HostResumedDecoder;
import io.escapement.codecs.room.RoomEncoder;
import io.escapement.rooms.RoomDescription;
import io.escapement.rooms.Seat;
import io.escapement.rooms.host.HostContext;
import io.escapement.rooms.host.RoomHost;
import io.escapement.rooms.log.HostConfig;
import io.escapement.rooms.log.LogHistory;
import io.escapement.rooms.log.LogSource;
import io.escapement.rooms.log.ProposalReader;
import io.escapement.rooms.log.ProposalWriter;
import io.escapement.rooms.output.ByteSink;
import io.escapement.rooms.output.CapturedOutputs;
import io.escapement.rooms.output.HostListener;
import io.escapement.rooms.output.RecordSink;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.collections.Int2ObjectHashMap;
import org.agrona.collections.IntArrayList;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * One room of a log at one moment of its past. The room runs without the others: a step has no cost for the other
 * rooms. It moves forward by running turns, and back by rerunning them from a copy of an earlier state. At the same
 * place the room has the same state, whichever way it was reached.
 *
 * <p>A place is a turn, by the number of its proposal in the log, and the number of its messages that have run. The log
 * is read in parts, from each of its starts to the next, and one part is in memory. One thread.
 */
public final class RoomPast
{
    /** Length of a log that people can send each other, with minutes of a busy room: a limit for {@link #write}. */
    public static final int BUNDLE_LENGTH = 8 * 1_024 * 1_024;

    /** Turns of the room between two copies of its state: a step back runs half of them. */
    private static final int COPY_INTERVAL = 128;
    private static final int BEFORE_FIRST = -1;

    /**
     * A command to the room.
     *
     * @param turn    in which it ran.
     * @param nowNs   host time of the turn.
     * @param command as room.xml defines it.
     */
    public record Input(long turn, long nowNs, DirectBuffer command)
    {
    }

    /** Replaces messages of players by their hashes, for a log that leaves the house. */
    public interface Hiding
    {
        /** Whether the messages of a template are replaced. */
        boolean isHidden(int templateId);

        /** Replace the bytes of a message after its header. */
        void hide(MutableDirectBuffer buffer, int offset, int length);
    }

    /** The first turn after a start of the log, and its date. A log that is being written may have no such turn yet. */
    private record Start(long turn, long epochMs)
    {
    }

    /** A state of the room after an entry of the part, and when its next turn is due without a command. */
    private record Copy(int entry, long deadlineNs, byte[] state)
    {
    }

    private final LogHistory history;
    private final long roomId;
    private final Supplier<HostContext> contexts;
    private final boolean areOtherVersionsAllowed;
    private final CapturedOutputs outputs = new CapturedOutputs();
    private final List<Integer> refusals = new ArrayList<>();
    private final Listener listener = new Listener();
    private final Int2ObjectHashMap<Start> startByNumberMap = new Int2ObjectHashMap<>();
    private ProposalWriter proposal;

    // The part of the log in memory.
    private final LogPart turns;
    private final List<Copy> copies = new ArrayList<>();
    /** Entries of the turns that the room has run, in order, and how many frames each has run. */
    private final IntArrayList ran = new IntArrayList();
    private final IntArrayList framesOfRan = new IntArrayList();
    private HostConfig config;
    private int part = BEFORE_FIRST;
    private long firstTurn;
    private boolean isLastPart;

    /** Takes the turns that run, or null. */
    private RoomRecord record;

    /** Whether the state is from another past, and not from the snapshots of the log. */
    private boolean isContinued;
    /** Whether the room runs a command of a turn after another. Null if it runs all. */
    private Predicate<Input> isKept;
    private long keptUpTo;
    /** A message to run in the next turn, or null. */
    private DirectBuffer sent;
    private boolean hasOtherInputs;

    private ProposalRunner alone;
    private long deadlineNs;
    /** The last entry that was run or passed over, and where the next command of it is while its turn runs. */
    private int entry = BEFORE_FIRST;
    private boolean isInTurn;
    private int messages;
    private int frames;
    private long lateNs;
    private int typeId;
    private Throwable thrown;
    /** The last entry in which the room threw. */
    private int lastThrown = BEFORE_FIRST;

    /**
     * Begin before the first turn of a log.
     *
     * @param history  of the log of one loop.
     * @param roomId   of the room.
     * @param contexts makes contexts with the room types.
     */
    public RoomPast(final LogHistory history, final long roomId, final Supplier<HostContext> contexts)
    {
        this(history, roomId, contexts, false);
    }

    /**
     * Begin before the first turn of a log, possibly with another version of the logic.
     *
     * @param history                 of the log of one loop.
     * @param roomId                  of the room.
     * @param contexts                makes contexts with the room types.
     * @param areOtherVersionsAllowed whether other versions and settings than the log has are allowed.
     */
    public RoomPast(
        final LogHistory history,
        final long roomId,
        final Supplier<HostContext> contexts,
        final boolean areOtherVersionsAllowed)
    {
        this.history = history;
        this.roomId = roomId;
        turns = new LogPart(roomId);
        this.contexts = contexts;
        this.areOtherVersionsAllowed = areOtherVersionsAllowed;
        load(0);
    }

    /**
     * The rooms of a log, in the order in which they opened.
     *
     * @param history of the log of one loop.
     * @return their ids.
     */
    public static List<Long> rooms(final LogHistory history)
    {
        return new LogRooms(history).rooms();
    }

    /** Id of the room. */
    public long roomId()
    {
        return roomId;
    }

    /** Number of the turn in the log. Before the first turn after a snapshot, the number of the snapshot. */
    public long turn()
    {
        final int at = isInTurn ? entry : ranUpTo(entry);
        return BEFORE_FIRST == at ? firstTurn : turns.number(at);
    }

    /** Messages of the turn that have run, if it is not over. Otherwise 0. */
    public int message()
    {
        return isInTurn ? messages : 0;
    }

    /** Host time in nanoseconds. */
    public long nowNs()
    {
        return alone.host().nowNs();
    }

    /** The date, in milliseconds since 1970. */
    public long epochMs()
    {
        return alone.host().epochMs();
    }

    /** Whether the room is open. Not within a turn. */
    public boolean isOpen()
    {
        return alone.host().isOpen(roomId);
    }

    /** Name the values of the room, if it is open, for people. */
    public void describe(final RoomDescription description)
    {
        alone.host().describe(roomId, description);
    }

    /** Hash of the room's state, 0 if it is not open. Not within a turn. */
    public long stateHash()
    {
        return alone.host().stateHash(roomId);
    }

    /** Type of the room when it was open last, 0 if this has not seen it open. */
    public int typeId()
    {
        return typeId;
    }

    /** The host in which the room runs without the others, to be read. */
    public RoomHost host()
    {
        return alone.host();
    }

    /** Output of the room since the last move. */
    public CapturedOutputs outputs()
    {
        return outputs;
    }

    /** Codes of the refusals since the last move. */
    public List<Integer> refusals()
    {
        return refusals;
    }

    /** Throwable of the room since the last move, or null. */
    public Throwable thrown()
    {
        return thrown;
    }

    /** Frames that have run since the last move. */
    public int frames()
    {
        return frames;
    }

    /** How long after its deadline the turn of the latest of them started. */
    public long lateNs()
    {
        return lateNs;
    }

    /** Commands to the room in this turn. */
    public int commands()
    {
        final int at = isInTurn ? entry : ranUpTo(entry);
        return BEFORE_FIRST == at ? 0 : turns.inputs(at).size();
    }

    /** When the log starts, in milliseconds since 1970. */
    public long beginMs()
    {
        return start(0).epochMs;
    }

    /** Run to the end of the next turn in which the room runs, or of this one. False at the end of the log. */
    public boolean step()
    {
        beginMove();
        if (!isInTurn && !beginNext())
        {
            return false;
        }
        endTurn();
        return true;
    }

    /** Run the next message to the room, and stop in its turn. False at the end of the log. */
    public boolean stepMessage()
    {
        beginMove();
        while (isInTurn || beginNext())
        {
            if (runMessage())
            {
                return true;
            }
            endTurn();
            beginMove();
        }
        return false;
    }

    /** Run the next message to the room, or the rest of its turn, or the next turn. False at the end of the log. */
    public boolean stepOn()
    {
        beginMove();
        if (!isInTurn && !beginNext())
        {
            return false;
        }
        if (!runMessage())
        {
            endTurn();
        }
        return true;
    }

    /** Run to the end of the next turn with a frame of the room. False at the end of the log. */
    public boolean stepFrame()
    {
        beginMove();
        if (isInTurn)
        {
            endTurn();
        }
        while (0 == frames && beginNext())
        {
            beginMove();
            endTurn();
        }
        return 0 != frames;
    }

    /** Go back to the end of the previous turn of the room. False at the start of the log. */
    public boolean back()
    {
        final int at = isInTurn ? entry : ranUpTo(entry);
        if (BEFORE_FIRST == at)
        {
            return toPartBefore() && back();
        }
        moveTo(ranUpTo(at - 1));
        while (BEFORE_FIRST == ranUpTo(entry) && toPartBefore())
        {
            // The state is the same there, and the turn that made it is named.
        }
        return true;
    }

    /** Go back to the previous message, or to the last message of a turn that is over. False without such a message. */
    public boolean backMessage()
    {
        int at = entry;
        int wanted = isInTurn ? messages - 1 : BEFORE_FIRST == at ? 0 : turns.inputs(at).size();
        while (0 == wanted)
        {
            at--;
            if (at < 0)
            {
                if (!toPartBefore())
                {
                    moveTo(BEFORE_FIRST);
                    return false;
                }
                at = entry;
            }
            wanted = at < 0 ? 0 : turns.inputs(at).size();
        }
        moveTo(at - 1);
        beginMove();
        entry = at;
        beginTurn();
        for (int i = 0; i < wanted; i++)
        {
            runMessage();
        }
        return true;
    }

    /** Go back to the end of the previous turn with a frame of the room. False at the start of the log. */
    public boolean backFrame()
    {
        final int at = isInTurn ? entry : ranUpTo(entry);
        for (int i = ran.size() - 1; i >= 0; i--)
        {
            if (ran.getInt(i) < at && framesOfRan.getInt(i) > 0)
            {
                moveTo(ran.getInt(i));
                return true;
            }
        }
        if (!toPartBefore())
        {
            moveTo(BEFORE_FIRST);
            return false;
        }
        return 0 != frames || backFrame();
    }

    /**
     * Go to the end of a turn, or of the last before it in which the room ran.
     *
     * @param turn its number in the log.
     */
    public void seek(final long turn)
    {
        loadPart((start) -> start.turn <= turn);
        moveTo(turns.lastUpTo(turn));
    }

    /**
     * Go to the last turn up to a date.
     *
     * @param epochMs in milliseconds since 1970.
     */
    public void seekTime(final long epochMs)
    {
        loadPart((start) -> start.epochMs <= epochMs);
        final int last = turns.lastUpToDate(epochMs);
        if (BEFORE_FIRST == last && toPartBefore())
        {
            return;
        }
        moveTo(last);
    }

    /**
     * Go to the end of the last turn in which the room threw. False without such a turn, then the place is the first.
     */
    public boolean seekFailure()
    {
        for (int i = history.starts() - 1; i >= 0; i--)
        {
            load(i);
            moveTo(turns.size() - 1);
            if (BEFORE_FIRST != lastThrown)
            {
                moveTo(lastThrown);
                return true;
            }
        }
        moveTo(BEFORE_FIRST);
        return false;
    }

    /** Go to the end of the log. */
    public void seekEnd()
    {
        seek(Long.MAX_VALUE);
    }

    /**
     * The last commands to the room up to this place.
     *
     * @param limit of their number.
     */
    public List<Input> inputs(final int limit)
    {
        final List<Input> found = new ArrayList<>();
        for (int i = entry; i >= 0 && found.size() < limit; i--)
        {
            final List<Input> ofTurn = turns.inputs(i);
            final int count = isInTurn && i == entry ? messages : ofTurn.size();
            for (int j = count - 1; j >= 0 && found.size() < limit; j--)
            {
                found.add(ofTurn.get(j));
            }
        }
        Collections.reverse(found);
        return found;
    }

    /**
     * Write the log of the room up to this place. It starts at the earliest state from which it is not longer than a
     * limit, possibly here. A turn in progress is completed.
     *
     * @param sink   for the log in one piece.
     * @param limit  of its length in bytes, roughly.
     * @param hiding of messages that players sent, or null to keep them. With hiding the log cannot be run.
     */
    public void write(final RecordSink sink, final int limit, final Hiding hiding)
    {
        if (isInTurn)
        {
            endTurn();
        }
        final int last = entry;
        Copy first = new Copy(last, deadlineNs, snapshot());
        for (int i = copies.size() - 1; i >= 0; i--)
        {
            final Copy copy = copies.get(i);
            if (copy.entry <= last && copy.state.length + turns.lengthBetween(copy.entry, last) +
                RoomRecord.TURN_LENGTH * (long)ranBetween(copy.entry, last) <= limit)
            {
                first = copy;
            }
        }
        record = new RoomRecord(sink, config, roomId, hiding);
        record.begin(first.state);
        restore(first);
        runTo(last);
        record.end(alone);
        record = null;
    }

    /** Turns that the room has run after an entry, up to another. */
    private int ranBetween(final int from, final int to)
    {
        int count = 0;
        for (int i = 0; i < ran.size(); i++)
        {
            count += ran.getInt(i) > from && ran.getInt(i) <= to ? 1 : 0;
        }
        return count;
    }

    /**
     * Go to the place of another past of the same log, with the state that the room has there. From there on it only
     * steps forward, and no snapshot of the log replaces its state. Not within a turn.
     */
    public void continueFrom(final RoomPast other)
    {
        isContinued = true;
        load(other.part);
        beginAt(other.turn(), new Copy(other.entry, other.deadlineNs, other.snapshot()));
    }

    /**
     * Go to the place of another past of the same log, and leave out commands from there on. The room does not fail
     * where the log says that the machine failed, because its callbacks have other numbers.
     *
     * @param other past, not within a turn.
     * @param keeps a command to the room. It is asked once for each, in the order of the log.
     */
    public void continueFrom(final RoomPast other, final Predicate<Input> keeps)
    {
        isKept = keeps;
        keptUpTo = other.turn();
        hasOtherInputs = true;
        continueFrom(other);
    }

    /**
     * Have a seat send a message in the next turn of the room, ahead of the commands of that turn. Not within a turn.
     * It has the sequence of the seat's last message. Then the messages of the log are still accepted.
     *
     * @param seatIndex of a seat with a present player.
     * @param payload   of the message.
     */
    public void send(final int seatIndex, final DirectBuffer payload)
    {
        final RoomHost host = alone.host();
        final Seat[] seat = new Seat[1];
        if (host.isOpen(roomId))
        {
            host.forEachSeat(roomId, (taken) -> seat[0] = taken.index() == seatIndex ? taken : seat[0]);
        }
        if (null == seat[0] || !seat[0].isPresent())
        {
            throw new IllegalArgumentException(
                "seat " + seatIndex + (null == seat[0] ? ": it has no player here" : ": its player is away here"));
        }
        if (payload.capacity() > RoomCommands.MAX_PAYLOAD_LENGTH)
        {
            throw new IllegalArgumentException("a message of " + payload.capacity() + " bytes: send " +
                RoomCommands.MAX_PAYLOAD_LENGTH + " or less");
        }
        final UnsafeBuffer command = new UnsafeBuffer(new byte[RoomCommands.MAX_COMMAND_LENGTH]);
        final int length = new RoomEncoder().message(command, 0, roomId, host.repeatSequence(roomId, seatIndex),
            seatIndex, seat[0].generation(), host.linkOf(roomId, seatIndex), payload, 0, payload.capacity());
        sent = new UnsafeBuffer(command, 0, length);
        hasOtherInputs = true;
    }

    /** Continue from a state in this part of the log. */
    private void beginAt(final long turn, final Copy state)
    {
        firstTurn = turn;
        copies.clear();
        copies.add(state);
        restore(state);
    }

    /** A snapshot of the room as it is here. A log of the room can start with it. Not within a turn. */
    private byte[] snapshot()
    {
        final ByteSink sink = new ByteSink();
        alone.host().snapshot(sink);
        return sink.toArray();
    }

    /** Settings of the host that wrote the log, for one room. */
    public HostConfig config()
    {
        return config;
    }

    private void beginMove()
    {
        outputs.reset();
        refusals.clear();
        thrown = null;
        frames = 0;
        lateNs = 0;
    }

    // Turns

    /** Begin the next turn of the room, of this part of the log or of the next. */
    private boolean beginNext()
    {
        while (true)
        {
            while (entry + 1 < turns.size())
            {
                entry++;
                if (isDue(entry))
                {
                    beginTurn();
                    return true;
                }
            }
            if (isLastPart)
            {
                return false;
            }
            loadNext();
        }
    }

    private void loadNext()
    {
        if (!isContinued)
        {
            load(part + 1);
            return;
        }
        final long turn = turn();
        final Copy end = new Copy(BEFORE_FIRST, deadlineNs, snapshot());
        load(part + 1);
        beginAt(turn, end);
    }

    private boolean isDue(final int at)
    {
        return turns.hasCommands(at) || turns.nowNs(at) >= deadlineNs;
    }

    private void beginTurn()
    {
        proposal.clear();
        turns.forEachCommand(entry, (buffer, offset, length) ->
        {
            // An incarnation starts with its HostResumed.
            if (HostResumedDecoder.TEMPLATE_ID != SchemaRules.templateId(buffer, offset))
            {
                addSent();
            }
            proposal.add(buffer, offset, length);
        });
        addSent();
        final long number = alone.lastProposal() + 1;
        final int length = proposal.finish(
            turns.incarnation(entry), number, turns.nowNs(entry), alone.host().turn(), alone.outputHash());
        final long callback = hasOtherInputs ? LogPart.NO_CALLBACK : turns.failedCallback(entry);
        if (LogPart.NO_CALLBACK != callback)
        {
            alone.failAt(number, roomId, callback);
        }
        alone.accept(proposal.buffer(), 0, length);
        if (null != record)
        {
            record.add(alone.proposal(), callback);
        }
        alone.beginTurn();
        isInTurn = true;
        messages = 0;
    }

    private void addSent()
    {
        if (null != sent)
        {
            proposal.add(sent, 0, sent.capacity());
            sent = null;
        }
    }

    /** Run commands up to a message to the room, and that message. False if the turn has no further message. */
    private boolean runMessage()
    {
        final ProposalReader turn = alone.proposal();
        while (turn.nextCommand())
        {
            final boolean isOwn = RoomTurns.isTo(roomId, turn.buffer(), turn.commandOffset());
            alone.runCommand();
            if (isOwn)
            {
                messages++;
                return true;
            }
        }
        return false;
    }

    private void endTurn()
    {
        while (runMessage())
        {
            // The rest of the turn.
        }
        final int framesBefore = frames;
        deadlineNs = alone.endTurn();
        isInTurn = false;
        noteType();
        if (0 == ran.size() || ran.getInt(ran.size() - 1) < entry)
        {
            ran.addInt(entry);
            framesOfRan.addInt(frames - framesBefore);
            if (0 == ran.size() % COPY_INTERVAL)
            {
                copies.add(new Copy(entry, deadlineNs, snapshot()));
            }
        }
    }

    private void noteType()
    {
        if (isOpen())
        {
            typeId = alone.host().typeOf(roomId);
        }
    }

    // Moves

    /** The last entry up to a limit that the room has run. */
    private int ranUpTo(final int limit)
    {
        int low = 0;
        int high = ran.size();
        while (low < high)
        {
            final int middle = (low + high) >>> 1;
            if (ran.getInt(middle) <= limit)
            {
                low = middle + 1;
            }
            else
            {
                high = middle;
            }
        }
        return 0 == low ? BEFORE_FIRST : ran.getInt(low - 1);
    }

    /** Go to the end of an entry, or to the start of the part. The turn there runs, and shows its work. */
    private void moveTo(final int wanted)
    {
        if (isInTurn || wanted <= entry)
        {
            restore(ranUpTo(wanted) - 1);
        }
        runTo(wanted);
    }

    private void runTo(final int wanted)
    {
        while (entry < wanted)
        {
            entry++;
            if (isDue(entry))
            {
                beginMove();
                beginTurn();
                endTurn();
            }
        }
    }

    /** Go to the end of the part before this. False if this is the first. */
    private boolean toPartBefore()
    {
        if (0 == part)
        {
            return false;
        }
        load(part - 1);
        moveTo(turns.size() - 1);
        return true;
    }

    /** Go back to the newest copy that is not after an entry. */
    private void restore(final int limit)
    {
        Copy newest = copies.get(0);
        for (final Copy copy : copies)
        {
            newest = copy.entry <= limit ? copy : newest;
        }
        restore(newest);
    }

    private void restore(final Copy copy)
    {
        beginMove();
        final UnsafeBuffer state = new UnsafeBuffer(copy.state);
        alone = runner(ProposalRunner.restoreRoom(context(), roomId, state));
        deadlineNs = copy.deadlineNs;
        entry = copy.entry;
        isInTurn = false;
        noteType();
    }

    private HostContext context()
    {
        return contexts.get().outputs(outputs).listener(listener).acceptOtherSettings(areOtherVersionsAllowed)
            .like(config).silent();
    }

    private ProposalRunner runner(final ProposalRunner made)
    {
        if (areOtherVersionsAllowed)
        {
            made.allowOtherVersions();
        }
        return made;
    }

    // Parts of the log

    /** Load the last part that starts at or before the wanted place. */
    private void loadPart(final Predicate<Start> isBefore)
    {
        int low = 0;
        int high = history.starts() - 1;
        while (low < high)
        {
            final int middle = (low + high + 1) >>> 1;
            if (isBefore.test(start(middle)))
            {
                low = middle;
            }
            else
            {
                high = middle - 1;
            }
        }
        if (low != part)
        {
            load(low);
        }
    }

    private Start start(final int number)
    {
        final Start known = startByNumberMap.get(number);
        if (null != known)
        {
            return known;
        }
        final Start[] found = {new Start(Long.MAX_VALUE, Long.MAX_VALUE)};
        history.read(number, (log) ->
        {
            final long originMs = LogPart.originMs(begin(log).host());
            final ProposalReader turn = new ProposalReader();
            while (Long.MAX_VALUE == found[0].turn && log.next())
            {
                if (ProposalReader.isProposal(log.buffer(), log.offset(), log.length()) &&
                    0 == turn.wrap(log.buffer(), log.offset(), log.length()))
                {
                    found[0] = new Start(turn.number(), LogPart.dateOf(turn, originMs));
                    startByNumberMap.put(number, found[0]);
                }
            }
        });
        return found[0];
    }

    /** The room where a log starts. */
    private ProposalRunner begin(final LogSource log)
    {
        if (null == log.config())
        {
            throw new IllegalArgumentException("the log is empty");
        }
        Replay.checkTypes(log, contexts.get(), areOtherVersionsAllowed);
        config = log.config().alone();
        final DirectBuffer snapshot = log.snapshot();
        return runner(null == snapshot ?
            new ProposalRunner(context()) : ProposalRunner.restoreRoom(context(), roomId, snapshot));
    }

    private void load(final int wanted)
    {
        beginMove();
        turns.clear();
        copies.clear();
        ran.clear();
        framesOfRan.clear();
        lastThrown = BEFORE_FIRST;
        part = wanted;
        isLastPart = wanted + 1 >= history.starts();
        final long end = isLastPart ? Long.MAX_VALUE : start(wanted + 1).turn;
        history.read(wanted, (log) -> read(log, end));
    }

    private void read(final LogSource log, final long end)
    {
        alone = begin(log);
        proposal = new ProposalWriter(config.loopLimits().loop());
        // A turn without due work computes when work is due, and leaves no trace.
        alone.host().beginTurn(alone.host().nowNs());
        deadlineNs = alone.host().endTurn();
        firstTurn = alone.lastProposal();
        entry = BEFORE_FIRST;
        isInTurn = false;
        copies.add(new Copy(BEFORE_FIRST, deadlineNs, snapshot()));
        noteType();
        turns.read(log, alone.lastProposal(), alone.host(), end);
        if (null != isKept)
        {
            turns.keepOnly(keptUpTo, isKept);
        }
    }

    private final class Listener implements HostListener
    {
        @Override
        public void onFrames(
            final int rateHz, final int phase, final long frameDeadlineNs, final int ranFrames, final int missed)
        {
            frames += ranFrames;
            lateNs = Math.max(lateNs, nowNs() - frameDeadlineNs);
        }

        @Override
        public void onRefused(final int code)
        {
            refusals.add(code);
        }

        @Override
        public void onRoomFailed(final long failedRoomId, final int typeId, final long callback, final Throwable cause)
        {
            onThrown(cause);
        }

        @Override
        public void onRoomError(final long erringRoomId, final int typeId, final long callback, final Throwable cause)
        {
            onThrown(cause);
        }

        /** @param cause null if the log says that the room failed here. */
        private void onThrown(final Throwable cause)
        {
            thrown = null == cause ? new IllegalStateException("the log says that the room failed here") : cause;
            lastThrown = Math.max(lastThrown, entry);
        }
    }
}
