/**
 * The guest of this browser: an account with a random name and password, which the browser keeps. So a guest is an
 * account like any other: the server's limits of names and attempts hold, and progress is kept.
 */
import {AccountCode, LOG_IN, SIGN_UP, credentials} from './credentials.js';

const STORAGE_KEY = 'escapement.guest';
const NAME_BYTES = 3;
const PASSWORD_BYTES = 16;
/** More names are taken only by chance, or on a server that is full of guests. */
const NAME_LIMIT = 4;

/** The guest of an earlier visit, or null. */
export function keptGuest() {
    return JSON.parse(localStorage.getItem(STORAGE_KEY));
}

/**
 * Logs the guest of this browser in, or signs a new guest up.
 *
 * @param logIn takes credentials, resolves to the status.
 * @return the status, and the name of the guest.
 */
export async function logInAsGuest(logIn) {
    const kept = keptGuest();
    if (kept !== null) {
        const status = await logIn(credentials(LOG_IN, kept.name, kept.password));
        if (status !== AccountCode.WRONG_CREDENTIALS) {
            return {status, name: kept.name};
        }
        // The account was deleted, or is of another server.
    }
    for (let i = 1; ; i++) {
        const guest = {name: 'Guest-' + random(NAME_BYTES), password: random(PASSWORD_BYTES)};
        // Before the answer, which may be lost.
        localStorage.setItem(STORAGE_KEY, JSON.stringify(guest));
        const status = await logIn(credentials(SIGN_UP, guest.name, guest.password));
        if (status !== AccountCode.NAME_TAKEN || i === NAME_LIMIT) {
            return {status, name: guest.name};
        }
    }
}

function random(length) {
    return Array.from(crypto.getRandomValues(new Uint8Array(length)), (byte) => byte.toString(16).padStart(2, '0'))
        .join('');
}
