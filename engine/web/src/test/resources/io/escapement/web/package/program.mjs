// A program in Node with the installed package, against a gateway of one message over a real socket.
import {createHash} from 'node:crypto';
import {createServer} from 'node:http';
import {CloseCode, connect, isTransient} from '@escapement/client';
import {Hello, Welcome, templateId} from '@escapement/client/player.js';
import {SyncedCopy} from '@escapement/client/sync.js';

const GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const FINAL_BINARY = 0x82;
const server = createServer();

function unmasked(frame) {
    const view = new DataView(new ArrayBuffer(frame[1] & 0x7F));
    for (let i = 0; i < view.byteLength; i++) {
        view.setUint8(i, frame[6 + i] ^ frame[2 + i % 4]);
    }
    return view;
}

server.on('upgrade', (request, socket) => {
    const accept = createHash('sha1').update(request.headers['sec-websocket-key'] + GUID).digest('base64');
    socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n' +
        'Sec-WebSocket-Protocol: ' + request.headers['sec-websocket-protocol'] + '\r\n' +
        'Sec-WebSocket-Accept: ' + accept + '\r\n\r\n');
    socket.on('error', () => undefined);
    socket.once('data', (frame) => {
        const view = unmasked(frame);
        if (templateId(view) !== Hello.TEMPLATE_ID) {
            throw new Error('no Hello');
        }
        const answer = new DataView(new ArrayBuffer(100));
        const length = Welcome.encode(answer, 0, {
            resumeToken: new Uint8Array(16), graceMs: new Hello().wrap(view).applicationVersion, pingMs: 1000,
            serverTimeNs: 1e9, maxPayloadLength: 512, isResumed: false,
        });
        socket.write(Buffer.concat([Buffer.from([FINAL_BINARY, length]), Buffer.from(answer.buffer, 0, length)]));
    });
});
server.listen(0, '127.0.0.1', async () => {
    const connection = await connect('ws://127.0.0.1:' + server.address().port + '/play', {applicationVersion: 5});
    console.log([connection.state, connection.maxPayloadLength, CloseCode.REPLACED, isTransient(196),
        typeof SyncedCopy].join(' '));
    connection.close();
    process.exit(0);
});
