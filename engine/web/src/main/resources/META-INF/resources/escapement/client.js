/**
 * Connects a page or a program to a gateway: the player protocol `escapement.1` over a WebSocket.
 *
 *     connecting --open--> greeting --Welcome--> open --socket lost--> waiting --delay--> connecting
 *          any state --close(), or a close code that forbids another attempt--> closed
 *
 * A lost connection is resumed with the session's token. The gateway holds the seats and rejoins them. If the session
 * is over and the engine issues session tokens, the client logs in with the token of its last log-in. It then rejoins
 * its rooms. After a temporary refusal it retries with backoff, on another connection if need be. Otherwise `onexpired`
 * is called, and every room has left.
 */
import {ClockOffset, systemClock} from './clock.js';
import {codeName} from './code-names.js';
import {
    ABNORMAL, ConnectionError, FINAL_CODES, NORMAL, RefusedError, SESSION_LOST_CODES, TOO_MANY_LOG_INS, closeName,
    isTransient,
} from './codes.js';
import {Requests} from './requests.js';
import {ResumeToken, digitsOf} from './resume-token.js';
import {Room} from './room.js';
import {
    CloseCode, EngineAway, EngineBack, Event, GoAway, Goodbye, Hello, Join, Joined, Leave, Left, LogIn, LoggedIn,
    Message, Ping, Pong, Refused, SeatAway, State, Welcome, templateId,
} from './messages/player.js';

export {CloseCode, ConnectionError, RefusedError, Room, closeName, codeName, isTransient};

/** Subprotocol of the WebSocket. */
export const PROTOCOL = 'escapement.1';
/** Start of a second subprotocol. The resume token follows, by which a full gateway knows the player. */
const RESUME_PROTOCOL = 'escapement.resume.';
const PROTOCOL_VERSION = 1;
const FIRST_DELAY_MS = 250;
const MAX_DELAY_MS = 8000;
/** A gateway without a free place is asked less often. */
const FULL_DELAY_MS = 4000;
const PING_INTERVAL_MS = 2000;
/** Without any message for so long after a ping, the connection is dead, although no close has arrived. */
const SILENCE_MS = 10000;
/** Bytes that may wait in the browser. A page that sends more is ahead of its network. */
const MAX_BUFFERED = 65536;
/** The state of a WebSocket. */
const CLOSING = 2;
const SCRATCH_LENGTH = 4096;
const NO_TOKEN = new Uint8Array(16);

/**
 * Opens a session. Resolves with the Connection at its first Welcome. Rejects with a ConnectionError when the gateway
 * refuses it, or does not answer within `patienceMs`.
 */
export function connect(url, options = {}) {
    return new Promise((resolve, reject) => new Connection(url, options, resolve, reject));
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
    #kept = new ResumeToken(null);
    #sessionToken = null;
    #requests = new Requests();
    #rooms = new Map();
    #maxPayloadLength = 0;
    #offset = new ClockOffset();
    /** The gateway's session has no player yet, although this one had. */
    #isLoggedOut = false;
    /** Rooms that the gateway's session does not have yet. */
    #returning = new Set();
    #restored = null;
    #restoreTimer = null;
    #restoreAttempt = 0;
    #retryCodes;
    #scratch = new DataView(new ArrayBuffer(SCRATCH_LENGTH));
    #out = new DataView(new ArrayBuffer(SCRATCH_LENGTH));
    #decoders = new Map();
    #wake = () => this.#onWake();
    #actions = {
        send: (room, message, fields) => this.#send(room, message, fields),
        leave: (room, code) => this.#leave(room, code),
    };

    constructor(url, options, resolve, reject) {
        this.#url = url;
        this.#options = options;
        this.#clock = options.clock || systemClock();
        this.#retryCodes = new Set(options.retryCodes || []);
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
        this.#handle(EngineBack, this.#onEngineBack);
        this.#handle(GoAway, this.#onGoAway);
        this.#handle(Event, (message, view) => this.#deliver('onevent', message, view));
        this.#handle(State, (message, view) => this.#deliver('onstate', message, view));
        if (this.onseat !== null) {
            this.#kept = new ResumeToken(options.storage || globalThis.sessionStorage || null);
            this.#resumeToken = this.#kept.load() || NO_TOKEN;
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
        return this.#offset.roundTripMs;
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
        return this.#clock.now() * 1e6 + this.#offset.ns;
    }

    /**
     * Logs the player in with credentials of the log-in service. Resolves with {status, playerId}; the status is 0 on
     * success. Rejects with a ConnectionError if the connection is lost before the answer.
     */
    logIn(credentials) {
        return this.#request((requestId) => this.#write(LogIn, {requestId, credentials}));
    }

    /**
     * Logs the player of an earlier connection in with its session token, and keeps trying while the refusals may not
     * last. Resolves with {status, playerId}. Any status but 0 is final, and `onexpired` has been called. Rejects with
     * a ConnectionError when the connection is closed.
     */
    logInAgain(sessionToken) {
        this.#sessionToken = sessionToken.slice();
        this.#isLoggedOut = true;
        return new Promise((resolve, reject) => {
            this.#restored = {resolve, reject};
            if (this.#state === 'open') {
                this.#restore();
            } else if (this.#state === 'closed') {
                reject(new ConnectionError(ABNORMAL));
            }
        });
    }

    /**
     * Requests a seat. Resolves with the Room. Rejects with a RefusedError or a ConnectionError. The callbacks are
     * onevent(view, offset, length, turn), onstate(view, offset, length, turn), onaway(reason), onback(room),
     * onleft(reason, code) and onrefused(code, reference, templateId), each optional. A view is valid during the call.
     * The turn is 0 if messages arrive in the order in which the room sent them.
     */
    join(roomId, handlers = {}, args = null) {
        return this.#join(this.#newRoom(BigInt(roomId), handlers, args));
    }

    /** Requests a seat that only watches, as join does one to play. */
    watch(roomId, handlers = {}, args = null) {
        return this.#join(this.#newRoom(BigInt(roomId), handlers, args, true));
    }

    #join(room) {
        return this.#request((requestId) =>
            this.#write(Join, {requestId, roomId: room.roomId, isSpectator: room.isSpectator, args: room.args}), room);
    }

    /** Withdraws a join on which the room has not decided: it is rejected, with the code 68. */
    cancelJoin(roomId) {
        if (this.#canSend() && this.#requests.isJoiningRoom(BigInt(roomId))) {
            this.#write(Leave, {roomId: BigInt(roomId)});
        }
    }

    /** Ends the session: the seats are freed. */
    close() {
        if (this.#state === 'open') {
            this.#write(Goodbye, {});
        }
        this.#end(NORMAL);
    }

    #send(room, message, fields) {
        if (!this.#canSend() || !room.isPresent || room.isSpectator) {
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

    #leave(room, code) {
        if (this.#rooms.get(room.roomId) !== room) {
            return Promise.resolve();
        }
        if (this.#returning.has(room) && !this.#requests.isJoining(room)) {
            this.#forget(room, 0);
            return Promise.resolve();
        }
        if (!this.#canSend()) {
            return Promise.reject(new ConnectionError(ABNORMAL));
        }
        return this.#requests.addLeave(room.roomId, () => this.#write(Leave, {roomId: room.roomId, code}));
    }

    #connect() {
        const Socket = this.#options.WebSocket || globalThis.WebSocket;
        const isReturning = this.#resumeToken !== NO_TOKEN;
        const socket = new Socket(this.#url,
            isReturning ? [PROTOCOL, RESUME_PROTOCOL + digitsOf(this.#resumeToken)] : [PROTOCOL]);
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
        const isResumed = welcome.isResumed;
        this.#state = 'open';
        this.#attempt = 0;
        this.#resumeToken = welcome.resumeToken.slice();
        this.#maxPayloadLength = welcome.maxPayloadLength;
        this.#kept.store(this.#resumeToken);
        this.#offset.reset(welcome.serverTimeNs - this.#clock.now() * 1e6);
        this.#ping();
        const settle = this.#settle;
        this.#settle = null;
        this.#clock.clearTimeout(this.#giveUpTimer);
        if (settle !== null) {
            settle.resolve(this);
        } else {
            if (!isResumed) {
                this.#isLoggedOut = true;
                this.#returning = new Set(this.rooms);
            }
            this.#restore();
        }
        this.#call('onopen', isResumed);
    }

    /** Logs in and joins as before the session was lost, as far as it is still missing. */
    #restore() {
        this.#clock.clearTimeout(this.#restoreTimer);
        if (!this.#isLoggedOut) {
            this.#settleRestored(0);
            this.#returning.forEach((room) => this.#rejoin(room));
        } else if (this.#sessionToken === null) {
            this.#expire(0);
        } else {
            this.logIn(this.#sessionToken).then(({status}) => this.#onLoggedInAgain(status), () => this.#restoreLater());
        }
    }

    #onLoggedInAgain(status) {
        if (status === 0) {
            this.#restoreAttempt = 0;
            this.#restore();
        } else if (status === TOO_MANY_LOG_INS) {
            // The gateway counts the log-ins of a connection: this connection must wait for minutes.
            this.#move(ABNORMAL, this.#delayMs(FULL_DELAY_MS, this.#restoreAttempt++));
        } else if (this.#isRetried(status)) {
            this.#restoreLater();
        } else {
            this.#expire(status);
        }
    }

    #rejoin(room) {
        if (this.#requests.isJoining(room)) {
            return;
        }
        this.#join(room)
            .catch((error) => {
                if (error instanceof ConnectionError || this.#isRetried(error.code)) {
                    this.#restoreLater();
                } else {
                    this.#forget(room, error.code, error.code);
                }
            });
    }

    #isRetried(code) {
        return isTransient(code) || this.#retryCodes.has(code);
    }

    /** After a lost connection the next Welcome restores. */
    #restoreLater() {
        if (this.#state === 'open') {
            this.#clock.clearTimeout(this.#restoreTimer);
            this.#restoreTimer = this.#clock.setTimeout(
                () => this.#restore(), this.#delayMs(FIRST_DELAY_MS, this.#restoreAttempt++));
        }
    }

    #expire(status) {
        this.#sessionToken = null;
        this.#isLoggedOut = false;
        this.playerId = 0n;
        for (const room of this.rooms) {
            this.#forget(room, 0);
        }
        this.#settleRestored(status);
        this.#call('onexpired');
    }

    #settleRestored(status) {
        const restored = this.#restored;
        this.#restored = null;
        if (restored !== null) {
            restored.resolve({status, playerId: this.playerId});
        }
    }

    #forget(room, reason, code = 0) {
        this.#rooms.delete(room.roomId);
        this.#returning.delete(room);
        room.isPresent = false;
        this.#callRoom(room, 'onleft', reason, code);
    }

    #onLoggedIn(message) {
        const request = this.#requests.take(message.requestId);
        if (message.status === 0) {
            this.#isLoggedOut = false;
            this.playerId = message.playerId;
            this.#sessionToken = message.sessionTokenLength > 0 ? message.sessionTokenBytes.slice() : null;
        }
        if (request !== undefined) {
            request.resolve({status: message.status, playerId: message.playerId});
        }
    }

    #onJoined(message) {
        const request = this.#requests.take(message.requestId);
        const known = this.#rooms.get(message.roomId);
        const room = known || (request && request.room) || this.#adopt(message);
        if (room === null) {
            this.#write(Leave, {roomId: message.roomId});
            return;
        }
        this.#rooms.set(room.roomId, room);
        if (this.#returning.delete(room)) {
            this.#restoreAttempt = 0;
        }
        room.playerId = message.playerId;
        room.seatIndex = message.seatIndex;
        room.isSpectator = message.isSpectator;
        room.isPresent = true;
        room.sentCount = 0;
        if (!message.isReturn) {
            room.answer = message.answerLength > 0 ? message.answerBytes.slice() : null;
        }
        if (request !== undefined) {
            request.resolve(room);
        }
        if (known !== undefined) {
            this.#callRoom(room, 'onback', room);
        }
    }

    #newRoom(roomId, handlers, args, isSpectator = false) {
        return new Room(roomId, handlers, args, isSpectator, this.#actions);
    }

    /** A seat that an earlier page of this session had. */
    #adopt(message) {
        const room = this.#newRoom(message.roomId, null, null, message.isSpectator);
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
        const leaving = this.#requests.takeLeave(message.roomId);
        const room = this.#rooms.get(message.roomId);
        if (room !== undefined) {
            this.#forget(room, message.reason, message.code ?? 0);
        }
        if (leaving !== undefined) {
            leaving.resolve();
        }
    }

    #onRefused(message) {
        const {code, reference} = message;
        const template = message.templateId;
        if (template === Leave.TEMPLATE_ID) {
            const leaving = this.#requests.takeLeave(message.roomId);
            if (leaving !== undefined) {
                leaving.reject(new RefusedError(code, template));
            }
            return;
        }
        const request = template === Message.TEMPLATE_ID ? undefined : this.#requests.take(reference);
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
                this.#move(code, 0);
            }
        }, this.#random() * withinMs);
        this.#call('ongoaway', code, withinMs);
    }

    #onPong(message) {
        this.#offset.add(message.clientTimeNs, this.#clock.now() * 1e6, message.serverTimeNs);
    }

    #onEngineBack() {
        if (this.#isLoggedOut || this.#returning.size > 0) {
            this.#restoreAttempt = 0;
            this.#restoreLater();
        }
        this.#call('onengineback');
    }

    /** Gives this connection up for another. */
    #move(code, delayMs) {
        this.#abandon();
        this.#onLost(code, delayMs);
    }

    #deliver(name, message, view) {
        const room = this.#rooms.get(message.roomId);
        if (room !== undefined) {
            this.#callRoom(room, name, view, message.payloadOffset, message.payloadLength, message.turn);
        }
    }

    #schedulePing() {
        this.#clock.clearTimeout(this.#pingTimer);
        this.#pingTimer = this.#clock.setTimeout(() => {
            if (this.#clock.now() - this.#lastReceivedMs >= SILENCE_MS) {
                this.#move(ABNORMAL, this.#delayMs());
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
        // Without a log-in in time, because log-ins were refused: another connection may succeed.
        const isFinal = FINAL_CODES.has(code) &&
            !(code === CloseCode.NOT_LOGGED_IN && this.#isLoggedOut && this.#sessionToken !== null);
        if (isFinal) {
            this.#end(code);
            return;
        }
        if (SESSION_LOST_CODES.has(code)) {
            this.#resumeToken = NO_TOKEN;
        }
        this.#onLost(code, this.#delayMs(code === CloseCode.FULL ? FULL_DELAY_MS : FIRST_DELAY_MS));
    }

    /** Full jitter: players of one gateway do not all return at once. */
    #delayMs(firstMs = FIRST_DELAY_MS, attempt = this.#attempt) {
        return this.#random() * Math.min(MAX_DELAY_MS, firstMs * 2 ** attempt);
    }

    #onLost(code, delayMs) {
        const wasOpen = this.#state === 'open';
        this.#state = 'waiting';
        this.#attempt++;
        this.#clearTimers();
        this.#timer = this.#clock.setTimeout(() => this.#connect(), delayMs);
        this.#requests.rejectAll(code);
        if (wasOpen) {
            for (const room of this.rooms) {
                if (room.isPresent) {
                    room.isPresent = false;
                    this.#callRoom(room, 'onaway', 0);
                }
            }
        }
        this.#call('onlost', code, delayMs, this.#attempt, closeName(code));
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
        this.#kept.clear();
        this.#requests.rejectAll(code);
        for (const room of this.rooms) {
            this.#forget(room, 0);
        }
        const settle = this.#settle;
        this.#settle = null;
        if (settle !== null) {
            settle.reject(new ConnectionError(code));
        }
        if (this.#restored !== null) {
            this.#restored.reject(new ConnectionError(code));
            this.#restored = null;
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
        for (const timer of [this.#timer, this.#pingTimer, this.#goAwayTimer, this.#restoreTimer]) {
            this.#clock.clearTimeout(timer);
        }
    }

    #request(write, room = null) {
        if (!this.#canSend()) {
            return Promise.reject(new ConnectionError(ABNORMAL));
        }
        return this.#requests.add(write, room);
    }

    #canSend() {
        // A closing socket takes no messages. Its onclose follows.
        return this.#state === 'open' && !(this.#socket.readyState >= CLOSING) &&
            this.#socket.bufferedAmount <= MAX_BUFFERED;
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
}
