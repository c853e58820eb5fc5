/**
 * Connects a page or a program to a gateway: the player protocol `escapement.1` over a WebSocket.
 *
 *     connecting --open--> greeting --Welcome--> open --socket lost--> waiting --delay--> connecting
 *          any state --close(), or a close code that forbids another attempt--> closed
 *
 * A lost connection is resumed with the session's token; the gateway holds the seats and joins them again. If the
 * session is over, the client logs in with the session token of its last log-in, where the engine issues one, and joins
 * its rooms again. Otherwise `onexpired` is called, and every room has left.
 */
import {
    CloseCode, EngineAway, EngineBack, Event, GoAway, Goodbye, Hello, Join, Joined, Leave, Left, LogIn, LoggedIn,
    Message, Ping, Pong, Refused, SeatAway, State, Welcome, templateId,
} from './player.js';

export {CloseCode};

/** Subprotocol of the WebSocket. */
export const PROTOCOL = 'escapement.1';
const PROTOCOL_VERSION = 1;
const FIRST_DELAY_MS = 250;
const MAX_DELAY_MS = 8000;
/** A gateway without a free place is asked less often. */
const FULL_DELAY_MS = 4000;
const PING_INTERVAL_MS = 2000;
/** Without any message for so long after a ping, the connection is dead, whatever the browser says. */
const SILENCE_MS = 10000;
/** Pings whose fastest gives the server's clock. */
const CLOCK_SAMPLES = 8;
/** Bytes that may wait in the browser. A page that sends more is ahead of its network. */
const MAX_BUFFERED = 65536;
const SCRATCH_LENGTH = 4096;
const NO_TOKEN = new Uint8Array(16);
const NORMAL = 1000;
/** The status that a browser reports for a connection without a close frame. */
const ABNORMAL = 1006;

/** After these another attempt would end in the same way, or do harm. */
const FINAL_CODES = new Set([
    CloseCode.NORMAL, CloseCode.PROTOCOL_ERROR, CloseCode.TEXT, CloseCode.TOO_BIG, CloseCode.PROTOCOL_VERSION,
    CloseCode.MALFORMED, CloseCode.FLOOD, CloseCode.REPLACED, CloseCode.NOT_LOGGED_IN,
]);
/** After these the gateway has forgotten the session. */
const SESSION_LOST_CODES = new Set([CloseCode.ENGINE_LOST]);

/** The connection was lost or closed before an answer arrived. */
export class ConnectionError extends Error {
    constructor(code) {
        super('connection closed: ' + code + ' ' + closeName(code));
        this.name = 'ConnectionError';
        this.code = code;
    }
}

/** The gateway or the engine refused a request. */
export class RefusedError extends Error {
    constructor(code, template) {
        super('refused with code ' + code);
        this.name = 'RefusedError';
        this.code = code;
        this.templateId = template;
    }
}

/** The name of a close code, or an empty string. */
export function closeName(code) {
    for (const name of Object.keys(CloseCode)) {
        if (CloseCode[name] === code) {
            return name;
        }
    }
    return code === ABNORMAL ? 'ABNORMAL' : '';
}

/**
 * Opens a session. Resolves with the Connection at its first Welcome. Rejects with a ConnectionError when the gateway
 * refuses it, or does not answer within `patienceMs`.
 */
export function connect(url, options = {}) {
    return new Promise((resolve, reject) => new Connection(url, options, resolve, reject));
}

/** A seat in a room. Its callbacks are those that were handed to join. */
export class Room {
    #connection;

    constructor(connection, roomId, handlers, args) {
        this.#connection = connection;
        this.roomId = roomId;
        this.handlers = handlers;
        this.args = args;
        this.playerId = 0n;
        this.seatIndex = -1;
        /** Whether messages can be sent: false while the seat is away, and after it was freed. */
        this.isPresent = false;
        /** Messages sent since the last Joined: the number by which Refused refers to one. */
        this.sentCount = 0;
    }

    /**
     * Sends a message: a class of a generated module with the fields of the message, or a Uint8Array.
     * Returns false if it was not sent, because the seat is away or the network is behind.
     */
    send(message, fields) {
        return this.#connection._send(this, message, fields);
    }

    /** Frees the seat. Resolves when the room has confirmed it. */
    leave() {
        return this.#connection._leave(this);
    }
}

/** A session with a gateway. `connect` makes one. */
export class Connection {
    #url;
    #options;
    #clock;
    #socket = null;
    #state = 'connecting';
    #settle;
    #attempt = 0;
    #timer = null;
    #pingTimer = null;
    #giveUpTimer = null;
    #goAwayTimer = null;
    #lastReceivedMs = 0;
    #resumeToken = NO_TOKEN;
    #sessionToken = null;
    #requestId = 0;
    #requests = new Map();
    #rooms = new Map();
    #leaving = new Map();
    #maxPayloadLength = 0;
    #clockSamples = [];
    #clockOffsetNs = 0;
    #roundTripMs = NaN;
    #scratch = new DataView(new ArrayBuffer(SCRATCH_LENGTH));
    #out = new DataView(new ArrayBuffer(SCRATCH_LENGTH));
    #decoders = new Map();
    #wake = () => this.#onWake();

    constructor(url, options, resolve, reject) {
        this.#url = url;
        this.#options = options;
        this.#clock = options.clock || systemClock();
        this.#settle = {resolve, reject};
        /** The player, after a log-in. */
        this.playerId = 0n;
        for (const name of ['onlost', 'onopen', 'onexpired', 'onengineaway', 'onengineback', 'ongoaway', 'onclose',
            'onseat']) {
            this[name] = options[name] || null;
        }
        this.#handle(Welcome, this.#onWelcome);
        this.#handle(LoggedIn, this.#onLoggedIn);
        this.#handle(Joined, this.#onJoined);
        this.#handle(SeatAway, this.#onSeatAway);
        this.#handle(Left, this.#onLeft);
        this.#handle(Refused, this.#onRefused);
        this.#handle(Pong, this.#onPong);
        this.#handle(EngineAway, (message) => this.#call('onengineaway', message.graceMs));
        this.#handle(EngineBack, () => this.#call('onengineback'));
        this.#handle(GoAway, this.#onGoAway);
        this.#handle(Event, (message, view) => this.#deliver('onevent', message, view));
        this.#handle(State, (message, view) => this.#deliver('onstate', message, view));
        if (this.onseat !== null) {
            this.#resumeToken = this.#stored() || NO_TOKEN;
        }
        this.#listen('addEventListener');
        this.#giveUpTimer = this.#clock.setTimeout(() => this.#end(ABNORMAL), options.patienceMs ?? 30000);
        this.#connect();
    }

    /** connecting, greeting, open, waiting or closed. */
    get state() {
        return this.#state;
    }

    /** The last round trip to the gateway in milliseconds; NaN before the first. */
    get roundTripMs() {
        return this.#roundTripMs;
    }

    /** The longest message to a room. */
    get maxPayloadLength() {
        return this.#maxPayloadLength;
    }

    /** The rooms with a seat of this session. */
    get rooms() {
        return [...this.#rooms.values()];
    }

    /**
     * Credentials with which the player may log in again without a password, or null. A page keeps them in
     * sessionStorage for a reload, never in a URL or a cookie.
     */
    get sessionToken() {
        return this.#sessionToken === null ? null : this.#sessionToken.slice();
    }

    /** The engine's time, estimated from the fastest of the last pings. */
    serverTimeNs() {
        return this.#clock.now() * 1e6 + this.#clockOffsetNs;
    }

    /**
     * Logs the player in with credentials of the log-in service. Resolves with {status, playerId}; the status is 0 on
     * success. Rejects with a ConnectionError if the connection is lost before the answer.
     */
    logIn(credentials) {
        return this.#request((requestId) => this.#write(LogIn, {requestId, credentials}));
    }

    /**
     * Requests a seat. Resolves with the Room. Rejects with a RefusedError or a ConnectionError. The callbacks are
     * onevent(view, offset, length), onstate(view, offset, length), onaway(reason), onback(room), onleft(reason) and
     * onrefused(code, reference, templateId), each optional. A view is valid during the call.
     */
    join(roomId, handlers = {}, args = null) {
        const room = new Room(this, BigInt(roomId), handlers, args);
        return this.#request((requestId) => this.#write(Join, {requestId, roomId: room.roomId, args}), room);
    }

    /** Ends the session: the seats are freed. */
    close() {
        if (this.#state === 'open') {
            this.#write(Goodbye, {});
        }
        this.#end(NORMAL);
    }

    _send(room, message, fields) {
        if (!this.#canSend() || !room.isPresent) {
            return false;
        }
        const payload = message instanceof Uint8Array ? message :
            new Uint8Array(this.#scratch.buffer, 0, message.encode(this.#scratch, 0, fields));
        if (payload.length > this.#maxPayloadLength) {
            throw new RangeError('a message of ' + payload.length + ' bytes; the gateway takes ' +
                this.#maxPayloadLength);
        }
        this.#write(Message, {roomId: room.roomId, payload});
        room.sentCount++;
        return true;
    }

    _leave(room) {
        if (this.#rooms.get(room.roomId) !== room) {
            return Promise.resolve();
        }
        if (!this.#canSend()) {
            return Promise.reject(new ConnectionError(ABNORMAL));
        }
        return new Promise((resolve, reject) => {
            this.#leaving.set(room.roomId, {resolve, reject});
            this.#write(Leave, {roomId: room.roomId});
        });
    }

    #connect() {
        const Socket = this.#options.WebSocket || globalThis.WebSocket;
        const socket = new Socket(this.#url, PROTOCOL);
        socket.binaryType = 'arraybuffer';
        this.#socket = socket;
        this.#state = 'connecting';
        socket.onopen = () => this.#ifCurrent(socket, () => this.#greet());
        socket.onmessage = (event) => this.#ifCurrent(socket, () => this.#onMessage(event.data));
        socket.onclose = (event) => this.#ifCurrent(socket, () => this.#onClose(event.code));
    }

    /** A socket that was given up may still have events in the browser's queue. */
    #ifCurrent(socket, action) {
        if (socket === this.#socket) {
            action();
        }
    }

    #greet() {
        this.#state = 'greeting';
        this.#lastReceivedMs = this.#clock.now();
        this.#write(Hello, {
            protocolVersion: PROTOCOL_VERSION,
            applicationVersion: this.#options.applicationVersion ?? 0,
            flushMs: this.#options.flushMs ?? 0,
            resumeToken: this.#resumeToken,
        });
        this.#schedulePing();
    }

    #handle(type, handler) {
        this.#decoders.set(type.TEMPLATE_ID, {decoder: new type(), handler});
    }

    #onMessage(data) {
        this.#lastReceivedMs = this.#clock.now();
        let view;
        let entry;
        try {
            view = new DataView(data);
            entry = this.#decoders.get(templateId(view));
            if (entry !== undefined) {
                entry.decoder.wrap(view);
            }
        } catch (error) {
            if (!(error instanceof RangeError || error instanceof TypeError)) {
                throw error;
            }
            entry = undefined;
        }
        const isExpected = entry !== undefined &&
            this.#state === (entry.decoder instanceof Welcome ? 'greeting' : 'open');
        if (!isExpected) {
            this.#end(CloseCode.MALFORMED);
            return;
        }
        entry.handler.call(this, entry.decoder, view);
    }

    #onWelcome(welcome) {
        const isResumed = welcome.isResumed === 1;
        this.#state = 'open';
        this.#attempt = 0;
        this.#resumeToken = welcome.resumeToken.slice();
        this.#maxPayloadLength = welcome.maxPayloadLength;
        this.#store(this.#resumeToken);
        this.#clockSamples = [];
        this.#clockOffsetNs = welcome.serverTimeNs - this.#clock.now() * 1e6;
        this.#ping();
        const settle = this.#settle;
        this.#settle = null;
        this.#clock.clearTimeout(this.#giveUpTimer);
        if (settle !== null) {
            settle.resolve(this);
        } else if (!isResumed) {
            this.#restore();
        }
        this.#call('onopen', isResumed);
    }

    /** The session is a new one: log in and join as before, as far as possible. */
    #restore() {
        const rooms = this.rooms;
        if (this.#sessionToken === null) {
            this.#expire(rooms);
            return;
        }
        this.logIn(this.#sessionToken).then((result) => {
            if (result.status !== 0) {
                this.#expire(rooms);
                return;
            }
            for (const room of rooms) {
                this.#request((requestId) => this.#write(Join, {requestId, roomId: room.roomId, args: room.args}), room)
                    .catch((error) => {
                        if (error instanceof RefusedError) {
                            this.#forget(room, error.code);
                        }
                    });
            }
        }, () => {
            // The connection is lost again: the next Welcome tries again.
        });
    }

    #expire(rooms) {
        this.#sessionToken = null;
        this.playerId = 0n;
        for (const room of rooms) {
            this.#forget(room, 0);
        }
        this.#call('onexpired');
    }

    #forget(room, reason) {
        this.#rooms.delete(room.roomId);
        room.isPresent = false;
        this.#callRoom(room, 'onleft', reason);
    }

    #onLoggedIn(message) {
        const request = this.#take(message.requestId);
        if (message.status === 0) {
            this.playerId = message.playerId;
            this.#sessionToken = message.sessionTokenLength > 0 ? message.sessionTokenBytes.slice() : null;
        }
        if (request !== undefined) {
            request.resolve({status: message.status, playerId: message.playerId});
        }
    }

    #onJoined(message) {
        const request = this.#take(message.requestId);
        const known = this.#rooms.get(message.roomId);
        const room = known || (request && request.room) || this.#adopt(message.roomId);
        if (room === null) {
            this.#write(Leave, {roomId: message.roomId});
            return;
        }
        this.#rooms.set(room.roomId, room);
        room.playerId = message.playerId;
        room.seatIndex = message.seatIndex;
        room.isPresent = true;
        room.sentCount = 0;
        if (request !== undefined) {
            request.resolve(room);
        }
        if (known !== undefined) {
            this.#callRoom(room, 'onback', room);
        }
    }

    /** A seat that an earlier page of this session had. */
    #adopt(roomId) {
        const room = new Room(this, roomId, null, null);
        room.handlers = this.onseat === null ? null : this.onseat(room);
        return room.handlers ? room : null;
    }

    #onSeatAway(message) {
        const room = this.#rooms.get(message.roomId);
        if (room !== undefined && room.isPresent) {
            room.isPresent = false;
            this.#callRoom(room, 'onaway', message.reason);
        }
    }

    #onLeft(message) {
        const leaving = this.#takeLeaving(message.roomId);
        const room = this.#rooms.get(message.roomId);
        if (room !== undefined) {
            this.#forget(room, message.reason);
        }
        if (leaving !== undefined) {
            leaving.resolve();
        }
    }

    #onRefused(message) {
        const {code, reference} = message;
        const template = message.templateId;
        if (template === Leave.TEMPLATE_ID) {
            const leaving = this.#takeLeaving(message.roomId);
            if (leaving !== undefined) {
                leaving.reject(new RefusedError(code, template));
            }
            return;
        }
        const request = template === Message.TEMPLATE_ID ? undefined : this.#take(reference);
        if (request !== undefined) {
            request.reject(new RefusedError(code, template));
            return;
        }
        const room = this.#rooms.get(message.roomId);
        if (room !== undefined) {
            this.#callRoom(room, 'onrefused', code, reference, template);
        }
    }

    #onGoAway(message) {
        const {code, withinMs} = message;
        this.#clock.clearTimeout(this.#goAwayTimer);
        this.#goAwayTimer = this.#clock.setTimeout(() => {
            if (this.#state === 'open') {
                this.#abandon();
                this.#onLost(code, 0);
            }
        }, this.#random() * withinMs);
        this.#call('ongoaway', code, withinMs);
    }

    #onPong(message) {
        const nowNs = this.#clock.now() * 1e6;
        const roundTripNs = nowNs - message.clientTimeNs;
        this.#roundTripMs = roundTripNs / 1e6;
        const offsetNs = message.serverTimeNs - (nowNs - roundTripNs / 2);
        this.#clockSamples.push({roundTripNs, offsetNs});
        if (this.#clockSamples.length > CLOCK_SAMPLES) {
            this.#clockSamples.shift();
        }
        this.#clockOffsetNs =
            this.#clockSamples.reduce((best, sample) => sample.roundTripNs < best.roundTripNs ? sample : best).offsetNs;
    }

    #deliver(name, message, view) {
        const room = this.#rooms.get(message.roomId);
        if (room !== undefined) {
            this.#callRoom(room, name, view, message.payloadOffset, message.payloadLength);
        }
    }

    #schedulePing() {
        this.#clock.clearTimeout(this.#pingTimer);
        this.#pingTimer = this.#clock.setTimeout(() => {
            if (this.#clock.now() - this.#lastReceivedMs >= SILENCE_MS) {
                this.#abandon();
                this.#onLost(ABNORMAL, this.#delayMs());
                return;
            }
            this.#ping();
            this.#schedulePing();
        }, PING_INTERVAL_MS);
    }

    #ping() {
        if (this.#canSend()) {
            this.#write(Ping, {clientTimeNs: Math.round(this.#clock.now() * 1e6)});
        }
    }

    #onClose(code) {
        this.#socket = null;
        if (FINAL_CODES.has(code)) {
            this.#end(code);
            return;
        }
        if (SESSION_LOST_CODES.has(code)) {
            this.#resumeToken = NO_TOKEN;
        }
        this.#onLost(code, this.#delayMs(code === CloseCode.FULL ? FULL_DELAY_MS : FIRST_DELAY_MS));
    }

    /** Full jitter: players of one gateway do not all return at once. */
    #delayMs(firstMs = FIRST_DELAY_MS) {
        return this.#random() * Math.min(MAX_DELAY_MS, firstMs * 2 ** this.#attempt);
    }

    #onLost(code, delayMs) {
        const wasOpen = this.#state === 'open';
        this.#state = 'waiting';
        this.#attempt++;
        this.#clearTimers();
        this.#timer = this.#clock.setTimeout(() => this.#connect(), delayMs);
        this.#rejectAll(code);
        if (wasOpen) {
            for (const room of this.rooms) {
                if (room.isPresent) {
                    room.isPresent = false;
                    this.#callRoom(room, 'onaway', 0);
                }
            }
            this.#call('onlost', code, delayMs);
        }
    }

    /** The network is back, or the page is seen again: no use in waiting longer. */
    #onWake() {
        const isHidden = globalThis.document !== undefined && globalThis.document.visibilityState === 'hidden';
        if (this.#state === 'waiting' && !isHidden) {
            this.#clock.clearTimeout(this.#timer);
            this.#connect();
        }
    }

    #end(code) {
        if (this.#state === 'closed') {
            return;
        }
        this.#state = 'closed';
        this.#abandon(code === NORMAL || code >= 4000 ? code : NORMAL);
        this.#clearTimers();
        this.#clock.clearTimeout(this.#giveUpTimer);
        this.#listen('removeEventListener');
        this.#store(null);
        this.#rejectAll(code);
        for (const room of this.rooms) {
            this.#forget(room, 0);
        }
        const settle = this.#settle;
        this.#settle = null;
        if (settle !== null) {
            settle.reject(new ConnectionError(code));
        }
        this.#call('onclose', code, closeName(code));
    }

    #abandon(code = NORMAL) {
        const socket = this.#socket;
        this.#socket = null;
        if (socket !== null) {
            socket.close(code);
        }
    }

    #clearTimers() {
        for (const timer of [this.#timer, this.#pingTimer, this.#goAwayTimer]) {
            this.#clock.clearTimeout(timer);
        }
    }

    #request(write, room = null) {
        if (!this.#canSend()) {
            return Promise.reject(new ConnectionError(ABNORMAL));
        }
        const requestId = ++this.#requestId;
        return new Promise((resolve, reject) => {
            this.#requests.set(requestId, {resolve, reject, room});
            write(requestId);
        });
    }

    #take(requestId) {
        const request = this.#requests.get(requestId);
        this.#requests.delete(requestId);
        return request;
    }

    #takeLeaving(roomId) {
        const leaving = this.#leaving.get(roomId);
        this.#leaving.delete(roomId);
        return leaving;
    }

    #rejectAll(code) {
        const waiting = [...this.#requests.values(), ...this.#leaving.values()];
        this.#requests.clear();
        this.#leaving.clear();
        for (const {reject} of waiting) {
            reject(new ConnectionError(code));
        }
    }

    #canSend() {
        return this.#state === 'open' && this.#socket.bufferedAmount <= MAX_BUFFERED;
    }

    #write(type, fields) {
        const length = type.encode(this.#out, 0, fields);
        this.#socket.send(new Uint8Array(this.#out.buffer, 0, length));
    }

    #call(name, ...values) {
        if (this[name]) {
            this[name](...values);
        }
    }

    #callRoom(room, name, ...values) {
        if (room.handlers[name]) {
            room.handlers[name](...values);
        }
    }

    #random() {
        return (this.#options.random || Math.random)();
    }

    #listen(method) {
        for (const [target, type] of [[globalThis.document, 'visibilitychange'], [globalThis.window, 'online']]) {
            if (target !== undefined) {
                target[method](type, this.#wake);
            }
        }
    }

    /** The token survives a reload of the page, and nothing else: not another tab, not the browser's end. */
    #store(token) {
        const storage = this.#storage();
        if (storage === null) {
            return;
        }
        if (token === null) {
            storage.removeItem(PROTOCOL);
        } else {
            storage.setItem(PROTOCOL, Array.from(token, (byte) => byte.toString(16).padStart(2, '0')).join(''));
        }
    }

    #stored() {
        const storage = this.#storage();
        const text = storage === null ? null : storage.getItem(PROTOCOL);
        return /^[0-9a-f]{32}$/.test(text || '') ?
            Uint8Array.from(text.match(/../g), (digits) => parseInt(digits, 16)) : null;
    }

    #storage() {
        return this.onseat === null ? null : this.#options.storage || globalThis.sessionStorage || null;
    }
}

function systemClock() {
    return {
        now: () => performance.now(),
        setTimeout: (action, delayMs) => setTimeout(action, delayMs),
        clearTimeout: (timer) => clearTimeout(timer),
    };
}
