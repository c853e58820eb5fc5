// A copy of the state of a room that a SyncedState publishes. The bytes are specified in the package
// io.escapement.codecs.sync. The schema is the text that SyncSchema.toJson() returns.

const SCHEMA_ID = 705;
const FULL_STATE = 1;
const DIFFERENCE = 2;
const HEADER_LENGTH = 20;
const BLOCK_LENGTH = 12;
const MAX_FULL_STATE_LENGTH = 256 * 1024;
const MAX_HELD_MESSAGES = 16;
const MAX_HELD_LENGTH = 64 * 1024;
const ADD = 1;
const REMOVE = 2;
const NO_ROW = -1;
const BAD = -2;

/** The effects of a message. */
export const Result = Object.freeze({
    APPLIED: 'APPLIED', INCOMPLETE: 'INCOMPLETE', HELD: 'HELD', IGNORED: 'IGNORED', MALFORMED: 'MALFORMED'});

const NUMBERS = {
    BOOL: (view, at) => view.getUint8(at) !== 0,
    INT8: (view, at) => view.getInt8(at),
    UINT8: (view, at) => view.getUint8(at),
    INT16: (view, at) => view.getInt16(at, true),
    UINT16: (view, at) => view.getUint16(at, true),
    INT32: (view, at) => view.getInt32(at, true),
    UINT32: (view, at) => view.getUint32(at, true),
    INT64: (view, at) => Number(view.getBigInt64(at, true)),
    ID: (view, at) => view.getBigInt64(at, true),
    FLOAT: (view, at) => view.getFloat32(at, true),
    DOUBLE: (view, at) => view.getFloat64(at, true),
};

let decoder = null;

function text(view, at) {
    decoder ??= new TextDecoder();
    return decoder.decode(new Uint8Array(view.buffer, view.byteOffset + at + 1, view.getUint8(at)));
}

/** The schema with a name, as the gateway of its room has it. */
export async function fetchSchema(name) {
    const answer = await fetch(new URL(`schemas/${name}.json`, import.meta.url));
    if (!answer.ok) {
        throw new Error(`the gateway has no schema ${name}: status ${answer.status}`);
    }
    return answer.text();
}

/** Whether a message has synchronised state. */
export function isSync(view, offset = 0, length = view.byteLength - offset) {
    return length >= 8 && view.getUint16(offset + 4, true) === SCHEMA_ID;
}

function fingerprint(json) {
    let hash = 0x811C9DC5;
    for (let i = 0; i < json.length; i++) {
        hash = Math.imul(hash ^ json.charCodeAt(i), 0x01000193);
    }
    return hash;
}

function zero(type) {
    return type === 'TEXT' ? '' : type === 'BOOL' ? false : type === 'ID' ? 0n : 0;
}

/** The bytes of a view. The caller may use its buffer again. */
function copyOf(view) {
    return new DataView(view.buffer.slice(view.byteOffset, view.byteOffset + view.byteLength));
}

/** The parts of a frame that have arrived, in their order. */
class FrameParts {
    #sequence = 0;
    #number = 0;

    constructor() {
        this.clear();
    }

    /** Begin a frame, without the parts of another. */
    begin(sequence, number) {
        this.clear();
        this.#sequence = sequence;
        this.#number = number;
    }

    clear() {
        this.next = 0;
        this.length = 0;
        this.lastRow = NO_ROW;
        this.bodies = [];
    }

    /** Whether a part starts a frame or continues this frame. */
    isNext(sequence, number, part) {
        return part === 0 || part === this.next && this.#sequence === sequence && this.#number === number;
    }

    hasSpace(length) {
        return this.length + length <= MAX_FULL_STATE_LENGTH;
    }

    /** Append the records of the next part. The last record is a row. */
    add(body, lastRow) {
        this.bodies.push(copyOf(body));
        this.length += body.byteLength;
        this.lastRow = lastRow;
        this.next++;
    }
}

/** Messages that arrived before their state, in the order of their arrival. */
class HeldMessages {
    #length = 0;

    constructor() {
        this.messages = [];
    }

    /** Hold a copy of a message, unless its length exceeds the limit. */
    add(message) {
        if (message.byteLength > MAX_HELD_LENGTH) {
            return false;
        }
        while (this.messages.length === MAX_HELD_MESSAGES || this.#length + message.byteLength > MAX_HELD_LENGTH) {
            this.remove(0);
        }
        this.messages.push(copyOf(message));
        this.#length += message.byteLength;
        return true;
    }

    /** Remove a message. Has no effect if no message is at the index. */
    remove(index) {
        this.messages.splice(index, 1).forEach((message) => this.#length -= message.byteLength);
    }

    clear() {
        this.messages = [];
        this.#length = 0;
    }
}

/**
 * A client's copy. `schema` is the schema's JSON as a text or parsed. `tables.<name>` is a Map from row to an object
 * with the row's fields, `room` the room's own row. The copy changes by whole frames. Then `onadd(table, row, entity)`,
 * `onchange(table, row, field, value, before)` and `onremove(table, row, entity)` report the frame's changes by row,
 * and `onframe()` its end. A callback must not apply a message.
 *
 * Differences may arrive before the full state or the difference that they apply to. The copy holds up to 16 such
 * messages of together 64 KiB, drops the oldest first, and applies them in order as soon as they fit.
 */
export class SyncedCopy {
    #fingerprint;
    #tables = [];
    #rows = [];
    #callbacks;
    #fullState = new FrameParts();
    #difference = new FrameParts();
    #held = new HeldMessages();
    #isCurrent = false;
    #malformedCount = 0;

    constructor(schema, callbacks = {}) {
        const json = typeof schema === 'string' ? schema : JSON.stringify(schema);
        this.#fingerprint = fingerprint(json);
        this.#callbacks = callbacks;
        this.tables = {};
        this.sequence = 0;
        this.view = 0;
        for (const {name, capacity, fields} of JSON.parse(json).tables) {
            const table = {
                name, first: this.#rows.length, maskLength: (fields.length + 7) >> 3, rows: new Map(),
                fields: fields.map(([field, type, size]) => ({name: field, type, size, read: NUMBERS[type] ?? text})),
            };
            this.tables[name] = table.rows;
            this.#tables.push(table);
            for (let row = 0; row < capacity; row++) {
                this.#rows.push({table, row, generation: 0, entity: null});
            }
        }
    }

    /** The fields of the room, or undefined before the first full state. */
    get room() {
        return this.#tables[0].rows.get(0);
    }

    /** Whether the copy has the state of its last message. */
    get isCurrent() {
        return this.#isCurrent;
    }

    /** Whether a held message shows that the copy misses an earlier state. */
    get isBehind() {
        return this.#held.messages.length !== 0;
    }

    /** Number of malformed messages, when they arrived or when they were no longer held. */
    get malformedCount() {
        return this.#malformedCount;
    }

    /** The seat is away: the next full state continues the copy. Held messages are dropped. */
    reset() {
        this.#isCurrent = false;
        this.#fullState.clear();
        this.#difference.clear();
        this.#held.clear();
    }

    /** Apply a message, and the held messages that follow it. Returns its Result. */
    apply(view, offset = 0, length = view.byteLength - offset) {
        if (!this.#isHeader(view, offset, length)) {
            this.#malformedCount++;
            return Result.MALFORMED;
        }
        const message = new DataView(view.buffer, view.byteOffset + offset, length);
        let result = this.#accept(message);
        if (result === Result.HELD && !this.#held.add(message)) {
            result = Result.IGNORED;
        }
        return this.#applyHeld() ? Result.APPLIED : result;
    }

    /** Apply the held messages that fit, and drop the old messages. Returns whether the copy has changed. */
    #applyHeld() {
        let isApplied = false;
        let i = 0;
        while (i < this.#held.messages.length) {
            const result = this.#accept(this.#held.messages[i]);
            if (result === Result.HELD) {
                i++;
            } else {
                this.#held.remove(i);
                isApplied ||= result === Result.APPLIED;
                // The message that follows may have arrived before this one.
                i = result === Result.APPLIED || result === Result.INCOMPLETE ? 0 : i;
            }
        }
        return isApplied;
    }

    /** Take a message with a valid header; HELD if a message before it is missing. */
    #accept(view) {
        const isFullState = view.getUint16(2, true) === FULL_STATE;
        const sequence = view.getUint32(12, true);
        const number = view.getUint16(16, true);
        const part = view.getUint8(18);
        const isLast = view.getUint8(19) === 1;
        const obstacle = isFullState ? this.#obstacleOfFullState(sequence, number, part) :
            this.#obstacleOfDifference(sequence, number, part);
        if (obstacle !== null) {
            return obstacle;
        }
        const parts = isFullState ? this.#fullState : this.#difference;
        if (part === 0) {
            parts.begin(sequence, number);
        }
        const body = new DataView(view.buffer, view.byteOffset + HEADER_LENGTH, view.byteLength - HEADER_LENGTH);
        const lastRow = this.#check(body, isFullState, parts.lastRow);
        if (lastRow === BAD || !parts.hasSpace(body.byteLength)) {
            parts.clear();
            this.#malformedCount++;
            return Result.MALFORMED;
        }
        if (isLast) {
            this.#applyFrame([...parts.bodies, body], isFullState, sequence, number);
            return Result.APPLIED;
        }
        parts.add(body, lastRow);
        return Result.INCOMPLETE;
    }

    /** The reason not to take a part of a full state, or null. */
    #obstacleOfFullState(sequence, number, part) {
        if (this.#isCurrent && number === this.view && (sequence - this.sequence | 0) <= 0) {
            // The differences after it have been applied, and will not arrive again.
            return Result.IGNORED;
        }
        if (this.#fullState.isNext(sequence, number, part)) {
            return null;
        }
        this.#fullState.clear();
        return Result.IGNORED;
    }

    /** The reason not to take a part of a difference, or null. */
    #obstacleOfDifference(sequence, number, part) {
        if (!this.#isCurrent) {
            return Result.HELD;
        }
        const ahead = sequence - (this.sequence + 1) | 0;
        if (number !== this.view || ahead < 0) {
            return Result.IGNORED;
        }
        if (this.#difference.isNext(sequence, number, part) && ahead === 0) {
            return null;
        }
        return ahead === 0 && part < this.#difference.next ? Result.IGNORED : Result.HELD;
    }

    #isHeader(view, offset, length) {
        return offset >= 0 && length >= HEADER_LENGTH && offset + length <= view.byteLength &&
            view.getUint16(offset, true) === BLOCK_LENGTH &&
            (view.getUint16(offset + 2, true) === FULL_STATE || view.getUint16(offset + 2, true) === DIFFERENCE) &&
            view.getUint16(offset + 4, true) === SCHEMA_ID && view.getUint16(offset + 6, true) === 0 &&
            view.getInt32(offset + 8, true) === this.#fingerprint && view.getUint8(offset + 19) <= 1;
    }

    /** The last row of a body if all its records are valid for this copy, or BAD. */
    #check(view, isFullState, rowBefore) {
        let lastRow = rowBefore;
        let at = 0;
        while (at < view.byteLength) {
            if (view.byteLength - at < 2) {
                return BAD;
            }
            const head = view.getUint16(at, true);
            const row = head & 0x3FFF;
            const operation = head >>> 14;
            if (row <= lastRow || row >= this.#rows.length || operation > REMOVE || isFullState && operation !== ADD ||
                operation !== ADD && this.#rows[row].entity === null) {
                return BAD;
            }
            lastRow = row;
            at += operation === ADD ? 4 : 2;
            at = operation === REMOVE ? at : this.#checkValues(view, at, this.#rows[row].table);
            if (at === BAD) {
                return BAD;
            }
        }
        return lastRow;
    }

    /** The end of a record's mask and values, or BAD. */
    #checkValues(view, offset, table) {
        let at = offset + table.maskLength;
        if (at > view.byteLength) {
            return BAD;
        }
        for (let i = 0; i < table.maskLength * 8; i++) {
            if ((view.getUint8(offset + (i >> 3)) >> (i & 7) & 1) === 1) {
                const field = table.fields[i];
                if (field === undefined || at >= view.byteLength || field.type === 'BOOL' && view.getUint8(at) > 1) {
                    return BAD;
                }
                const length = field.type === 'TEXT' ? 1 + view.getUint8(at) : field.size;
                if (length > field.size || length > view.byteLength - at) {
                    return BAD;
                }
                at += length;
            }
        }
        return at;
    }

    #applyFrame(bodies, isFullState, sequence, number) {
        const changes = new Map();
        for (const body of bodies) {
            let at = 0;
            while (at < body.byteLength) {
                at = this.#applyRecord(body, at, changes);
            }
        }
        if (isFullState) {
            this.#rows.forEach((slot, number) => {
                if (slot.entity !== null && !changes.has(number)) {
                    changes.set(number, {removed: remove(slot), fields: []});
                }
            });
            this.#fullState.clear();
        }
        this.#difference.clear();
        this.#isCurrent = true;
        this.sequence = sequence;
        this.view = number;
        this.#report(changes);
    }

    #applyRecord(view, offset, changes) {
        const head = view.getUint16(offset, true);
        const slot = this.#rows[head & 0x3FFF];
        const operation = head >>> 14;
        const change = {removed: null, isAdded: false, fields: []};
        changes.set(head & 0x3FFF, change);
        let at = offset + 2;
        if (operation === REMOVE) {
            change.removed = remove(slot);
            return at;
        }
        const {table} = slot;
        if (operation === ADD) {
            const generation = view.getUint16(at, true);
            at += 2;
            if (slot.entity === null || slot.generation !== generation) {
                change.removed = slot.entity === null ? null : remove(slot);
                change.isAdded = true;
                slot.generation = generation;
                slot.entity = Object.fromEntries(table.fields.map(({name, type}) => [name, zero(type)]));
                table.rows.set(slot.row, slot.entity);
            }
        }
        const mask = at;
        at += table.maskLength;
        table.fields.forEach((field, i) => {
            const isNamed = (view.getUint8(mask + (i >> 3)) >> (i & 7) & 1) === 1;
            if (isNamed || operation === ADD) {
                const before = slot.entity[field.name];
                const value = isNamed ? field.read(view, at) : zero(field.type);
                at += !isNamed ? 0 : field.type === 'TEXT' ? 1 + view.getUint8(at) : field.size;
                slot.entity[field.name] = value;
                if (!Object.is(value, before)) {
                    change.fields.push({name: field.name, value, before});
                }
            }
        });
        return at;
    }

    #report(changes) {
        const {onadd, onchange, onremove, onframe} = this.#callbacks;
        for (const number of [...changes.keys()].sort((a, b) => a - b)) {
            const {removed, isAdded, fields} = changes.get(number);
            const {table, row, entity} = this.#rows[number];
            if (removed !== null) {
                onremove?.(table.name, row, removed);
            }
            if (isAdded) {
                onadd?.(table.name, row, entity);
            } else {
                fields.forEach(({name, value, before}) => onchange?.(table.name, row, name, value, before));
            }
        }
        onframe?.();
    }
}

function remove(slot) {
    const {entity} = slot;
    slot.table.rows.delete(slot.row);
    slot.entity = null;
    return entity;
}
