package io.escapement.codecs;

import io.escapement.codecs.room.AskEncoder;
import io.escapement.codecs.room.CancelJoinEncoder;
import io.escapement.codecs.room.CloseRoomEncoder;
import io.escapement.codecs.room.DirectoryChange;
import io.escapement.codecs.room.DirectoryEntryEncoder;
import io.escapement.codecs.room.DrainEncoder;
import io.escapement.codecs.room.FailedAtEncoder;
import io.escapement.codecs.room.HostResumedEncoder;
import io.escapement.codecs.room.JoinEncoder;
import io.escapement.codecs.room.KickEncoder;
import io.escapement.codecs.room.LeaveEncoder;
import io.escapement.codecs.room.LinkDownEncoder;
import io.escapement.codecs.room.LinkResumedEncoder;
import io.escapement.codecs.room.LinkStateLostEncoder;
import io.escapement.codecs.room.LinkUpEncoder;
import io.escapement.codecs.room.LockRoomEncoder;
import io.escapement.codecs.room.LockTypeEncoder;
import io.escapement.codecs.room.LoopCommandEncoder;
import io.escapement.codecs.room.MessageEncoder;
import io.escapement.codecs.room.MessageHeaderEncoder;
import io.escapement.codecs.room.OpenRoomEncoder;
import io.escapement.codecs.room.RefusalEncoder;
import io.escapement.codecs.room.ReloadEncoder;
import io.escapement.codecs.room.ReplyEncoder;
import io.escapement.codecs.room.RequestEncoder;
import io.escapement.codecs.room.ReserveEncoder;
import io.escapement.codecs.room.SeatDownEncoder;
import io.escapement.codecs.room.SetRateEncoder;
import io.escapement.codecs.room.SignalEncoder;
import io.escapement.codecs.room.StateLostEncoder;
import io.escapement.codecs.room.SubscribeEncoder;
import io.escapement.codecs.room.TakenEncoder;
import java.nio.ByteOrder;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * Encodes the commands of a room host. Each method writes a message header and the whole message at an offset of a
 * buffer and returns its length in bytes; its other parameters are the message's fields in {@code room.xml}. It reuses
 * its encoders, so each thread needs its own.
 */
public final class RoomCommandEncoder
{
    private static final int HEADER_LENGTH = MessageHeaderEncoder.ENCODED_LENGTH;
    private static final long NO_ROOM = ReplyEncoder.fromRoomIdNullValue();

    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final OpenRoomEncoder openRoom = new OpenRoomEncoder();
    private final CloseRoomEncoder closeRoom = new CloseRoomEncoder();
    private final JoinEncoder join = new JoinEncoder();
    private final ReserveEncoder reserve = new ReserveEncoder();
    private final LeaveEncoder leave = new LeaveEncoder();
    private final LinkUpEncoder linkUp = new LinkUpEncoder();
    private final LinkDownEncoder linkDown = new LinkDownEncoder();
    private final LinkResumedEncoder linkResumed = new LinkResumedEncoder();
    private final LinkStateLostEncoder linkStateLost = new LinkStateLostEncoder();
    private final MessageEncoder message = new MessageEncoder();
    private final SignalEncoder signal = new SignalEncoder();
    private final ReplyEncoder reply = new ReplyEncoder();
    private final RefusalEncoder refusal = new RefusalEncoder();
    private final StateLostEncoder stateLost = new StateLostEncoder();
    private final SetRateEncoder setRate = new SetRateEncoder();
    private final DrainEncoder drain = new DrainEncoder();
    private final KickEncoder kick = new KickEncoder();
    private final FailedAtEncoder failedAt = new FailedAtEncoder();
    private final DirectoryEntryEncoder directoryEntry = new DirectoryEntryEncoder();
    private final HostResumedEncoder hostResumed = new HostResumedEncoder();
    private final TakenEncoder taken = new TakenEncoder();
    private final LoopCommandEncoder loopCommand = new LoopCommandEncoder();
    private final SeatDownEncoder seatDown = new SeatDownEncoder();
    private final ReloadEncoder reload = new ReloadEncoder();
    private final LockRoomEncoder lockRoom = new LockRoomEncoder();
    private final LockTypeEncoder lockType = new LockTypeEncoder();
    private final AskEncoder ask = new AskEncoder();
    private final CancelJoinEncoder cancelJoin = new CancelJoinEncoder();
    private final SubscribeEncoder subscribe = new SubscribeEncoder();
    private final RequestEncoder request = new RequestEncoder();

    /** Encode OpenRoom with the limits of its type. Opener and correlation id are 0 unless a room requested it. */
    public int openRoom(
        final MutableDirectBuffer buffer,
        final int offset,
        final long roomId,
        final int typeId,
        final long seed,
        final long openerRoomId,
        final long correlationId,
        final DirectBuffer args,
        final int argsOffset,
        final int argsLength)
    {
        openRoom.wrapAndApplyHeader(buffer, offset, header)
            .roomId(roomId).seed(seed).openerRoomId(openerRoomId).correlationId(correlationId).typeId(typeId)
            .seatLimit(0).timerLimit(0).outputLimit(0).requestLimit(0);
        openRoom.putArgs(args, argsOffset, argsLength);
        return HEADER_LENGTH + openRoom.encodedLength();
    }

    /** Encode CloseRoom, without a code. */
    public int closeRoom(final MutableDirectBuffer buffer, final int offset, final long roomId)
    {
        return closeRoom(buffer, offset, roomId, 0);
    }

    /** Encode CloseRoom, with a code of the application or 0. */
    public int closeRoom(final MutableDirectBuffer buffer, final int offset, final long roomId, final int code)
    {
        closeRoom.wrapAndApplyHeader(buffer, offset, header).roomId(roomId).code(code);
        return HEADER_LENGTH + closeRoom.encodedLength();
    }

    /** Encode Join, from the link of the player's trunk. */
    public int join(
        final MutableDirectBuffer buffer,
        final int offset,
        final long roomId,
        final long playerId,
        final long requestId,
        final int link,
        final DirectBuffer args,
        final int argsOffset,
        final int argsLength)
    {
        join.wrapAndApplyHeader(buffer, offset, header)
            .roomId(roomId).playerId(playerId).requestId(requestId).link(link).isSpectator((short)0);
        join.putArgs(args, argsOffset, argsLength);
        return HEADER_LENGTH + join.encodedLength();
    }

    /** Encode Join of a spectator, from the link of its trunk. */
    public int watch(
        final MutableDirectBuffer buffer,
        final int offset,
        final long roomId,
        final long playerId,
        final long requestId,
        final int link,
        final DirectBuffer args,
        final int argsOffset,
        final int argsLength)
    {
        join.wrapAndApplyHeader(buffer, offset, header)
            .roomId(roomId).playerId(playerId).requestId(requestId).link(link).isSpectator((short)1);
        join.putArgs(args, argsOffset, argsLength);
        return HEADER_LENGTH + join.encodedLength();
    }

    /** Encode Reserve: keep a seat for a player for {@code ttlNs}. */
    public int reserve(
        final MutableDirectBuffer buffer,
        final int offset,
        final long roomId,
        final long playerId,
        final long ttlNs,
        final long fromRoomId,
        final long correlationId)
    {
        reserve.wrapAndApplyHeader(buffer, offset, header)
            .roomId(roomId).playerId(playerId).ttlNs(ttlNs).fromRoomId(fromRoomId)
            .correlationId(correlationId);
        return HEADER_LENGTH + reserve.encodedLength();
    }

    /** Encode Leave, without a code. */
    public int leave(
        final MutableDirectBuffer buffer,
        final int offset,
        final long roomId,
        final int seatIndex,
        final int generation,
        final int link)
    {
        return leave(buffer, offset, roomId, seatIndex, generation, link, 0);
    }

    /** Encode Leave, with a code of the application or 0. */
    public int leave(
        final MutableDirectBuffer buffer,
        final int offset,
        final long roomId,
        final int seatIndex,
        final int generation,
        final int link,
        final int code)
    {
        leave.wrapAndApplyHeader(buffer, offset, header)
            .roomId(roomId).seatIndex(seatIndex).generation(generation).link(link).code(code);
        return HEADER_LENGTH + leave.encodedLength();
    }

    /** Encode CancelJoin, of a join that came through this link. */
    public int cancelJoin(
        final MutableDirectBuffer buffer,
        final int offset,
        final long roomId,
        final long playerId,
        final long requestId,
        final int link)
    {
        cancelJoin.wrapAndApplyHeader(buffer, offset, header)
            .roomId(roomId).playerId(playerId).requestId(requestId).link(link);
        return HEADER_LENGTH + cancelJoin.encodedLength();
    }

    /** Encode LinkUp: a trunk is attached to this loop. */
    public int linkUp(final MutableDirectBuffer buffer, final int offset, final int link, final long trunkId)
    {
        linkUp.wrapAndApplyHeader(buffer, offset, header).trunkId(trunkId).link(link);
        return HEADER_LENGTH + linkUp.encodedLength();
    }

    /** Encode LinkDown: a trunk was lost. */
    public int linkDown(final MutableDirectBuffer buffer, final int offset, final int link)
    {
        linkDown.wrapAndApplyHeader(buffer, offset, header).link(link);
        return HEADER_LENGTH + linkDown.encodedLength();
    }

    /** Encode LinkResumed: a lost trunk is back under another link number. */
    public int linkResumed(
        final MutableDirectBuffer buffer,
        final int offset,
        final int link,
        final int previousLink,
        final long trunkId)
    {
        linkResumed.wrapAndApplyHeader(buffer, offset, header).trunkId(trunkId).link(link).previousLink(previousLink);
        return HEADER_LENGTH + linkResumed.encodedLength();
    }

    /** Encode Message, from a player to its room. */
    public int message(
        final MutableDirectBuffer buffer,
        final int offset,
        final long roomId,
        final int seatIndex,
        final int generation,
        final int link,
        final long sequence,
        final DirectBuffer payload,
        final int payloadOffset,
        final int payloadLength)
    {
        message.wrapAndApplyHeader(buffer, offset, header)
            .roomId(roomId).sequence(sequence).seatIndex(seatIndex).generation(generation).link(link);
        message.putPayload(payload, payloadOffset, payloadLength);
        return HEADER_LENGTH + message.encodedLength();
    }

    /** Encode Signal, from another room, or from room 0 for the embedding program. */
    public int signal(
        final MutableDirectBuffer buffer,
        final int offset,
        final long roomId,
        final long fromRoomId,
        final long correlationId,
        final DirectBuffer payload,
        final int payloadOffset,
        final int payloadLength)
    {
        signal.wrapAndApplyHeader(buffer, offset, header)
            .roomId(roomId).fromRoomId(fromRoomId).correlationId(correlationId);
        signal.putPayload(payload, payloadOffset, payloadLength);
        return HEADER_LENGTH + signal.encodedLength();
    }

    /** Encode Ask, from another room, or from room 0 for the embedding program. */
    public int ask(
        final MutableDirectBuffer buffer,
        final int offset,
        final long roomId,
        final long fromRoomId,
        final long correlationId,
        final long timeoutNs,
        final DirectBuffer payload,
        final int payloadOffset,
        final int payloadLength)
    {
        ask.wrapAndApplyHeader(buffer, offset, header)
            .roomId(roomId).fromRoomId(fromRoomId).correlationId(correlationId).timeoutNs(timeoutNs);
        ask.putPayload(payload, payloadOffset, payloadLength);
        return HEADER_LENGTH + ask.encodedLength();
    }

    /** Encode Reply to a room's request. */
    public int reply(
        final MutableDirectBuffer buffer,
        final int offset,
        final long roomId,
        final long correlationId,
        final int status,
        final DirectBuffer payload,
        final int payloadOffset,
        final int payloadLength)
    {
        return answer(
            buffer, offset, roomId, NO_ROOM, correlationId, status, payload, payloadOffset, payloadLength);
    }

    /** Encode Reply of a room to an Ask. */
    public int answer(
        final MutableDirectBuffer buffer,
        final int offset,
        final long roomId,
        final long fromRoomId,
        final long correlationId,
        final int status,
        final DirectBuffer payload,
        final int payloadOffset,
        final int payloadLength)
    {
        reply.wrapAndApplyHeader(buffer, offset, header)
            .roomId(roomId).correlationId(correlationId).status(status).fromRoomId(fromRoomId);
        reply.putPayload(payload, payloadOffset, payloadLength);
        return HEADER_LENGTH + reply.encodedLength();
    }

    /** Encode Refusal of a room's request or signal. */
    public int refusal(
        final MutableDirectBuffer buffer,
        final int offset,
        final long roomId,
        final long correlationId,
        final int code)
    {
        refusal.wrapAndApplyHeader(buffer, offset, header).roomId(roomId).correlationId(correlationId);
        buffer.putShort(refusal.offset() + RefusalEncoder.codeEncodingOffset(), (short)code, ByteOrder.LITTLE_ENDIAN);
        return HEADER_LENGTH + refusal.encodedLength();
    }

    /** Encode StateLost of the engine: a seat needs a snapshot. */
    public int stateLost(
        final MutableDirectBuffer buffer,
        final int offset,
        final long roomId,
        final int seatIndex,
        final int generation)
    {
        return stateLostByLink(
            buffer, offset, roomId, seatIndex, generation, StateLostEncoder.linkNullValue());
    }

    /** Encode StateLost of a trunk, which dropped a state on its way to the player of one of its seats. */
    public int stateLostByLink(
        final MutableDirectBuffer buffer,
        final int offset,
        final long roomId,
        final int seatIndex,
        final int generation,
        final int link)
    {
        stateLost.wrapAndApplyHeader(buffer, offset, header)
            .roomId(roomId).seatIndex(seatIndex).generation(generation).link(link);
        return HEADER_LENGTH + stateLost.encodedLength();
    }

    /** Encode SeatDown: the connection of one player was lost, while its trunk is up. */
    public int seatDown(
        final MutableDirectBuffer buffer,
        final int offset,
        final long roomId,
        final int seatIndex,
        final int generation,
        final int link)
    {
        seatDown.wrapAndApplyHeader(buffer, offset, header)
            .roomId(roomId).seatIndex(seatIndex).generation(generation).link(link);
        return HEADER_LENGTH + seatDown.encodedLength();
    }

    /** Encode Reload: another version takes over a room, or with room 0 the rooms that open from now on. */
    public int reload(
        final MutableDirectBuffer buffer,
        final int offset,
        final long roomId,
        final int typeId,
        final int fromVersion,
        final int toVersion)
    {
        reload.wrapAndApplyHeader(buffer, offset, header)
            .roomId(roomId).typeId(typeId).fromVersion(fromVersion).toVersion(toVersion);
        return HEADER_LENGTH + reload.encodedLength();
    }

    /** Encode LinkStateLost: every seat of a link needs a snapshot. */
    public int linkStateLost(final MutableDirectBuffer buffer, final int offset, final int link)
    {
        linkStateLost.wrapAndApplyHeader(buffer, offset, header).link(link);
        return HEADER_LENGTH + linkStateLost.encodedLength();
    }

    /** Encode SetRate: cap the frame rate of a type, 0 for no cap. */
    public int setRate(final MutableDirectBuffer buffer, final int offset, final int typeId, final int rateHz)
    {
        setRate.wrapAndApplyHeader(buffer, offset, header).typeId(typeId).rateHz(rateHz);
        return HEADER_LENGTH + setRate.encodedLength();
    }

    /** Encode LockRoom: refuse new players of a room, or admit them again. */
    public int lockRoom(
        final MutableDirectBuffer buffer, final int offset, final long roomId, final boolean isLocked)
    {
        lockRoom.wrapAndApplyHeader(buffer, offset, header).roomId(roomId).isLocked((short)(isLocked ? 1 : 0));
        return HEADER_LENGTH + lockRoom.encodedLength();
    }

    /** Encode LockType: refuse new players of all rooms of a type, or admit them again. */
    public int lockType(final MutableDirectBuffer buffer, final int offset, final int typeId, final boolean isLocked)
    {
        lockType.wrapAndApplyHeader(buffer, offset, header).typeId(typeId).isLocked((short)(isLocked ? 1 : 0));
        return HEADER_LENGTH + lockType.encodedLength();
    }

    /** Encode Drain, with its deadline in host time. */
    public int drain(final MutableDirectBuffer buffer, final int offset, final long deadlineNs)
    {
        drain.wrapAndApplyHeader(buffer, offset, header).deadlineNs(deadlineNs);
        return HEADER_LENGTH + drain.encodedLength();
    }

    /** Encode Kick, without a code. */
    public int kick(final MutableDirectBuffer buffer, final int offset, final long roomId, final long playerId)
    {
        return kick(buffer, offset, roomId, playerId, 0);
    }

    /** Encode Kick, with a code of the application or 0. */
    public int kick(
        final MutableDirectBuffer buffer, final int offset, final long roomId, final long playerId, final int code)
    {
        kick.wrapAndApplyHeader(buffer, offset, header).roomId(roomId).playerId(playerId).code(code);
        return HEADER_LENGTH + kick.encodedLength();
    }

    /** Encode FailedAt, with the number of the room's callback that failed. */
    public int failedAt(final MutableDirectBuffer buffer, final int offset, final long roomId, final long callback)
    {
        failedAt.wrapAndApplyHeader(buffer, offset, header).roomId(roomId).callback(callback);
        return HEADER_LENGTH + failedAt.encodedLength();
    }

    /** Encode DirectoryEntry: a change of {@code subjectRoomId} for a subscribed room. */
    public int directoryEntry(
        final MutableDirectBuffer buffer,
        final int offset,
        final long roomId,
        final DirectoryChange change,
        final long subjectRoomId,
        final int typeId,
        final int seatsTaken,
        final int seatLimit,
        final int labelKey,
        final DirectBuffer value,
        final int valueOffset,
        final int valueLength)
    {
        directoryEntry.wrapAndApplyHeader(buffer, offset, header)
            .roomId(roomId).subjectRoomId(subjectRoomId).typeId(typeId).seatsTaken(seatsTaken)
            .seatLimit(seatLimit).labelKey(labelKey).change(change);
        directoryEntry.putValue(value, valueOffset, valueLength);
        return HEADER_LENGTH + directoryEntry.encodedLength();
    }

    /** Encode HostResumed: a new incarnation begins, whose host time 0 was at {@code epochMs}. */
    public int hostResumed(
        final MutableDirectBuffer buffer,
        final int offset,
        final int incarnation,
        final int memberId,
        final long epochMs)
    {
        hostResumed.wrapAndApplyHeader(buffer, offset, header)
            .epochMs(epochMs).incarnation(incarnation).memberId(memberId);
        return HEADER_LENGTH + hostResumed.encodedLength();
    }

    /** Encode Taken: a loop has run our commands up to a number. */
    public int taken(final MutableDirectBuffer buffer, final int offset, final int fromLoop, final long upTo)
    {
        taken.wrapAndApplyHeader(buffer, offset, header).upTo(upTo).fromLoop(fromLoop);
        return HEADER_LENGTH + taken.encodedLength();
    }

    /** Encode LoopCommand: a numbered command from a room of another loop. */
    public int loopCommand(
        final MutableDirectBuffer buffer,
        final int offset,
        final int fromLoop,
        final long number,
        final DirectBuffer command,
        final int commandOffset,
        final int commandLength)
    {
        loopCommand.wrapAndApplyHeader(buffer, offset, header).number(number).fromLoop(fromLoop);
        loopCommand.putCommand(command, commandOffset, commandLength);
        return HEADER_LENGTH + loopCommand.encodedLength();
    }

    /** Encode Subscribe: the room receives changes of the directory from now on. */
    public int subscribe(final MutableDirectBuffer buffer, final int offset, final long roomId)
    {
        subscribe.wrapAndApplyHeader(buffer, offset, header).roomId(roomId);
        return HEADER_LENGTH + subscribe.encodedLength();
    }

    /** Encode Request, from a room to a service. Requests of one order key are handled in order. */
    public int request(
        final MutableDirectBuffer buffer,
        final int offset,
        final long roomId,
        final long correlationId,
        final int serviceId,
        final long orderKey,
        final DirectBuffer payload,
        final int payloadOffset,
        final int payloadLength)
    {
        request.wrapAndApplyHeader(buffer, offset, header)
            .roomId(roomId).correlationId(correlationId).orderKey(orderKey).serviceId(serviceId);
        request.putPayload(payload, payloadOffset, payloadLength);
        return HEADER_LENGTH + request.encodedLength();
    }
}
