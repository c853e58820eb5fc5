package io.escapement.rooms.host;

import io.escapement.codecs.room.RefusalCode;
import io.escapement.config.ConfigException;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Has a newer version of its type take over a room, inside one command: the present logic writes its state, a logic of
 * the newer version reads it, and the host's part of the room does not change. If either throws, the room continues as
 * it was.
 */
final class RoomReload
{
    private static final int NONE = RefusalCode.NONE.value();

    private final RoomHost host;
    private final RoomServices services;
    private final BufferStateWriter writer = new BufferStateWriter();

    RoomReload(final RoomHost host)
    {
        this.host = host;
        services = host.services;
    }

    /** Have rooms of a type open with a newer version from now on. Returns 0, or the code of the refusal. */
    int openAs(final int fromVersion, final RoomType to)
    {
        final RoomType from = host.type(to.id());
        final ConfigException obstacle = obstacle(from, to);
        final RefusalCode code = refusal(from, fromVersion, to, obstacle);
        if (RefusalCode.NONE == code)
        {
            host.openAs(to);
        }
        return report(0, fromVersion, to, code, obstacle);
    }

    /** Have a newer version take over a room. Returns 0, or the code of the refusal. */
    int reload(final RoomInstance room, final int fromVersion, final RoomType to)
    {
        final RoomType from = room.type();
        final ConfigException inType = obstacle(from, to);
        final ConfigException obstacle = null == inType ? obstacle(room.identity.limits(), to) : inType;
        final RefusalCode code = refusal(from, fromVersion, to, obstacle);
        return RefusalCode.NONE == code ? takeOver(room, to) :
            report(room.roomId(), fromVersion, to, code, obstacle);
    }

    private static RefusalCode refusal(
        final RoomType from, final int fromVersion, final RoomType to, final ConfigException obstacle)
    {
        if (from.id() != to.id() || from.version() != fromVersion)
        {
            return RefusalCode.OTHER_VERSION;
        }
        return fromVersion >= to.version() ? RefusalCode.BAD_VALUE :
            null != obstacle ? RefusalCode.LIMIT_OVER_TYPE : RefusalCode.NONE;
    }

    private int takeOver(final RoomInstance room, final RoomType to)
    {
        final int fromVersion = room.type().version();
        final LogicInvoker invoker = room.invoker;
        room.leaveStep();
        if (!invoker.beginReload())
        {
            return report(room.roomId(), fromVersion, to, RefusalCode.ROOM_FAILED, null);
        }

        // A logic may change these two even while it only reads the room.
        final long random = room.random.state();
        final UnsafeBuffer seatData = room.seats.copyData();
        RoomLogic next = null;
        try
        {
            writer.reset();
            invoker.logic().onSnapshot(writer);
            next = invoker.makeNext(to);
            restore(room, next, fromVersion);
        }
        catch (final Throwable t)
        {
            final boolean goesOn = invoker.abandonReload(next, t);
            if (goesOn)
            {
                room.random.state(random);
                if (null != seatData)
                {
                    room.seats.restoreData(seatData);
                }
            }
            return report(
                room.roomId(), fromVersion, to, goesOn ? RefusalCode.RELOAD_FAILED : RefusalCode.ROOM_FAILED, t);
        }
        invoker.endReload(next);
        room.identity.type(to);
        return report(room.roomId(), fromVersion, to, RefusalCode.NONE, null);
    }

    private void restore(final RoomInstance room, final RoomLogic next, final int fromVersion)
    {
        final BufferStateReader reader = new BufferStateReader(writer.buffer(), 0, writer.length());
        next.onRestore(room.view, fromVersion, reader);
        if (0 != reader.remaining())
        {
            throw new IllegalStateException("onRestore left " + reader.remaining() + " bytes unread");
        }
        if (services.guard.clearInterrupt())
        {
            throw new InterruptedCallbackException();
        }
    }

    int report(
        final long roomId, final int fromVersion, final RoomType to, final RefusalCode code, final Throwable cause)
    {
        services.listener().onReload(roomId, to.id(), fromVersion, to.version(), code.value(), cause);
        return code.value();
    }

    /** The option of an open room that prevents another version from taking it over, or null. */
    private static ConfigException obstacle(final RoomType from, final RoomType to)
    {
        if (from.version() >= to.version())
        {
            return new ConfigException("version", to.version(), "must be above " + from.version() +
                ": register the older logic once more, with a higher version");
        }
        return first(
            same("groups", from.groups(), to.groups()),
            same("catchUp", from.catchUp(), to.catchUp()),
            same("joinRequests", from.joinRequests(), to.joinRequests()),
            same("seatData", from.seatData(), to.seatData()),
            same("questions", from.questions(), to.questions()),
            same("closeWhenEmptyNs", from.closeWhenEmptyNs(), to.closeWhenEmptyNs()),
            same("flush", from.flush().ordinal(), to.flush().ordinal()),
            same("flushEveryNs", from.flushIntervalNs(), to.flushIntervalNs()));
    }

    private static ConfigException obstacle(final RoomLimits room, final RoomType to)
    {
        return first(
            atLeast("seats", room.seats(), to.seats()),
            atLeast("spectators", room.spectators(), to.spectators()),
            atLeast("timers", room.timers(), to.timers()),
            atLeast("outputLimit", room.output(), to.outputLimit()),
            atLeast("requests", room.requests(), to.requests()));
    }

    private static ConfigException first(final ConfigException... obstacles)
    {
        for (final ConfigException obstacle : obstacles)
        {
            if (null != obstacle)
            {
                return obstacle;
            }
        }
        return null;
    }

    private static ConfigException same(final String option, final long has, final long next)
    {
        return has == next ? null :
            new ConfigException(option, next, "must be " + has + " as in the version that the room has");
    }

    private static ConfigException atLeast(final String option, final long has, final long next)
    {
        return has <= next ? null :
            new ConfigException(option, next, "must be at least " + has + ", which the room has reserved");
    }
}
