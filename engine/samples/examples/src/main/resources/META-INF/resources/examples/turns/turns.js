/** The page of four in a row. */
import {
    byId, bytes, element, fields, listRooms, notice, openConnection, showError, textOf, written,
} from '../common.js';
import {Lobby} from '../../escapement/lobby.js';

const TABLE = 4;
const COLUMNS = 7;
const ROWS = 6;
const CLOCK_STEP_MS = 200;
const TEXTS = {
    1072: 'That is not a name.',
    1073: 'It is not your turn.',
    1074: 'No disc fits there.',
};
const REASONS = ['', 'four in a row', 'the board is full', 'the clock has run out', 'the other has left'];

const handlers = {onevent, onleft, onrefused: (code) => notice(textOf(code, TEXTS))};
const names = ['', ''];
const clocksMs = [0, 0];
const discs = [];
let connection = null;
let lobby = null;
let room = null;
let ownName = '';
let moving = -1;
let shownAtMs = 0;

for (let column = 0; column < COLUMNS; column++) {
    const button = element('button', 'column');
    button.type = 'button';
    button.setAttribute('aria-label', 'Column ' + (column + 1));
    button.addEventListener('click', () => room?.send(bytes(String(column))));
    for (let row = 0; row < ROWS; row++) {
        const disc = element('span', 'disc');
        discs[row * COLUMNS + column] = disc;
        button.append(disc);
    }
    byId('board').append(button);
}

function showRooms() {
    listRooms(byId('rooms'), lobby.rooms, room?.roomId,
        ({id}) => enter(() => connection.join(id, handlers, ownName)));
}

/** Leave the table, if any, and join another. */
async function enter(join) {
    try {
        if (room !== null) {
            await room.leave();
        }
        room = await join();
    } catch (error) {
        room = null;
        showError(error, TEXTS);
    }
    showRooms();
}

function onevent(view, offset, length) {
    const [word, ...values] = fields(view, offset, length);
    const number = Number(values[0]);
    switch (word) {
        case 'welcome':
            names.fill('');
            clear();
            message('Waiting for another player ...');
            break;
        case 'here':
            names[number] = values[1];
            break;
        case 'gone':
            names[number] = '';
            message('Waiting for another player ...');
            break;
        case 'begin':
            clear();
            break;
        case 'disc':
            discs[number].className = 'disc dropped player' + values[1];
            break;
        case 'turn':
            moving = number;
            clocksMs[0] = Number(values[1]);
            clocksMs[1] = Number(values[2]);
            shownAtMs = performance.now();
            message(...isOwn(moving) ? ['Your turn.'] : [written('', names[moving]), ' thinks ...']);
            break;
        default:
            moving = -1;
            message(...outcome(number), ': ' + REASONS[Number(values[1])] + '.');
    }
    showPlayers();
}

const isOwn = (player) => room !== null && player === room.seatIndex;

function outcome(winner) {
    return winner < 0 ? ['Nobody wins'] : isOwn(winner) ? ['You win'] : [written('', names[winner]), ' wins'];
}

function clear() {
    for (const disc of discs) {
        disc.className = 'disc';
    }
    moving = -1;
}

function message(...parts) {
    byId('message').replaceChildren(...parts);
}

function showPlayers() {
    names.forEach((name, player) => {
        const box = byId('player' + player);
        const usedMs = player === moving ? performance.now() - shownAtMs : 0;
        const seconds = Math.max(0, Math.ceil((clocksMs[player] - usedMs) / 1000));
        box.classList.toggle('moves', player === moving);
        box.querySelector('.name').replaceChildren(written('', name));
        box.querySelector('.clock').textContent = moving < 0 ? '' :
            Math.floor(seconds / 60) + ':' + String(seconds % 60).padStart(2, '0');
    });
    for (const button of byId('board').children) {
        button.disabled = moving < 0 || !isOwn(moving);
    }
}

function onleft() {
    room = null;
    names.fill('');
    clear();
    message('Choose a table, or open one.');
    showPlayers();
    showRooms();
}

setInterval(showPlayers, CLOCK_STEP_MS);

byId('door').addEventListener('submit', async (event) => {
    event.preventDefault();
    ownName = byId('name').value.trim();
    try {
        if (connection === null) {
            connection = await openConnection();
            lobby = new Lobby(connection, {onchange: showRooms});
            await lobby.join();
        }
        byId('own-name').textContent = ownName;
        byId('door').hidden = true;
        byId('game').hidden = false;
        await enter(() => lobby.quickMatch(TABLE, ownName, handlers));
    } catch (error) {
        showError(error);
    }
});

byId('open').addEventListener('submit', (event) => {
    event.preventDefault();
    const name = byId('open-name').value.trim();
    byId('open-name').value = '';
    enter(() => lobby.joinOrCreate(TABLE, {0: name}, ownName, handlers));
});

showPlayers();
