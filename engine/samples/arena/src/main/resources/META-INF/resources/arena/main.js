/** The page: door, lobby and game. It holds the connection. game.js holds the game. */
import {ConnectionError, RefusedError, connect} from '../escapement/client.js';
import {ArenaCode} from './arena.js';
import {LATER_CODES, LOG_IN, SIGN_UP, credentials} from './credentials.js';
import {keptGuest, logInAsGuest} from './guest.js';
import {Input} from './input.js';
import {Lobby} from './lobby.js';
import {keepSettings, readSettings, showSettings} from './settings.js';
import {Sound} from './sound.js';
import {Stage} from './stage.js';
import {textOf} from './texts.js';
import {readMap} from './walls.js';

const APPLICATION_VERSION = 1;
const MAPS = ['courtyard', 'foundry', 'catacombs'];
const TOAST_MS = 3500;
/** A seat is still being freed for a moment after it was left. */
const ENTER_RETRIES = 8;
const ENTER_RETRY_MS = 400;
const SESSION_KEY = 'escapement.session';

const byId = (id) => document.getElementById(id);
const maps = new Map();
const door = byId('door-form');
const settings = readSettings(localStorage);
const sound = new Sound(() => new AudioContext());

let connection = null;
let lobby = null;
let stage = null;
let toastTimer = 0;
let accountName = '';
/** The purpose of the door's form. */
let formKind = SIGN_UP;

function show(screen) {
    document.body.dataset.screen = screen;
    for (const name of ['door', 'lobby', 'game']) {
        byId(name).hidden = name !== screen;
    }
}

function toast(text) {
    const element = byId('toast');
    element.textContent = text;
    element.hidden = false;
    clearTimeout(toastTimer);
    toastTimer = setTimeout(() => {
        element.hidden = true;
    }, TOAST_MS);
}

function banner(text) {
    const element = byId('banner');
    element.textContent = text;
    element.hidden = text === '';
}

function textOfError(error) {
    if (error instanceof RefusedError) {
        return textOf(error.code);
    }
    if (error instanceof ConnectionError) {
        return 'The server does not answer.';
    }
    throw error;
}

async function loadMaps() {
    await Promise.all(MAPS.map(async (name) => {
        const response = await fetch(new URL('maps/' + name + '.map', import.meta.url));
        maps.set(name, readMap(await response.text()));
    }));
}

function socketUrl() {
    return (location.protocol === 'https:' ? 'wss://' : 'ws://') + location.host + '/play';
}

async function open() {
    if (connection !== null && connection.state === 'open') {
        return;
    }
    connection = await connect(socketUrl(), {
        applicationVersion: APPLICATION_VERSION, patienceMs: 10000, retryCodes: LATER_CODES,
    });
    connection.onlost = () => banner('Connection lost. Trying again ...');
    connection.onopen = () => banner('');
    connection.onengineaway = () => banner('The server is away for a moment. Your seat is held.');
    connection.onengineback = () => banner('');
    connection.onexpired = () => backToDoor('Your session is over. Log in again.');
    connection.onclose = (code, name) => {
        const isOurs = name === 'NORMAL';
        backToDoor(isOurs ? '' : name === 'REPLACED' ? 'You play in another window now.' : 'Disconnected: ' +
            (name || code) + '.');
    };
}

function backToDoor(text) {
    banner('');
    stage.stop();
    lobby.clear();
    showDoor();
    byId('door-error').textContent = text;
    byId('play').focus();
}

function showDoor() {
    const guest = keptGuest();
    if (guest !== null) {
        byId('guest').textContent = 'You continue as ' + guest.name + '.';
    }
    show('door');
}

/** For a reload. The storage is the tab's: another tab may be another player. */
function keepSession() {
    const token = connection.sessionToken;
    if (token !== null) {
        sessionStorage.setItem(SESSION_KEY, JSON.stringify({name: accountName, token: [...token]}));
    }
}

/** The player of this tab before a reload, without the password. */
async function enterAgain() {
    const kept = sessionStorage.getItem(SESSION_KEY);
    if (kept === null) {
        return;
    }
    try {
        const {name, token} = JSON.parse(kept);
        await open();
        banner('Logging in again ...');
        const {status} = await connection.logInAgain(Uint8Array.from(token));
        banner('');
        if (status !== 0) {
            sessionStorage.removeItem(SESSION_KEY);
            return;
        }
        accountName = name;
        keepSession();
        await lobby.join(connection, accountName);
        show('lobby');
    } catch (failure) {
        // The token is kept: a reload retries.
        banner('');
        byId('door-error').textContent = textOfError(failure);
    }
}

/** As a guest, straight into an arena. */
async function play() {
    if (await passDoor(() => logInAsGuest(logIn))) {
        await lobby.quickPlay();
        if (byId('game').hidden) {
            show('lobby');
        }
    }
}

/** A new account, or an existing one. */
async function enterDoor() {
    const name = byId('account').value.trim();
    const password = byId('password').value;
    if (await passDoor(async () => ({status: await logIn(credentials(formKind, name, password)), name}))) {
        byId('password').value = '';
        show('lobby');
    }
}

/** Shows the form, to log in or to sign up. */
function showForm(kind) {
    formKind = kind;
    const isLogIn = kind === LOG_IN;
    byId('log-in').ariaExpanded = String(isLogIn);
    byId('sign-up').ariaExpanded = String(!isLogIn);
    byId('password').autocomplete = isLogIn ? 'current-password' : 'new-password';
    byId('enter').textContent = isLogIn ? 'Log in' : 'Sign up';
    byId('account-fields').hidden = false;
    byId('account-fields').disabled = false;
    byId('account').focus();
}

async function logIn(bytes) {
    const {status} = await connection.logIn(bytes);
    return status;
}

/** Joins the lobby with an account, of which the status and the name are awaited. False if it was refused. */
async function passDoor(account) {
    const error = byId('door-error');
    error.textContent = '';
    byId('play').disabled = true;
    byId('enter').disabled = true;
    try {
        await open();
        const {status, name} = await account();
        if (status !== 0) {
            error.textContent = textOf(status);
            return false;
        }
        accountName = name;
        keepSession();
        await lobby.join(connection, accountName);
        return true;
    } catch (failure) {
        error.textContent = textOfError(failure);
        return false;
    } finally {
        byId('play').disabled = false;
        byId('enter').disabled = false;
    }
}

/** Takes the seat that the lobby has reserved. */
async function enterArena(roomId, password) {
    for (let attempt = 1; ; attempt++) {
        try {
            await lobby.reserve(roomId, password);
            break;
        } catch (failure) {
            const isHeld = failure instanceof RefusedError && failure.code === ArenaCode.SEATED_ELSEWHERE;
            if (!isHeld || attempt === ENTER_RETRIES) {
                throw failure;
            }
            await new Promise((resolve) => setTimeout(resolve, ENTER_RETRY_MS));
        }
    }
    await takeSeat(roomId);
}

/** Joins the arena in which a seat is reserved. */
async function takeSeat(roomId) {
    stage.start();
    show('game');
    try {
        await stage.join(connection, roomId);
    } catch (failure) {
        leaveArena();
        throw failure;
    }
    byId('canvas').focus();
}

function leaveArena() {
    stage.stop();
    show('lobby');
    lobby.refresh();
    lobby.listLeaders();
    byId('quick-play').focus();
}

function applySettings() {
    sound.set(settings);
    stage.choose(settings);
    document.documentElement.classList.toggle('calm', settings.isCalm);
}

function guarded(action) {
    return async (...values) => {
        try {
            await action(...values);
        } catch (failure) {
            toast(textOfError(failure));
        }
    };
}

lobby = new Lobby({
    onenter: guarded(enterArena),
    onmatch: guarded(takeSeat),
    onfailure: (failure) => toast(textOfError(failure)),
    onlogout: () => {
        sessionStorage.removeItem(SESSION_KEY);
        connection.close();
    },
});
stage = new Stage(byId('canvas'), new Input(byId('game')), {
    loadMap: (name) => maps.get(name) || null,
    onleave: () => leaveArena(),
    ontoast: toast,
    sound,
});
applySettings();
showSettings(byId('settings'), settings, () => {
    keepSettings(localStorage, settings);
    applySettings();
    sound.start();
});
for (const id of ['lobby-settings', 'game-settings']) {
    byId(id).addEventListener('click', () => byId('settings').showModal());
}
byId('settings').addEventListener('close', () => {
    if (!byId('game').hidden) {
        byId('canvas').focus();
    }
});
for (const gesture of ['pointerup', 'keydown', 'click']) {
    addEventListener(gesture, () => sound.start());
}
door.addEventListener('submit', (event) => {
    event.preventDefault();
    enterDoor();
});
byId('play').addEventListener('click', play);
byId('log-in').addEventListener('click', () => showForm(LOG_IN));
byId('sign-up').addEventListener('click', () => showForm(SIGN_UP));
showDoor();
await loadMaps();
await enterAgain();
document.body.dataset.ready = 'true';
/** For tests of the page: values that it does not show. */
window.arena = {
    get game() {
        return stage.game;
    },
    get connection() {
        return connection;
    },
    get isCalm() {
        return stage.isCalm;
    },
};
