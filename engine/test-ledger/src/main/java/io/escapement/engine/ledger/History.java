package io.escapement.engine.ledger;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The messages that clients have sent to ledger rooms, and what they got to know of them. For one thread. */
public final class History
{
    static final long UNKNOWN = -1;

    private final List<Operation> operations = new ArrayList<>();
    private final Map<String, Operation> operationByNameMap = new HashMap<>();
    private long known;

    /** A message: unknown until it is answered or accepted. */
    static final class Operation
    {
        final long client;
        final long roomId;
        final long number;
        final long invoked;
        long answered = UNKNOWN;
        long position = UNKNOWN;
        boolean isAccepted;
        boolean isRefused;

        Operation(final long client, final long roomId, final long number, final long invoked)
        {
            this.client = client;
            this.roomId = roomId;
            this.number = number;
            this.invoked = invoked;
        }

        boolean isOk()
        {
            return isAccepted || UNKNOWN != answered;
        }

        @Override
        public String toString()
        {
            return "client " + client + ", room " + roomId + ", number " + number;
        }
    }

    /**
     * A client sends a message for the first time.
     *
     * @param client of the message.
     * @param roomId of the room.
     * @param number of the message, unique for its client and room, and rising.
     * @param time   before it was sent.
     */
    public void invoke(final long client, final long roomId, final long number, final long time)
    {
        final Operation operation = new Operation(client, roomId, number, time);
        operations.add(operation);
        operationByNameMap.put(operation.toString(), operation);
    }

    /**
     * The room has answered a message.
     *
     * @param client   of the message.
     * @param roomId   of the room.
     * @param number   of the message.
     * @param position in the room's ledger, as it answered.
     * @param time     after the answer has arrived.
     */
    public void answer(
        final long client, final long roomId, final long number, final long position, final long time)
    {
        final Operation operation = find(client, roomId, number);
        known += operation.isOk() ? 0 : 1;
        operation.answered = time;
        operation.position = position;
    }

    /**
     * The engine has accepted all messages of a client in a room up to a number.
     *
     * @param client of the messages.
     * @param roomId of the room.
     * @param number of the last one.
     */
    public void accept(final long client, final long roomId, final long number)
    {
        for (int i = operations.size() - 1; i >= 0; i--)
        {
            final Operation operation = operations.get(i);
            if (operation.client == client && operation.roomId == roomId && operation.number <= number)
            {
                if (operation.isAccepted)
                {
                    return;
                }
                known += operation.isOk() ? 0 : 1;
                operation.isAccepted = true;
            }
        }
    }

    /** Number of messages. */
    public int size()
    {
        return operations.size();
    }

    /** Number of messages whose answer or acceptance is known. */
    public long known()
    {
        return known;
    }

    List<Operation> operations()
    {
        return operations;
    }

    private Operation find(final long client, final long roomId, final long number)
    {
        final Operation found = operationByNameMap.get(new Operation(client, roomId, number, 0).toString());
        if (null == found)
        {
            throw new IllegalStateException("nobody sent " + client + " " + roomId + " " + number);
        }
        return found;
    }
}
