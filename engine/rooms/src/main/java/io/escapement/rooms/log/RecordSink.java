package io.escapement.rooms.log;

import org.agrona.DirectBuffer;

/**
 * Where the bytes of a file of records go: a file, memory, a publication.
 */
public interface RecordSink
{
    /**
     * Appends bytes. Called once with the file head, then once for every whole record. The bytes are the caller's and
     * change after the call: what is needed later has to be copied.
     *
     * @param buffer that holds the bytes.
     * @param offset of the first one.
     * @param length in bytes, a multiple of {@link RecordHeader#ALIGNMENT}.
     */
    void append(DirectBuffer buffer, int offset, int length);
}
