package io.escapement.rooms.log;

import io.escapement.codecs.RoomCommands;
import io.escapement.codecs.room.FailedEncoder;
import io.escapement.codecs.room.MessageHeaderEncoder;
import io.escapement.codecs.room.ProposalEncoder;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import static java.nio.ByteOrder.LITTLE_ENDIAN;

/** Gathers the commands of a turn into a proposal. One thread, no allocation after construction. */
public final class ProposalWriter
{
    /** Longest proposal in bytes. A log that holds a few of them at a time still fits the caches. */
    public static final int MAX_LENGTH = 1024 * 1024;

    /** Length of a Failed record. */
    public static final int FAILED_LENGTH = MessageHeaderEncoder.ENCODED_LENGTH + FailedEncoder.BLOCK_LENGTH;

    private final int loop;
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final ProposalEncoder proposal = new ProposalEncoder();
    private final FailedEncoder failed = new FailedEncoder();
    private final RecordChecksum checksum = new RecordChecksum();
    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[MAX_LENGTH]);
    private int length;
    private int commands;
    private int returns;

    /**
     * Begin with an empty proposal.
     *
     * @param loop of the proposed turns.
     */
    public ProposalWriter(final int loop)
    {
        this.loop = loop;
        clear();
    }

    /** Remove all commands. */
    public void clear()
    {
        length = ProposalReader.HEADER_LENGTH;
        commands = 0;
        returns = 0;
    }

    /**
     * Whether a command of any length fits.
     *
     * @param limit of the proposal in bytes, at most {@link #MAX_LENGTH}.
     */
    public boolean hasRoom(final int limit)
    {
        return hasRoom(length, limit);
    }

    /**
     * Whether a command of any length fits a proposal.
     *
     * @param length of the proposal so far, in bytes.
     * @param limit  of the proposal in bytes, at most {@link #MAX_LENGTH}.
     */
    public static boolean hasRoom(final int length, final int limit)
    {
        return ProposalReader.entryLength(RoomCommands.MAX_COMMAND_LENGTH) <= limit - length;
    }

    /**
     * Add a command from a room of the loop to another. These precede all other commands.
     *
     * @param source with the command.
     * @param offset of its message header.
     * @param size   of the command in bytes.
     */
    public void addReturn(final DirectBuffer source, final int offset, final int size)
    {
        if (returns != commands)
        {
            throw new IllegalStateException("a return behind " + (commands - returns) + " other commands");
        }
        add(source, offset, size);
        returns++;
    }

    /**
     * Add a command. Call {@link #hasRoom} first.
     *
     * @param source with the command.
     * @param offset of its message header.
     * @param size   of the command in bytes.
     */
    public void add(final DirectBuffer source, final int offset, final int size)
    {
        final int entryLength = ProposalReader.entryLength(size);
        if (size < MessageHeaderEncoder.ENCODED_LENGTH || entryLength > MAX_LENGTH - length)
        {
            throw new IllegalArgumentException(size + " bytes, with " + (MAX_LENGTH - length) + " left");
        }
        // Zero the last 8 bytes. The command then overwrites all of them except the padding.
        buffer.putLong(length + entryLength - Long.BYTES, 0L);
        buffer.putInt(length, size, LITTLE_ENDIAN);
        buffer.putBytes(length + Integer.BYTES, source, offset, size);
        length += entryLength;
        commands++;
    }

    /** Number of commands, with the returns. */
    public int commands()
    {
        return commands;
    }

    /** Number of returns. */
    public int returns()
    {
        return returns;
    }

    /**
     * Complete the proposal. It may be completed again with other values, as long as it was not accepted.
     *
     * @param incarnation that proposes it.
     * @param number      of the proposal.
     * @param nowNs       host time of the turn.
     * @param hashedTurn  last turn that the proposer has run; 0 before the first.
     * @param outputHash  running hash of all output up to the end of that turn.
     * @return length of the proposal in bytes.
     */
    public int finish(
        final int incarnation, final long number, final long nowNs, final long hashedTurn, final long outputHash)
    {
        proposal.wrapAndApplyHeader(buffer, 0, header).loop(loop).incarnation(incarnation).proposal(number)
            .nowNs(nowNs).hashedTurn(hashedTurn).outputHash(outputHash).returns(returns).commandCount(commands);
        proposal.check(checksum.ofBytesAround(buffer, 0, length, ProposalReader.CHECK_OFFSET));
        return length;
    }

    /** The proposal, at offset 0. */
    public DirectBuffer buffer()
    {
        return buffer;
    }

    /**
     * Encode the record of a room that failed for a reason of the machine.
     *
     * @param target   for the record.
     * @param offset   of the record.
     * @param number   of the proposal of the turn in which it failed.
     * @param roomId   of the room.
     * @param callback the room's count of callbacks.
     * @return {@link #FAILED_LENGTH}.
     */
    public int failed(
        final MutableDirectBuffer target, final int offset, final long number, final long roomId, final long callback)
    {
        failed.wrapAndApplyHeader(target, offset, header).proposal(number).roomId(roomId).callback(callback);
        return FAILED_LENGTH;
    }
}
