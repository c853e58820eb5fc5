/** The parts that the pages of all examples have: a guest's connection, the list of rooms, and notices. */
import {connect, ConnectionError, RefusedError} from '../escapement/client.js';
import {LobbyCode} from '../escapement/lobby.js';

const KEY_LENGTH = 32;
const KEY_NAME = 'escapement.guest';
const NOTICE_MS = 4000;
const TEXTS = {
    [LobbyCode.BAD_LABEL]: 'That is not a name for a room.',
    [LobbyCode.TYPE_LIMIT]: 'No more rooms can be opened now.',
    [LobbyCode.PLAYER_LIMIT]: 'You have opened enough rooms.',
};

/** The embeddings, overrides and isolates of bidirectional text. */
const DIRECTION_CONTROLS = /[\u202A-\u202E\u2066-\u2069]/g;

const decoder = new TextDecoder();
const encoder = new TextEncoder();
let noticeTimer = 0;

export const byId = (id) => document.getElementById(id);

/** The fields of a line: a word, then numbers and texts. Texts are hostile: show them by textContent only. */
export function fields(view, offset, length) {
    return decoder.decode(new Uint8Array(view.buffer, view.byteOffset + offset, length)).split('\t');
}

export const bytes = (text) => encoder.encode(text);

/** An element with a class and a text. */
export function element(tag, className, text) {
    const made = document.createElement(tag);
    made.className = className;
    if (text !== undefined) {
        made.textContent = text;
    }
    return made;
}

/** An element with a name or a text of a player, which changes neither the order nor the direction of others. */
export function written(className, text) {
    return element('bdi', className, text.replace(DIRECTION_CONTROLS, ''));
}

/** Show a text for a while. */
export function notice(text) {
    byId('notice').textContent = text;
    byId('notice').hidden = false;
    clearTimeout(noticeTimer);
    noticeTimer = setTimeout(() => {
        byId('notice').hidden = true;
    }, NOTICE_MS);
}

/** Show the refusal of the server, or the loss of the connection. Other errors are mistakes of the page. */
export function showError(error, texts = {}) {
    if (error instanceof RefusedError) {
        notice(textOf(error.code, texts));
    } else if (error instanceof ConnectionError) {
        notice('The server does not answer.');
    } else {
        throw error;
    }
}

export function textOf(code, texts = {}) {
    return texts[code] ?? TEXTS[code] ?? 'The server refused that (code ' + code + ').';
}

/** A key of 32 random bytes is the player. It lives as long as the tab, so that two tabs are two players. */
function guestKey() {
    const known = sessionStorage.getItem(KEY_NAME);
    if (known !== null) {
        return Uint8Array.from(known.split(',').map(Number));
    }
    const key = crypto.getRandomValues(new Uint8Array(KEY_LENGTH));
    sessionStorage.setItem(KEY_NAME, key.join(','));
    return key;
}

function banner(text) {
    byId('banner').textContent = text;
    byId('banner').hidden = text === '';
}

/** Connect and log in as a guest. */
export async function openConnection() {
    const url = (location.protocol === 'https:' ? 'wss://' : 'ws://') + location.host + '/';
    const connection = await connect(url, {patienceMs: 10000});
    connection.onlost = () => banner('Connection lost. Trying again ...');
    connection.onopen = () => banner('');
    connection.onengineaway = () => banner('The server is away for a moment. Your seat is held.');
    connection.onengineback = () => banner('');
    connection.onclose = (code, name) => banner(name === 'REPLACED' ?
        'You went on in another window.' : 'The connection is closed. Load the page again.');
    const {status} = await connection.logIn(guestKey());
    if (status !== 0) {
        throw new Error('log-in failed with status ' + status);
    }
    return connection;
}

/** A room that players opened without a name has its number. */
export const nameOf = (room) => room.labels[0] ?? '#' + room.id;

/** A list of buttons, one per room. The current one is marked. */
export function listRooms(list, rooms, currentId, onchoose) {
    const buttons = rooms.map((room) => {
        const button = element('button', 'room');
        button.type = 'button';
        button.append(written('room-name', nameOf(room)), element('span', 'count', room.taken + '/' + room.seats));
        button.setAttribute('aria-current', String(room.id === currentId));
        button.disabled = room.taken >= room.seats && room.id !== currentId;
        button.addEventListener('click', () => onchoose(room));
        const item = document.createElement('li');
        item.append(button);
        return item;
    });
    list.replaceChildren(...buttons);
}
