/** Credentials of an account, as the accounts service reads them. The gateway fills in the player's address. */
const FORMAT = 1;
export const SIGN_UP = 1;
export const LOG_IN = 2;
const MAX_LENGTH = 128;

/** Codes of the accounts service for which the page has a separate text or action. */
export const AccountCode = Object.freeze({
    BAD_CREDENTIALS_FORM: 1100,
    BAD_NAME: 1101,
    BAD_PASSWORD: 1102,
    NAME_TAKEN: 1103,
    WRONG_CREDENTIALS: 1104,
    TOO_MANY_ATTEMPTS: 1105,
    LOG_IN_QUEUE_FULL: 1109,
    STOPPING: 1110,
    BANNED: 1113,
    SESSION_ENDED: 1114,
    DATABASE_DOWN: 1120,
});
/** After these a session may still be valid: the same log-in succeeds later. */
export const LATER_CODES = [
    AccountCode.TOO_MANY_ATTEMPTS, AccountCode.LOG_IN_QUEUE_FULL, AccountCode.STOPPING, AccountCode.DATABASE_DOWN,
];

export function credentials(kind, name, password) {
    const fields = [latin1(name), new TextEncoder().encode(password), new Uint8Array(0)];
    const bytes = [FORMAT, kind];
    for (const field of fields) {
        if (field.length > MAX_LENGTH) {
            throw new RangeError('too long');
        }
        bytes.push(field.length, ...field);
    }
    return Uint8Array.from(bytes);
}

/** A character outside of the account's alphabet becomes a character that the service refuses. */
function latin1(text) {
    return Uint8Array.from(text, (character) => Math.min(255, character.codePointAt(0)));
}
