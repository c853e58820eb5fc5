/**
 * The resume token of a page: it survives only a reload. It is not shared with another tab, and is lost when the
 * browser closes.
 */
const KEY = 'escapement.1';

/** A token as text, fit for a header. */
export function digitsOf(token) {
    return Array.from(token, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** @param storage sessionStorage or a similar object, or null to keep no token. */
export class ResumeToken {
    #storage;

    constructor(storage) {
        this.#storage = storage;
    }

    /** The token that was stored, or null. */
    load() {
        const text = this.#storage === null ? null : this.#storage.getItem(KEY);
        return /^[0-9a-f]{32}$/.test(text || '') ?
            Uint8Array.from(text.match(/../g), (digits) => parseInt(digits, 16)) : null;
    }

    store(token) {
        if (this.#storage !== null) {
            this.#storage.setItem(KEY, digitsOf(token));
        }
    }

    clear() {
        if (this.#storage !== null) {
            this.#storage.removeItem(KEY);
        }
    }
}
