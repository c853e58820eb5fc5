package io.escapement.rooms.host;

import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;

/** The number of the last HostResumed and its content. 0 in a host that was never down. */
final class Incarnation
{
    private final HostTime time;
    private int number;
    private int memberId;
    private long proposal;

    Incarnation(final HostTime time)
    {
        this.time = time;
    }

    int number()
    {
        return number;
    }

    int memberId()
    {
        return memberId;
    }

    /** Number of the last proposal that ran; 0 if turns are not proposed. In snapshots, but in no hash. */
    long proposal()
    {
        return proposal;
    }

    void proposal(final long value)
    {
        proposal = value;
    }

    void begin(final int newNumber, final int newMemberId, final long epochMs)
    {
        number = newNumber;
        memberId = newMemberId;
        time.epochMs(epochMs);
    }

    void write(final StateWriter writer)
    {
        writer.putInt(number);
        writer.putInt(memberId);
        writer.putLong(time.originMs());
    }

    void read(final StateReader reader)
    {
        final int newNumber = reader.getInt();
        final int newMemberId = reader.getInt();
        Restored.check(newNumber >= 0 && newMemberId >= 0, "incarnation " + newNumber + " of member " + newMemberId);
        begin(newNumber, newMemberId, reader.getLong());
    }
}
