package io.escapement.rooms.bench;

import io.escapement.rooms.LeaveReason;
import io.escapement.rooms.output.Outputs;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** A player on a bench. Each message it sends runs a turn. The messages it receives are kept. */
public final class BenchSeat
{
    private final RoomBench bench;
    private final List<byte[]> received = new ArrayList<>();
    private final List<byte[]> events = new ArrayList<>();
    private final List<byte[]> states = new ArrayList<>();
    private final List<Integer> refusals = new ArrayList<>();
    final long roomId;
    final long playerId;
    final long requestId;
    final boolean isSpectator;
    int link;
    int index = -1;
    int generation;
    private boolean isPresent;
    /** Whether its join was accepted or refused. */
    private boolean isAnswered;
    private byte[] answer = {};
    private long sequence;
    private LeaveReason leaveReason;
    private int leaveCode;

    BenchSeat(
        final RoomBench bench,
        final long roomId,
        final long playerId,
        final long requestId,
        final int link,
        final boolean isSpectator)
    {
        this.bench = bench;
        this.roomId = roomId;
        this.playerId = playerId;
        this.requestId = requestId;
        this.link = link;
        this.isSpectator = isSpectator;
    }

    /**
     * Send a message, and run the turn that delivers it.
     *
     * @param buffer with the message.
     * @param offset of the message.
     * @param length of the message in bytes.
     * @return 0 when the room received it, otherwise the code of the refusal.
     */
    public int send(final DirectBuffer buffer, final int offset, final int length)
    {
        return bench.send(this, ++sequence, buffer, offset, length);
    }

    /**
     * Send text as UTF-8.
     *
     * @param text to send.
     * @return 0 when the room received it, otherwise the code of the refusal.
     */
    public int send(final String text)
    {
        final byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return send(new UnsafeBuffer(bytes), 0, bytes.length);
    }

    /**
     * Let the player join another room through the same link.
     *
     * @param inRoomId the other room.
     * @return the player there. Its index is -1 when it was refused.
     */
    public BenchSeat join(final long inRoomId)
    {
        return bench.join(link, inRoomId, playerId, RoomBench.EMPTY, 0, 0);
    }

    /**
     * Leave the room.
     *
     * @return 0 when the seat was freed, otherwise the code of the refusal.
     */
    public int leave()
    {
        return bench.leave(this, 0);
    }

    /**
     * Leave the room, for a reason of the player.
     *
     * @param code that the room's onLeave gets, from 1 to 65,534.
     * @return 0 when the seat was freed, otherwise the code of the refusal.
     */
    public int leave(final int code)
    {
        return bench.leave(this, code);
    }

    /**
     * Withdraw the join, on which the room has not decided.
     *
     * @return 0 when it is over, otherwise the code of the refusal.
     */
    public int cancelJoin()
    {
        return bench.cancelJoin(this);
    }

    /** Whether the join waits for the decision of the room. */
    public boolean isWaiting()
    {
        return !isAnswered;
    }

    /** The bytes that the room's logic gave the player with its seat. Empty without bytes. */
    public byte[] answer()
    {
        return answer;
    }

    /** Lose the connection: the player goes away, and its seat is held. */
    public void disconnect()
    {
        bench.disconnect(this);
        isPresent = false;
    }

    /** Index of the player's seat, or -1 when the join was refused. */
    public int index()
    {
        return index;
    }

    /** Whether the player has its seat and can be reached. */
    public boolean isPresent()
    {
        return isPresent;
    }

    /** Why the player has no seat any more, or null while it has one. */
    public LeaveReason leaveReason()
    {
        return leaveReason;
    }

    /** The code with which the player left, was kicked, or the room was closed. 0 without a code. */
    public int leaveCode()
    {
        return leaveCode;
    }

    /** The received events, in order. */
    public List<byte[]> events()
    {
        return events;
    }

    /** The received states, in order. */
    public List<byte[]> states()
    {
        return states;
    }

    /** All received messages, events and states, in order. */
    public List<byte[]> received()
    {
        return received;
    }

    /** All received messages as UTF-8 texts, in order. */
    public List<String> texts()
    {
        final List<String> texts = new ArrayList<>();
        for (final byte[] message : received)
        {
            texts.add(new String(message, StandardCharsets.UTF_8));
        }
        return texts;
    }

    /** The codes of all refusals, in order. */
    public List<Integer> refusals()
    {
        return refusals;
    }

    void got(final int outputClass, final DirectBuffer buffer, final int offset, final int length)
    {
        final byte[] message = new byte[length];
        buffer.getBytes(offset, message);
        received.add(message);
        (Outputs.EVENT == outputClass ? events : states).add(message);
    }

    void joined(final int atIndex, final int withGeneration, final long lastSequence, final byte[] withAnswer)
    {
        index = atIndex;
        generation = withGeneration;
        isPresent = true;
        sequence = lastSequence;
        isAnswered = true;
        answer = withAnswer;
    }

    void resumed(final int throughLink, final long lastSequence)
    {
        link = throughLink;
        isPresent = true;
        sequence = lastSequence;
    }

    void away()
    {
        isPresent = false;
    }

    void left(final LeaveReason reason, final int code)
    {
        isPresent = false;
        leaveReason = reason;
        leaveCode = code;
    }

    void refused(final boolean isJoin, final int code)
    {
        isAnswered |= isJoin;
        refusals.add(code);
    }
}
