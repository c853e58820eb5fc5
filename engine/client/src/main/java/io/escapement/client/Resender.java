package io.escapement.client;

import java.util.Arrays;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The messages that the engine has not accepted, by seat and in the order of their numbers. They use blocks of fixed
 * length in one memory. If a seat is away for long, it holds only its own messages. No allocation per message.
 *
 * <p>After a return to a seat {@link #nextAbove} finds those above the sequence that the engine names.
 */
final class Resender
{
    /** No message. */
    static final int NONE = -1;
    /** Holds a short message. Longer messages take several. */
    static final int BLOCK_LENGTH = 64;

    private final UnsafeBuffer memory;
    /** The next block of a message, or of the free ones. */
    private final int[] nextBlock;
    /** By first block of a message: the next message of the seat, the message's number and its length. */
    private final int[] nextMessage;
    private final long[] sequences;
    private final int[] lengths;
    /** By first block of a message: it was resent, and the engine has not accepted it yet. */
    private final boolean[] isInFlight;
    private int blocksInFlight;
    private int free;
    private int freeBlocks;

    /**
     * Allocate.
     *
     * @param bytes of messages, rounded down to whole blocks.
     */
    Resender(final int bytes)
    {
        final int blocks = bytes / BLOCK_LENGTH;
        memory = new UnsafeBuffer(new byte[blocks * BLOCK_LENGTH]);
        nextBlock = new int[blocks];
        nextMessage = new int[blocks];
        sequences = new long[blocks];
        lengths = new int[blocks];
        isInFlight = new boolean[blocks];
        Arrays.setAll(nextBlock, (i) -> i + 1 < blocks ? i + 1 : NONE);
        free = 0;
        freeBlocks = blocks;
    }

    /** Whether a message of this length can be kept. */
    boolean hasRoom(final int length)
    {
        return blocksOf(length) <= freeBlocks;
    }

    /** Keep a sent message, with a number above all kept messages of the seat. There must be room. */
    void keep(
        final ClientSeat seat, final long sequence, final DirectBuffer buffer, final int offset, final int length)
    {
        final int first = take();
        sequences[first] = sequence;
        lengths[first] = length;
        nextMessage[first] = NONE;
        int block = first;
        int done = Math.min(length, BLOCK_LENGTH);
        memory.putBytes(block * BLOCK_LENGTH, buffer, offset, done);
        while (done < length)
        {
            nextBlock[block] = take();
            block = nextBlock[block];
            final int part = Math.min(length - done, BLOCK_LENGTH);
            memory.putBytes(block * BLOCK_LENGTH, buffer, offset + done, part);
            done += part;
        }
        nextBlock[block] = NONE;
        if (NONE == seat.firstKept())
        {
            seat.kept(first, first);
        }
        else
        {
            nextMessage[seat.lastKept()] = first;
            seat.kept(seat.firstKept(), first);
        }
    }

    /** The engine accepted everything of a seat up to a sequence. */
    void accepted(final ClientSeat seat, final long sequence)
    {
        while (NONE != seat.firstKept() && sequences[seat.firstKept()] <= sequence)
        {
            dropFirst(seat);
        }
    }

    /** A message was refused: it is not resent. Returns whether it was kept. */
    boolean refused(final ClientSeat seat, final long sequence)
    {
        int previous = NONE;
        for (int at = seat.firstKept(); NONE != at && sequences[at] <= sequence; at = nextMessage[at])
        {
            if (sequences[at] == sequence)
            {
                if (NONE == previous)
                {
                    dropFirst(seat);
                    return true;
                }
                nextMessage[previous] = nextMessage[at];
                if (seat.lastKept() == at)
                {
                    seat.kept(seat.firstKept(), previous);
                }
                release(at);
                return true;
            }
            previous = at;
        }
        return false;
    }

    /** Forget all messages of a seat. */
    void forget(final ClientSeat seat)
    {
        accepted(seat, Long.MAX_VALUE);
    }

    /** The first kept message of a seat above a sequence, or {@link #NONE}. */
    int nextAbove(final ClientSeat seat, final long sequence)
    {
        int at = seat.firstKept();
        while (NONE != at && sequences[at] <= sequence)
        {
            at = nextMessage[at];
        }
        return at;
    }

    /** The next message of the same seat, or {@link #NONE}. */
    int next(final int message)
    {
        return nextMessage[message];
    }

    long sequence(final int message)
    {
        return sequences[message];
    }

    int length(final int message)
    {
        return lengths[message];
    }

    /** Copy a message to another buffer. */
    void copy(final int message, final UnsafeBuffer to)
    {
        int block = message;
        for (int done = 0; done < lengths[message]; done += BLOCK_LENGTH)
        {
            to.putBytes(done, memory, block * BLOCK_LENGTH, Math.min(lengths[message] - done, BLOCK_LENGTH));
            block = nextBlock[block];
        }
    }

    /** A message was resent. */
    void inFlight(final int message)
    {
        if (!isInFlight[message])
        {
            isInFlight[message] = true;
            blocksInFlight += blocksOf(lengths[message]);
        }
    }

    /** Bytes of the resent messages that are not accepted yet, in whole blocks. */
    int inFlight()
    {
        return blocksInFlight * BLOCK_LENGTH;
    }

    /** The resent messages of a seat are lost with their stream. */
    void away(final ClientSeat seat)
    {
        for (int at = seat.firstKept(); NONE != at; at = nextMessage[at])
        {
            land(at);
        }
    }

    private void land(final int message)
    {
        if (isInFlight[message])
        {
            isInFlight[message] = false;
            blocksInFlight -= blocksOf(lengths[message]);
        }
    }

    /** Bytes that are free, in whole blocks. */
    int free()
    {
        return freeBlocks * BLOCK_LENGTH;
    }

    private void dropFirst(final ClientSeat seat)
    {
        final int first = seat.firstKept();
        final int next = nextMessage[first];
        seat.kept(next, NONE == next ? NONE : seat.lastKept());
        release(first);
    }

    private int take()
    {
        final int block = free;
        free = nextBlock[block];
        freeBlocks--;
        return block;
    }

    private void release(final int message)
    {
        land(message);
        int block = message;
        while (NONE != block)
        {
            final int next = nextBlock[block];
            nextBlock[block] = free;
            free = block;
            freeBlocks++;
            block = next;
        }
    }

    private static int blocksOf(final int length)
    {
        return Math.max(1, (length + BLOCK_LENGTH - 1) / BLOCK_LENGTH);
    }
}
