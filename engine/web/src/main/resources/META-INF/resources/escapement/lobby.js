/**
 * The page's side of escapement-lobby: the list of open rooms, a seat in an open room by one call, and the chat. The
 * messages are in messages/lobby.js, the list is a state of the room.
 */
import {ConnectionError, RefusedError} from './client.js';
import {Answer, Ask, LobbyCode, Said, Say, templateId} from './messages/lobby.js';
import {SyncedCopy} from './sync.js';

export {LobbyCode};

/** The keys of labels are 0 to 7. */
const KEYS = 8;
/** The connection was lost before the answer. */
const ABNORMAL = 1006;
/** Lobby.SCHEMA.toJson(): a test compares them. */
export const SCHEMA = JSON.stringify({name: 'lobby', tables: [{name: 'room', capacity: 0, fields: []}, {
    name: 'rooms', capacity: 512, fields: [
        ['id', 'ID', 8], ['type', 'INT32', 4], ['taken', 'UINT16', 2], ['seats', 'UINT16', 2],
        ...Array.from({length: KEYS}, (unused, key) => ['label' + key, 'TEXT', 33]),
    ],
}]});

/**
 * A player in a lobby. Every call joins the lobby if the player is not there yet.
 *
 *     const lobby = new Lobby(connection);
 *     const room = await lobby.joinOrCreate(CHAT, {0: 'general'}, 'Ann', {onevent});
 */
export class Lobby {
    #connection;
    #roomId;
    #name;
    #joining = null;
    #room = null;
    #copy = null;
    /** Until the list arrives. */
    #listed = null;
    #asks = new Map();
    #lastId = 0;
    #answer = new Answer();
    #said = new Said();

    /**
     * The lobby is the first room of the server unless `roomId` says otherwise. Others see the name next to chat lines.
     * The callbacks are onchange(rooms), onchat(name, text, epochMs, playerId) and onrefused(code), for chat lines.
     */
    constructor(connection, {roomId = 1n, name = '', onchange = null, onchat = null, onrefused = null} = {}) {
        this.#connection = connection;
        this.#roomId = BigInt(roomId);
        this.#name = name;
        this.onchange = onchange;
        this.onchat = onchat;
        this.onrefused = onrefused;
        /** The open rooms: {id, type, taken, seats, labels}, where labels has a text for each key. */
        this.rooms = [];
    }

    /** Resolves when `rooms` is known. Rejects as `connection.join` does. */
    join() {
        this.#joining ??= this.#join().catch((error) => {
            this.#joining = null;
            throw error;
        });
        return this.#joining;
    }

    /** Resolves with a seat in an open room of the type that has the labels, or in a new room with them. */
    joinOrCreate(type, labels = {}, args = null, handlers = {}) {
        return this.#ask(false, type, labels, args, handlers);
    }

    /** Resolves with a seat in the open room of the type that has most players, or in a new room. */
    quickMatch(type, args = null, handlers = {}) {
        return this.#ask(false, type, {}, args, handlers);
    }

    /** Resolves with a seat in a new room of the type. */
    create(type, labels = {}, args = null, handlers = {}) {
        return this.#ask(true, type, labels, args, handlers);
    }

    /** Sends a chat line. Resolves with false if it was not sent. */
    async say(text) {
        await this.join();
        return this.#room.send(Say, {text});
    }

    async #join() {
        // If the lobby is another room than before, its states are counted from the start.
        this.#copy = new SyncedCopy(SCHEMA, {onframe: () => this.#onFrame()});
        const listed = new Promise((resolve, reject) => {
            this.#listed = {resolve, reject};
        });
        // It may be rejected before it is awaited.
        listed.catch(() => {});
        this.#room = await this.#connection.join(this.#roomId, {
            onevent: (view, offset, length) => this.#onEvent(view, offset, length),
            onstate: (view, offset, length) => this.#copy.apply(view, offset, length),
            onaway: () => this.#onAway(),
            onleft: () => this.#onLeft(),
            onrefused: (code, reference) => this.#onRefused(code, reference),
        }, this.#name);
        await listed;
    }

    async #ask(isNew, type, labels, args, handlers) {
        await this.join();
        const roomId = await new Promise((resolve, reject) => {
            const requestId = ++this.#lastId;
            const isSent = this.#room.send(Ask, {
                requestId, typeId: type, isNew,
                labels: Object.entries(labels).map(([key, value]) => ({key: Number(key), value})),
                args: args ?? '',
            });
            if (isSent) {
                this.#asks.set(requestId, {resolve, reject, reference: this.#room.sentCount});
            } else {
                reject(new ConnectionError(ABNORMAL));
            }
        });
        return this.#connection.join(roomId, handlers, args);
    }

    #onEvent(view, offset, length) {
        if (templateId(view, offset, length) === Said.TEMPLATE_ID) {
            const said = this.#said.wrap(view, offset, length);
            this.onchat?.(said.name, said.text, said.epochMs, said.playerId);
            return;
        }
        const {requestId, code, roomId} = this.#answer.wrap(view, offset, length);
        const ask = this.#asks.get(requestId);
        this.#asks.delete(requestId);
        if (code === LobbyCode.NONE) {
            ask?.resolve(roomId);
        } else {
            ask?.reject(new RefusedError(code));
        }
    }

    #onFrame() {
        this.rooms = [...this.#copy.tables.rooms.values()].map((row) => ({
            id: row.id, type: row.type, taken: row.taken, seats: row.seats,
            labels: Object.fromEntries(Array.from({length: KEYS}, (unused, key) => [key, row['label' + key]])
                .filter(([, value]) => value !== '')),
        }));
        this.#listed.resolve();
        this.onchange?.(this.rooms);
    }

    #onRefused(code, reference) {
        for (const [requestId, ask] of this.#asks) {
            if (ask.reference === reference) {
                this.#asks.delete(requestId);
                ask.reject(new RefusedError(code));
                return;
            }
        }
        this.onrefused?.(code);
    }

    #onAway() {
        this.#copy.reset();
        this.#rejectAll();
    }

    #onLeft() {
        this.#joining = null;
        this.#listed.reject(new ConnectionError(ABNORMAL));
        this.#rejectAll();
    }

    #rejectAll() {
        const asks = [...this.#asks.values()];
        this.#asks.clear();
        for (const {reject} of asks) {
            reject(new ConnectionError(ABNORMAL));
        }
    }
}
