// The connection of PageConnection.java: what client.js has, with a test as the server.
import {RefusedError} from './client.js';

const joins = [];
const sent = [];
/** The first room that was joined, from which the test sends. */
let first = null;

class Seat {
    constructor(roomId, handlers) {
        this.roomId = roomId;
        this.handlers = handlers;
        this.sentCount = 0;
        this.isPresent = true;
    }

    send(type, fields) {
        if (this.isPresent) {
            const view = new DataView(new ArrayBuffer(1024));
            sent.push(view.buffer.slice(0, type.encode(view, 0, fields)));
            this.sentCount++;
        }
        return this.isPresent;
    }
}

export const connection = {
    join(roomId, handlers, args) {
        return new Promise((resolve, reject) => joins.push({roomId, handlers, args, resolve, reject}));
    },
};

/** A promise of a seat as a text, which changes when it is settled. */
export function outcome(promise) {
    const result = {text: 'waiting'};
    promise.then((room) => {
        result.text = room?.roomId === undefined ? String(room) : 'room ' + room.roomId;
    }, (error) => {
        result.text = error instanceof RefusedError ? 'refused ' + error.code : error.name;
    });
    return result;
}

export const nextJoin = () => (joins.length === 0 ? '' : joins[0].roomId + ' ' + (joins[0].args ?? ''));

export function admit() {
    const join = joins.shift();
    const seat = new Seat(join.roomId, join.handlers);
    first ??= seat;
    join.resolve(seat);
}

export const refuse = (code) => joins.shift().reject(new RefusedError(code));

export const takeSent = () => sent.splice(0);

/** A message is behind other bytes, as in that of a gateway. */
export function deliver(name, buffer) {
    const bytes = new Uint8Array(buffer.byteLength + 5);
    bytes.set(new Uint8Array(buffer), 5);
    first.handlers[name]?.(new DataView(bytes.buffer, 2), 3, buffer.byteLength, 0);
}

export function away() {
    first.isPresent = false;
    first.handlers.onaway?.(0);
}

export function back() {
    first.isPresent = true;
    first.handlers.onback?.(first);
}

export function left() {
    const seat = first;
    first = null;
    seat.isPresent = false;
    seat.handlers.onleft?.(0, 0);
}

export const refuseMessage = (code) => first.handlers.onrefused?.(code, first.sentCount, 0);
