package io.escapement.server;

import io.escapement.codecs.Codes;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.host.HostContext;
import io.escapement.rooms.log.HostConfig;
import io.escapement.rooms.log.LogHistory;
import io.escapement.rooms.replay.RoomPast;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Runs a room of a log twice, as logged and with a change: the newest versions of its types, or other inputs. */
final class WhatIf
{
    /** In the value of a seat. If a run drops a message, this number differs, which has no effect by itself. */
    private static final Pattern LAST_MESSAGE = Pattern.compile(", last message -?\\d+$");
    private static final String SEAT = "seats[";

    /**
     * The change of the second run.
     *
     * @param logged  name of the first run.
     * @param other   name of the second run.
     * @param ignored value that always differs.
     */
    private record Change(String logged, String other, String ignored)
    {
    }

    private static final Change VERSION = new Change("the logged version", "the newest version", "room.version");
    private static final Change INPUTS = new Change("the logged room", "the changed room", "room.callbacks");

    /** A run, which is at the compared turn, or ahead of it. */
    private static final class Run
    {
        private final RoomPast past;
        private Map<String, Object> values;
        private boolean isAhead;
        private boolean isAtEnd;
        private boolean hasRun;

        Run(final RoomPast past)
        {
            this.past = past;
            values = Debugger.values(past);
        }

        /** The next turn that it runs. */
        long next()
        {
            if (!isAhead && !isAtEnd)
            {
                isAhead = past.step();
                isAtEnd = !isAhead;
            }
            return isAtEnd ? Long.MAX_VALUE : past.turn();
        }

        /** Take the values after a turn, in which it may not run. */
        void take(final long turn)
        {
            hasRun = next() == turn;
            if (hasRun)
            {
                values = Debugger.values(past);
                isAhead = false;
            }
        }

        Throwable thrown()
        {
            return hasRun ? past.thrown() : null;
        }

        List<Integer> refusals()
        {
            return hasRun ? past.refusals() : List.of();
        }

        DirectBuffer outputs()
        {
            return new UnsafeBuffer(past.outputs().buffer(), 0, hasRun ? past.outputs().length() : 0);
        }

        /** Whether it runs only because a frame or a timer is due. */
        boolean isDue()
        {
            return hasRun && 0 == past.commands();
        }
    }

    private final LogHistory history;
    private final List<RoomType> types;
    private final List<RoomType> newest = new ArrayList<>();
    private boolean hasNewer;

    /**
     * Choose the versions.
     *
     * @param config of the log.
     * @param types  all versions.
     */
    WhatIf(final LogHistory history, final HostConfig config, final List<RoomType> types)
    {
        this.history = history;
        this.types = types;
        for (final HostConfig.Type logged : config.types())
        {
            types.stream().filter((type) -> type.id() == logged.typeId())
                .max(Comparator.comparingInt(RoomType::version)).ifPresent((type) ->
                {
                    newest.add(type);
                    hasNewer |= type.version() > logged.version();
                });
        }
    }

    /** Whether a type has a newer version than the log. */
    boolean hasNewer()
    {
        return hasNewer;
    }

    /**
     * Compare a room.
     *
     * @param lastMs length of the end of the log that is run, in milliseconds.
     * @return the first turn that differs and how, for people. Empty if no turn differs.
     */
    List<String> compare(final long roomId, final long lastMs)
    {
        final RoomPast before = new RoomPast(history, roomId, () -> context(types));
        before.seekEnd();
        before.seekTime(before.epochMs() - lastMs);
        return compare(before, VERSION, () ->
        {
            final RoomPast after = new RoomPast(history, roomId, () -> context(newest), true);
            after.continueFrom(before);
            return after;
        });
    }

    /**
     * Compare the room of a log with the same room after other inputs.
     *
     * @param logged  where the other inputs start.
     * @param changed makes the other room, at the same place.
     * @return the first turn that differs and how, for people. Empty if no turn differs.
     */
    static List<String> compareInputs(final RoomPast logged, final Supplier<RoomPast> changed)
    {
        return compare(logged, INPUTS, changed);
    }

    private static List<String> compare(
        final RoomPast before, final Change change, final Supplier<RoomPast> afters)
    {
        try
        {
            final Run logged = new Run(before);
            final Run other = new Run(afters.get());
            // Each may run in turns in which the other room is idle.
            for (long turn = next(logged, other); Long.MAX_VALUE != turn; turn = next(logged, other))
            {
                logged.take(turn);
                other.take(turn);
                final List<String> difference = difference(logged, other, change);
                if (!difference.isEmpty())
                {
                    difference.add(0, "room " + before.roomId() + ": turn " + turn + " differs");
                    return difference;
                }
            }
            return List.of();
        }
        catch (final RuntimeException ex)
        {
            return List.of(
                "room " + before.roomId() + ": turn " + before.turn() + ": " + change.other + " cannot run: " + ex);
        }
    }

    private static long next(final Run logged, final Run other)
    {
        return Math.min(logged.next(), other.next());
    }

    private static List<String> difference(final Run logged, final Run other, final Change change)
    {
        final List<String> lines = new ArrayList<>();
        if (null != other.thrown() && null == logged.thrown())
        {
            lines.add("  " + change.other + " throws " + other.thrown());
        }
        if (null == other.thrown() && null != logged.thrown())
        {
            lines.add("  " + change.logged + " throws " + logged.thrown());
        }
        if (logged.isDue() && !other.hasRun)
        {
            lines.add("  only " + change.logged + " has a frame or a timer in it");
        }
        addRefusals(lines, change.logged, logged.refusals(), other.refusals());
        addRefusals(lines, change.other, other.refusals(), logged.refusals());
        if (0 != logged.outputs().compareTo(other.outputs()))
        {
            lines.add("  " + change.other + " sends other bytes");
        }
        if (!logged.values.equals(other.values))
        {
            Debugger.difference(comparable(logged.values, change), comparable(other.values, change))
                .forEach((line) -> lines.add("  " + line));
        }
        return lines;
    }

    private static void addRefusals(
        final List<String> lines, final String name, final List<Integer> refusals, final List<Integer> ofOther)
    {
        final List<Integer> more = new ArrayList<>(refusals);
        ofOther.forEach((code) -> more.remove(code));
        more.forEach((code) -> lines.add("  " + name + " refuses a command: " + Codes.nameOf(code)));
    }

    private static Map<String, Object> comparable(final Map<String, Object> values, final Change change)
    {
        final Map<String, Object> comparable = new LinkedHashMap<>(values);
        comparable.remove(change.ignored);
        comparable.replaceAll((name, value) ->
            name.startsWith(SEAT) ? LAST_MESSAGE.matcher(value.toString()).replaceFirst("") : value);
        return comparable;
    }

    private static HostContext context(final List<RoomType> types)
    {
        final HostContext context = new HostContext();
        types.forEach(context::roomType);
        return context;
    }
}
