package io.escapement.gateway;

import io.escapement.client.SendStatus;
import java.util.List;
import org.agrona.DirectBuffer;

/** The trunk of a worker as its sessions use it, so that tests step them without an engine. */
interface Upstream
{
    /** Callbacks of a trunk, inside {@link #poll}. */
    interface Listener
    {
        void onUp(boolean isResumed);

        /** The connection is lost. The trunk reconnects, unless the loss is final. */
        void onDown(int code, boolean isFinal);

        /** The session is credentials for a later log-in without a password, or empty. */
        void onLogIn(long requestId, int status, long playerId, byte[] token, byte[] session);

        /** The answer of the room's logic, for the player of a new seat. Often empty. */
        void onJoined(long requestId, TrunkSeat seat, DirectBuffer answer, int offset, int length);

        void onSeatResumed(TrunkSeat seat);

        void onSeatAway(TrunkSeat seat, int reason);

        void onLeft(TrunkSeat seat, int reason, int code);

        void onRefused(int templateId, long roomId, int seatIndex, long reference, int code);

        /** A room's message, with the number of its turn or 0, and the seats that receive it. */
        void onRoomMessage(
            long roomId,
            boolean isState,
            long turn,
            List<? extends TrunkSeat> seats,
            DirectBuffer buffer,
            int offset,
            int length);
    }

    /** Whether requests can be sent. A loop's stream may still be connecting. */
    boolean isUp();

    /** Why the last attempt to connect failed, with the engine's endpoint. Empty until an attempt fails. */
    default String failure()
    {
        return "";
    }

    /** The engine's time in nanoseconds. */
    long serverTimeNs();

    /** Round trip of the last keepalive in nanoseconds. */
    long roundTripNs();

    /** How often packets of a feed were missing. */
    default long feedGaps()
    {
        return 0;
    }

    /** How often a feed that had arrived fell silent. */
    default long feedsLeft()
    {
        return 0;
    }

    SendStatus logIn(long requestId, byte[] credentials);

    /** Ask for a seat, to play or only to watch. */
    SendStatus join(
        long requestId,
        long roomId,
        long playerId,
        boolean isSpectator,
        byte[] token,
        DirectBuffer args,
        int argsLength);

    /** Withdraw a join that has no answer yet. */
    SendStatus cancelJoin(long requestId, long roomId, long playerId);

    SendStatus leave(TrunkSeat seat, int code);

    SendStatus send(TrunkSeat seat, DirectBuffer buffer, int offset, int length);

    SendStatus away(TrunkSeat seat);

    SendStatus stateLost(TrunkSeat seat);

    /** Drop a seat that is away. */
    void forget(TrunkSeat seat);

    int poll();

    /** Send all queued messages. Returns false under back pressure. */
    boolean flush();

    void close();
}
