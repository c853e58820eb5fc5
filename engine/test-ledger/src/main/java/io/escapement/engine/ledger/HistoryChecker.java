package io.escapement.engine.ledger;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Compares the histories of clients with the ledgers of the rooms at the end, when each request has been answered and
 * each signal has arrived. Finds:
 * <ul>
 * <li>a message that was answered or accepted and is not in the ledger once, or not at the position that was answered;
 * </li>
 * <li>another message that is in the ledger more than once, or that nobody sent;</li>
 * <li>messages of a seat in another order than they were sent;</li>
 * <li>a message that was answered before another was sent, and stands behind it;</li>
 * <li>an effect of a request that is missing, or belongs to no request;</li>
 * <li>signals, timers and frames with holes or repetitions, and a hash chain that differs.</li>
 * </ul>
 */
public final class HistoryChecker
{
    private static final int MAX_FINDINGS = 20;

    private final List<String> findings = new ArrayList<>();

    /**
     * Check.
     *
     * @param history of all clients.
     * @param rooms   by id.
     * @param effects of the service, each {@code "room/position"}.
     * @return what is wrong, empty if nothing is.
     */
    public static List<String> check(
        final History history, final Map<Long, HistoryRoom> rooms, final Set<String> effects)
    {
        final HistoryChecker checker = new HistoryChecker();
        checker.checkMessages(history, rooms);
        checker.checkOrder(history);
        checker.checkEffects(rooms, effects);
        checker.checkRooms(rooms);
        return checker.findings;
    }

    private void checkMessages(final History history, final Map<Long, HistoryRoom> rooms)
    {
        final Map<String, List<Integer>> positionsByNameMap = new HashMap<>();
        final Map<String, Long> lastBySeatMap = new HashMap<>();
        rooms.forEach((roomId, room) ->
        {
            for (int i = 0; i < room.ledger.size(); i += 2)
            {
                final History.Operation operation = new History.Operation(
                    room.ledger.getLong(i), roomId, room.ledger.getLong(i + 1), 0);
                positionsByNameMap.computeIfAbsent(operation.toString(), (name) -> new ArrayList<>()).add(i / 2);
                final String seat = operation.client + "/" + roomId;
                final Long last = lastBySeatMap.put(seat, operation.number);
                check(null == last || last < operation.number, operation + ": runs behind number " + last);
            }
        });
        final Set<String> sent = new HashSet<>();
        for (final History.Operation operation : history.operations())
        {
            sent.add(operation.toString());
            final List<Integer> positions = positionsByNameMap.getOrDefault(operation.toString(), List.of());
            check(positions.size() <= 1, operation + ": ran at " + positions);
            check(!operation.isOk() || !positions.isEmpty(), operation + ": was acknowledged, and is lost");
            check(History.UNKNOWN == operation.position || positions.isEmpty() ||
                operation.position == positions.get(0), operation + ": answered with position " +
                operation.position + ", is at " + positions);
        }
        for (final String name : positionsByNameMap.keySet())
        {
            check(sent.contains(name), name + ": nobody sent it");
        }
    }

    /** In each room: what was answered before another was sent stands before it. */
    private void checkOrder(final History history)
    {
        final Map<Long, List<History.Operation>> answeredByRoomMap = new HashMap<>();
        for (final History.Operation operation : history.operations())
        {
            if (History.UNKNOWN != operation.answered)
            {
                answeredByRoomMap.computeIfAbsent(operation.roomId, (id) -> new ArrayList<>()).add(operation);
            }
        }
        for (final List<History.Operation> operations : answeredByRoomMap.values())
        {
            final List<History.Operation> byAnswer = new ArrayList<>(operations);
            byAnswer.sort(Comparator.comparingLong((operation) -> operation.answered));
            operations.sort(Comparator.comparingLong((operation) -> operation.invoked));
            int next = 0;
            long greatest = History.UNKNOWN;
            for (final History.Operation operation : operations)
            {
                for (; next < byAnswer.size() && byAnswer.get(next).answered < operation.invoked; next++)
                {
                    greatest = Math.max(greatest, byAnswer.get(next).position);
                }
                check(operation.position > greatest,
                    operation + ": at " + operation.position + ", before " + greatest + " which was answered earlier");
            }
        }
    }

    private void checkEffects(final Map<Long, HistoryRoom> rooms, final Set<String> effects)
    {
        final Set<String> requested = new HashSet<>();
        rooms.forEach((roomId, room) ->
        {
            for (int i = 0; i < room.requests.size(); i++)
            {
                final String key = roomId + "/" + room.requests.getLong(i);
                check(requested.add(key), "request " + key + " was made twice");
                check(room.isClosed() || effects.contains(key), "request " + key + " has no effect");
            }
            check(room.isClosed() || room.replies == room.requests.size(),
                "room " + roomId + ": " + room.replies + " replies to " + room.requests.size() + " requests");
        });
        for (final String key : effects)
        {
            check(requested.contains(key), "effect " + key + " belongs to no request");
        }
    }

    private void checkRooms(final Map<Long, HistoryRoom> rooms)
    {
        rooms.forEach((roomId, room) ->
        {
            check(0 == room.faults,
                "room " + roomId + ": " + room.faults + " signals, timers, frames or replies out of order");
            check(room.lastFrame == room.frames + room.missedFrames, "room " + roomId + ": frame " + room.lastFrame +
                " is the last of " + room.frames + ", and " + room.missedFrames + " were skipped because it was late");
            final Map<Long, Long> chainByClientMap = new HashMap<>();
            for (int i = 0; i < room.ledger.size(); i += 2)
            {
                final long number = room.ledger.getLong(i + 1);
                chainByClientMap.merge(room.ledger.getLong(i), HistoryRoom.chain(0, number),
                    (before, first) -> HistoryRoom.chain(before, number));
            }
            check(chainByClientMap.equals(room.chainByClientMap), "room " + roomId + ": its hash chains differ");
        });
        rooms.forEach((fromId, from) ->
        {
            long arrived = 0;
            for (final HistoryRoom to : rooms.values())
            {
                arrived += to.lastSignal(fromId);
            }
            // A room that has closed misses the last ones.
            final boolean isAnyClosed = rooms.values().stream().anyMatch(HistoryRoom::isClosed);
            check(arrived == from.signalsSent || isAnyClosed && arrived + from.refusedSignals <= from.signalsSent,
                "room " + fromId + ": " + arrived + " of " + from.signalsSent + " signals arrived");
            check(0 == from.refusedSignals || isAnyClosed,
                "room " + fromId + ": " + from.refusedSignals + " replies to no request, and no room has closed");
        });
    }

    private void check(final boolean isRight, final String finding)
    {
        if (!isRight && findings.size() < MAX_FINDINGS)
        {
            findings.add(finding);
        }
    }
}
