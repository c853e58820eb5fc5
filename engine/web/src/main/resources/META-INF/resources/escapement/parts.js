// Messages that are longer than one payload, in parts: as MessageSplitter and MessageJoiner of io.escapement.codecs do.

const BLOCK_LENGTH = 8;
const TEMPLATE_ID = 1;
const SCHEMA_ID = 707;
const HEADER_LENGTH = 16;
const MAX_MESSAGE_LENGTH = 1024 * 1024;

function lengthInRange(length) {
    if (!(length >= 1 && length <= MAX_MESSAGE_LENGTH)) {
        throw new RangeError('a message must have 1 to ' + MAX_MESSAGE_LENGTH + ' bytes: ' + length);
    }
    return length;
}

/**
 * The parts of a message, each a Uint8Array of up to `maxPayload` bytes: a connection's `maxPayloadLength`. Send them
 * in order and no others between them. If the seat went away, resend them from the first part.
 */
export function split(message, maxPayload) {
    lengthInRange(message.length);
    if (!(maxPayload > HEADER_LENGTH)) {
        throw new RangeError('a part must have more than ' + HEADER_LENGTH + ' bytes: ' + maxPayload);
    }
    const parts = [];
    const step = maxPayload - HEADER_LENGTH;
    for (let at = 0; at < message.length; at += step) {
        const bytes = message.subarray(at, at + step);
        const part = new Uint8Array(HEADER_LENGTH + bytes.length);
        const view = new DataView(part.buffer);
        view.setUint16(0, BLOCK_LENGTH, true);
        view.setUint16(2, TEMPLATE_ID, true);
        view.setUint16(4, SCHEMA_ID, true);
        view.setUint32(8, message.length, true);
        view.setUint32(12, at, true);
        part.set(bytes, HEADER_LENGTH);
        parts.push(part);
    }
    return parts;
}

/** Whether a message is a part of a longer one. */
export function isPart(view, offset = 0, length = view.byteLength - offset) {
    return length >= 8 && view.getUint16(offset + 4, true) === SCHEMA_ID;
}

/**
 * Joins the parts of one message after another. Pass it each event that isPart recognises, and call reset in onaway.
 */
export class MessageJoiner {
    #buffer;
    #length = 0;
    #received = 0;

    constructor(maxLength) {
        this.#buffer = new Uint8Array(lengthInRange(maxLength));
    }

    /**
     * Takes the next part. Returns the message when it is complete, and null before. The next message reuses its
     * memory. Throws a RangeError if a part is malformed, not the next, or of a message over the limit. The parts so
     * far are then dropped.
     */
    onPart(view, offset = 0, length = view.byteLength - offset) {
        if (!this.#isNext(view, offset, length)) {
            this.reset();
            throw new RangeError('not the next part of a message of up to ' + this.#buffer.length + ' bytes');
        }
        this.#length = view.getUint32(offset + 8, true);
        this.#received = view.getUint32(offset + 12, true);
        const bytes = new Uint8Array(view.buffer, view.byteOffset + offset + HEADER_LENGTH, length - HEADER_LENGTH);
        this.#buffer.set(bytes, this.#received);
        this.#received += bytes.length;
        return this.#received === this.#length ? this.#buffer.subarray(0, this.#length) : null;
    }

    /** Drops the parts of a message so far. */
    reset() {
        this.#length = 0;
        this.#received = 0;
    }

    #isNext(view, offset, length) {
        if (length <= HEADER_LENGTH || view.getUint16(offset, true) !== BLOCK_LENGTH ||
            view.getUint16(offset + 2, true) !== TEMPLATE_ID || view.getUint16(offset + 4, true) !== SCHEMA_ID ||
            view.getUint16(offset + 6, true) !== 0) {
            return false;
        }
        const ofMessage = view.getUint32(offset + 8, true);
        const ofPart = view.getUint32(offset + 12, true);
        const isNext = ofPart === 0 ||
            this.#received < this.#length && ofPart === this.#received && ofMessage === this.#length;
        return isNext && ofMessage <= this.#buffer.length && length - HEADER_LENGTH <= ofMessage - ofPart;
    }
}
