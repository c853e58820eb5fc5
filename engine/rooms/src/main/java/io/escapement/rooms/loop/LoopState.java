package io.escapement.rooms.loop;

import org.agrona.DirectBuffer;

/**
 * The commands of a host's rooms without an answer. Commands that the host runs change it. The leader of the loop reads
 * it and sends from it. Between turns, on the host's thread.
 *
 * <p>The {@code send} methods pass on the commands not sent since the last HostResumed, oldest first, and make no
 * change that another host would notice. A following host does not call them.
 */
public interface LoopState
{
    /** Receives commands that leave the loop. */
    @FunctionalInterface
    interface Receiver
    {
        /**
         * A command.
         *
         * @param buffer with the command, valid during the call.
         * @param offset of its message header.
         * @param length of the command in bytes.
         * @return whether it was accepted. If not, a later call has the same command.
         */
        boolean onCommand(DirectBuffer buffer, int offset, int length);
    }

    /** The limits of this state. */
    LoopLimits limits();

    /** Number of commands to rooms of this loop that wait for a turn. */
    int returns();

    /**
     * Read the commands to rooms of this loop, in order, and keep them.
     *
     * @param skip     how many of the first to leave out.
     * @param receiver of the others.
     * @return number of commands that it accepted.
     */
    int readReturns(int skip, Receiver receiver);

    /** Number of requests without an answer. */
    int openRequests();

    /**
     * Number of messages that another loop has not confirmed with Taken.
     *
     * @param toLoop the other loop.
     */
    int untaken(int toLoop);

    /** Greatest serial of a room of this loop that an OpenRoom has named, refused ones included; 0 before the first. */
    long lastSerial();

    /** Whether any of the {@code send} methods has a command to send. */
    boolean hasUnsent();

    /**
     * Send messages to another loop, each a LoopCommand.
     *
     * @param toLoop   the other loop.
     * @param receiver of the messages.
     * @return number of messages that it accepted.
     */
    int sendMessages(int toLoop, Receiver receiver);

    /**
     * Send a Taken to each loop with messages that arrived since the last Taken.
     *
     * @param toLoop   the other loop.
     * @param receiver of the command.
     * @return 1 if it was sent, otherwise 0.
     */
    int sendTaken(int toLoop, Receiver receiver);

    /**
     * Send requests: a Request for a service, or an OpenRoom that has neither room id nor seed yet. If a request is not
     * accepted, it is sent in the next call, and so are the requests after it to its service. Other requests are sent.
     *
     * @param receiver of the requests.
     * @return number of requests that it accepted.
     */
    int sendRequests(Receiver receiver);
}
