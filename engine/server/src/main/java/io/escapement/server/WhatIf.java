package io.escapement.server;

import io.escapement.rooms.RoomType;
import io.escapement.rooms.host.HostContext;
import io.escapement.rooms.log.HostConfig;
import io.escapement.rooms.log.LogHistory;
import io.escapement.rooms.replay.RoomPast;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Runs a room of a log twice: with the versions that the log has, and with the newest. */
final class WhatIf
{
    /** A value that differs always. */
    private static final String VERSION = "room.version:";

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
     * @return the first turn that differs and how, for people; empty if none does.
     */
    List<String> compare(final long roomId, final long lastMs)
    {
        final RoomPast before = new RoomPast(history, roomId, () -> context(types));
        before.seekEnd();
        before.seekTime(before.epochMs() - lastMs);
        try
        {
            final RoomPast after = new RoomPast(history, roomId, () -> context(newest), true);
            after.continueFrom(before);
            return compare(before, after);
        }
        catch (final RuntimeException ex)
        {
            return List.of("room " + roomId + ": turn " + before.turn() + ": the newest version cannot run: " + ex);
        }
    }

    private static List<String> compare(final RoomPast before, final RoomPast after)
    {
        while (before.step())
        {
            while (after.turn() < before.turn() && after.step())
            {
                // The newest version may run in turns in which the logged one has nothing to do.
            }
            final List<String> difference = difference(before, after);
            if (!difference.isEmpty())
            {
                difference.add(0, "room " + before.roomId() + ": turn " + before.turn() + " differs");
                return difference;
            }
        }
        return List.of();
    }

    private static List<String> difference(final RoomPast before, final RoomPast after)
    {
        final List<String> lines = new ArrayList<>();
        if (null != after.thrown() && null == before.thrown())
        {
            lines.add("  the newest version throws " + after.thrown());
        }
        if (null == after.thrown() && null != before.thrown())
        {
            lines.add("  the logged version throws " + before.thrown());
        }
        if (after.turn() != before.turn())
        {
            lines.add("  the newest version runs in turn " + after.turn());
        }
        if (before.host().outputHash() != after.host().outputHash())
        {
            lines.add("  the newest version sends other bytes");
        }
        Debugger.difference(Debugger.values(before), Debugger.values(after)).stream()
            .filter((line) -> !line.startsWith(VERSION)).forEach((line) -> lines.add("  " + line));
        return lines;
    }

    private static HostContext context(final List<RoomType> types)
    {
        final HostContext context = new HostContext();
        types.forEach(context::roomType);
        return context;
    }
}
