package io.escapement.rooms.steps;

import io.escapement.codecs.room.RefusalCode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.LongPredicate;
import org.agrona.DirectBuffer;

/**
 * A {@link StoryRoom} and its programs, written the plain way: each program is a tree, the rest of a program after a
 * wait is a closure, and each alternative of a race is a branch.
 */
final class StoryTwin
{
    private static final int MAX_DEPTH = 3;
    /** More than a tick of the wheel, so that a timer is due in the turn of the next frame. */
    private static final long TICK_NS = 3_000_000;

    final List<String> lines = new ArrayList<>();
    private final List<Run> programs = new ArrayList<>();
    private final List<Script> running = new ArrayList<>();
    private Script lastStarted;
    private Script startedBefore;
    private int started;
    private long flag;
    private long frame;
    private long nowNs;
    private long timersSet;
    private long requests;
    private long answered;
    private int names;
    private int rounds;

    /** Programs that start or contain only those before them. */
    List<Steps<StoryRoom>> makePrograms(final int count, final SplittableRandom random)
    {
        final List<Steps<StoryRoom>> built = new ArrayList<>();
        for (int i = 0; i < count; i++)
        {
            final Node body = block(random, 0, List.copyOf(built));
            final StepsBuilder<StoryRoom> builder = Steps.named("program " + i, 1);
            body.build.accept(builder);
            built.add(builder.run((room, tag) -> room.say("end " + tag))
                .onCancel((room, tag) -> room.say("cleanup " + tag)).build());
            programs.add((branch, then) ->
            {
                final int cleanups = branch.cleanups.size();
                branch.cleanups.add("cleanup " + branch.script.tag);
                branch.exits.add(() ->
                {
                    branch.exits.remove(branch.exits.size() - 1);
                    branch.truncate(cleanups);
                    then.run();
                });
                body.run.run(branch, () ->
                {
                    say("end " + branch.script.tag);
                    exit(branch);
                });
            });
        }
        return built;
    }

    // Events

    void message(final int template, final long argument)
    {
        callback(() -> onMessage(template, argument));
    }

    private void onMessage(final int template, final long argument)
    {
        switch (template)
        {
            case StoryRoom.START -> start((int)argument);
            case StoryRoom.CANCEL -> cancelOne();
            case StoryRoom.CANCEL_ALL ->
            {
                final int count = running.size();
                List.copyOf(running).forEach(this::cancel);
                say("cancelled " + count);
            }
            case StoryRoom.SET_FLAG -> flag = argument;
            default ->
            {
            }
        }
        sayIf(deliver("message", template), "taken");
        deliver("change", 0);
    }

    void signal(final long from)
    {
        callback(() -> sayIf(deliver("signal", from), "signal taken"));
    }

    void reply(final int status)
    {
        callback(() -> sayIf(deliver("reply", ++answered << 8 | status), "reply taken"));
    }

    void frame()
    {
        nowNs += StoryRoom.FRAME_NS;
        final List<Wait> due = new ArrayList<>();
        running.forEach((script) -> script.root.waits().stream()
            .filter((wait) -> "time".equals(wait.event) && wait.deadlineNs <= nowNs).forEach(due::add));
        due.sort(Comparator.comparingLong((Wait wait) -> wait.deadlineNs).thenComparingLong((wait) -> wait.order));
        for (final Wait wait : due)
        {
            if (wait.isOpen())
            {
                callback(() -> wait.end(0));
            }
        }
        frame++;
        callback(() -> deliver("frame", frame));
    }

    /** A throw ends a callback of the room. */
    private static void callback(final Runnable callback)
    {
        try
        {
            callback.run();
        }
        catch (final TooManyRoundsException expected)
        {
            // The room continues.
        }
    }

    private boolean deliver(final String event, final long value)
    {
        boolean isTaken = false;
        for (final Script script : List.copyOf(running))
        {
            for (final Wait wait : script.root.waits())
            {
                if (wait.isOpen() && event.equals(wait.event) && wait.test.test(value))
                {
                    wait.end(value);
                    isTaken = true;
                }
            }
        }
        return isTaken;
    }

    /** Run a program up to its next wait. It ends if it throws. */
    private void run(final Script script, final Runnable steps)
    {
        final int roundsBefore = rounds;
        rounds = 0;
        try
        {
            steps.run();
        }
        catch (final TooManyRoundsException ex)
        {
            running.remove(script);
            throw ex;
        }
        finally
        {
            rounds = roundsBefore;
        }
    }

    private void start(final int program)
    {
        final Script script = new Script(++started);
        final boolean isFull = running.size() == StoryRoom.LIMIT;
        if (!isFull)
        {
            running.add(script);
            run(script, () -> programs.get(program).run(script.root, () -> running.remove(script)));
        }
        startedBefore = lastStarted;
        lastStarted = isFull ? null : script;
        say(isFull ? "full" : "started " + (running.contains(script) ? "waits" : "ended"));
    }

    private void cancelOne()
    {
        final boolean isRunning = null != startedBefore && running.contains(startedBefore);
        if (isRunning)
        {
            cancel(startedBefore);
        }
        say("cancelled " + isRunning);
    }

    private void cancel(final Script script)
    {
        running.remove(script);
        cancel(script.root);
    }

    private void cancel(final Branch branch)
    {
        branch.isOpen = false;
        branch.children.forEach(this::cancel);
        for (int i = branch.cleanups.size() - 1; i >= 0; i--)
        {
            say(branch.cleanups.get(i));
        }
    }

    /** Leave the innermost program around a branch, and cancel the branches next to it that are within that program. */
    private void exit(final Branch branch)
    {
        final List<Branch> way = new ArrayList<>(List.of(branch));
        while (way.get(0).exits.isEmpty())
        {
            way.add(0, way.get(0).parent);
        }
        cancelBeside(way);
        way.get(0).exits.get(way.get(0).exits.size() - 1).run();
    }

    private void cancelBeside(final List<Branch> way)
    {
        final List<Branch> children = List.copyOf(way.get(0).children);
        way.get(0).children.clear();
        for (final Branch child : children)
        {
            if (way.contains(child))
            {
                child.isOpen = false;
                cancelBeside(way.subList(1, way.size()));
            }
            else
            {
                cancel(child);
            }
        }
    }

    private void say(final String line)
    {
        lines.add(line);
    }

    private void sayIf(final boolean isSaid, final String line)
    {
        if (isSaid)
        {
            say(line);
        }
    }

    // Programs

    private Node block(final SplittableRandom random, final int depth, final List<Steps<StoryRoom>> built)
    {
        Node block = node(random, depth, built);
        for (int i = random.nextInt(4); i > 0; i--)
        {
            block = block.then(node(random, depth, built));
        }
        return block;
    }

    private Node node(final SplittableRandom random, final int depth, final List<Steps<StoryRoom>> built)
    {
        final int kind = random.nextInt(depth < MAX_DEPTH ? 20 : 12);
        final int number = random.nextInt(5);
        switch (kind)
        {
            case 0, 1 ->
            {
                final String line = "line " + ++names;
                return step((s) -> s.run((room) -> room.say(line)), () -> say(line));
            }
            case 2 ->
            {
                return step((s) -> s.run(StoryRoom::cancelOne), this::cancelOne);
            }
            case 3 ->
            {
                if (0 == built.size())
                {
                    return wait(random).node();
                }
                final int program = random.nextInt(built.size());
                return step((s) -> s.run((room) -> room.start(program)), () -> start(program));
            }
            case 12 ->
            {
                final Node body = block(random, depth + 1, built);
                return new Node((s) -> s.repeat(number, body.build), (branch, then) ->
                    repeat(branch, number, body, then));
            }
            case 13 ->
            {
                final Node part = block(random, depth + 1, built);
                final Node body = alwaysWaits(part) ? part :
                    wait("frame", (s) -> s.nextFrame(), (value) -> true).node().then(part);
                return new Node((s) -> s.repeatWhile((room) -> number != room.flag, body.build), (branch, then) ->
                    repeatWhile(branch, number, body, then));
            }
            case 14 ->
            {
                final Node first = block(random, depth + 1, built);
                final Node second = block(random, depth + 1, built);
                return new Node((s) -> s.when((room) -> room.flag > number, first.build, second.build),
                    (branch, then) -> (flag > number ? first : second).run.run(branch, then));
            }
            case 15 ->
            {
                return scope(block(random, depth + 1, built));
            }
            case 16 ->
            {
                return depth > 1 || 0 == built.size() ? wait(random).node() : call(random.nextInt(built.size()), built);
            }
            case 17 ->
            {
                return 0 == number ? new Node((s) -> s.end(), (branch, then) -> exit(branch)) : wait(random).node();
            }
            case 18, 19 ->
            {
                return any(random, depth, built);
            }
            default ->
            {
                return wait(random).node();
            }
        }
    }

    private static boolean alwaysWaits(final Node node)
    {
        return isBuilt((s) -> s.repeatWhile((room) -> true, node.build));
    }

    private Node call(final int program, final List<Steps<StoryRoom>> built)
    {
        return new Node((s) -> s.call(built.get(program)), (branch, then) -> programs.get(program).run(branch, then));
    }

    private void repeat(final Branch branch, final int times, final Node body, final Runnable then)
    {
        if (0 == times)
        {
            then.run();
        }
        else
        {
            body.run.run(branch, () -> repeat(branch, times - 1, body, then));
        }
    }

    /** A loop, so that rounds without a wait take no stack. */
    private void repeatWhile(final Branch branch, final long except, final Node body, final Runnable then)
    {
        while (flag != except)
        {
            final boolean[] isWithin = {true};
            final boolean[] isEnded = new boolean[1];
            body.run.run(branch, () ->
            {
                if (++rounds > RunningSteps.MAX_ROUNDS)
                {
                    throw new TooManyRoundsException();
                }
                isEnded[0] = true;
                if (!isWithin[0])
                {
                    repeatWhile(branch, except, body, then);
                }
            });
            isWithin[0] = false;
            if (!isEnded[0])
            {
                return;
            }
        }
        then.run();
    }

    private Node scope(final Node body)
    {
        final String line = "cleanup of " + ++names;
        return new Node(
            (s) -> s.repeat(1, (block) -> body.build.accept(block.onCancel((room) -> room.say(line)))),
            (branch, then) ->
            {
                final int cleanups = branch.cleanups.size();
                branch.cleanups.add(line);
                body.run.run(branch, () ->
                {
                    branch.truncate(cleanups);
                    then.run();
                });
            });
    }

    private Node any(final SplittableRandom random, final int depth, final List<Steps<StoryRoom>> built)
    {
        final List<Node> nodes = new ArrayList<>();
        for (int i = 2 + random.nextInt(3); i > 0; i--)
        {
            final Node block = block(random, depth + 1, built);
            final Node alternative = random.nextBoolean() ? block :
                random.nextBoolean() ? wait(random).node() : wait(random).node().then(block);
            nodes.add(hasWait(alternative) ? alternative : wait(random).node().then(alternative));
        }
        @SuppressWarnings({"unchecked", "rawtypes"})
        final Consumer<StepsBuilder<StoryRoom>>[] alternatives = nodes.stream().map(Node::build)
            .toArray(Consumer[]::new);
        final Node race = new Node((s) -> s.any(alternatives), (branch, then) -> race(branch, nodes, then));
        return fits(race) ? race : wait(random).node();
    }

    private void race(final Branch branch, final List<Node> alternatives, final Runnable then)
    {
        final boolean[] isWithin = {true};
        final boolean[] isEnded = new boolean[1];
        for (final Node node : alternatives)
        {
            final Branch child = new Branch(branch.script, branch);
            branch.children.add(child);
            node.run.run(child, () ->
            {
                cancelBeside(List.of(branch, child));
                isEnded[0] = true;
                if (!isWithin[0] && running.contains(branch.script))
                {
                    then.run();
                }
            });
            if (isEnded[0] || !child.isOpen || !branch.isOpen || !running.contains(branch.script))
            {
                break;
            }
        }
        isWithin[0] = false;
        if (isEnded[0] && running.contains(branch.script))
        {
            then.run();
        }
    }

    private static boolean hasWait(final Node node)
    {
        return isBuilt((s) -> s.any(node.build, StepsBuilder::nextFrame));
    }

    /** Whether it leaves some of the lanes and counters of a program to the steps around it. */
    private static boolean fits(final Node node)
    {
        return isBuilt((s) -> s.any(node.build, (a) -> a.repeat(2, (b) -> b.repeat(2, (c) -> c.repeat(2,
            (d) -> d.any(StepsBuilder::nextFrame, StepsBuilder::nextFrame))))));
    }

    private static boolean isBuilt(final Consumer<StepsBuilder<StoryRoom>> steps)
    {
        try
        {
            final StepsBuilder<StoryRoom> probe = Steps.named("probe", 1);
            steps.accept(probe);
            probe.build();
            return true;
        }
        catch (final IllegalArgumentException refused)
        {
            return false;
        }
    }

    private WaitNode wait(final SplittableRandom random)
    {
        final int number = random.nextInt(5);
        return switch (random.nextInt(9))
        {
            case 0 -> wait("frame", (s) -> s.frames(1 + number), (value) -> true).frames(1 + number);
            case 1 -> wait("frame", (s) -> s.everyFrameWhile((room) -> number != room.flag),
                (value) -> number == flag).frames(1);
            case 2 -> wait("time", (s) -> s.after((1 + number) * StoryRoom.FRAME_NS - TICK_NS), null)
                .after((1 + number) * StoryRoom.FRAME_NS - TICK_NS);
            case 3 -> wait("message", (s) -> s.untilMessage(StoryRoom.FIRST_FREE + number % 2),
                (value) -> StoryRoom.FIRST_FREE + number % 2 == value);
            case 4 -> wait("message", (s) -> s.untilMessage(StoryRoom.SET_FLAG, (room) -> room.flag > number),
                (value) -> StoryRoom.SET_FLAG == value && flag > number);
            case 5 -> wait("signal",
                (s) -> s.untilSignal((room, tag, from, buffer, offset, length) -> number == from),
                (value) -> number == value);
            case 6 -> wait("reply", (s) -> s.untilReply((room, tag) -> room.ask(), StoryTwin::sayReply), null)
                .request(true);
            case 7 -> wait("reply", (s) -> s.untilReply((room, tag) -> 0, StoryTwin::sayReply), null)
                .request(false);
            default -> wait("change", (s) -> s.until((room) -> room.flag > number),
                (value) -> flag > number);
        };
    }

    private static void sayReply(
        final StoryRoom room,
        final long tag,
        final int status,
        final DirectBuffer buffer,
        final int offset,
        final int length)
    {
        room.say("reply " + status);
    }

    private WaitNode wait(
        final String event,
        final Consumer<StepsBuilder<StoryRoom>> build,
        final LongPredicate test)
    {
        final WaitNode node = new WaitNode(event, build, test);
        return "frame".equals(event) ? node.frames(1) : node;
    }

    private Node step(final Consumer<StepsBuilder<StoryRoom>> build, final Runnable action)
    {
        return new Node(build, (branch, then) ->
        {
            action.run();
            if (running.contains(branch.script))
            {
                then.run();
            }
        });
    }

    private interface Run
    {
        void run(Branch branch, Runnable then);
    }

    private static final class TooManyRoundsException extends RuntimeException
    {
        private static final long serialVersionUID = 1;
    }

    private record Node(Consumer<StepsBuilder<StoryRoom>> build, Run run)
    {
        Node then(final Node next)
        {
            return new Node(build.andThen(next.build),
                (branch, then) -> run.run(branch, () -> next.run.run(branch, then)));
        }
    }

    private static final class Script
    {
        private final long tag;
        private final Branch root = new Branch(this, null);

        Script(final long tag)
        {
            this.tag = tag;
        }
    }

    /** A sequence of steps: a program, or an alternative of a race, which the branch of the race waits for. */
    private static final class Branch
    {
        private final Script script;
        private final Branch parent;
        private final List<Branch> children = new ArrayList<>();
        private final List<String> cleanups = new ArrayList<>();
        private final List<Runnable> exits = new ArrayList<>();
        private Wait wait;
        private boolean isOpen = true;

        Branch(final Script script, final Branch parent)
        {
            this.script = script;
            this.parent = parent;
        }

        /** Its wait, or the waits of its alternatives. */
        List<Wait> waits()
        {
            final List<Wait> waits = new ArrayList<>();
            if (null != wait)
            {
                waits.add(wait);
            }
            children.forEach((child) -> waits.addAll(child.waits()));
            return waits;
        }

        void truncate(final int size)
        {
            cleanups.subList(size, cleanups.size()).clear();
        }
    }

    /** A wait that has begun. */
    private final class Wait
    {
        private final Branch branch;
        private final String event;
        private final Runnable then;
        private LongPredicate test;
        private long deadlineNs;
        private long order;

        Wait(final Branch branch, final String event, final Runnable then)
        {
            this.branch = branch;
            this.event = event;
            this.then = then;
        }

        boolean isOpen()
        {
            return branch.isOpen && this == branch.wait && running.contains(branch.script);
        }

        void end(final long value)
        {
            branch.wait = null;
            sayReply(value);
            StoryTwin.this.run(branch.script, then);
        }

        void endAtOnce(final long value)
        {
            sayReply(value);
            then.run();
        }

        private void sayReply(final long value)
        {
            sayIf("reply".equals(event), "reply " + (value & 0xFF));
        }
    }

    private final class WaitNode
    {
        private final String event;
        private final Consumer<StepsBuilder<StoryRoom>> build;
        private final LongPredicate test;
        private long delayNs;
        private int frames;
        private boolean isAsking;

        WaitNode(final String event, final Consumer<StepsBuilder<StoryRoom>> build, final LongPredicate test)
        {
            this.event = event;
            this.build = build;
            this.test = test;
        }

        WaitNode frames(final int count)
        {
            frames = count;
            return this;
        }

        WaitNode after(final long newDelayNs)
        {
            delayNs = newDelayNs;
            return this;
        }

        WaitNode request(final boolean isMade)
        {
            isAsking = isMade;
            return this;
        }

        Node node()
        {
            return new Node(build, this::begin);
        }

        void begin(final Branch branch, final Runnable then)
        {
            final Wait wait = new Wait(branch, event, then);
            wait.test = test;
            switch (event)
            {
                case "time" ->
                {
                    wait.deadlineNs = nowNs + delayNs;
                    wait.order = ++timersSet;
                }
                case "frame" ->
                {
                    final long due = frame + frames;
                    wait.test = (value) -> value >= due && test.test(value);
                }
                case "reply" ->
                {
                    if (!isAsking)
                    {
                        wait.endAtOnce(RefusalCode.REQUEST_LIMIT.value());
                        return;
                    }
                    final long id = ++requests;
                    wait.test = (value) -> value >> 8 == id;
                }
                case "change" ->
                {
                    if (test.test(0))
                    {
                        wait.endAtOnce(0);
                        return;
                    }
                }
                default ->
                {
                }
            }
            branch.wait = wait;
        }
    }
}
