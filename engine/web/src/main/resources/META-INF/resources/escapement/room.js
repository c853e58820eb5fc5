/** A seat in a room. Its callbacks are the callbacks passed to join. */
export class Room {
    #actions;

    constructor(roomId, handlers, args, isSpectator, actions) {
        this.#actions = actions;
        this.roomId = roomId;
        /** Whether the seat only watches: it gets states and no events, and cannot send. */
        this.isSpectator = isSpectator;
        this.handlers = handlers;
        this.args = args;
        this.playerId = 0n;
        this.seatIndex = -1;
        /** Whether messages can be sent: false while the seat is away, and after it was freed. */
        this.isPresent = false;
        /** Bytes that the room gave this player with its seat, or null. */
        this.answer = null;
        /** Messages sent since the last Joined: the number by which Refused refers to one. */
        this.sentCount = 0;
    }

    /**
     * Sends a message: a class of a generated module with the fields of the message, or a Uint8Array. Returns false if
     * it was not sent, because the seat is away or a spectator's, or the network is slow.
     */
    send(message, fields) {
        return this.#actions.send(this, message, fields);
    }

    /** Frees the seat, with a code for the reason or 0. Resolves when the room has confirmed it. */
    leave(code = 0) {
        return this.#actions.leave(this, code);
    }
}
