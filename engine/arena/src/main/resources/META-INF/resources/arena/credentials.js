/** Credentials of an account, as the accounts service reads them. The gateway fills in the player's address. */
const FORMAT = 1;
export const SIGN_UP = 1;
export const LOG_IN = 2;
const MAX_LENGTH = 128;

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

/** A character outside of the account's alphabet becomes one that the service refuses. */
function latin1(text) {
    return Uint8Array.from(text, (character) => Math.min(255, character.codePointAt(0)));
}
