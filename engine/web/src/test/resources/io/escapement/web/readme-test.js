// What a README's page has in a browser: a socket to a gateway that answers, and a console whose lines a test reads.
import * as player from './player.js';

const TOKEN = new Uint8Array(16);

export const lines = [];

/** A gateway of one player, who gets each message back. */
class Gateway {
    constructor(url) {
        this.bufferedAmount = 0;
        lines.push(url);
        Promise.resolve().then(() => this.onopen());
    }

    send(bytes) {
        const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
        const type = player.messages.get(player.templateId(view));
        const message = new type().wrap(view).toObject();
        const {requestId, roomId} = message;
        if (type === player.Hello) {
            this.#answer(player.Welcome, {resumeToken: TOKEN, graceMs: 30000, pingMs: 10000, serverTimeNs: 1,
                maxPayloadLength: 512, isResumed: false});
        } else if (type === player.LogIn) {
            this.#answer(player.LoggedIn, {requestId, status: 0, playerId: 42n, sessionToken: ''});
        } else if (type === player.Join) {
            this.#answer(player.Joined, {requestId, roomId, playerId: 42n, seatIndex: 0, isReturn: false});
        } else if (type === player.Message) {
            this.#answer(player.Event, {roomId, turn: 0, payload: message.payload});
        }
    }

    close() {
    }

    #answer(type, fields) {
        const view = new DataView(new ArrayBuffer(1024));
        const data = view.buffer.slice(0, type.encode(view, 0, fields));
        Promise.resolve().then(() => this.onmessage({data}));
    }
}

globalThis.WebSocket = Gateway;
globalThis.location = {host: 'game.example'};
globalThis.crypto = {getRandomValues: (bytes) => bytes.fill(7)};
globalThis.console = {log: (line) => lines.push(line)};
globalThis.performance = {now: () => 0};
globalThis.setTimeout = () => 0;
globalThis.clearTimeout = () => {};
