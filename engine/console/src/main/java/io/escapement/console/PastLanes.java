package io.escapement.console;

import io.escapement.codecs.JsonWriter;
import io.escapement.rooms.replay.RoomPast;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Commands, refusals, late frames and failures of a room in a part of its past, by time. */
final class PastLanes
{
    /** Parts of a lane. */
    static final int PARTS = 240;

    private static final long NS_A_US = 1_000;
    private static final int FAILURE_LIMIT = 16;
    /** A room with a thousand turns per second runs two minutes of them. */
    private static final int TURN_LIMIT = 120_000;
    private static final long WORK_NS = TimeUnit.SECONDS.toNanos(4);

    private record Failure(long timeMs, long turn, String text)
    {
    }

    private final long fromMs;
    private final long toMs;
    private final long[] commands;
    private final long[] refused;
    private final long[] lateUs;
    private final List<Failure> failures = new ArrayList<>();
    private long latestNs;
    private long latestTurn;
    private long latestMs;

    PastLanes(final long fromMs, final long toMs)
    {
        this.fromMs = fromMs;
        this.toMs = toMs;
        commands = new long[PARTS];
        refused = new long[PARTS];
        lateUs = new long[PARTS];
    }

    /** Run a room from the date at which it is. The rest of a part that takes too long is cut. */
    JsonWriter read(final RoomPast past)
    {
        final long endNs = System.nanoTime() + WORK_NS;
        int turns = 0;
        while (turns < TURN_LIMIT && System.nanoTime() - endNs < 0 && past.step() && past.epochMs() < toMs)
        {
            turns++;
            add(past);
        }
        final JsonWriter json = new JsonWriter().begin('{').name("from").number(fromMs).name("to").number(toMs)
            .name("isCut").flag(TURN_LIMIT == turns || System.nanoTime() - endNs >= 0);
        lane(json, "commands", commands);
        lane(json, "refused", refused);
        lane(json, "lateUs", lateUs);
        json.name("failures").begin('[');
        for (final Failure failure : failures)
        {
            json.begin('{').name("timeMs").number(failure.timeMs).name("turn").number(failure.turn)
                .name("text").text(failure.text).end('}');
        }
        return json.end(']').name("latest").begin('{').name("turn").number(latestTurn).name("timeMs").number(latestMs)
            .name("lateUs").number(latestNs / NS_A_US).end('}').end('}');
    }

    private void add(final RoomPast past)
    {
        final int part = (int)Math.max(0, (past.epochMs() - fromMs) * commands.length / (toMs - fromMs));
        commands[part] += past.commands();
        refused[part] += past.refusals().size();
        lateUs[part] = Math.max(lateUs[part], past.lateNs() / NS_A_US);
        if (past.lateNs() > latestNs)
        {
            latestNs = past.lateNs();
            latestTurn = past.turn();
            latestMs = past.epochMs();
        }
        if (null != past.thrown() && failures.size() < FAILURE_LIMIT)
        {
            failures.add(new Failure(past.epochMs(), past.turn(), past.thrown().toString()));
        }
    }

    private static void lane(final JsonWriter json, final String name, final long[] values)
    {
        json.name(name).begin('[');
        for (final long value : values)
        {
            json.number(value);
        }
        json.end(']');
    }
}
