package io.escapement.rooms.output;

import org.agrona.DirectBuffer;

/** The destination of a file of records: a file, memory, or a publication. */
public interface RecordSink
{
    /**
     * Append bytes. Called once with the file header, then once with each record. The caller reuses the buffer after
     * the call: copy bytes that are needed later.
     *
     * @param buffer that holds the bytes.
     * @param offset of the first byte.
     * @param length in bytes, a multiple of 8.
     */
    void append(DirectBuffer buffer, int offset, int length);
}
