package io.escapement.codecs;

import io.escapement.codecs.room.CloseRoomEncoder;
import io.escapement.codecs.room.DirectoryChange;
import io.escapement.codecs.room.DirectoryEntryEncoder;
import io.escapement.codecs.room.DrainEncoder;
import io.escapement.codecs.room.FailedAtEncoder;
import io.escapement.codecs.room.JoinEncoder;
import io.escapement.codecs.room.KickEncoder;
import io.escapement.codecs.room.LeaveEncoder;
import io.escapement.codecs.room.LinkDownEncoder;
import io.escapement.codecs.room.LinkResumedEncoder;
import io.escapement.codecs.room.LinkStateLostEncoder;
import io.escapement.codecs.room.LinkUpEncoder;
import io.escapement.codecs.room.MessageEncoder;
import io.escapement.codecs.room.MessageHeaderEncoder;
import io.escapement.codecs.room.OpenRoomEncoder;
import io.escapement.codecs.room.RefusalEncoder;
import io.escapement.codecs.room.ReplyEncoder;
import io.escapement.codecs.room.RequestEncoder;
import io.escapement.codecs.room.ReserveEncoder;
import io.escapement.codecs.room.SetRateEncoder;
import io.escapement.codecs.room.SignalEncoder;
import io.escapement.codecs.room.StateLostEncoder;
import io.escapement.codecs.room.SubscribeEncoder;
import java.nio.ByteOrder;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * Puts each command of a room host into bytes from plain values. Every method writes the message header and the whole
 * message at an offset, and returns its length. Keeps its encoders, so it is for one thread.
 */
public final class RoomCommandEncoder
{
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
    private final SubscribeEncoder subscribe = new SubscribeEncoder();
    private final RequestEncoder request = new RequestEncoder();

    /**
     * Opens a room.
     *
     * @param buffer to write to.
     * @param offset of the message.
     * @param roomId the room.
     * @param typeId the room type.
     * @param seed of the room's random stream.
     * @param openerRoomId room that asked for it, or 0.
     * @param correlationId of the room that asked.
     * @param args buffer with the variable data.
     * @param argsOffset where it begins.
     * @param argsLength its length in bytes.
     * @return the length of the message in bytes.
     */
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
        return MessageHeaderEncoder.ENCODED_LENGTH + openRoom.encodedLength();
    }

    /**
     * Closes a room.
     *
     * @param buffer to write to.
     * @param offset of the message.
     * @param roomId the room.
     * @return the length of the message in bytes.
     */
    public int closeRoom(final MutableDirectBuffer buffer, final int offset, final long roomId)
    {
        closeRoom.wrapAndApplyHeader(buffer, offset, header).roomId(roomId);
        return MessageHeaderEncoder.ENCODED_LENGTH + closeRoom.encodedLength();
    }

    /**
     * Asks for a seat.
     *
     * @param buffer to write to.
     * @param offset of the message.
     * @param roomId the room.
     * @param playerId the player.
     * @param requestId the client's number for this request.
     * @param link of the trunk.
     * @param args buffer with the variable data.
     * @param argsOffset where it begins.
     * @param argsLength its length in bytes.
     * @return the length of the message in bytes.
     */
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
            .roomId(roomId).playerId(playerId).requestId(requestId).link(link);
        join.putArgs(args, argsOffset, argsLength);
        return MessageHeaderEncoder.ENCODED_LENGTH + join.encodedLength();
    }

    /**
     * Keeps a seat for a while.
     *
     * @param buffer to write to.
     * @param offset of the message.
     * @param roomId the room.
     * @param playerId the player.
     * @param ttlNs how long the seat is kept.
     * @param fromRoomId the sender, or 0.
     * @param correlationId of the room that asked.
     * @return the length of the message in bytes.
     */
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
        return MessageHeaderEncoder.ENCODED_LENGTH + reserve.encodedLength();
    }

    /**
     * A player leaves.
     *
     * @param buffer to write to.
     * @param offset of the message.
     * @param roomId the room.
     * @param seatIndex index of the seat.
     * @param generation of the seat.
     * @param link of the trunk.
     * @return the length of the message in bytes.
     */
    public int leave(
        final MutableDirectBuffer buffer,
        final int offset,
        final long roomId,
        final int seatIndex,
        final int generation,
        final int link)
    {
        leave.wrapAndApplyHeader(buffer, offset, header)
            .roomId(roomId).seatIndex(seatIndex).generation(generation).link(link);
        return MessageHeaderEncoder.ENCODED_LENGTH + leave.encodedLength();
    }

    /**
     * A trunk is attached.
     *
     * @param buffer to write to.
     * @param offset of the message.
     * @param link of the trunk.
     * @param trunkId the trunk.
     * @return the length of the message in bytes.
     */
    public int linkUp(final MutableDirectBuffer buffer, final int offset, final int link, final long trunkId)
    {
        linkUp.wrapAndApplyHeader(buffer, offset, header).trunkId(trunkId).link(link);
        return MessageHeaderEncoder.ENCODED_LENGTH + linkUp.encodedLength();
    }

    /**
     * A trunk was lost.
     *
     * @param buffer to write to.
     * @param offset of the message.
     * @param link of the trunk.
     * @return the length of the message in bytes.
     */
    public int linkDown(final MutableDirectBuffer buffer, final int offset, final int link)
    {
        linkDown.wrapAndApplyHeader(buffer, offset, header).link(link);
        return MessageHeaderEncoder.ENCODED_LENGTH + linkDown.encodedLength();
    }

    /**
     * A lost trunk is back.
     *
     * @param buffer to write to.
     * @param offset of the message.
     * @param link of the trunk.
     * @param previousLink the trunk's number when it was lost.
     * @param trunkId the trunk.
     * @return the length of the message in bytes.
     */
    public int linkResumed(
        final MutableDirectBuffer buffer,
        final int offset,
        final int link,
        final int previousLink,
        final long trunkId)
    {
        linkResumed.wrapAndApplyHeader(buffer, offset, header).trunkId(trunkId).link(link).previousLink(previousLink);
        return MessageHeaderEncoder.ENCODED_LENGTH + linkResumed.encodedLength();
    }

    /**
     * A player's message.
     *
     * @param buffer to write to.
     * @param offset of the message.
     * @param roomId the room.
     * @param seatIndex index of the seat.
     * @param generation of the seat.
     * @param link of the trunk.
     * @param sequence of the message.
     * @param payload buffer with the variable data.
     * @param payloadOffset where it begins.
     * @param payloadLength its length in bytes.
     * @return the length of the message in bytes.
     */
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
        return MessageHeaderEncoder.ENCODED_LENGTH + message.encodedLength();
    }

    /**
     * A message from another room.
     *
     * @param buffer to write to.
     * @param offset of the message.
     * @param roomId the room.
     * @param fromRoomId the sender, or 0.
     * @param correlationId of the room that asked.
     * @param payload buffer with the variable data.
     * @param payloadOffset where it begins.
     * @param payloadLength its length in bytes.
     * @return the length of the message in bytes.
     */
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
        return MessageHeaderEncoder.ENCODED_LENGTH + signal.encodedLength();
    }

    /**
     * The answer to a request.
     *
     * @param buffer to write to.
     * @param offset of the message.
     * @param roomId the room.
     * @param correlationId of the room that asked.
     * @param status 0 for done, or a code.
     * @param payload buffer with the variable data.
     * @param payloadOffset where it begins.
     * @param payloadLength its length in bytes.
     * @return the length of the message in bytes.
     */
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
        reply.wrapAndApplyHeader(buffer, offset, header).roomId(roomId).correlationId(correlationId).status(status);
        reply.putPayload(payload, payloadOffset, payloadLength);
        return MessageHeaderEncoder.ENCODED_LENGTH + reply.encodedLength();
    }

    /**
     * A request could not be passed on.
     *
     * @param buffer to write to.
     * @param offset of the message.
     * @param roomId the room.
     * @param correlationId of the room that asked.
     * @param code why.
     * @return the length of the message in bytes.
     */
    public int refusal(
        final MutableDirectBuffer buffer,
        final int offset,
        final long roomId,
        final long correlationId,
        final int code)
    {
        refusal.wrapAndApplyHeader(buffer, offset, header).roomId(roomId).correlationId(correlationId);
        buffer.putShort(refusal.offset() + RefusalEncoder.codeEncodingOffset(), (short)code, ByteOrder.LITTLE_ENDIAN);
        return MessageHeaderEncoder.ENCODED_LENGTH + refusal.encodedLength();
    }

    /**
     * State to a seat was dropped.
     *
     * @param buffer to write to.
     * @param offset of the message.
     * @param roomId the room.
     * @param seatIndex index of the seat.
     * @param generation of the seat.
     * @return the length of the message in bytes.
     */
    public int stateLost(
        final MutableDirectBuffer buffer,
        final int offset,
        final long roomId,
        final int seatIndex,
        final int generation)
    {
        stateLost.wrapAndApplyHeader(buffer, offset, header)
            .roomId(roomId).seatIndex(seatIndex).generation(generation);
        return MessageHeaderEncoder.ENCODED_LENGTH + stateLost.encodedLength();
    }

    /**
     * States to a link were dropped.
     *
     * @param buffer to write to.
     * @param offset of the message.
     * @param link of the trunk.
     * @return the length of the message in bytes.
     */
    public int linkStateLost(final MutableDirectBuffer buffer, final int offset, final int link)
    {
        linkStateLost.wrapAndApplyHeader(buffer, offset, header).link(link);
        return MessageHeaderEncoder.ENCODED_LENGTH + linkStateLost.encodedLength();
    }

    /**
     * Caps a type's frame rate.
     *
     * @param buffer to write to.
     * @param offset of the message.
     * @param typeId the room type.
     * @param rateHz the cap, 0 to lift it.
     * @return the length of the message in bytes.
     */
    public int setRate(final MutableDirectBuffer buffer, final int offset, final int typeId, final int rateHz)
    {
        setRate.wrapAndApplyHeader(buffer, offset, header).typeId(typeId).rateHz(rateHz);
        return MessageHeaderEncoder.ENCODED_LENGTH + setRate.encodedLength();
    }

    /**
     * The host is stopping.
     *
     * @param buffer to write to.
     * @param offset of the message.
     * @param deadlineNs in host time.
     * @return the length of the message in bytes.
     */
    public int drain(final MutableDirectBuffer buffer, final int offset, final long deadlineNs)
    {
        drain.wrapAndApplyHeader(buffer, offset, header).deadlineNs(deadlineNs);
        return MessageHeaderEncoder.ENCODED_LENGTH + drain.encodedLength();
    }

    /**
     * An operator removes a player.
     *
     * @param buffer to write to.
     * @param offset of the message.
     * @param roomId the room.
     * @param playerId the player.
     * @return the length of the message in bytes.
     */
    public int kick(final MutableDirectBuffer buffer, final int offset, final long roomId, final long playerId)
    {
        kick.wrapAndApplyHeader(buffer, offset, header).roomId(roomId).playerId(playerId);
        return MessageHeaderEncoder.ENCODED_LENGTH + kick.encodedLength();
    }

    /**
     * The room failed at this callback.
     *
     * @param buffer to write to.
     * @param offset of the message.
     * @param roomId the room.
     * @param callback the room's count of callbacks.
     * @return the length of the message in bytes.
     */
    public int failedAt(final MutableDirectBuffer buffer, final int offset, final long roomId, final long callback)
    {
        failedAt.wrapAndApplyHeader(buffer, offset, header).roomId(roomId).callback(callback);
        return MessageHeaderEncoder.ENCODED_LENGTH + failedAt.encodedLength();
    }

    /**
     * News of a room for a subscriber.
     *
     * @param buffer to write to.
     * @param offset of the message.
     * @param roomId the room.
     * @param change what is told.
     * @param subjectRoomId the room told of.
     * @param typeId the room type.
     * @param seatsTaken reserved ones included.
     * @param seatLimit its seats.
     * @param labelKey of the label.
     * @param value buffer with the variable data.
     * @param valueOffset where it begins.
     * @param valueLength its length in bytes.
     * @return the length of the message in bytes.
     */
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
        return MessageHeaderEncoder.ENCODED_LENGTH + directoryEntry.encodedLength();
    }

    /**
     * Subscribes a room to the directory.
     *
     * @param buffer to write to.
     * @param offset of the message.
     * @param roomId the subscriber.
     * @return the length of the message in bytes.
     */
    public int subscribe(final MutableDirectBuffer buffer, final int offset, final long roomId)
    {
        subscribe.wrapAndApplyHeader(buffer, offset, header).roomId(roomId);
        return MessageHeaderEncoder.ENCODED_LENGTH + subscribe.encodedLength();
    }

    /**
     * A room's request to a service.
     *
     * @param buffer to write to.
     * @param offset of the message.
     * @param roomId the requesting room.
     * @param correlationId of the requesting room.
     * @param serviceId the service.
     * @param orderKey requests of one key are handled in order.
     * @param payload buffer with the variable data.
     * @param payloadOffset where it begins.
     * @param payloadLength its length in bytes.
     * @return the length of the message in bytes.
     */
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
        return MessageHeaderEncoder.ENCODED_LENGTH + request.encodedLength();
    }
}
