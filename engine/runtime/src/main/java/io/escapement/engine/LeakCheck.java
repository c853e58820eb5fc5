package io.escapement.engine;

import io.escapement.engine.internal.edge.EdgeAgent;
import io.escapement.engine.internal.loop.LoopAgent;
import io.escapement.engine.internal.loop.LoopCounters;
import io.escapement.engine.internal.queue.CommandQueue;
import io.escapement.rooms.host.RoomHost;
import java.io.File;
import java.util.ArrayList;
import java.util.List;

/** Checks that a closed engine has released its resources. */
final class LeakCheck
{
    private static final int STACK_DEPTH = 12;

    private final List<DrainReport.Line> lines = new ArrayList<>();

    /** Check a loop. Its host is not touched when its thread still runs. */
    void loop(final int number, final LoopAgent loop, final LoopCounters counters, final Thread stuck)
    {
        final String prefix = "loop " + number + ": ";
        if (null != stuck)
        {
            final long roomId = loop.host().runningRoomId();
            lines.add(new DrainReport.Line(prefix + "threads that do not end", 0, 1,
                (0 == roomId ? "outside rooms" : "in room " + roomId) + ", " + stackOf(stuck)));
            expectNone(prefix + "rooms open", counters.rooms());
            return;
        }
        final Throwable fault = loop.fault();
        lines.add(new DrainReport.Line(
            prefix + "ended by a fault", 0, null == fault ? 0 : 1, null == fault ? "" : fault.toString()));
        final RoomHost host = loop.host();
        expectNone(prefix + "rooms open", host.openRooms());
        expectNone(prefix + "timers set", host.pendingTimers());
        expectNone(prefix + "links up", host.linksUp());
        expectNone(prefix + "requests to services open", counters.requests());
        expectNone(prefix + "destinations with queued messages", loop.leftovers());
    }

    /** Check the queues. */
    void queues(final EngineQueues queues)
    {
        for (int i = 0; i < queues.rings.length; i++)
        {
            expectNone("loop " + i + ": commands in the ring", queues.rings[i].size());
            expectNone("loop " + i + ": commands in the inbox", queues.inboxes[i].size());
        }
        expectNone("edge: signals in the inbox", queues.edgeInbox.size());
        queues.workersByServiceIdMap.forEach((id, workers) ->
        {
            for (final CommandQueue worker : workers)
            {
                expectNone("service " + id + ": requests in a queue", worker.size());
            }
        });
    }

    /** Check the edge after its thread has exited. */
    void edge(final EdgeAgent edge)
    {
        expectNone("edge: trunks, connections and links held", edge.held());
        expectNone("edge: rooms in the directory", edge.rooms());
    }

    /** Check the driver's shared memory. */
    void directory(final File directory)
    {
        expectNone("driver: shared memory in " + directory, directory.exists() ? 1 : 0);
    }

    /** Report a thread that did not exit, except the loops' threads. */
    void stuck(final Thread thread)
    {
        lines.add(new DrainReport.Line("thread " + thread.getName() + ": does not end", 0, 1, stackOf(thread)));
    }

    /** Report that memory stays mapped, because a thread that did not exit may still use it. */
    void leaked(final String what)
    {
        lines.add(new DrainReport.Line(what + ": left mapped for the threads that do not end", 0, 1));
    }

    DrainReport report()
    {
        return new DrainReport(List.copyOf(lines));
    }

    private void expectNone(final String what, final long found)
    {
        lines.add(new DrainReport.Line(what, 0, found));
    }

    private static String stackOf(final Thread thread)
    {
        final StringBuilder stack = new StringBuilder("thread ").append(thread.getName()).append(" is");
        final StackTraceElement[] frames = thread.getStackTrace();
        for (int i = 0; i < Math.min(STACK_DEPTH, frames.length); i++)
        {
            stack.append(System.lineSeparator()).append("    at ").append(frames[i]);
        }
        return stack.toString();
    }
}
