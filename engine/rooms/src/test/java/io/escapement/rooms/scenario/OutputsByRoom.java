package io.escapement.rooms.scenario;

import io.escapement.rooms.host.CapturedOutputs;
import io.escapement.rooms.host.Outputs;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.TreeMap;

/** Sorts the output of a host by the room that it comes from, or that it answers for. */
final class OutputsByRoom
{
    private static final Map<String, Integer> ROOM_ARGUMENT = Map.ofEntries(
        Map.entry("message", 1), Map.entry("joined", 2), Map.entry("resumed", 1), Map.entry("away", 1),
        Map.entry("left", 1), Map.entry("refused", 2), Map.entry("roomOpened", 0), Map.entry("roomClosed", 0),
        Map.entry("occupancy", 0), Map.entry("label", 0), Map.entry("subscribe", 0), Map.entry("signal", 0),
        Map.entry("async", 0), Map.entry("openRoom", 0), Map.entry("reserve", 0), Map.entry("reply", 3));

    final Map<Long, CapturedOutputs> byRoom = new TreeMap<>();
    final Outputs outputs = (Outputs)Proxy.newProxyInstance(
        Outputs.class.getClassLoader(), new Class<?>[]{Outputs.class}, (proxy, method, args) -> sort(method, args));

    byte[] of(final long roomId)
    {
        final CapturedOutputs captured = byRoom.getOrDefault(roomId, new CapturedOutputs());
        final byte[] bytes = new byte[captured.length()];
        captured.buffer().getBytes(0, bytes);
        return bytes;
    }

    private Object sort(final Method method, final Object... args) throws IllegalAccessException
    {
        final Integer argument = ROOM_ARGUMENT.get(method.getName());
        if (null != argument)
        {
            final CapturedOutputs room = byRoom.computeIfAbsent((Long)args[argument], (id) -> new CapturedOutputs());
            try
            {
                method.invoke(room, args);
            }
            catch (final InvocationTargetException e)
            {
                throw new IllegalStateException(e);
            }
        }
        return null;
    }
}
