/** The page of the chat. */
import {
    byId, bytes, element, fields, listRooms, nameOf, notice, openConnection, showError, textOf, written,
} from '../common.js';
import {Lobby} from '../../escapement/lobby.js';

const CHAT = 2;
const MAX_LINES = 200;
const NAME_TAKEN = 1041;
const TEXTS = {
    1040: 'That is not a name.',
    1041: 'Somebody in that room has your name. Choose another.',
    1042: 'That text is too long.',
    1043: 'Slower, please: one text a second.',
};

const lines = byId('lines');
const handlers = {onevent, onrefused: (code) => notice(textOf(code, TEXTS)), onleft};
const nameBySeat = new Map();
let connection = null;
let lobby = null;
let room = null;
let ownName = '';

function showRooms() {
    const current = lobby.rooms.find(({id}) => id === room?.roomId);
    listRooms(byId('rooms'), lobby.rooms, current?.id,
        ({id}) => enter(() => connection.join(id, handlers, ownName)));
    byId('title').replaceChildren(written('', current === undefined ? '' : nameOf(current)));
}

/** Leave the room, if any, and join another. */
async function enter(join) {
    try {
        if (room !== null) {
            await room.leave();
        }
        room = await join();
        byId('text').focus();
    } catch (error) {
        room = null;
        byId('door').hidden = error.code !== NAME_TAKEN;
        byId('chat').hidden = error.code === NAME_TAKEN;
        showError(error, TEXTS);
    }
    showRooms();
}

function onevent(view, offset, length) {
    const line = fields(view, offset, length);
    switch (line[0]) {
        case 'welcome':
            nameBySeat.clear();
            lines.replaceChildren();
            break;
        case 'here':
            nameBySeat.set(line[1], line[2]);
            break;
        case 'gone':
            nameBySeat.delete(line[1]);
            break;
        default:
            say(Number(line[1]), line[2], line[3]);
    }
    const names = [...nameBySeat.values()].flatMap((name) => [', ', written('', name)]);
    byId('people').replaceChildren(...names.slice(1));
}

function say(epochMs, name, text) {
    const isAtEnd = lines.scrollHeight - lines.scrollTop - lines.clientHeight < 80;
    const item = element('li', name === ownName ? 'line own' : 'line');
    const time = element('time', '', new Date(epochMs).toLocaleTimeString([], {hour: '2-digit', minute: '2-digit'}));
    item.append(written('who', name), time, written('text', text));
    lines.append(item);
    if (lines.children.length > MAX_LINES) {
        lines.firstElementChild.remove();
    }
    if (isAtEnd) {
        lines.scrollTop = lines.scrollHeight;
    }
}

function onleft() {
    room = null;
    nameBySeat.clear();
    byId('people').textContent = '';
    showRooms();
}

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
        byId('chat').hidden = false;
        if (room === null) {
            await enter(() => lobby.quickMatch(CHAT, ownName, handlers));
        }
    } catch (error) {
        showError(error);
    }
});

byId('open').addEventListener('submit', (event) => {
    event.preventDefault();
    const name = byId('open-name').value.trim();
    byId('open-name').value = '';
    enter(() => lobby.joinOrCreate(CHAT, {0: name}, ownName, handlers));
});

byId('say').addEventListener('submit', (event) => {
    event.preventDefault();
    const text = byId('text').value.trim();
    if (text === '') {
        return;
    }
    if (room !== null && room.send(bytes(text))) {
        byId('text').value = '';
    } else {
        notice('Not sent: there is no connection to a room now.');
    }
});
