// A copy of the state of a room that a SyncedState publishes. The bytes are specified in the package
// io.escapement.codecs.sync; the schema is the text that SyncSchema.toJson() returns.

const SCHEMA_ID = 705;
const PICTURE = 1;
const DIFFERENCE = 2;
const HEADER_LENGTH = 20;
const BLOCK_LENGTH = 12;
const MAX_PICTURE_LENGTH = 256 * 1024;
const ADD = 1;
const REMOVE = 2;
const BAD = -2;

/** The effects of a message. */
export const Result = Object.freeze({
    APPLIED: 'APPLIED', INCOMPLETE: 'INCOMPLETE', IGNORED: 'IGNORED', MALFORMED: 'MALFORMED'});

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

/**
 * A client's copy. `schema` is the schema's JSON as a text or parsed. `tables.<name>` is a Map from row to an object with
 * the row's fields, `room` the room's own row. The copy changes by whole frames; then `onadd(table, row, entity)`,
 * `onchange(table, row, field, value, before)` and `onremove(table, row, entity)` report the frame's changes by row, and
 * `onframe()` its end.
 */
export class SyncedCopy {
    #fingerprint;
    #tables = [];
    #rows = [];
    #callbacks;
    #parts = null;
    #isCurrent = false;

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

    /** The fields of the room, or undefined before the first picture. */
    get room() {
        return this.#tables[0].rows.get(0);
    }

    /** Whether the copy has the state of its last message. */
    get isCurrent() {
        return this.#isCurrent;
    }

    /** The seat is away: the next picture continues the copy. */
    reset() {
        this.#isCurrent = false;
        this.#parts = null;
    }

    /** Apply a message; returns its Result. A message that is not APPLIED has changed nothing. */
    apply(view, offset = 0, length = view.byteLength - offset) {
        if (!this.#isHeader(view, offset, length)) {
            return Result.MALFORMED;
        }
        const template = view.getUint16(offset + 2, true);
        const sequence = view.getUint32(offset + 12, true);
        const number = view.getUint16(offset + 16, true);
        const part = view.getUint8(offset + 18);
        const isLast = view.getUint8(offset + 19) === 1;
        const parts = part === 0 ? {template, sequence, number, next: 0, length: 0, lastRow: -1, bodies: []} : this.#parts;
        this.#parts = null;
        if (parts === null || parts.next !== part || parts.template !== template || parts.sequence !== sequence ||
            parts.number !== number || template === DIFFERENCE && !(this.#isCurrent && number === this.view &&
            sequence === (this.sequence + 1) % 0x100000000)) {
            return Result.IGNORED;
        }
        const body = new DataView(view.buffer, view.byteOffset + offset + HEADER_LENGTH, length - HEADER_LENGTH);
        parts.lastRow = this.#check(body, template === PICTURE, parts.lastRow);
        parts.length += body.byteLength;
        if (parts.lastRow === BAD || parts.length > MAX_PICTURE_LENGTH) {
            return Result.MALFORMED;
        }
        if (!isLast) {
            // The caller may use the buffer again.
            parts.bodies.push(new DataView(body.buffer.slice(body.byteOffset, body.byteOffset + body.byteLength)));
            parts.next++;
            this.#parts = parts;
            return Result.INCOMPLETE;
        }
        parts.bodies.push(body);
        this.#applyFrame(parts);
        return Result.APPLIED;
    }

    #isHeader(view, offset, length) {
        return offset >= 0 && length >= HEADER_LENGTH && offset + length <= view.byteLength &&
            view.getUint16(offset, true) === BLOCK_LENGTH &&
            (view.getUint16(offset + 2, true) === PICTURE || view.getUint16(offset + 2, true) === DIFFERENCE) &&
            view.getUint16(offset + 4, true) === SCHEMA_ID && view.getUint16(offset + 6, true) === 0 &&
            view.getInt32(offset + 8, true) === this.#fingerprint && view.getUint8(offset + 19) <= 1;
    }

    /** The last row of a body whose records are all valid for this copy, or BAD. */
    #check(view, isPicture, rowBefore) {
        let lastRow = rowBefore;
        let at = 0;
        while (at < view.byteLength) {
            if (view.byteLength - at < 2) {
                return BAD;
            }
            const head = view.getUint16(at, true);
            const row = head & 0x3FFF;
            const operation = head >>> 14;
            if (row <= lastRow || row >= this.#rows.length || operation > REMOVE || isPicture && operation !== ADD ||
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

    #applyFrame({template, sequence, number, bodies}) {
        const changes = new Map();
        for (const body of bodies) {
            let at = 0;
            while (at < body.byteLength) {
                at = this.#applyRecord(body, at, changes);
            }
        }
        if (template === PICTURE) {
            this.#rows.forEach((slot, number) => {
                if (slot.entity !== null && !changes.has(number)) {
                    changes.set(number, {removed: remove(slot), fields: []});
                }
            });
        }
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
