package io.escapement.rooms.host;

import io.escapement.codecs.Codes;
import io.escapement.codecs.RoomCommands;
import io.escapement.codecs.TrunkMessages;
import io.escapement.codecs.room.AskDecoder;
import io.escapement.codecs.room.CancelJoinDecoder;
import io.escapement.codecs.room.CloseRoomDecoder;
import io.escapement.codecs.room.DirectoryEntryDecoder;
import io.escapement.codecs.room.DrainDecoder;
import io.escapement.codecs.room.FailedAtDecoder;
import io.escapement.codecs.room.HostResumedDecoder;
import io.escapement.codecs.room.JoinDecoder;
import io.escapement.codecs.room.KickDecoder;
import io.escapement.codecs.room.LeaveDecoder;
import io.escapement.codecs.room.LinkDownDecoder;
import io.escapement.codecs.room.LinkResumedDecoder;
import io.escapement.codecs.room.LinkStateLostDecoder;
import io.escapement.codecs.room.LinkUpDecoder;
import io.escapement.codecs.room.LockRoomDecoder;
import io.escapement.codecs.room.LockTypeDecoder;
import io.escapement.codecs.room.LoopCommandDecoder;
import io.escapement.codecs.room.MessageDecoder;
import io.escapement.codecs.room.MessageHeaderDecoder;
import io.escapement.codecs.room.OpenRoomDecoder;
import io.escapement.codecs.room.RefusalCode;
import io.escapement.codecs.room.RefusalDecoder;
import io.escapement.codecs.room.ReloadDecoder;
import io.escapement.codecs.room.ReplyDecoder;
import io.escapement.codecs.room.ReserveDecoder;
import io.escapement.codecs.room.RoomDispatcher;
import io.escapement.codecs.room.SeatDownDecoder;
import io.escapement.codecs.room.SetRateDecoder;
import io.escapement.codecs.room.SignalDecoder;
import io.escapement.codecs.room.StateLostDecoder;
import io.escapement.codecs.room.TakenDecoder;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.internal.loop.LoopLedger;
import io.escapement.rooms.output.Outputs;
import org.agrona.DirectBuffer;

/**
 * Validates and records the bytes of a command, then calls the room or the host with its values.
 *
 * <p>A command is recorded before it runs. Two kinds are not recorded. A command refused by the validator has no
 * effect. A Reload to an unregistered version may be registered in a replay.
 */
final class CommandAdapter extends RoomDispatcher
{
    private static final int NO_LINK = Outputs.NO_LINK;
    private static final int NO_SEAT = TrunkMessages.NO_SEAT;
    /** Template of a command that was no entry of a trunk. */
    static final int NO_ENTRY = 0;
    private static final int NONE = RefusalCode.NONE.value();
    private static final int UNKNOWN_ROOM = RefusalCode.UNKNOWN_ROOM.value();
    private static final int UNKNOWN_ROOM_TYPE = RefusalCode.UNKNOWN_ROOM_TYPE.value();
    private static final int BAD_VALUE = RefusalCode.BAD_VALUE.value();
    private static final int NOT_A_COMMAND = RefusalCode.NOT_A_COMMAND.value();

    private final RoomHost host;
    private final HostCommands commands;
    private final RoomTable rooms;
    private final RefusalCounts refusals;
    private final LinkTable links;
    private final OutputProxy proxy;
    private final MessageHeaderDecoder announced = new MessageHeaderDecoder();
    private final MessageDecoder announcedMessage = new MessageDecoder();
    private final EntryView entryView = new EntryView();
    private final RoomReload reloads;
    private final LoopLedger loop;
    private final RollingSnapshot snapshot;

    CommandAdapter(final RoomHost host, final HostCommands commands)
    {
        this.host = host;
        this.commands = commands;
        rooms = host.rooms;
        refusals = host.services.refusals;
        links = host.services.links;
        proxy = host.services.proxy;
        loop = host.services.loop;
        snapshot = host.rolling;
        reloads = new RoomReload(host);
    }

    int onCommand(final DirectBuffer buffer, final int offset, final int length)
    {
        final int malformed = RoomCommands.validateCommand(buffer, offset, length);
        if (NONE != malformed)
        {
            return refusals.counted(malformed);
        }

        return dispatch(buffer, offset);
    }

    /** Records of a log, and the output of a host. */
    @Override
    protected int refused(final int templateId)
    {
        return refusals.counted(NOT_A_COMMAND);
    }

    /** Prefetch for a message. All other commands are too rare for it. */
    void prefetch(final DirectBuffer buffer, final int offset, final int length)
    {
        if (length < MessageHeaderDecoder.ENCODED_LENGTH + MessageDecoder.BLOCK_LENGTH)
        {
            return;
        }
        announced.wrap(buffer, offset);
        if (MessageDecoder.TEMPLATE_ID == announced.templateId())
        {
            announcedMessage.wrap(buffer, offset + MessageHeaderDecoder.ENCODED_LENGTH,
                MessageDecoder.BLOCK_LENGTH, MessageDecoder.SCHEMA_VERSION);
            final RoomInstance room = rooms.byId(announcedMessage.roomId());
            if (null != room)
            {
                host.prefetcher.add(room, announcedMessage.seatIndex());
            }
        }
    }

    @Override
    protected int onLinkUp(final LinkUpDecoder linkUp)
    {
        beforeHostChange();
        return refuseUnlessDone(LinkUpDecoder.TEMPLATE_ID, commands.linkUp(linkUp.link(), linkUp.trunkId()));
    }

    @Override
    protected int onLinkDown(final LinkDownDecoder linkDown)
    {
        beforeHostChange();
        return refuseUnlessDone(LinkDownDecoder.TEMPLATE_ID, commands.linkDown(linkDown.link()));
    }

    @Override
    protected int onLinkResumed(final LinkResumedDecoder linkResumed)
    {
        beforeHostChange();
        return refuseUnlessDone(LinkResumedDecoder.TEMPLATE_ID,
            commands.linkResumed(linkResumed.link(), linkResumed.previousLink(), linkResumed.trunkId()));
    }

    @Override
    protected int onLinkStateLost(final LinkStateLostDecoder linkStateLost)
    {
        beforeHostChange();
        return refuseUnlessDone(LinkStateLostDecoder.TEMPLATE_ID, commands.linkStateLost(linkStateLost.link()));
    }

    @Override
    protected int onHostResumed(final HostResumedDecoder hostResumed)
    {
        beforeHostChange();
        return refuseUnlessDone(HostResumedDecoder.TEMPLATE_ID,
            commands.hostResumed(hostResumed.incarnation(), hostResumed.memberId(), hostResumed.epochMs()));
    }

    @Override
    protected int onTaken(final TakenDecoder taken)
    {
        beforeHostChange();
        return refuseUnlessDone(TakenDecoder.TEMPLATE_ID, loop.messagesTaken(taken.fromLoop(), taken.upTo()));
    }

    @Override
    protected int onDrain(final DrainDecoder drain)
    {
        beforeHostChange();
        return refuseUnlessDone(DrainDecoder.TEMPLATE_ID, commands.drain(drain.deadlineNs()));
    }

    private void beforeHostChange()
    {
        host.touch();
        snapshot.beforeChange();
    }

    @Override
    protected int onMessage(final MessageDecoder message)
    {
        final long roomId = message.roomId();
        final RoomInstance room = find(roomId);
        final int link = message.link();
        final long sequence = message.sequence();
        final int seatIndex = message.seatIndex();
        if (null == room)
        {
            return refuse(link, MessageDecoder.TEMPLATE_ID, roomId, seatIndex, sequence, UNKNOWN_ROOM);
        }

        final int generation = message.generation();
        final int payloadLength = message.payloadLength();
        final int payloadOffset = message.limit() + MessageDecoder.payloadHeaderLength();
        final int code = room.message(
            seatIndex, generation, link, sequence, message.buffer(), payloadOffset, payloadLength);
        return NONE == code ? NONE :
            refuse(link, MessageDecoder.TEMPLATE_ID, roomId, seatIndex, sequence, code);
    }

    @Override
    protected int onSignal(final SignalDecoder signal)
    {
        final long roomId = signal.roomId();
        final RoomInstance room = find(roomId);
        if (null == room)
        {
            if (0 == signal.fromRoomId())
            {
                return refuse(NO_LINK, SignalDecoder.TEMPLATE_ID, roomId, 0, UNKNOWN_ROOM);
            }
            proxy.requestRefused(signal.fromRoomId(), signal.correlationId(), UNKNOWN_ROOM);
            return refusals.counted(UNKNOWN_ROOM);
        }

        final int payloadLength = signal.payloadLength();
        room.signal(
            signal.fromRoomId(), signal.buffer(), signal.limit() + SignalDecoder.payloadHeaderLength(), payloadLength);
        return NONE;
    }

    @Override
    protected int onReply(final ReplyDecoder reply)
    {
        final long roomId = reply.roomId();
        final RoomInstance room = find(roomId);
        // Whether or not the room is still open.
        loop.answered(roomId, reply.correlationId());
        if (null == room)
        {
            return refuse(NO_LINK, ReplyDecoder.TEMPLATE_ID, roomId, 0, UNKNOWN_ROOM);
        }

        final int payloadLength = reply.payloadLength();
        return refuseUnlessDone(room, ReplyDecoder.TEMPLATE_ID, room.reply(
            reply.correlationId(),
            reply.status(),
            reply.buffer(),
            reply.limit() + ReplyDecoder.payloadHeaderLength(),
            payloadLength));
    }

    @Override
    protected int onRefusal(final RefusalDecoder refusal)
    {
        final long roomId = refusal.roomId();
        final RoomInstance room = find(roomId);
        // Whether or not the room is still open.
        loop.answered(roomId, refusal.correlationId());
        if (null == room)
        {
            return refuse(NO_LINK, RefusalDecoder.TEMPLATE_ID, roomId, 0, UNKNOWN_ROOM);
        }
        return refuseUnlessDone(
            room, RefusalDecoder.TEMPLATE_ID, room.refusal(refusal.correlationId(), refusal.codeRaw()));
    }

    @Override
    protected int onAsk(final AskDecoder ask)
    {
        final long roomId = ask.roomId();
        final RoomInstance room = find(roomId);
        final long fromRoomId = ask.fromRoomId();
        final long correlationId = ask.correlationId();
        if (null == room)
        {
            proxy.requestRefused(fromRoomId, correlationId, UNKNOWN_ROOM);
            return refusals.counted(UNKNOWN_ROOM);
        }

        final long timeoutNs = ask.timeoutNs();
        final int payloadLength = ask.payloadLength();
        final int code = timeoutNs <= 0 ? BAD_VALUE : room.ask(fromRoomId, correlationId, timeoutNs,
            ask.buffer(), ask.limit() + AskDecoder.payloadHeaderLength(), payloadLength);
        if (NONE == code)
        {
            return NONE;
        }
        refusals.remember(room, NO_SEAT, AskDecoder.TEMPLATE_ID, code);
        proxy.questionRefused(roomId, fromRoomId, correlationId, code);
        return refusals.counted(code);
    }

    /** A command from another loop, which runs once however often it arrives. */
    @Override
    protected int onLoopCommand(final LoopCommandDecoder loopCommand)
    {
        host.touch();
        final int code = loop.messageArrived(loopCommand.fromLoop(), loopCommand.number());
        if (NONE != code)
        {
            return refuseUnlessDone(LoopCommandDecoder.TEMPLATE_ID, code);
        }
        return dispatch(loopCommand.buffer(), loopCommand.limit() + LoopCommandDecoder.commandHeaderLength());
    }

    @Override
    protected int onJoin(final JoinDecoder join)
    {
        final long roomId = join.roomId();
        final RoomInstance room = find(roomId);
        final int link = join.link();
        final long requestId = join.requestId();
        if (null == room)
        {
            return refuse(link, JoinDecoder.TEMPLATE_ID, roomId, requestId, UNKNOWN_ROOM);
        }

        final int argsLength = join.argsLength();
        final int argsOffset = join.limit() + JoinDecoder.argsHeaderLength();
        final int code = !links.isUp(link) ? RefusalCode.UNKNOWN_LINK.value() : switch (join.isSpectator())
        {
            case 0 -> room.join(join.playerId(), requestId, link, join.buffer(), argsOffset, argsLength);
            case 1 -> room.watch(join.playerId(), requestId, link, join.buffer(), argsOffset, argsLength);
            default -> BAD_VALUE;
        };
        return NONE == code ? NONE :
            refuse(link, JoinDecoder.TEMPLATE_ID, roomId, requestId, code);
    }

    @Override
    protected int onCancelJoin(final CancelJoinDecoder cancelJoin)
    {
        final long roomId = cancelJoin.roomId();
        final RoomInstance room = find(roomId);
        final int link = cancelJoin.link();
        final long requestId = cancelJoin.requestId();
        final int code = null == room ? UNKNOWN_ROOM : room.cancelJoin(cancelJoin.playerId(), requestId, link);
        return NONE == code ? NONE : refuse(link, CancelJoinDecoder.TEMPLATE_ID, roomId, requestId, code);
    }

    @Override
    protected int onLeave(final LeaveDecoder leave)
    {
        final long roomId = leave.roomId();
        final RoomInstance room = find(roomId);
        final int link = leave.link();
        final int seatIndex = leave.seatIndex();
        if (null == room)
        {
            return refuse(link, LeaveDecoder.TEMPLATE_ID, roomId, seatIndex, 0, UNKNOWN_ROOM);
        }

        final int code = room.leave(seatIndex, leave.generation(), link, leave.code());
        return NONE == code ? NONE :
            refuse(link, LeaveDecoder.TEMPLATE_ID, roomId, seatIndex, 0, code);
    }

    @Override
    protected int onStateLost(final StateLostDecoder stateLost)
    {
        final long roomId = stateLost.roomId();
        final RoomInstance room = find(roomId);
        final int link = stateLost.link();
        final int seatIndex = stateLost.seatIndex();
        final int code = null == room ? UNKNOWN_ROOM : NO_LINK == link ?
            room.stateLost(seatIndex, stateLost.generation()) :
            room.stateLostByLink(seatIndex, stateLost.generation(), link);
        if (NONE == code)
        {
            return NONE;
        }
        return NO_LINK == link ? refuse(NO_LINK, NO_ENTRY, roomId, 0, code) :
            refuse(link, StateLostDecoder.TEMPLATE_ID, roomId, seatIndex, 0, code);
    }

    @Override
    protected int onSeatDown(final SeatDownDecoder seatDown)
    {
        final long roomId = seatDown.roomId();
        final RoomInstance room = find(roomId);
        final int link = seatDown.link();
        final int seatIndex = seatDown.seatIndex();
        final int code = null == room ? UNKNOWN_ROOM : room.seatDown(seatIndex, seatDown.generation(), link);
        return NONE == code ? NONE : refuse(link, SeatDownDecoder.TEMPLATE_ID, roomId, seatIndex, 0, code);
    }

    @Override
    protected int onReserve(final ReserveDecoder reserve)
    {
        final long roomId = reserve.roomId();
        final RoomInstance room = find(roomId);
        final int code = null == room ? UNKNOWN_ROOM :
            reserve.ttlNs() < 0 ? BAD_VALUE : room.reserve(reserve.playerId(), reserve.ttlNs());
        if (0 != reserve.fromRoomId())
        {
            proxy.reply(reserve.fromRoomId(), reserve.correlationId(), code, roomId);
        }
        else if (NONE != code)
        {
            proxy.refused(NO_LINK, ReserveDecoder.TEMPLATE_ID, roomId, NO_SEAT, 0, code);
        }
        return NONE == code ? NONE : refusals.counted(code);
    }

    @Override
    protected int onDirectoryEntry(final DirectoryEntryDecoder directoryEntry)
    {
        final long roomId = directoryEntry.roomId();
        final RoomInstance room = find(roomId);
        if (null == room)
        {
            return refuse(NO_LINK, DirectoryEntryDecoder.TEMPLATE_ID, roomId, 0, UNKNOWN_ROOM);
        }
        if (!EntryView.isKnown(directoryEntry))
        {
            return refuse(NO_LINK, DirectoryEntryDecoder.TEMPLATE_ID, roomId, 0, BAD_VALUE);
        }

        room.directory(entryView.wrap(directoryEntry));
        host.services.release(entryView.value());
        return NONE;
    }

    @Override
    protected int onOpenRoom(final OpenRoomDecoder openRoom)
    {
        final long roomId = openRoom.roomId();
        host.touch();
        loop.named(roomId);
        final long opened = loop.openedFor(openRoom.openerRoomId(), openRoom.correlationId());
        if (0 != opened)
        {
            return answerAgain(openRoom, opened);
        }
        final RoomType type = host.type(openRoom.typeId());
        final RoomLimits limits = null == type ? null : RoomLimits.of(openRoom, type);
        final RoomInstance existing = rooms.byId(roomId);
        int code = NONE;
        if (null != existing)
        {
            code = RefusalCode.ROOM_EXISTS.value();
        }
        else if (null == type)
        {
            code = UNKNOWN_ROOM_TYPE;
        }
        else if (null == limits)
        {
            code = RefusalCode.LIMIT_OVER_TYPE.value();
        }
        else if (roomId <= 0)
        {
            code = BAD_VALUE;
        }
        else if (host.services.isDraining())
        {
            code = RefusalCode.DRAINING.value();
        }
        else if (!rooms.fits(limits))
        {
            code = RefusalCode.HOST_FULL.value();
        }

        if (NONE != code)
        {
            host.services.listener().onOpenRefused(roomId, code);
        }
        else
        {
            proxy.roomOpened(roomId, type.id(), limits.seats());
        }
        answerOpen(openRoom, code);
        if (NONE != code)
        {
            return refusals.counted(code);
        }

        final int argsLength = openRoom.argsLength();
        commands.openRoom(type, roomId, openRoom, limits, openRoom.buffer(),
            openRoom.limit() + OpenRoomDecoder.argsHeaderLength(), argsLength);
        return NONE;
    }

    private void answerOpen(final OpenRoomDecoder openRoom, final int code)
    {
        final long roomId = openRoom.roomId();
        if (0 != openRoom.openerRoomId())
        {
            proxy.reply(openRoom.openerRoomId(), openRoom.correlationId(), code, roomId);
        }
        else if (NONE != code)
        {
            proxy.refused(NO_LINK, OpenRoomDecoder.TEMPLATE_ID, roomId, NO_SEAT, 0, code);
        }
    }

    /** A request for a room arrived twice: the answer is the room that the first opened. */
    private int answerAgain(final OpenRoomDecoder openRoom, final long opened)
    {
        if (opened != openRoom.roomId())
        {
            host.services.listener().onOpenRefused(openRoom.roomId(), RefusalCode.ROOM_EXISTS.value());
        }
        proxy.reply(openRoom.openerRoomId(), openRoom.correlationId(), NONE, opened);
        return NONE;
    }

    @Override
    protected int onCloseRoom(final CloseRoomDecoder closeRoom)
    {
        final long roomId = closeRoom.roomId();
        final RoomInstance room = find(roomId);
        if (null == room)
        {
            return refuse(NO_LINK, CloseRoomDecoder.TEMPLATE_ID, roomId, 0, UNKNOWN_ROOM);
        }

        if (!isCode(closeRoom.code()))
        {
            return refuseUnlessDone(room, CloseRoomDecoder.TEMPLATE_ID, BAD_VALUE);
        }
        room.closeByCommand(closeRoom.code());
        return NONE;
    }

    @Override
    protected int onKick(final KickDecoder kick)
    {
        final long roomId = kick.roomId();
        final RoomInstance room = find(roomId);
        if (null == room)
        {
            return refuse(NO_LINK, KickDecoder.TEMPLATE_ID, roomId, 0, UNKNOWN_ROOM);
        }
        return refuseUnlessDone(room, KickDecoder.TEMPLATE_ID,
            isCode(kick.code()) ? room.kick(kick.playerId(), kick.code()) : BAD_VALUE);
    }

    /** Whether a code is 0 for none, or an application code. */
    private static boolean isCode(final int code)
    {
        return 0 == code || (code >= Codes.FIRST_APPLICATION_CODE && code <= Codes.LAST_CODE);
    }

    @Override
    protected int onLockRoom(final LockRoomDecoder lockRoom)
    {
        final long roomId = lockRoom.roomId();
        final RoomInstance room = find(roomId);
        if (null == room)
        {
            return refuse(NO_LINK, LockRoomDecoder.TEMPLATE_ID, roomId, 0, UNKNOWN_ROOM);
        }
        if (lockRoom.isLocked() > 1)
        {
            return refuseUnlessDone(room, LockRoomDecoder.TEMPLATE_ID, BAD_VALUE);
        }

        room.lockByOperator(1 == lockRoom.isLocked());
        return NONE;
    }

    @Override
    protected int onLockType(final LockTypeDecoder lockType)
    {
        host.touch();
        final int code = commands.lockType(lockType.typeId(), lockType.isLocked());
        return NONE == code ? NONE : refuse(NO_LINK, LockTypeDecoder.TEMPLATE_ID, 0, 0, code);
    }

    @Override
    protected int onSetRate(final SetRateDecoder setRate)
    {
        host.touch();
        snapshot.beforeChange();
        final int code = commands.setRate(setRate.typeId(), setRate.rateHz());
        return NONE == code ? NONE : refuse(NO_LINK, SetRateDecoder.TEMPLATE_ID, 0, 0, code);
    }

    @Override
    protected int onReload(final ReloadDecoder reload)
    {
        final long roomId = reload.roomId();
        final int fromVersion = reload.fromVersion();
        final RoomType to = host.type(reload.typeId(), reload.toVersion());
        if (null == to)
        {
            host.services.listener().onReload(
                roomId, reload.typeId(), fromVersion, reload.toVersion(), UNKNOWN_ROOM_TYPE, null);
            return refusals.counted(UNKNOWN_ROOM_TYPE);
        }
        if (0 == roomId)
        {
            host.touch();
            return refuseUnlessDone(ReloadDecoder.TEMPLATE_ID, reloads.openAs(fromVersion, to));
        }
        final RoomInstance room = find(roomId);
        return null == room ?
            refuseUnlessDone(ReloadDecoder.TEMPLATE_ID,
                reloads.report(roomId, fromVersion, to, RefusalCode.UNKNOWN_ROOM, null)) :
            refuseUnlessDone(room, ReloadDecoder.TEMPLATE_ID, reloads.reload(room, fromVersion, to));
    }

    @Override
    protected int onFailedAt(final FailedAtDecoder failedAt)
    {
        if (failedAt.callback() <= 0)
        {
            return refusals.counted(BAD_VALUE);
        }
        commands.failAt(failedAt.roomId(), failedAt.callback());
        return NONE;
    }

    /** The room of a command, before the command changes it. */
    private RoomInstance find(final long roomId)
    {
        final RoomInstance room = rooms.byId(roomId);
        host.touch();
        snapshot.beforeChange(room);
        return room;
    }

    private int refuseUnlessDone(final int templateId, final int code)
    {
        return NONE == code ? NONE : refuse(NO_LINK, templateId, 0, 0, code);
    }

    private int refuseUnlessDone(final RoomInstance room, final int templateId, final int code)
    {
        return NONE == code ? NONE : refuse(NO_LINK, templateId, room.roomId(), 0, code);
    }

    private int refuse(
        final int link, final int templateId, final long roomId, final long reference, final int code)
    {
        return refuse(link, templateId, roomId, NO_SEAT, reference, code);
    }

    private int refuse(
        final int link,
        final int templateId,
        final long roomId,
        final int seatIndex,
        final long reference,
        final int code)
    {
        final RoomInstance room = rooms.byId(roomId);
        if (null != room)
        {
            refusals.remember(room, seatIndex, templateId, code);
        }
        proxy.refused(link, templateId, roomId, seatIndex, reference, code);
        return refusals.counted(code);
    }
}
