package io.escapement.rooms;

import io.escapement.rooms.host.HostContext;
import io.escapement.rooms.host.RoomHost;
import io.escapement.rooms.loop.LoopLimits;
import io.escapement.rooms.loop.LoopState;
import io.escapement.rooms.output.ByteSink;
import io.escapement.rooms.output.Outputs;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Runs turns and writes what leaves the host as lines. Everything that the corpus calls of a host is here, of a room in
 * {@link CorpusRoom}.
 */
final class CorpusHost
{
    final CorpusObserver observer = new CorpusObserver();
    private final Map<String, Long> options;
    private final CorpusWorld tap;
    private final List<String> lines = new ArrayList<>();
    private final UnsafeBuffer last = new UnsafeBuffer(new byte[Room.MAX_MESSAGE_LENGTH]);
    private int lastLength = -1;
    private boolean isUnflushed;
    private RoomHost host;

    /** With the options of the first line of a file. A tap is null unless the file is written. */
    CorpusHost(final Map<String, Long> options, final CorpusWorld tap)
    {
        this.options = options;
        this.tap = tap;
        host = new RoomHost(context());
    }

    private HostContext context()
    {
        final HostContext context = new HostContext().outputs(new Lines()).build("corpus")
            .roomLimit(option("rooms")).seatLimit(option("seats")).timerLimit(option("timers"))
            .linkLimit(option("links")).phaseGroups(option("phases")).epochMs(options.get("epoch"))
            .loopState(new LoopLimits(option("loop"), option("loops"), option("requests"), option("queue")));
        CorpusTypes.all(observer).forEach(context::roomType);
        return context;
    }

    private int option(final String name)
    {
        return Math.toIntExact(options.get(name));
    }

    /** The lines of a turn; if it is held, each receiver outside the loop accepts one command at most. */
    List<String> turn(final long nowNs, final boolean isHeld, final List<byte[]> commands)
    {
        lines.clear();
        observer.begin();
        host.beginTurn(nowNs);
        final int returns = host.runReturns();
        if (0 != returns)
        {
            lines.add("r " + returns);
        }
        final StringBuilder codes = new StringBuilder("=");
        boolean isRefused = false;
        for (final byte[] command : commands)
        {
            final int code = host.onCommand(new UnsafeBuffer(command), 0, command.length);
            codes.append(' ').append(code);
            isRefused |= 0 != code;
            if (null != tap)
            {
                tap.onCode(command, code);
            }
        }
        if (isRefused)
        {
            lines.add(codes.toString());
        }
        // When the next turn is due is a hint: a restored host knows it better.
        host.endTurn();
        send(isHeld ? 1 : Integer.MAX_VALUE, true);
        if (!observer.isEmpty())
        {
            lines.add("o " + Long.toHexString(observer.hash()));
        }
        return lines;
    }

    /** Whether all is sent that leaves by the loop's state. */
    boolean isSent()
    {
        return !host.loopState().hasUnsent();
    }

    /** The line of a snapshot: the hash of what the logic of each room wrote. */
    String snapshot()
    {
        final ByteSink sink = new ByteSink();
        return snapshot(sink);
    }

    private String snapshot(final ByteSink sink)
    {
        observer.beginSnapshot();
        host.snapshot(sink);
        // Which room is first is not for a logic to notice.
        long sum = 0;
        for (final Map.Entry<Long, Long> room : observer.endSnapshot().entrySet())
        {
            sum += CorpusObserver.mix(room.getKey(), room.getValue());
        }
        return "s " + Long.toHexString(sum);
    }

    /** Go on with a host that is made of a snapshot of this one. */
    void restore()
    {
        final ByteSink sink = new ByteSink();
        snapshot(sink);
        observer.mute(true);
        host = RoomHost.restore(context(), sink.buffer(), 0, sink.length());
        // A new host sends everything once more; the corpus has it already.
        send(Integer.MAX_VALUE, false);
        observer.mute(false);
    }

    private void send(final int most, final boolean isWritten)
    {
        final LoopState state = host.loopState();
        for (int i = 0; i < option("loops"); i++)
        {
            final int loop = i;
            final int[] sent = new int[2];
            state.sendMessages(loop, (buffer, offset, length) ->
                sent[0]++ < most && sent("l " + loop + " ", loop, isWritten, buffer, offset, length));
            state.sendTaken(loop, (buffer, offset, length) ->
                sent[1]++ < most && sent("k " + loop + " ", loop, isWritten, buffer, offset, length));
        }
        final int[] sent = new int[1];
        state.sendRequests((buffer, offset, length) ->
            sent[0]++ < most && sent("q ", -1, isWritten, buffer, offset, length));
    }

    private boolean sent(
        final String name,
        final int loop,
        final boolean isWritten,
        final DirectBuffer buffer,
        final int offset,
        final int length)
    {
        if (isWritten)
        {
            lines.add(name + CorpusText.output(buffer, offset, length));
            if (null != tap && loop < 0)
            {
                tap.onRequest(buffer, offset, length);
            }
            else if (null != tap)
            {
                tap.onLoop(loop, buffer, offset, length);
            }
        }
        return true;
    }

    /** No method says that it overrides, so that the interface can lose some. */
    private final class Lines implements Outputs
    {
        public void message(
            final int link,
            final long roomId,
            final int outputClass,
            final int audience,
            final long selector,
            final DirectBuffer buffer,
            final int offset,
            final int length)
        {
            final boolean isSame = lastLength == length && isLast(buffer, offset);
            lastLength = length;
            last.putBytes(0, buffer, offset, length);
            // Equal bytes are written once, so a message to several links is in the file once.
            add("m " + link + " " + CorpusText.room(roomId) + " " + outputClass + " " + audience + " " +
                Long.toHexString(selector) + " " + (isSame ? "\"" : CorpusText.output(buffer, offset, length)));
            if (null != tap)
            {
                tap.onMessage(link, roomId, outputClass, audience, selector);
            }
        }

        public void toLink(final int link, final DirectBuffer buffer, final int offset, final int length)
        {
            // A refusal without a link has no receiver; the command's code is in the file.
            if (link >= 0)
            {
                add("a " + link + " " + CorpusText.output(buffer, offset, length));
                if (null != tap)
                {
                    tap.onLink(link, buffer, offset, length);
                }
            }
        }

        public void toApplication(final DirectBuffer buffer, final int offset, final int length)
        {
            add("p " + CorpusText.output(buffer, offset, length));
            if (null != tap)
            {
                tap.onApplication(buffer, offset, length);
            }
        }

        public void toEdge(final DirectBuffer buffer, final int offset, final int length)
        {
            add("d " + CorpusText.output(buffer, offset, length));
            if (null != tap)
            {
                tap.onDirectory(buffer, offset, length);
            }
        }

        public void flush()
        {
            if (isUnflushed)
            {
                lines.add("f");
                isUnflushed = false;
            }
        }

        private void add(final String line)
        {
            lines.add(line);
            isUnflushed = true;
        }

        private boolean isLast(final DirectBuffer buffer, final int offset)
        {
            for (int i = 0; i < lastLength; i++)
            {
                if (buffer.getByte(offset + i) != last.getByte(i))
                {
                    return false;
                }
            }
            return true;
        }
    }
}
