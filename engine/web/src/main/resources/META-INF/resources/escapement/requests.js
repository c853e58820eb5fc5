/** The open requests of a connection by request id, and leaves by room. */
import {ConnectionError} from './codes.js';

export class Requests {
    #lastId = 0;
    #requestById = new Map();
    #leaveByRoomId = new Map();

    /** Resolves or rejects with the answer. `write(requestId)` sends the request. */
    add(write, room = null) {
        const requestId = ++this.#lastId;
        return new Promise((resolve, reject) => {
            this.#requestById.set(requestId, {resolve, reject, room});
            write(requestId);
        });
    }

    /** The request that an answer is for, or undefined. It is answered once. */
    take(requestId) {
        return take(this.#requestById, requestId);
    }

    addLeave(roomId, write) {
        return new Promise((resolve, reject) => {
            this.#leaveByRoomId.set(roomId, {resolve, reject});
            write();
        });
    }

    takeLeave(roomId) {
        return take(this.#leaveByRoomId, roomId);
    }

    isJoining(room) {
        return [...this.#requestById.values()].some((request) => request.room === room);
    }

    isJoiningRoom(roomId) {
        return [...this.#requestById.values()].some(({room}) => room !== null && room.roomId === roomId);
    }

    /** The connection was lost: no answer will arrive. */
    rejectAll(code) {
        const waiting = [...this.#requestById.values(), ...this.#leaveByRoomId.values()];
        this.#requestById.clear();
        this.#leaveByRoomId.clear();
        for (const {reject} of waiting) {
            reject(new ConnectionError(code));
        }
    }
}

function take(map, key) {
    const value = map.get(key);
    map.delete(key);
    return value;
}
