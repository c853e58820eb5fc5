// The page of the game: a copy of the room's state, drawn after each frame, and moves of the own dot.
import {connect} from '/escapement/client.js';
import {SyncedCopy, fetchSchema} from '/escapement/sync.js';

const ROOM_ID = 1n;
const FIELD = 1000;
const canvas = document.getElementById('field');
const notice = document.getElementById('notice');
const pen = canvas.getContext('2d');

const copy = new SyncedCopy(await fetchSchema('dots'), {onframe: draw});

function draw() {
    pen.clearRect(0, 0, FIELD, FIELD);
    circle(copy.room.coinX, copy.room.coinY, 14, 'goldenrod');
    pen.font = '28px system-ui';
    for (const [seat, dot] of copy.tables.dots) {
        circle(dot.x, dot.y, 16, `hsl(${seat * 67} 80% 50%)`);
        pen.fillText(dot.score, dot.x + 22, dot.y + 10);
    }
    notice.textContent = `${copy.tables.dots.size} playing. Take the coin.`;
}

function circle(x, y, radius, color) {
    pen.fillStyle = color;
    pen.beginPath();
    pen.arc(x, y, radius, 0, 2 * Math.PI);
    pen.fill();
}

/** A guest is known by a random key. This window keeps it, so that a reload continues the same dot. */
function key() {
    const known = sessionStorage.getItem('key');
    const bytes = known ? Uint8Array.from(known.split(','), Number) : crypto.getRandomValues(new Uint8Array(16));
    sessionStorage.setItem('key', bytes.join());
    return bytes;
}

const connection = await connect(`${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/play`);
connection.onlost = () => notice.textContent = 'Connection lost. Trying again ...';
connection.onexpired = () => location.reload();
await connection.logIn(key());
const room = await connection.join(ROOM_ID, {
    onstate: (view, offset, length) => copy.apply(view, offset, length),
    onaway: () => copy.reset(),
});

const move = new DataView(new ArrayBuffer(4));
canvas.addEventListener('pointermove', (event) => {
    const scale = FIELD / canvas.clientWidth;
    move.setUint16(0, Math.min(FIELD - 1, Math.max(0, event.offsetX * scale)), true);
    move.setUint16(2, Math.min(FIELD - 1, Math.max(0, event.offsetY * scale)), true);
    room.send(new Uint8Array(move.buffer));
});
