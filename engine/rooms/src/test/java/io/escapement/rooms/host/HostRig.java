package io.escapement.rooms.host;

import io.escapement.codecs.RoomCommands;
import io.escapement.codecs.room.RoomEncoder;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.log.LogFile;
import io.escapement.rooms.output.ByteSink;
import io.escapement.rooms.output.NoOutputs;
import io.escapement.rooms.replay.Replay;
import java.util.List;
import java.util.function.UnaryOperator;
import org.agrona.concurrent.UnsafeBuffer;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * A recording host, driven command by command, with all that it gave out. A command outside of {@link #turn} runs in a
 * separate turn.
 */
public final class HostRig
{
    /** The room of steps that name none. */
    public static final long ROOM = 1;

    public final RoomEncoder encoder = new RoomEncoder();
    public final UnsafeBuffer buffer = new UnsafeBuffer(new byte[RoomCommands.MAX_COMMAND_LENGTH]);
    public final UnsafeBuffer payload = new UnsafeBuffer(new byte[512]);
    public final RecordedEvents events = new RecordedEvents();
    public final List<Throwable> failures = events.failures;
    public final RecordedOutputs outputs = new RecordedOutputs();
    public final ByteSink log = new ByteSink();
    public RoomHost host;
    public long nowNs;
    RecordedHost recorded;
    private final UnaryOperator<HostContext> options;
    private boolean isInTurn;
    private long sequence;

    public HostRig(final RoomType... types)
    {
        this((context) -> context, types);
    }

    public HostRig(final UnaryOperator<HostContext> options, final RoomType... types)
    {
        this.options = (context) ->
        {
            List.of(types).forEach(context::roomType);
            return options.apply(context.roomLimit(64).build("rig"));
        };
        use(types[0].isEphemeral() ?
            new RecordedHost(new RoomHost(driven())) : new RecordedHost(driven(), log));
    }

    /** Open {@link #ROOM}, and connect links 0 and above. */
    public HostRig withLinks(final int links)
    {
        open(ROOM, 1);
        for (int link = 0; link < links; link++)
        {
            command(encoder.linkUp(buffer, 0, 10 + link, link));
        }
        return this;
    }

    /** A context of the same settings, for a replay or another host. */
    public HostContext context()
    {
        return options.apply(new HostContext().outputs(new NoOutputs()));
    }

    private HostContext driven()
    {
        return context().outputs(outputs).listener(events);
    }

    /** Run a turn with the commands that a runnable sends. */
    public long turn(final long timeNs, final Runnable commands)
    {
        beginTurn(timeNs);
        recorded.runReturns();
        commands.run();
        return endTurn();
    }

    public long turn(final Runnable commands)
    {
        return turn(nowNs, commands);
    }

    void beginTurn(final long timeNs)
    {
        nowNs = timeNs;
        recorded.beginTurn(timeNs);
        isInTurn = true;
    }

    long endTurn()
    {
        isInTurn = false;
        return recorded.endTurn();
    }

    /** Run a turn without commands after some time. */
    public void pass(final long ns)
    {
        turn(nowNs + ns, () -> { });
    }

    /** Turns without commands, until no room has sent a command to another. */
    void settle()
    {
        do
        {
            pass(0);
        }
        while (0 != host.loopState().returns());
    }

    public int open(final long roomId, final int typeId)
    {
        return command(encoder.openRoom(buffer, 0, roomId, roomId, 0, 0, typeId, payload, 0, 0));
    }

    /** Open a room for another. */
    int open(final long roomId, final long openerRoomId, final long correlationId)
    {
        return command(encoder.openRoom(
            buffer, 0, roomId, roomId, openerRoomId, correlationId, 1, payload, 0, 0));
    }

    public int linkUp(final int link)
    {
        return command(encoder.linkUp(buffer, 0, link, link));
    }

    public int join(final long roomId, final long playerId, final int link)
    {
        return command(encoder.join(buffer, 0, roomId, playerId, playerId, link, payload, 0, 0));
    }

    /** A join of {@link #ROOM}, whose request id is 100 above the player. */
    public int join(final long playerId, final int link)
    {
        return command(encoder.join(buffer, 0, ROOM, playerId, 100 + playerId, link, payload, 0, 0));
    }

    public int message(final long roomId, final int seat, final int generation, final int link, final int length)
    {
        return command(encoder.message(
            buffer, 0, roomId, ++sequence, seat, generation, link, payload, 0, length));
    }

    /** A signal of the program, from the payload. */
    public int signal(final int length)
    {
        return command(encoder.signal(buffer, 0, ROOM, 0, 0, payload, 0, length));
    }

    /** A signal of the program to a room, with numbers. */
    int signal(final long roomId, final long first, final long... others)
    {
        payload.putLong(0, first);
        for (int i = 0; i < others.length; i++)
        {
            payload.putLong((1 + i) * Long.BYTES, others[i]);
        }
        return command(encoder.signal(
            buffer, 0, roomId, 0, 0, payload, 0, (1 + others.length) * Long.BYTES));
    }

    /** A signal with a number, from room 1 of another loop. */
    int loopCommand(final int fromLoop, final long number, final long roomId, final long value)
    {
        final UnsafeBuffer inner = new UnsafeBuffer(new byte[256]);
        payload.putLong(0, value);
        final int length = encoder.signal(inner, 0, roomId, Sender.roomId(fromLoop, 1), 5, payload, 0, 8);
        return command(encoder.loopCommand(buffer, 0, number, fromLoop, inner, 0, length));
    }

    /** A question of the program, with a number. */
    int ask(final long toRoomId, final long correlationId, final long value, final long timeoutNs)
    {
        payload.putLong(0, value);
        return command(encoder.ask(buffer, 0, toRoomId, 0, correlationId, timeoutNs, payload, 0, 8));
    }

    int resumed(final int incarnation, final long epochMs)
    {
        return command(encoder.hostResumed(buffer, 0, epochMs, incarnation, 0));
    }

    public int command(final int length)
    {
        if (isInTurn)
        {
            return recorded.onCommand(buffer, 0, length);
        }
        final int[] code = new int[1];
        turn(() -> code[0] = recorded.onCommand(buffer, 0, length));
        return code[0];
    }

    /** Control output to the trunks since the last call, as text. Other output is discarded, which a long run needs. */
    List<String> toLinks()
    {
        return outputs.take().stream().filter((output) -> RecordedOutputs.Kind.LINK == output.kind())
            .map(RecordedOutputs::toLink).toList();
    }

    public ByteSink snapshot()
    {
        final ByteSink sink = new ByteSink();
        host.snapshot(sink);
        return sink;
    }

    /** Another host, of a snapshot of this one. */
    RoomHost restored(final HostContext context)
    {
        final ByteSink snapshot = snapshot();
        return RoomHost.restore(context, snapshot.buffer(), 0, snapshot.length());
    }

    RoomHost restored()
    {
        return restored(context().hashOutput());
    }

    /** Continue in the host of a snapshot of this one, which must have the same state; the recording ends here. */
    public void restore()
    {
        final byte[] snapshot = snapshot().toArray();
        final long hash = host.stateHash();
        restore(snapshot);
        assertArrayEquals(snapshot, snapshot().toArray(), "the snapshot of the restored host");
        assertEquals(hash, host.stateHash(), "the state of the restored host");
    }

    /** Continue in the host of a snapshot; the recording ends here. */
    public void restore(final byte[] snapshot)
    {
        use(RoomHost.restore(driven().hashOutput(), new UnsafeBuffer(snapshot), 0, snapshot.length));
    }

    /** Continue with another host, which is not recorded. */
    void use(final RoomHost other)
    {
        use(new RecordedHost(other));
    }

    private void use(final RecordedHost other)
    {
        recorded = other;
        host = other.host;
    }

    /** Write the last hashes, and close the recording. */
    void finish()
    {
        recorded.close();
    }

    /** The log, closed. */
    LogFile log()
    {
        finish();
        return LogFile.open(log.buffer(), 0, log.length());
    }

    /** Close the recording, and check that its replay ends in the same state. */
    public void assertReplays()
    {
        final Replay replay = new Replay(log(), context()).run();
        assertTrue(replay.isSame(), replay.difference());
        assertEquals(host.turn(), replay.turns());
        assertEquals(host.stateHash(), replay.host().stateHash());
        assertEquals(host.outputHash(), replay.host().outputHash());
    }

    static <T> List<T> take(final List<T> list)
    {
        final List<T> taken = List.copyOf(list);
        list.clear();
        return taken;
    }

    /** Publish all rooms of a host again, to a new directory their subscriptions too. */
    public static void announce(final RoomHost host, final boolean isNew)
    {
        host.beginAnnounce(isNew);
        while (host.announceNext())
        {
            // All of it.
        }
    }
}
