package io.escapement.console;

import io.escapement.codecs.JsonWriter;
import io.escapement.codecs.TrunkMessages;
import io.escapement.codecs.room.RefusalCode;
import io.escapement.codecs.trunk.TrunkCode;
import io.escapement.engine.Engine;
import io.escapement.engine.EngineOperator;
import io.escapement.engine.monitor.LinkReport;
import io.escapement.engine.monitor.TrunkReport;
import io.escapement.http.HttpError;
import io.escapement.rooms.output.RoomFigures;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/** Makes the answers to requests: the knowledge of the edge and the loops, and groups of counters. */
final class Reports
{
    /** A loop that hangs cannot answer. */
    static final long LOOP_MS = 2_000;
    /** Trunks in one answer. */
    static final int TRUNK_LIMIT = 256;

    private static final int COST_LIMIT = 50;
    private static final int COMMIT_WAIT = 3;
    private static final String SERVICE = "escapement service ";
    private static final String LOG = "escapement log: ";
    private static final int TIMEOUT = 504;

    private final Engine engine;
    private final EngineOperator operator;
    private final LatencyHistory history;
    private final RoomCosts costs;

    Reports(final Engine engine, final LatencyHistory history, final RoomCosts costs)
    {
        this.engine = engine;
        operator = engine.operator();
        this.history = history;
        this.costs = costs;
    }

    /** A part of a loop's rooms, in the order in which they opened. */
    JsonWriter rooms(final int loop, final int type, final int from) throws HttpError
    {
        final EngineOperator.RoomList list = get(operator.rooms(loop, type, from));
        final JsonWriter json = new JsonWriter().begin('{').name("open").number((long)list.open())
            .name("next").number((long)list.next()).name("rooms").begin('[');
        for (final EngineOperator.Room room : list.rooms())
        {
            room(json, room);
        }
        return json.end(']').end('}');
    }

    /** Rooms of a loop: first the most costly, then the rooms without a sample. */
    JsonWriter costs(final int loop, final int type) throws HttpError
    {
        final List<Long> roomIds = costs.most(loop, EngineOperator.LIST_LIMIT).stream()
            .map(RoomCosts.Cost::roomId).toList();
        final CompletableFuture<List<EngineOperator.Room>> asked = operator.rooms(loop, roomIds);
        final EngineOperator.RoomList list = get(operator.rooms(loop, type, 0));
        final Map<Long, EngineOperator.Room> roomByIdMap = new LinkedHashMap<>();
        for (final EngineOperator.Room room : get(asked))
        {
            if (EngineOperator.ANY_TYPE == type || room.typeId() == type)
            {
                roomByIdMap.put(room.roomId(), room);
            }
        }
        list.rooms().forEach((room) -> roomByIdMap.putIfAbsent(room.roomId(), room));
        final JsonWriter json = new JsonWriter().begin('{').name("open").number((long)list.open())
            .name("rooms").begin('[');
        roomByIdMap.values().stream().limit(COST_LIMIT).forEach((room) -> room(json, room));
        return json.end(']').end('}');
    }

    /** A room with its figures and its seats, or null as the room if no room with that id is open. */
    JsonWriter room(final long roomId) throws HttpError
    {
        final CompletableFuture<RoomFigures> askedFigures = operator.figures(roomId);
        final CompletableFuture<List<EngineOperator.Seat>> askedSeats = operator.seats(roomId);
        final EngineOperator.Room found = get(operator.room(roomId));
        final RoomFigures figures = get(askedFigures);
        final List<EngineOperator.Seat> seats = get(askedSeats);
        final JsonWriter json = new JsonWriter().begin('{').name("timeMs").number(System.currentTimeMillis())
            .name("room");
        if (null == found || null == figures || null == seats)
        {
            return json.text(null).end('}');
        }
        room(json, found);
        json.name("rate").number((long)figures.rateHz())
            .name("callbacks").number(figures.callbacks())
            .name("timers").number((long)figures.timers())
            .name("requests").number((long)figures.requests())
            .name("sentBytes").number(figures.sentBytes())
            .name("refusals").number(figures.refusals())
            .name("isLocked").flag(figures.isLocked())
            .name("isLockedByOperator").flag(figures.isLockedByOperator())
            .name("ageSeconds").number(TimeUnit.NANOSECONDS.toSeconds(figures.ageNs()))
            .name("statesLost").number(figures.statesLost())
            .name("lastRefusals").begin('[');
        for (final RoomFigures.Refusal refusal : figures.lastRefusals())
        {
            json.begin('{').name("seat").number((long)refusal.seatIndex())
                .name("template").number((long)refusal.templateId())
                .name("code").text(codeName(refusal.code())).end('}');
        }
        json.end(']')
            .name("seats").begin('[');
        for (final EngineOperator.Seat seat : seats)
        {
            json.begin('{').name("index").number((long)seat.index())
                .name("player").text(Long.toString(seat.playerId()))
                .name("isPresent").flag(seat.isPresent())
                .name("sequence").number(seat.sequence()).end('}');
        }
        return json.end(']').end('}');
    }

    /** The room that ran longest around a given second of the heat map, if samples met any room. */
    JsonWriter slow(final int loop, final long second)
    {
        final RoomCosts.Run run = costs.longestRun(loop, second);
        final JsonWriter json = new JsonWriter().begin('{').name("room")
            .text(null == run ? null : Long.toString(run.roomId()));
        if (null != run)
        {
            json.name("timeMs").number(System.currentTimeMillis() -
                TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - run.beginNs()))
                .name("ranMs").number(TimeUnit.NANOSECONDS.toMillis(run.lengthNs()));
        }
        return json.end('}');
    }

    /** Ids are texts, because JavaScript's numbers have 53 bits. */
    private void room(final JsonWriter json, final EngineOperator.Room room)
    {
        json.begin('{').name("id").text(Long.toString(room.roomId())).name("type").number((long)room.typeId())
            .name("occupied").number((long)room.occupied())
            .name("ageSeconds").number(TimeUnit.NANOSECONDS.toSeconds(room.ageNs()))
            .name("share").number(costs.share(TrunkMessages.loopOf(room.roomId()), room.roomId())).end('}');
    }

    /** A name of the engine's, or the number of an application's code. */
    static String codeName(final int code)
    {
        return Stream.<Map.Entry<Integer, String>>concat(
            Stream.of(RefusalCode.values()).map((one) -> Map.entry(one.value(), one.name())),
            Stream.of(TrunkCode.values()).map((one) -> Map.entry(one.value(), one.name())))
            .filter((one) -> one.getKey() == code).map(Map.Entry::getValue).findFirst()
            .orElseGet(() -> Integer.toString(code));
    }

    /** All trunks, each with the sums that the loops hold for it. */
    JsonWriter trunks() throws HttpError
    {
        final List<CompletableFuture<List<LinkReport>>> asked = new ArrayList<>();
        for (int i = 0; i < engine.loops(); i++)
        {
            asked.add(operator.links(i));
        }
        final List<TrunkReport> trunks = get(operator.trunks());
        final Map<Integer, LinkReport> sumByLinkMap = new HashMap<>();
        for (final CompletableFuture<List<LinkReport>> links : asked)
        {
            get(links).forEach((link) -> sumByLinkMap.merge(link.link(), link, Reports::sum));
        }
        final JsonWriter json = new JsonWriter().begin('{').name("timeMs").number(System.currentTimeMillis())
            .name("count").number((long)trunks.size()).name("trunks").begin('[');
        for (final TrunkReport trunk : trunks.subList(0, Math.min(TRUNK_LIMIT, trunks.size())))
        {
            trunk(json, trunk, sumByLinkMap.getOrDefault(
                trunk.link(), new LinkReport(trunk.link(), 0, 0, false, 0, 0)));
        }
        return json.end(']').end('}');
    }

    private static LinkReport sum(final LinkReport a, final LinkReport b)
    {
        return new LinkReport(a.link(), a.seats() + b.seats(), a.queued() + b.queued(),
            a.isBlocked() || b.isBlocked(), a.sent() + b.sent(), a.statesDropped() + b.statesDropped());
    }

    private static void trunk(final JsonWriter json, final TrunkReport trunk, final LinkReport link)
    {
        json.begin('{').name("id").text(Long.toString(trunk.id()))
            .name("identity").text(trunk.identity())
            .name("address").text(trunk.address())
            .name("isUp").flag(trunk.isUp())
            .name("loops").number((long)trunk.loops())
            .name("seats").number((long)link.seats())
            .name("logIns").number((long)trunk.logIns())
            .name("silentMs").number(TimeUnit.NANOSECONDS.toMillis(trunk.silentNs()))
            .name("roundTripUs").number(TimeUnit.NANOSECONDS.toMicros(trunk.roundTripNs()))
            .name("entries").number(trunk.entries())
            .name("received").number(trunk.received())
            .name("sent").number(link.sent())
            .name("queued").number((long)link.queued())
            .name("isBlocked").flag(link.isBlocked())
            .name("statesDropped").number(link.statesDropped())
            .name("refused").number(trunk.refused())
            .name("refusals").begin('{');
        trunk.refusedByCode().forEach((code, count) -> json.name(codeName(code)).number(count));
        json.end('}').end('}');
    }

    /** Services, loops and the log: each a group of counters. */
    JsonWriter storage()
    {
        final Map<String, Long> valueByLabelMap = new HashMap<>();
        operator.forEachCounter((typeId, label, isGauge, value) -> valueByLabelMap.put(label, value));
        final JsonWriter json = new JsonWriter().begin('{').name("timeMs").number(System.currentTimeMillis())
            .name("services").begin('[');
        for (final EngineOperator.Service service : operator.services())
        {
            final String prefix = SERVICE + service.id() + " " + service.name() + ": ";
            json.begin('{').name("name").text(service.name())
                .name("workers").number((long)service.workers())
                .name("queued").number(service.queued())
                .name("requests").number(value(valueByLabelMap, prefix + "requests"))
                .name("failed").number(value(valueByLabelMap, prefix + "requests that failed"))
                .name("busyMs").number(value(valueByLabelMap, prefix + "nanoseconds at work") / 1e6).end('}');
        }
        json.end(']').name("loops").begin('[');
        for (int i = 0; i < engine.loops(); i++)
        {
            final String prefix = "escapement loop " + i + ": ";
            json.begin('{').name("commitWait");
            Sampler.numbers(json, history.summary(i, COMMIT_WAIT));
            json.name("blocked").number(value(valueByLabelMap, prefix + "proposals that the log had no room for"))
                .name("stale").number(value(valueByLabelMap, prefix + "committed proposals that were stale"))
                .name("snapshots").number(value(valueByLabelMap, prefix + "snapshots"))
                .name("snapshotsFailed").number(value(valueByLabelMap, prefix + "snapshots that failed"))
                .name("replayMs").number(
                    value(valueByLabelMap, prefix + "nanoseconds of replay behind the last snapshot") / 1e6)
                .end('}');
        }
        json.end(']').name("log").begin('{');
        valueByLabelMap.entrySet().stream().filter((entry) -> entry.getKey().startsWith(LOG))
            .sorted(Map.Entry.comparingByKey())
            .forEach((entry) -> json.name(entry.getKey().substring(LOG.length())).number(entry.getValue()));
        return json.end('}').end('}');
    }

    /** NaN, null in JSON, for a counter that this engine does not have, for example because it has no log. */
    private static double value(final Map<String, Long> valueByLabelMap, final String label)
    {
        final Long value = valueByLabelMap.get(label);
        return null == value ? Double.NaN : value;
    }

    static <T> T get(final CompletableFuture<T> future) throws HttpError
    {
        try
        {
            return future.get(LOOP_MS, TimeUnit.MILLISECONDS);
        }
        catch (final TimeoutException ex)
        {
            throw new HttpError(TIMEOUT, "no answer within " + LOOP_MS + " ms");
        }
        catch (final ExecutionException ex)
        {
            if (ex.getCause() instanceof RejectedExecutionException)
            {
                throw new HttpError(HttpError.BUSY, ex.getCause().getMessage());
            }
            throw new HttpError(TIMEOUT, "the loop could not answer: " + ex.getCause());
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
            throw new HttpError(TIMEOUT, "the console is closing");
        }
    }
}
