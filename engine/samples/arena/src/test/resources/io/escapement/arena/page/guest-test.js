// Visits of a browser for GuestTest: a storage, random bytes that count, and a server that answers with given statuses.
import {keptGuest, logInAsGuest} from './guest.js';

const kept = new Map();
let counter = 0;
globalThis.localStorage = {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => kept.set(key, value),
};
globalThis.crypto = {getRandomValues: (bytes) => bytes.map(() => ++counter)};

let log = [];

/** Sends what a visitor of this browser would send, until a status is not answered. */
export function visit(...statuses) {
    log = [];
    logInAsGuest(async (bytes) => {
        const name = String.fromCharCode(...bytes.slice(3, 3 + bytes[2]));
        const at = 4 + bytes[2];
        log.push(bytes[1] + ' ' + name + ' ' + String.fromCharCode(...bytes.slice(at, at + bytes[at - 1])));
        return statuses.length === 0 ? new Promise(() => undefined) : statuses.shift();
    }).then(({status, name}) => log.push('status ' + status + ' ' + name));
}

/** The log-ins as kind, name and password, then the result. */
export const lines = () => log.join('\n');

export const guest = () => keptGuest() === null ? '' : keptGuest().name;
