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
 * A {@link StoryRoom} and its programs, written the plain way: each program is a tree, and the rest of a program after
 * a wait is a closure.
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
            programs.add((script, then) ->
            {
                final int cleanups = script.cleanups.size();
                script.cleanups.add("cleanup " + script.tag);
                script.exits.add(() ->
                {
                    script.exits.remove(script.exits.size() - 1);
                    script.truncate(cleanups);
                    then.run();
                });
                body.run.run(script, () ->
                {
                    say("end " + script.tag);
                    script.exit();
                });
            });
        }
        return built;
    }

    // Events

    void message(final int template, final long argument)
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
        if (deliver("message", template))
        {
            say("taken");
        }
        deliver("change", 0);
    }

    void signal(final long from)
    {
        if (deliver("signal", from))
        {
            say("signal taken");
        }
    }

    void reply(final int status)
    {
        if (deliver("reply", ++answered << 8 | status))
        {
            say("reply taken");
        }
    }

    void frame()
    {
        nowNs += StoryRoom.FRAME_NS;
        final List<Wait> due = new ArrayList<>();
        running.forEach((script) -> script.waits.stream()
            .filter((wait) -> "time".equals(wait.event) && wait.deadlineNs <= nowNs).forEach(due::add));
        due.sort(Comparator.comparingLong((Wait wait) -> wait.deadlineNs).thenComparingLong((wait) -> wait.order));
        for (final Wait wait : due)
        {
            if (wait.script.waits.contains(wait))
            {
                wait.end(0);
            }
        }
        frame++;
        deliver("frame", frame);
    }

    private boolean deliver(final String event, final long value)
    {
        boolean isTaken = false;
        for (final Script script : List.copyOf(running))
        {
            for (final Wait wait : List.copyOf(script.waits))
            {
                if (event.equals(wait.event) && wait.test.test(value))
                {
                    wait.end(value);
                    isTaken = true;
                    break;
                }
            }
        }
        return isTaken;
    }

    private void start(final int program)
    {
        final Script script = new Script(++started);
        final boolean isFull = running.size() == StoryRoom.LIMIT;
        if (!isFull)
        {
            running.add(script);
            programs.get(program).run(script, () -> running.remove(script));
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
        script.waits.clear();
        for (int i = script.cleanups.size() - 1; i >= 0; i--)
        {
            say(script.cleanups.get(i));
        }
    }

    private void say(final String line)
    {
        lines.add(line);
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
                return new Node((s) -> s.repeat(number, body.build), (script, then) ->
                    repeat(script, number, body, then));
            }
            case 13 ->
            {
                final Node body = wait("frame", (s) -> s.nextFrame(), (value) -> true).node()
                    .then(block(random, depth + 1, built));
                return new Node((s) -> s.repeatWhile((room) -> number != room.flag, body.build), (script, then) ->
                    repeatWhile(script, number, body, then));
            }
            case 14 ->
            {
                final Node first = block(random, depth + 1, built);
                final Node second = block(random, depth + 1, built);
                return new Node((s) -> s.when((room) -> room.flag > number, first.build, second.build),
                    (script, then) -> (flag > number ? first : second).run.run(script, then));
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
                return 0 == number ? new Node((s) -> s.end(), (script, then) -> script.exit()) : wait(random).node();
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

    private Node call(final int program, final List<Steps<StoryRoom>> built)
    {
        return new Node((s) -> s.call(built.get(program)), (script, then) -> programs.get(program).run(script, then));
    }

    private void repeat(final Script script, final int times, final Node body, final Runnable then)
    {
        if (0 == times)
        {
            then.run();
        }
        else
        {
            body.run.run(script, () -> repeat(script, times - 1, body, then));
        }
    }

    private void repeatWhile(final Script script, final long except, final Node body, final Runnable then)
    {
        if (flag == except)
        {
            then.run();
        }
        else
        {
            body.run.run(script, () -> repeatWhile(script, except, body, then));
        }
    }

    private Node scope(final Node body)
    {
        final String line = "cleanup of " + ++names;
        return new Node(
            (s) -> s.repeat(1, (block) -> body.build.accept(block.onCancel((room) -> room.say(line)))),
            (script, then) ->
            {
                final int cleanups = script.cleanups.size();
                script.cleanups.add(line);
                body.run.run(script, () ->
                {
                    script.truncate(cleanups);
                    then.run();
                });
            });
    }

    private Node any(final SplittableRandom random, final int depth, final List<Steps<StoryRoom>> built)
    {
        final List<WaitNode> waits = new ArrayList<>();
        final List<Node> rests = new ArrayList<>();
        while (waits.size() < 2 + random.nextInt(3))
        {
            final WaitNode wait = wait(random);
            if (waits.stream().noneMatch((other) -> other.limited.equals(wait.limited) && !wait.limited.isEmpty()))
            {
                waits.add(wait);
                rests.add(block(random, depth + 1, built));
            }
        }
        @SuppressWarnings({"unchecked", "rawtypes"})
        final Consumer<StepsBuilder<StoryRoom>>[] alternatives = new Consumer[waits.size()];
        for (int i = 0; i < alternatives.length; i++)
        {
            alternatives[i] = waits.get(i).build.andThen(rests.get(i).build);
        }
        return new Node((s) -> s.any(alternatives), (script, then) ->
        {
            for (int i = 0; i < alternatives.length; i++)
            {
                final Run rest = rests.get(i).run;
                if (waits.get(i).begin(script, () -> rest.run(script, then)))
                {
                    return;
                }
            }
        });
    }

    private WaitNode wait(final SplittableRandom random)
    {
        final int number = random.nextInt(5);
        return switch (random.nextInt(9))
        {
            case 0 -> wait("frame", (s) -> s.frames(1 + number), (value) -> true).frames(1 + number, "frames");
            case 1 -> wait("frame", (s) -> s.everyFrameWhile((room) -> number != room.flag),
                (value) -> number == flag).frames(1, "");
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
        return "frame".equals(event) ? node.frames(1, "frames") : node;
    }

    private Node step(final Consumer<StepsBuilder<StoryRoom>> build, final Runnable action)
    {
        return new Node(build, (script, then) ->
        {
            action.run();
            if (running.contains(script))
            {
                then.run();
            }
        });
    }

    private interface Run
    {
        void run(Script script, Runnable then);
    }

    private record Node(Consumer<StepsBuilder<StoryRoom>> build, Run run)
    {
        Node then(final Node next)
        {
            return new Node(build.andThen(next.build),
                (script, then) -> run.run(script, () -> next.run.run(script, then)));
        }
    }

    private static final class Script
    {
        private final long tag;
        private final List<Wait> waits = new ArrayList<>();
        private final List<String> cleanups = new ArrayList<>();
        private final List<Runnable> exits = new ArrayList<>();

        Script(final long tag)
        {
            this.tag = tag;
        }

        /** Leave the innermost program. */
        void exit()
        {
            exits.get(exits.size() - 1).run();
        }

        void truncate(final int size)
        {
            cleanups.subList(size, cleanups.size()).clear();
        }
    }

    /** A wait that has begun. */
    private final class Wait
    {
        private final Script script;
        private final String event;
        private final Runnable then;
        private LongPredicate test;
        private long deadlineNs;
        private long order;

        Wait(final Script script, final String event, final Runnable then)
        {
            this.script = script;
            this.event = event;
            this.then = then;
        }

        void end(final long value)
        {
            script.waits.clear();
            if ("reply".equals(event))
            {
                say("reply " + (value & 0xFF));
            }
            then.run();
        }
    }

    private final class WaitNode
    {
        private final String event;
        private final Consumer<StepsBuilder<StoryRoom>> build;
        private final LongPredicate test;
        private String limited = "";
        private long delayNs;
        private int frames;
        private boolean isAsking;

        WaitNode(final String event, final Consumer<StepsBuilder<StoryRoom>> build, final LongPredicate test)
        {
            this.event = event;
            this.build = build;
            this.test = test;
        }

        WaitNode frames(final int count, final String kind)
        {
            frames = count;
            limited = kind;
            return this;
        }

        WaitNode after(final long newDelayNs)
        {
            delayNs = newDelayNs;
            limited = "time";
            return this;
        }

        WaitNode request(final boolean isMade)
        {
            isAsking = isMade;
            limited = "reply";
            return this;
        }

        Node node()
        {
            return new Node(build, this::begin);
        }

        /** Returns true if it has ended at once, and the rest has run. */
        boolean begin(final Script script, final Runnable then)
        {
            final Wait wait = new Wait(script, event, then);
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
                        wait.end(RefusalCode.REQUEST_LIMIT.value());
                        return true;
                    }
                    final long id = ++requests;
                    wait.test = (value) -> value >> 8 == id;
                }
                case "change" ->
                {
                    if (test.test(0))
                    {
                        wait.end(0);
                        return true;
                    }
                }
                default ->
                {
                }
            }
            script.waits.add(wait);
            return false;
        }
    }
}
