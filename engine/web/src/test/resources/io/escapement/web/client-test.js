// The tests of client.js. Each function of `tests` is one; it may be asynchronous. Time passes by clock.advance alone.
import {connect, ConnectionError, RefusedError, closeName, isTransient, PROTOCOL} from './client.js';
import {TRANSIENT_CODES} from './codes.js';
import * as player from './player.js';

const {CloseCode} = player;
const TOKEN = Uint8Array.from({length: 16}, (unused, i) => i + 1);
const ROOM = (3n << 54n) | 77n;

class FakeSocket {
    constructor(world, url, protocols) {
        this.world = world;
        this.url = url;
        this.protocols = protocols;
        this.sent = [];
        this.closedWith = null;
        this.bufferedAmount = 0;
        world.sockets.push(this);
    }

    send(bytes) {
        const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
        const type = player.messages.get(player.templateId(view));
        this.sent.push({name: type.name, ...new type().wrap(view).toObject()});
    }

    close(code) {
        this.closedWith = code;
    }

    receive(type, fields) {
        const view = new DataView(new ArrayBuffer(1024));
        this.onmessage({data: view.buffer.slice(0, type.encode(view, 0, fields))});
    }

    welcome(fields = {}) {
        this.onopen();
        this.receive(player.Welcome, {resumeToken: TOKEN, graceMs: 30000, pingMs: 10000, serverTimeNs: 5e9,
            maxPayloadLength: 512, isResumed: false, ...fields});
    }

    last(name) {
        return this.sent.filter((message) => message.name === name).pop();
    }
}

class FakeClock {
    constructor() {
        this.nowMs = 1000;
        this.timers = [];
    }

    now() {
        return this.nowMs;
    }

    setTimeout(action, delayMs) {
        const timer = {action, dueMs: this.nowMs + delayMs, delayMs};
        this.timers.push(timer);
        return timer;
    }

    clearTimeout(timer) {
        this.timers = this.timers.filter((other) => other !== timer);
    }

    advance(ms) {
        const endMs = this.nowMs + ms;
        for (;;) {
            const due = this.timers.filter((timer) => timer.dueMs <= endMs).sort((a, b) => a.dueMs - b.dueMs)[0];
            if (due === undefined) {
                break;
            }
            this.clearTimeout(due);
            this.nowMs = Math.max(this.nowMs, due.dueMs);
            due.action();
        }
        this.nowMs = endMs;
    }
}

/** A connection and what it was called back with. */
class World {
    constructor(options = {}) {
        this.sockets = [];
        this.clock = new FakeClock();
        this.calls = [];
        this.connection = null;
        this.failure = null;
        const world = this;
        const note = (name) => (...values) => world.calls.push([name, ...values]);
        this.handlers = {};
        for (const name of ['onaway', 'onback', 'onleft', 'onrefused']) {
            this.handlers[name] = note(name);
        }
        this.handlers.onevent = (view, offset, length, turn) =>
            world.calls.push(['onevent', view.getUint8(offset), length, turn]);
        this.handlers.onstate = (view, offset, length, turn) =>
            world.calls.push(['onstate', view.getUint8(offset), length, turn]);
        const callbacks = {};
        for (const name of ['onlost', 'onopen', 'onexpired', 'onengineaway', 'onengineback', 'ongoaway', 'onclose']) {
            callbacks[name] = note(name);
        }
        this.done = connect('wss://game.example/play', {
            WebSocket: class {
                constructor(url, protocols) {
                    return new FakeSocket(world, url, protocols);
                }
            },
            clock: this.clock, random: () => 0.5, applicationVersion: 9, ...callbacks, ...options,
        }).then((connection) => {
            this.connection = connection;
        }, (error) => {
            this.failure = error;
        });
    }

    get socket() {
        return this.sockets[this.sockets.length - 1];
    }

    async open() {
        this.socket.welcome();
        await this.done;
        return this;
    }

    async logIn(sessionToken = '') {
        const done = this.connection.logIn('secret');
        this.socket.receive(player.LoggedIn,
            {requestId: this.socket.last('LogIn').requestId, status: 0, playerId: 42n, sessionToken});
        return done;
    }

    async join() {
        const done = this.connection.join(ROOM, this.handlers, Uint8Array.of(7));
        this.joined();
        this.room = await done;
        return this;
    }

    joined(fields = {}) {
        const join = this.socket.last('Join');
        this.socket.receive(player.Joined, {requestId: join ? join.requestId : 0, roomId: ROOM, playerId: 42n,
            seatIndex: 3, isReturn: false, ...fields});
    }

    count(name) {
        return this.socket.sent.filter((message) => message.name === name).length;
    }

    async answerLogIn(status) {
        this.socket.receive(player.LoggedIn, {requestId: this.socket.last('LogIn').requestId, status,
            playerId: status === 0 ? 42n : 0n, sessionToken: status === 0 ? 'session token' : ''});
        await turns();
    }

    async refuseJoin(code) {
        this.socket.receive(player.Refused,
            {roomId: ROOM, reference: this.socket.last('Join').requestId, templateId: 3, code});
        await turns();
    }

    names() {
        return this.calls.map(([name]) => name).join(' ');
    }

    drop(code = 1006) {
        this.socket.onclose({code});
    }
}

function equal(actual, expected, message = '') {
    const show = (value) => JSON.stringify(value, (key, part) => typeof part === 'bigint' ? part + 'n' : part);
    if (show(actual) !== show(expected)) {
        throw new Error(message + ' expected ' + show(expected) + ' but was ' + show(actual));
    }
}

function check(condition, message) {
    if (!condition) {
        throw new Error(message);
    }
}

/** Time for the callbacks of promises. */
async function turns() {
    for (let turn = 0; turn < 5; turn++) {
        await Promise.resolve();
    }
}

/** A connection with a seat whose session was lost, when the new one has asked for the log-in. */
async function loggedOut(options = {}) {
    const world = await new World({retryCodes: OWN_RETRY_CODES, ...options}).open();
    await world.logIn('session token');
    await world.join();
    world.drop(CloseCode.ENGINE_LOST);
    world.clock.advance(8000);
    world.socket.welcome();
    return world;
}

/** What sessionStorage is to a page. */
function storageOf(items) {
    return {
        getItem: (key) => items.get(key) ?? null,
        setItem: (key, value) => items.set(key, value),
        removeItem: (key) => items.delete(key),
    };
}

async function failureOf(promise) {
    try {
        await promise;
    } catch (error) {
        return error;
    }
    return null;
}

/** One valid message of each kind that a gateway sends. */
const FROM_GATEWAY = {
    LoggedIn: {requestId: 99, status: 0, playerId: 1n},
    Joined: {requestId: 99, roomId: ROOM + 1n, playerId: 1n, seatIndex: 0, isReturn: false},
    SeatAway: {roomId: ROOM, reason: 1},
    Left: {roomId: ROOM, reason: 1},
    Refused: {roomId: ROOM, reference: 99, templateId: 3, code: 5},
    Pong: {clientTimeNs: 1e9, serverTimeNs: 6e9},
    EngineAway: {graceMs: 100},
    EngineBack: {},
    GoAway: {code: 1001, withinMs: 1000},
    Event: {roomId: ROOM, turn: 7, payload: Uint8Array.of(1)},
    State: {roomId: ROOM, turn: 6, payload: Uint8Array.of(1)},
};
const WELCOME = {resumeToken: TOKEN, graceMs: 1, pingMs: 1, serverTimeNs: 1, maxPayloadLength: 512, isResumed: true};
const TOO_MANY_LOG_INS = 194;
/** Of the application: "the queue is full", "no database". */
const OWN_RETRY_CODES = [1109, 1120];
const FINAL_STATUSES = [130, 145, 1100, 1101, 1104, 1113, 1114];
const RETRY_CODES = [1001, 1005, 1006, 1011, 1013, 4001, 4005, 4007, 4008, 4010];
const FINAL_CODES = [1000, 1002, 1003, 1009, 4002, 4003, 4004, 4006, 4009];

/** A world in each state; the socket is the one that a message may still come from. */
const STATES = {
    connecting: async () => new World(),
    greeting: async () => {
        const world = new World();
        world.socket.onopen();
        return world;
    },
    open: async () => new World().open(),
    seated: async () => {
        const world = await new World().open();
        return world.join();
    },
    away: async () => {
        const world = await (await new World().open()).join();
        world.socket.receive(player.SeatAway, {roomId: ROOM, reason: 1});
        return world;
    },
    waiting: async () => {
        const world = await (await new World().open()).join();
        world.drop();
        return world;
    },
    closed: async () => {
        const world = await (await new World().open()).join();
        world.connection.close();
        return world;
    },
};

export const tests = {
    async saysHelloAndOpens() {
        const world = new World({flushMs: 20});
        equal([world.socket.url, world.socket.protocols, world.socket.binaryType],
            ['wss://game.example/play', [PROTOCOL], 'arraybuffer']);
        world.socket.onopen();
        const hello = world.socket.last('Hello');
        equal([hello.protocolVersion, hello.applicationVersion, hello.flushMs], [1, 9, 20]);
        check(hello.resumeToken.every((byte) => byte === 0), 'a token in the first Hello');
        equal(world.connection, null);
        world.socket.receive(player.Welcome, WELCOME);
        await world.done;
        equal([world.connection.state, world.connection.maxPayloadLength], ['open', 512]);
    },

    async answersEveryMessageInEveryState() {
        for (const [state, make] of Object.entries(STATES)) {
            for (const [name, fields] of [['Welcome', WELCOME], ...Object.entries(FROM_GATEWAY)]) {
                const world = await make();
                const socket = world.socket;
                const before = world.calls.length;
                socket.receive(player[name], fields);
                await Promise.resolve();
                const isOld = state === 'waiting' || state === 'closed';
                const isTaken = state === 'greeting' ? name === 'Welcome' :
                    state !== 'connecting' && name !== 'Welcome';
                const where = state + ' ' + name;
                if (isOld) {
                    equal(world.calls.length, before, where);
                    equal(world.connection.state, state, where);
                } else if (isTaken) {
                    await world.done;
                    equal(world.connection.state, 'open', where);
                    equal(socket.closedWith, null, where);
                } else {
                    equal(socket.closedWith, CloseCode.MALFORMED, where);
                    equal(world.sockets.length, 1, where);
                    equal(world.calls.pop(), ['onclose', CloseCode.MALFORMED, 'MALFORMED'], where);
                }
            }
        }
    },

    async refusesWhatIsNoMessageOfAGateway() {
        const samples = {
            text: 'hello',
            empty: new ArrayBuffer(0),
            header: new ArrayBuffer(8),
            short: new Uint8Array([8, 0, 36, 0, 0xC0, 2, 0, 0, 1]).buffer,
        };
        for (const [name, data] of Object.entries(samples)) {
            const world = await new World().open();
            world.socket.onmessage({data});
            equal(world.calls.pop(), ['onclose', CloseCode.MALFORMED, 'MALFORMED'], name);
        }
        for (const type of [player.Hello, player.Ping, player.Goodbye]) {
            const world = await new World().open();
            world.socket.receive(type, {protocolVersion: 1, applicationVersion: 1, flushMs: 0, resumeToken: TOKEN,
                clientTimeNs: 1});
            equal(world.connection.state, 'closed', type.name);
        }
    },

    async doesNotBlameTheGatewayForAFaultOfTheProgram() {
        const world = await (await new World().open()).join();
        world.room.handlers.onevent = () => {
            throw new RangeError('of the program');
        };
        let message = '';
        try {
            world.socket.receive(player.Event, FROM_GATEWAY.Event);
        } catch (error) {
            message = error.message;
        }
        equal([message, world.connection.state], ['of the program', 'open']);
    },

    async logsIn() {
        const world = await new World().open();
        equal(world.connection.sessionToken, null);
        equal(await world.logIn(), {status: 0, playerId: 42n});
        equal(world.connection.sessionToken, null);
        await world.logIn('session token');
        const token = world.connection.sessionToken;
        equal(new TextDecoder().decode(token), 'session token');
        token[0] = 0;
        equal(new TextDecoder().decode(world.connection.sessionToken), 'session token');
        equal(world.connection.playerId, 42n);
        const done = world.connection.logIn('wrong');
        world.socket.receive(player.LoggedIn,
            {requestId: world.socket.last('LogIn').requestId, status: 1101, playerId: 0n});
        equal((await done).status, 1101);
        equal(world.connection.playerId, 42n, 'a failed log-in changed the player');
    },

    async joinsSendsAndLeaves() {
        const world = await (await new World().open()).join();
        equal([...world.socket.last('Join').args], [7]);
        equal([world.room.playerId, world.room.seatIndex, world.room.isPresent], [42n, 3, true]);
        check(world.room.send(player.Ping, {clientTimeNs: 5}), 'not sent');
        check(world.room.send(Uint8Array.of(1, 2)), 'not sent');
        equal(world.room.sentCount, 2);
        const message = world.socket.last('Message');
        equal([message.roomId, [...message.payload]], [ROOM, [1, 2]]);
        let failure = null;
        try {
            world.room.send(new Uint8Array(513));
        } catch (error) {
            failure = error;
        }
        check(failure instanceof RangeError, 'a message too long was taken');
        world.socket.receive(player.Event, FROM_GATEWAY.Event);
        world.socket.receive(player.State, FROM_GATEWAY.State);
        const done = world.room.leave();
        equal(world.socket.last('Leave').roomId, ROOM);
        world.socket.receive(player.Left, {roomId: ROOM, reason: 0});
        await done;
        equal(world.connection.rooms.length, 0);
        check(!world.room.send(Uint8Array.of(1)), 'sent without a seat');
        equal(world.calls.slice(1), [['onevent', 1, 1, 7], ['onstate', 1, 1, 6], ['onleft', 0, 0]]);
    },

    async carriesTheCodesOfTheApplication() {
        const world = await (await new World().open()).join();
        const done = world.room.leave(1055);
        equal(world.socket.last('Leave').code, 1055);
        world.socket.receive(player.Left, {roomId: ROOM, reason: 0, code: 1055});
        await done;
        equal(world.calls.pop(), ['onleft', 0, 1055]);
        await world.join();
        world.room.leave();
        equal(world.socket.last('Leave').code || 0, 0);
        world.socket.receive(player.Left, {roomId: ROOM, reason: 1, code: 2000});
        equal(world.calls.pop(), ['onleft', 1, 2000]);
    },

    async takesTheAnswerOfTheRoom() {
        const world = await (await new World().open()).join();
        equal(world.room.answer, null);
        const done = world.connection.join(5n, {});
        const joined = {roomId: 5n, playerId: 42n, seatIndex: 3};
        const requestId = world.socket.last('Join').requestId;
        world.socket.receive(player.Joined, {...joined, requestId, isReturn: false, answer: Uint8Array.of(9, 8)});
        const room = await done;
        equal([...room.answer], [9, 8]);
        world.socket.receive(player.SeatAway, {roomId: 5n, reason: 2});
        world.socket.receive(player.Joined, {...joined, requestId: 0, isReturn: true});
        equal([...room.answer], [9, 8]);
        world.socket.receive(player.Joined, {...joined, requestId: 0, isReturn: false});
        equal(room.answer, null);
    },

    async refusesMessagesOfAnotherVersion() {
        for (const version of [0, 1]) {
            const world = await (await new World().open()).join();
            const view = new DataView(new ArrayBuffer(64));
            const length = player.Left.encode(view, 0, {roomId: 5n, reason: 3, code: 0});
            view.setUint16(6, version, true);
            world.socket.onmessage({data: view.buffer.slice(0, length)});
            equal(world.socket.closedWith, version === 0 ? null : CloseCode.MALFORMED);
        }
    },

    async withdrawsAJoin() {
        const world = await (await new World().open()).join();
        world.connection.cancelJoin(5n);
        equal(world.socket.last('Leave'), undefined);
        const join = world.connection.join(5n, {});
        world.connection.cancelJoin(5);
        equal(world.socket.last('Leave').roomId, 5n);
        world.socket.receive(player.Refused,
            {roomId: 5n, reference: world.socket.last('Join').requestId, templateId: 3, code: 68});
        equal((await failureOf(join)).code, 68);
    },

    async reportsRefusals() {
        const world = await (await new World().open()).join();
        const join = world.connection.join(5n, {});
        world.socket.receive(player.Refused,
            {roomId: 5n, reference: world.socket.last('Join').requestId, templateId: 3, code: 1224});
        const refusal = await failureOf(join);
        check(refusal instanceof RefusedError, 'no refusal');
        equal([refusal.code, refusal.codeName, refusal.templateId], [1224, 'APPLICATION_1224', 3]);
        equal(refusal.message, 'refused: 1224 APPLICATION_1224');
        world.socket.receive(player.Refused, {roomId: ROOM, reference: 8, templateId: 5, code: 1205});
        equal(world.calls.pop(), ['onrefused', 1205, 8, 5]);
        const leave = world.room.leave();
        world.socket.receive(player.Refused, {roomId: ROOM, reference: 0, templateId: 4, code: 11});
        equal((await failureOf(leave)).code, 11);
    },

    async holdsBackWhatTheNetworkDoesNotTake() {
        const world = await (await new World().open()).join();
        world.socket.bufferedAmount = 65537;
        check(!world.room.send(Uint8Array.of(1)), 'sent');
        equal((await failureOf(world.connection.join(5n))).name, 'ConnectionError');
        world.socket.bufferedAmount = 65536;
        check(world.room.send(Uint8Array.of(1)), 'not sent');
    },

    async resumesWithItsTokenAndItsSeats() {
        const world = await (await new World().open()).join();
        world.room.send(Uint8Array.of(1));
        const pending = world.connection.join(5n);
        world.socket.readyState = 2;
        check(!world.room.send(Uint8Array.of(1)), 'sent by a socket that is closing');
        world.drop();
        equal((await failureOf(pending)).name, 'ConnectionError');
        equal([world.connection.state, world.room.isPresent], ['waiting', false]);
        world.clock.advance(125);
        equal(world.sockets.length, 2);
        world.socket.onopen();
        equal([...world.socket.last('Hello').resumeToken], [...TOKEN]);
        world.socket.receive(player.Welcome, WELCOME);
        check(!world.room.isPresent, 'present before its Joined');
        world.joined({requestId: 0, isReturn: true});
        equal([world.connection.state, world.room.isPresent, world.room.sentCount], ['open', true, 0]);
        equal(world.names(), 'onopen onaway onlost onopen onback');
        equal(world.calls[3], ['onopen', true]);
    },

    async logsInAgainWhereTheSessionIsOver() {
        const world = await new World().open();
        await world.logIn('session token');
        await world.join();
        world.drop();
        world.clock.advance(125);
        world.socket.welcome();
        const logIn = world.socket.last('LogIn');
        equal(new TextDecoder().decode(logIn.credentials), 'session token');
        world.socket.receive(player.LoggedIn, {requestId: logIn.requestId, status: 0, playerId: 42n});
        await Promise.resolve();
        const join = world.socket.last('Join');
        equal([join.roomId, [...join.args]], [ROOM, [7]]);
        world.joined({isReturn: true});
        equal([world.room.isPresent, world.names()], [true, 'onopen onaway onlost onopen onback']);
    },

    async watchesAndReturnsToWatch() {
        const world = await new World().open();
        await world.logIn('session token');
        const done = world.connection.watch(ROOM, world.handlers, Uint8Array.of(7));
        equal([world.socket.last('Join').isSpectator, [...world.socket.last('Join').args]], [true, [7]]);
        world.joined({isSpectator: true});
        const room = await done;
        equal([room.isSpectator, room.isPresent, room.send(Uint8Array.of(1))], [true, true, false]);
        equal(world.socket.last('Message'), undefined);
        world.socket.receive(player.State, {roomId: ROOM, turn: 0, payload: Uint8Array.of(5)});
        equal(world.calls.pop(), ['onstate', 5, 1, 0]);
        world.drop();
        world.clock.advance(125);
        world.socket.welcome();
        world.socket.receive(player.LoggedIn,
            {requestId: world.socket.last('LogIn').requestId, status: 0, playerId: 42n});
        await Promise.resolve();
        equal(world.socket.last('Join').isSpectator, true);
        world.joined({isReturn: true, isSpectator: true});
        equal([room.isSpectator, room.isPresent], [true, true]);
        const other = await (await new World().open()).join();
        equal([other.socket.last('Join').isSpectator, other.room.isSpectator], [false, false]);
    },

    async givesUpARoomThatRefusesItsReturn() {
        const world = await new World().open();
        await world.logIn('session token');
        await world.join();
        world.drop();
        world.clock.advance(125);
        world.socket.welcome();
        world.socket.receive(player.LoggedIn,
            {requestId: world.socket.last('LogIn').requestId, status: 0, playerId: 42n});
        await Promise.resolve();
        world.socket.receive(player.Refused,
            {roomId: ROOM, reference: world.socket.last('Join').requestId, templateId: 3, code: 1211});
        await Promise.resolve();
        await Promise.resolve();
        equal(world.calls.pop(), ['onleft', 1211, 1211]);
        equal(world.connection.rooms.length, 0);
    },

    async keepsTheSessionWhileItsLogInIsRefusedForNow() {
        for (const code of [...TRANSIENT_CODES.keys(), ...OWN_RETRY_CODES]) {
            const world = await loggedOut();
            for (let attempt = 1; attempt <= 3; attempt++) {
                await world.answerLogIn(code);
                check(!world.names().includes('onexpired'), code + ' ended the session');
                check(world.connection.sessionToken !== null, code + ' dropped the token');
                if (code === TOO_MANY_LOG_INS) {
                    // This connection has used up its log-ins.
                    equal(world.connection.state, 'waiting', code);
                    world.clock.advance(8000);
                    world.socket.onopen();
                    world.socket.receive(player.Welcome, WELCOME);
                } else {
                    equal(world.count('LogIn'), attempt, code + ' was not waited for');
                    world.clock.advance(8000);
                    equal(world.count('LogIn'), attempt + 1, code);
                }
            }
            await world.answerLogIn(0);
            world.joined({isReturn: true});
            equal([world.room.isPresent, world.connection.rooms.length], [true, 1], code);
            equal(world.names().endsWith('onback'), true, code);
        }
    },

    async endsTheSessionAtEveryOtherCode() {
        for (const code of [...FINAL_STATUSES, ...OWN_RETRY_CODES]) {
            const world = await loggedOut({retryCodes: []});
            await world.answerLogIn(code);
            check(world.names().endsWith('onleft onexpired'), code + ': ' + world.names());
            equal([world.connection.sessionToken, isTransient(code)], [null, false], code);
            world.clock.advance(8000);
            equal(world.count('LogIn'), 1, code);
        }
    },

    async keepsARoomWhileItsReturnIsRefusedForNow() {
        for (const code of [...TRANSIENT_CODES.keys(), ...OWN_RETRY_CODES]) {
            const world = await loggedOut();
            await world.answerLogIn(0);
            for (let attempt = 1; attempt <= 3; attempt++) {
                await world.refuseJoin(code);
                equal([world.connection.rooms.length, world.room.isPresent], [1, false], code);
                equal(world.count('Join'), attempt, code + ' was not waited for');
                world.clock.advance(8000);
                equal(world.count('Join'), attempt + 1, code);
            }
            world.joined({isReturn: true});
            equal([world.room.isPresent, world.names().includes('onleft')], [true, false], code);
            world.clock.advance(8000);
            equal(world.count('Join'), 4, code);
        }
    },

    async leavesARoomAtEveryOtherCode() {
        for (const code of [37, 38, 39, 32, 51, 192, 195, 1211, ...OWN_RETRY_CODES]) {
            const world = await loggedOut({retryCodes: []});
            await world.answerLogIn(0);
            await world.refuseJoin(code);
            equal(world.calls.pop(), ['onleft', code, code], code);
            equal(world.connection.rooms.length, 0, code);
        }
    },

    async spreadsAndLengthensTheAttemptsToRestore() {
        const shares = [0.9, 0.5, 0.1];
        let next = 0;
        const world = await loggedOut({random: () => shares[next++ % shares.length]});
        const delays = [];
        for (let attempt = 0; attempt < 9; attempt++) {
            await world.answerLogIn(197);
            const timer = world.clock.timers[world.clock.timers.length - 1];
            const share = timer.delayMs / Math.min(8000, 250 * 2 ** attempt);
            check(shares.some((expected) => Math.abs(expected - share) < 1e-9), 'attempt ' + attempt + ': ' + share);
            delays.push(timer.delayMs);
            world.clock.advance(timer.delayMs);
        }
        check(Math.max(...delays) <= 8000, delays.join());
    },

    /** The session of the new connection is resumed, but it has never had the log-in or the room. */
    async restoresWhatTheLostConnectionCouldNot() {
        const first = await loggedOut();
        await first.answerLogIn(196);
        first.drop();
        first.clock.advance(8000);
        first.socket.onopen();
        first.socket.receive(player.Welcome, WELCOME);
        await first.answerLogIn(0);
        await first.refuseJoin(196);
        first.drop();
        first.clock.advance(8000);
        first.socket.onopen();
        first.socket.receive(player.Welcome, WELCOME);
        equal([first.count('LogIn'), first.count('Join')], [0, 1], 'of the third connection');
        first.joined({isReturn: true});
        check(first.room.isPresent, 'not joined again');
    },

    async takesAnotherConnectionWhenLogInsWereRefusedForTooLong() {
        const world = await loggedOut();
        await world.answerLogIn(196);
        world.drop(CloseCode.NOT_LOGGED_IN);
        equal(world.connection.state, 'waiting');
        world.clock.advance(8000);
        world.socket.welcome();
        await world.answerLogIn(0);
        equal(world.count('Join'), 1);
    },

    async restoresSoonAfterTheEngineIsBack() {
        const world = await loggedOut();
        for (let attempt = 0; attempt < 8; attempt++) {
            await world.answerLogIn(196);
            world.clock.advance(8000);
        }
        await world.answerLogIn(196);
        world.socket.receive(player.EngineBack, {});
        world.clock.advance(250);
        equal(world.count('LogIn'), 10);
        await world.answerLogIn(0);
        equal(world.count('Join'), 1);
        world.socket.receive(player.EngineBack, {});
        world.clock.advance(250);
        equal(world.count('Join'), 1, 'a Join beside one that is open');
    },

    async leavesARoomThatHasNotReturned() {
        const world = await loggedOut();
        await world.answerLogIn(0);
        await world.refuseJoin(197);
        await world.room.leave();
        equal([world.connection.rooms.length, world.calls.pop()], [0, ['onleft', 0, 0]]);
        world.clock.advance(8000);
        equal(world.count('Join'), 1);
    },

    async logsThePlayerOfAnEarlierPageIn() {
        const world = await new World({retryCodes: OWN_RETRY_CODES}).open();
        const done = world.connection.logInAgain(new TextEncoder().encode('session token'));
        for (const code of [197, OWN_RETRY_CODES[0]]) {
            await world.answerLogIn(code);
            world.clock.advance(8000);
        }
        await world.answerLogIn(0);
        equal(await done, {status: 0, playerId: 42n});
        const refused = await new World().open();
        const again = refused.connection.logInAgain(new TextEncoder().encode('session token'));
        await refused.answerLogIn(1114);
        equal([await again, refused.names()], [{status: 1114, playerId: 0n}, 'onopen onexpired']);
        const closed = await new World().open();
        const never = closed.connection.logInAgain(new TextEncoder().encode('session token'));
        closed.connection.close();
        equal((await failureOf(never)).name, 'ConnectionError');
        equal((await failureOf(closed.connection.logInAgain(TOKEN))).name, 'ConnectionError');
    },

    async expiresWithoutASessionToken() {
        for (const status of [null, 1101]) {
            const world = await new World().open();
            await world.logIn(status === null ? '' : 'session token');
            await world.join();
            world.drop();
            world.clock.advance(125);
            world.socket.welcome();
            if (status !== null) {
                world.socket.receive(player.LoggedIn,
                    {requestId: world.socket.last('LogIn').requestId, status, playerId: 0n});
                await Promise.resolve();
            }
            check(world.names().includes('onleft onexpired'), world.names());
            equal([world.connection.playerId, world.connection.state], [0n, 'open']);
        }
    },

    async adoptsTheSeatsOfAnEarlierPage() {
        const items = new Map();
        const storage = storageOf(items);
        const first = await new World({storage, onseat: () => ({})}).open();
        equal(items.get(PROTOCOL), '0102030405060708090a0b0c0d0e0f10');
        const adopted = [];
        const second = new World({storage, onseat: (room) => {
            adopted.push(room.roomId);
            return room.roomId === ROOM ? second.handlers : null;
        }});
        second.socket.onopen();
        equal([...second.socket.last('Hello').resumeToken], [...TOKEN]);
        second.socket.receive(player.Welcome, WELCOME);
        second.joined({requestId: 0});
        second.joined({requestId: 0, roomId: 9n});
        equal(adopted, [ROOM, 9n]);
        await second.done;
        equal(second.connection.rooms.length, 1);
        equal(second.socket.last('Leave').roomId, 9n);
        second.connection.close();
        equal(items.size, 0);
        check(first.connection.state === 'open', 'the first page was closed by the second');
        items.set(PROTOCOL, 'not a token');
        const third = new World({storage, onseat: () => null});
        third.socket.onopen();
        check(third.socket.last('Hello').resumeToken.every((byte) => byte === 0), 'a damaged token was sent');
    },

    async putsNoTokenIntoAUrl() {
        const storage = storageOf(new Map());
        const world = await loggedOut({storage, onseat: () => ({})});
        await world.answerLogIn(0);
        world.joined();
        world.drop();
        world.clock.advance(8000);
        world.socket.welcome({isResumed: true});
        equal([...world.socket.last('Hello').resumeToken], [...TOKEN]);
        world.socket.receive(player.GoAway, {code: 1001, withinMs: 1000});
        world.clock.advance(1000);
        world.socket.onopen();
        const reloaded = new World({storage, onseat: () => ({})});
        reloaded.socket.welcome();
        await reloaded.done;
        const loggingIn = reloaded.connection.logInAgain(world.connection.sessionToken);
        await reloaded.answerLogIn(0);
        equal((await loggingIn).status, 0);
        const sockets = [...world.sockets, ...reloaded.sockets];
        equal(sockets.map((socket) => socket.url), Array.from({length: 5}, () => 'wss://game.example/play'));
    },

    async offersTheTokenOfItsSessionWithTheUpgrade() {
        const storage = storageOf(new Map());
        const world = await new World({storage, onseat: () => ({})}).open();
        const offered = [PROTOCOL, 'escapement.resume.0102030405060708090a0b0c0d0e0f10'];
        world.drop();
        world.clock.advance(8000);
        equal(world.socket.protocols, offered, 'after a lost connection');
        const other = Uint8Array.from(TOKEN, (byte) => 255 - byte);
        world.socket.welcome({isResumed: true, resumeToken: other});
        world.socket.receive(player.GoAway, {code: 1001, withinMs: 1000});
        world.clock.advance(1000);
        equal(world.socket.protocols, [PROTOCOL, 'escapement.resume.fefdfcfbfaf9f8f7f6f5f4f3f2f1f0ef'], 'the last token');
        const reloaded = new World({storage, onseat: () => ({})});
        equal(reloaded.socket.protocols, world.socket.protocols, 'after a reload');
        world.socket.welcome();
        world.drop(CloseCode.ENGINE_LOST);
        world.clock.advance(8000);
        equal(world.socket.protocols, [PROTOCOL], 'after the end of the session');
    },

    async keepsNoTokenWithoutOnseat() {
        const storage = {
            setItem: () => {
                throw new Error('stored');
            },
        };
        await new World({storage}).open();
    },

    async triesAgainAfterSomeCodesAndNotAfterOthers() {
        for (const code of RETRY_CODES) {
            const world = await new World().open();
            world.drop(code);
            equal(world.connection.state, 'waiting', code);
            equal(world.calls.pop().slice(0, 2), ['onlost', code], code);
            world.clock.advance(8001);
            equal(world.sockets.length, 2, code);
            world.socket.onopen();
            const isForgotten = code === CloseCode.ENGINE_LOST;
            equal(world.socket.last('Hello').resumeToken[0], isForgotten ? 0 : 1, code);
        }
        for (const code of FINAL_CODES) {
            const world = await (await new World().open()).join();
            world.drop(code);
            equal(world.connection.state, 'closed', code);
            equal(world.calls.slice(-2), [['onleft', 0, 0], ['onclose', code, closeName(code)]], code);
            world.clock.advance(60000);
            equal([world.sockets.length, world.clock.timers.length], [1, 0], code);
        }
        equal(Object.values(CloseCode).filter((code) => !RETRY_CODES.includes(code) && !FINAL_CODES.includes(code)), []);
    },

    async isReplacedByAnotherPage() {
        const world = await (await new World().open()).join();
        world.drop(CloseCode.REPLACED);
        equal(world.calls.pop(), ['onclose', 4006, 'REPLACED']);
    },

    async spreadsItsAttempts() {
        let state = 12345;
        const random = () => {
            state = (Math.imul(state, 1103515245) + 12345) & 0x7FFFFFFF;
            return state / 0x80000000;
        };
        const world = await new World({random}).open();
        const shares = [];
        world.drop();
        for (let attempt = 0; attempt < 200; attempt++) {
            const timer = world.clock.timers.filter(({delayMs}) => delayMs < 10000).pop();
            const limit = Math.min(8000, 250 * 2 ** attempt);
            check(timer.delayMs >= 0 && timer.delayMs < limit, 'attempt ' + attempt + ': ' + timer.delayMs);
            shares.push(timer.delayMs / limit);
            world.clock.advance(timer.delayMs);
            equal(world.sockets.length, attempt + 2);
            world.drop();
        }
        for (let tenth = 0; tenth < 10; tenth++) {
            const count = shares.filter((share) => Math.floor(10 * share) === tenth).length;
            check(count > 5 && count < 40, 'seed 12345: ' + count + ' of 200 in tenth ' + tenth);
        }
        world.clock.advance(8000);
        world.socket.welcome();
        world.drop();
        check(world.calls.pop()[2] < 250, 'the attempts were not counted from the start again');
    },

    async reportsEachAttemptWithItsDelayAndItsReason() {
        const world = new World();
        world.drop(CloseCode.FULL);
        world.clock.advance(2000);
        world.drop(1006);
        world.clock.advance(250);
        world.socket.welcome();
        await world.done;
        equal(world.calls, [['onlost', CloseCode.FULL, 2000, 1, 'FULL'],
            ['onlost', 1006, 250, 2, closeName(1006)], ['onopen', false]]);
        await world.join();
        world.calls.length = 0;
        const delaysMs = [125, 250, 500, 1000, 2000, 4000, 4000];
        for (const delayMs of delaysMs) {
            world.drop();
            world.clock.advance(delayMs);
        }
        equal(world.calls, [['onaway', 0], ...delaysMs.map(
            (delayMs, index) => ['onlost', 1006, delayMs, index + 1, closeName(1006)])]);
    },

    async isClosedFromWithinOnlost() {
        const world = await new World().open();
        world.connection.onlost = () => world.connection.close();
        world.drop();
        equal([world.connection.state, world.clock.timers.length], ['closed', 0]);
    },

    async waitsLongerForAFullGateway() {
        const world = new World();
        world.drop(CloseCode.FULL);
        equal(world.clock.timers.map(({delayMs}) => delayMs).sort((a, b) => a - b)[0], 2000);
    },

    async movesWhenTheGatewayGoesAway() {
        const world = await (await new World({random: () => 0.25}).open()).join();
        world.socket.receive(player.GoAway, {code: 1001, withinMs: 8000});
        equal(world.calls.pop(), ['ongoaway', 1001, 8000]);
        world.clock.advance(1999);
        equal([world.connection.state, world.sockets.length], ['open', 1]);
        world.clock.advance(1);
        equal([world.sockets[0].closedWith, world.sockets.length], [1000, 2]);
        world.socket.onopen();
        equal([...world.socket.last('Hello').resumeToken], [...TOKEN]);
        equal(world.names(), 'onopen onaway onlost');
    },

    async noticesASilentNetwork() {
        const world = await new World().open();
        for (let i = 0; i < 10; i++) {
            world.clock.advance(2000);
            world.socket.receive(player.Pong, {clientTimeNs: world.socket.last('Ping').clientTimeNs, serverTimeNs: 1});
        }
        equal([world.connection.state, world.sockets.length], ['open', 1]);
        world.clock.advance(12000);
        equal(world.sockets[0].closedWith, 1000);
        check(world.names().endsWith('onlost'), world.names());
    },

    async readsTheClockOfTheFastestPing() {
        const world = await new World().open();
        equal(world.connection.serverTimeNs(), 5e9);
        for (const [roundTripMs, errorMs] of [[40, 7], [10, 0], [90, -9]]) {
            world.clock.advance(2000);
            const {clientTimeNs} = world.socket.last('Ping');
            world.clock.nowMs = clientTimeNs / 1e6 + roundTripMs;
            const serverTimeNs = clientTimeNs + roundTripMs * 5e5 + 4e9 + errorMs * 1e6;
            world.socket.receive(player.Pong, {clientTimeNs, serverTimeNs});
            equal(world.connection.roundTripMs, roundTripMs);
        }
        equal(world.connection.serverTimeNs(), world.clock.nowMs * 1e6 + 4e9);
    },

    async connectsAtOnceWhenThePageIsSeenAgain() {
        const listeners = new Map();
        const target = {
            visibilityState: 'hidden',
            addEventListener: (type, listener) => listeners.set(type, listener),
            removeEventListener: (type) => listeners.delete(type),
        };
        globalThis.document = target;
        globalThis.window = target;
        try {
            const world = await new World().open();
            world.drop();
            listeners.get('visibilitychange')();
            equal(world.sockets.length, 1, 'connected while hidden');
            target.visibilityState = 'visible';
            listeners.get('online')();
            equal(world.sockets.length, 2);
            world.clock.advance(10000);
            equal(world.sockets.length, 2, 'the delayed attempt was made as well');
            world.connection.close();
            equal(listeners.size, 0);
        } finally {
            delete globalThis.document;
            delete globalThis.window;
        }
    },

    async rejectsWhatNeverOpens() {
        const silent = new World({patienceMs: 5000});
        silent.clock.advance(5000);
        await silent.done;
        check(silent.failure instanceof ConnectionError, 'no failure');
        equal([silent.socket.closedWith, silent.clock.timers.length], [1000, 0]);
        const refused = new World();
        refused.drop(CloseCode.PROTOCOL_VERSION);
        await refused.done;
        equal(refused.failure.message, 'connection closed: 4002 PROTOCOL_VERSION');
    },

    async saysGoodbye() {
        const world = await (await new World().open()).join();
        world.connection.close();
        world.connection.close();
        equal([world.socket.last('Goodbye').name, world.socket.closedWith], ['Goodbye', 1000]);
        equal(world.calls.slice(-2), [['onleft', 0, 0], ['onclose', 1000, 'NORMAL']]);
        equal((await failureOf(world.connection.join(1n))).name, 'ConnectionError');
    },

    async reportsTheEngine() {
        const world = await new World().open();
        world.socket.receive(player.EngineAway, {graceMs: 500});
        world.socket.receive(player.EngineBack, {});
        equal(world.calls.slice(-2), [['onengineaway', 500], ['onengineback']]);
    },
};
