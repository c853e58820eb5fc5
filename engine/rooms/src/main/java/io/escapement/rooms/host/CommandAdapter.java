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
 * <p>A command is recorded before it runs. Two kinds are not recorded: commands that the validator refuses, because
 * they have no effect, and a Reload to a version that is not registered, because a replay may have it.
 */
final class CommandAdapter
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
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final AskDecoder ask = new AskDecoder();
    private final JoinDecoder join = new JoinDecoder();
    private final CancelJoinDecoder cancelJoin = new CancelJoinDecoder();
    private final OpenRoomDecoder openRoom = new OpenRoomDecoder();
    private final CloseRoomDecoder closeRoom = new CloseRoomDecoder();
    private final ReserveDecoder reserve = new ReserveDecoder();
    private final LeaveDecoder leave = new LeaveDecoder();
    private final LinkUpDecoder linkUp = new LinkUpDecoder();
    private final LinkDownDecoder linkDown = new LinkDownDecoder();
    private final LinkResumedDecoder linkResumed = new LinkResumedDecoder();
    private final LinkStateLostDecoder linkStateLost = new LinkStateLostDecoder();
    private final MessageDecoder message = new MessageDecoder();
    private final SignalDecoder signal = new SignalDecoder();
    private final ReplyDecoder reply = new ReplyDecoder();
    private final RefusalDecoder refusal = new RefusalDecoder();
    private final StateLostDecoder stateLost = new StateLostDecoder();
    private final SetRateDecoder setRate = new SetRateDecoder();
    private final LockRoomDecoder lockRoom = new LockRoomDecoder();
    private final LockTypeDecoder lockType = new LockTypeDecoder();
    private final DrainDecoder drain = new DrainDecoder();
    private final KickDecoder kick = new KickDecoder();
    private final FailedAtDecoder failedAt = new FailedAtDecoder();
    private final DirectoryEntryDecoder directoryEntry = new DirectoryEntryDecoder();
    private final EntryView entryView = new EntryView(directoryEntry);
    private final HostResumedDecoder hostResumed = new HostResumedDecoder();
    private final TakenDecoder taken = new TakenDecoder();
    private final LoopCommandDecoder loopCommand = new LoopCommandDecoder();
    private final SeatDownDecoder seatDown = new SeatDownDecoder();
    private final ReloadDecoder reload = new ReloadDecoder();
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

        return dispatch(buffer, offset, length);
    }

    private int dispatch(final DirectBuffer buffer, final int offset, final int length)
    {
        header.wrap(buffer, offset);
        switch (header.templateId())
        {
            case MessageDecoder.TEMPLATE_ID:
                return onMessage(buffer, offset);
            case SignalDecoder.TEMPLATE_ID:
                return onSignal(buffer, offset);
            case ReplyDecoder.TEMPLATE_ID:
                return onReply(buffer, offset);
            case AskDecoder.TEMPLATE_ID:
                return onAsk(buffer, offset);
            case JoinDecoder.TEMPLATE_ID:
                return onJoin(buffer, offset);
            case CancelJoinDecoder.TEMPLATE_ID:
                return onCancelJoin(buffer, offset);
            case LeaveDecoder.TEMPLATE_ID:
                return onLeave(buffer, offset);
            case StateLostDecoder.TEMPLATE_ID:
                return onStateLost(buffer, offset);
            case SeatDownDecoder.TEMPLATE_ID:
                return onSeatDown(buffer, offset);
            case RefusalDecoder.TEMPLATE_ID:
                return onRefusal(buffer, offset);
            case ReserveDecoder.TEMPLATE_ID:
                return onReserve(buffer, offset);
            case DirectoryEntryDecoder.TEMPLATE_ID:
                return onDirectoryEntry(buffer, offset);
            case OpenRoomDecoder.TEMPLATE_ID:
                return onOpenRoom(buffer, offset);
            case CloseRoomDecoder.TEMPLATE_ID:
                return onCloseRoom(buffer, offset);
            case KickDecoder.TEMPLATE_ID:
                return onKick(buffer, offset);
            case FailedAtDecoder.TEMPLATE_ID:
                return onFailedAt(buffer, offset);
            case LockRoomDecoder.TEMPLATE_ID:
                return onLockRoom(buffer, offset);
            case LockTypeDecoder.TEMPLATE_ID:
                return onLockType(buffer, offset);
            case SetRateDecoder.TEMPLATE_ID:
                return onSetRate(buffer, offset);
            case ReloadDecoder.TEMPLATE_ID:
                return onReload(buffer, offset);
            case LoopCommandDecoder.TEMPLATE_ID:
                return onLoopCommand(buffer, offset, length);
            case LinkUpDecoder.TEMPLATE_ID, LinkDownDecoder.TEMPLATE_ID, LinkResumedDecoder.TEMPLATE_ID,
                LinkStateLostDecoder.TEMPLATE_ID, HostResumedDecoder.TEMPLATE_ID, TakenDecoder.TEMPLATE_ID,
                DrainDecoder.TEMPLATE_ID:
                host.touch();
                return onHostCommand(buffer, offset);
            default:
                return refusals.counted(NOT_A_COMMAND);
        }
    }

    /** Prefetch for a message. All other commands are too rare for it. */
    void prefetch(final DirectBuffer buffer, final int offset, final int length)
    {
        if (length < MessageHeaderDecoder.ENCODED_LENGTH + MessageDecoder.BLOCK_LENGTH)
        {
            return;
        }
        header.wrap(buffer, offset);
        if (MessageDecoder.TEMPLATE_ID == header.templateId())
        {
            message.wrap(buffer, offset + MessageHeaderDecoder.ENCODED_LENGTH,
                MessageDecoder.BLOCK_LENGTH, MessageDecoder.SCHEMA_VERSION);
            final RoomInstance room = rooms.byId(message.roomId());
            if (null != room)
            {
                host.prefetcher.add(room, message.seatIndex());
            }
        }
    }

    private int onHostCommand(final DirectBuffer buffer, final int offset)
    {
        snapshot.beforeChange();
        switch (header.templateId())
        {
            case LinkUpDecoder.TEMPLATE_ID:
                linkUp.wrapAndApplyHeader(buffer, offset, header);
                return refuseUnlessDone(commands.linkUp(linkUp.link(), linkUp.trunkId()));
            case LinkDownDecoder.TEMPLATE_ID:
                linkDown.wrapAndApplyHeader(buffer, offset, header);
                return refuseUnlessDone(commands.linkDown(linkDown.link()));
            case LinkResumedDecoder.TEMPLATE_ID:
                linkResumed.wrapAndApplyHeader(buffer, offset, header);
                return refuseUnlessDone(
                    commands.linkResumed(linkResumed.link(), linkResumed.previousLink(), linkResumed.trunkId()));
            case LinkStateLostDecoder.TEMPLATE_ID:
                linkStateLost.wrapAndApplyHeader(buffer, offset, header);
                return refuseUnlessDone(commands.linkStateLost(linkStateLost.link()));
            case HostResumedDecoder.TEMPLATE_ID:
                hostResumed.wrapAndApplyHeader(buffer, offset, header);
                return refuseUnlessDone(
                    commands.hostResumed(hostResumed.incarnation(), hostResumed.memberId(), hostResumed.epochMs()));
            case TakenDecoder.TEMPLATE_ID:
                taken.wrapAndApplyHeader(buffer, offset, header);
                return refuseUnlessDone(loop.messagesTaken(taken.fromLoop(), taken.upTo()));
            case DrainDecoder.TEMPLATE_ID:
                drain.wrapAndApplyHeader(buffer, offset, header);
                return refuseUnlessDone(commands.drain(drain.deadlineNs()));
            default:
                throw new IllegalStateException("no command to the host: template " + header.templateId());
        }
    }

    private int onMessage(final DirectBuffer buffer, final int offset)
    {
        message.wrap(buffer, offset + MessageHeaderDecoder.ENCODED_LENGTH, header.blockLength(), header.version());
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
            seatIndex, generation, link, sequence, buffer, payloadOffset, payloadLength);
        return NONE == code ? NONE :
            refuse(link, MessageDecoder.TEMPLATE_ID, roomId, seatIndex, sequence, code);
    }

    private int onSignal(final DirectBuffer buffer, final int offset)
    {
        signal.wrapAndApplyHeader(buffer, offset, header);
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
            signal.fromRoomId(), buffer, signal.limit() + SignalDecoder.payloadHeaderLength(), payloadLength);
        return NONE;
    }

    private int onReply(final DirectBuffer buffer, final int offset)
    {
        reply.wrapAndApplyHeader(buffer, offset, header);
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
            buffer,
            reply.limit() + ReplyDecoder.payloadHeaderLength(),
            payloadLength));
    }

    private int onRefusal(final DirectBuffer buffer, final int offset)
    {
        refusal.wrapAndApplyHeader(buffer, offset, header);
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

    private int onAsk(final DirectBuffer buffer, final int offset)
    {
        ask.wrapAndApplyHeader(buffer, offset, header);
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
            buffer, ask.limit() + AskDecoder.payloadHeaderLength(), payloadLength);
        if (NONE == code)
        {
            return NONE;
        }
        refusals.remember(room, NO_SEAT, AskDecoder.TEMPLATE_ID, code);
        proxy.questionRefused(roomId, fromRoomId, correlationId, code);
        return refusals.counted(code);
    }

    /** A command from another loop, which runs once however often it arrives. */
    private int onLoopCommand(final DirectBuffer buffer, final int offset, final int length)
    {
        host.touch();
        loopCommand.wrapAndApplyHeader(buffer, offset, header);
        final int code = loop.messageArrived(loopCommand.fromLoop(), loopCommand.number());
        if (NONE != code)
        {
            return refuseUnlessDone(code);
        }

        final int carried = RoomCommands.carriedOffset(offset);
        return dispatch(buffer, carried, length - (carried - offset));
    }

    private int onJoin(final DirectBuffer buffer, final int offset)
    {
        join.wrapAndApplyHeader(buffer, offset, header);
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
            case 0 -> room.join(join.playerId(), requestId, link, buffer, argsOffset, argsLength);
            case 1 -> room.watch(join.playerId(), requestId, link, buffer, argsOffset, argsLength);
            default -> BAD_VALUE;
        };
        return NONE == code ? NONE :
            refuse(link, JoinDecoder.TEMPLATE_ID, roomId, requestId, code);
    }

    private int onCancelJoin(final DirectBuffer buffer, final int offset)
    {
        cancelJoin.wrapAndApplyHeader(buffer, offset, header);
        final long roomId = cancelJoin.roomId();
        final RoomInstance room = find(roomId);
        final int link = cancelJoin.link();
        final long requestId = cancelJoin.requestId();
        final int code = null == room ? UNKNOWN_ROOM : room.cancelJoin(cancelJoin.playerId(), requestId, link);
        return NONE == code ? NONE : refuse(link, CancelJoinDecoder.TEMPLATE_ID, roomId, requestId, code);
    }

    private int onLeave(final DirectBuffer buffer, final int offset)
    {
        leave.wrapAndApplyHeader(buffer, offset, header);
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

    private int onStateLost(final DirectBuffer buffer, final int offset)
    {
        stateLost.wrapAndApplyHeader(buffer, offset, header);
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

    private int onSeatDown(final DirectBuffer buffer, final int offset)
    {
        seatDown.wrapAndApplyHeader(buffer, offset, header);
        final long roomId = seatDown.roomId();
        final RoomInstance room = find(roomId);
        final int link = seatDown.link();
        final int seatIndex = seatDown.seatIndex();
        final int code = null == room ? UNKNOWN_ROOM : room.seatDown(seatIndex, seatDown.generation(), link);
        return NONE == code ? NONE : refuse(link, SeatDownDecoder.TEMPLATE_ID, roomId, seatIndex, 0, code);
    }

    private int onReserve(final DirectBuffer buffer, final int offset)
    {
        reserve.wrapAndApplyHeader(buffer, offset, header);
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

    private int onDirectoryEntry(final DirectBuffer buffer, final int offset)
    {
        directoryEntry.wrapAndApplyHeader(buffer, offset, header);
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

        room.directory(entryView.wrap(buffer));
        host.services.release(entryView.value());
        return NONE;
    }

    private int onOpenRoom(final DirectBuffer buffer, final int offset)
    {
        openRoom.wrapAndApplyHeader(buffer, offset, header);
        final long roomId = openRoom.roomId();
        host.touch();
        loop.named(roomId);
        final long opened = loop.openedFor(openRoom.openerRoomId(), openRoom.correlationId());
        if (0 != opened)
        {
            return answerAgain(opened);
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
        answerOpen(roomId, code);
        if (NONE != code)
        {
            return refusals.counted(code);
        }

        final int argsLength = openRoom.argsLength();
        commands.openRoom(
            type, roomId, openRoom, limits, buffer, openRoom.limit() + OpenRoomDecoder.argsHeaderLength(), argsLength);
        return NONE;
    }

    private void answerOpen(final long roomId, final int code)
    {
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
    private int answerAgain(final long opened)
    {
        if (opened != openRoom.roomId())
        {
            host.services.listener().onOpenRefused(openRoom.roomId(), RefusalCode.ROOM_EXISTS.value());
        }
        proxy.reply(openRoom.openerRoomId(), openRoom.correlationId(), NONE, opened);
        return NONE;
    }

    private int onCloseRoom(final DirectBuffer buffer, final int offset)
    {
        closeRoom.wrapAndApplyHeader(buffer, offset, header);
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

    private int onKick(final DirectBuffer buffer, final int offset)
    {
        kick.wrapAndApplyHeader(buffer, offset, header);
        final long roomId = kick.roomId();
        final RoomInstance room = find(roomId);
        if (null == room)
        {
            return refuse(NO_LINK, KickDecoder.TEMPLATE_ID, roomId, 0, UNKNOWN_ROOM);
        }
        return refuseUnlessDone(room, KickDecoder.TEMPLATE_ID,
            isCode(kick.code()) ? room.kick(kick.playerId(), kick.code()) : BAD_VALUE);
    }

    /** Whether a code is 0 for none, or one of the application. */
    private static boolean isCode(final int code)
    {
        return 0 == code || (code >= Codes.FIRST_APPLICATION_CODE && code <= Codes.LAST_CODE);
    }

    private int onLockRoom(final DirectBuffer buffer, final int offset)
    {
        lockRoom.wrapAndApplyHeader(buffer, offset, header);
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

        room.status.lockByOperator(1 == lockRoom.isLocked());
        return NONE;
    }

    private int onLockType(final DirectBuffer buffer, final int offset)
    {
        lockType.wrapAndApplyHeader(buffer, offset, header);
        host.touch();
        final int code = commands.lockType(lockType.typeId(), lockType.isLocked());
        return NONE == code ? NONE : refuse(NO_LINK, LockTypeDecoder.TEMPLATE_ID, 0, 0, code);
    }

    private int onSetRate(final DirectBuffer buffer, final int offset)
    {
        setRate.wrapAndApplyHeader(buffer, offset, header);
        host.touch();
        snapshot.beforeChange();
        final int code = commands.setRate(setRate.typeId(), setRate.rateHz());
        return NONE == code ? NONE : refuse(NO_LINK, SetRateDecoder.TEMPLATE_ID, 0, 0, code);
    }

    private int onReload(final DirectBuffer buffer, final int offset)
    {
        reload.wrapAndApplyHeader(buffer, offset, header);
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
            return refuseUnlessDone(reloads.openAs(fromVersion, to));
        }
        final RoomInstance room = find(roomId);
        return null == room ?
            refuseUnlessDone(reloads.report(roomId, fromVersion, to, RefusalCode.UNKNOWN_ROOM, null)) :
            refuseUnlessDone(room, ReloadDecoder.TEMPLATE_ID, reloads.reload(room, fromVersion, to));
    }

    private int onFailedAt(final DirectBuffer buffer, final int offset)
    {
        failedAt.wrapAndApplyHeader(buffer, offset, header);
        if (failedAt.callback() <= 0)
        {
            return refusals.counted(BAD_VALUE);
        }
        commands.failAt(failedAt.roomId(), failedAt.callback());
        return NONE;
    }

    /** The room that a command is to, which is about to change. */
    private RoomInstance find(final long roomId)
    {
        final RoomInstance room = rooms.byId(roomId);
        host.touch();
        snapshot.beforeChange(room);
        return room;
    }

    private int refuseUnlessDone(final int code)
    {
        return NONE == code ? NONE : refuse(NO_LINK, header.templateId(), 0, 0, code);
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
