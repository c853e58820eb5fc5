const HEADER_LENGTH = 8;

let textDecoder;

let textEncoder;

/**
 * The template id of a message, whose header is validated. Throws a RangeError if the bytes are shorter than a header
 * or of another schema or version.
 */
export function templateId(view, offset = 0, length = view.byteLength - offset) {
    if (!(offset >= 0 && length >= HEADER_LENGTH && offset + length <= view.byteLength)) {
        throw tooShort();
    }
    if (schemaIdAt(view, offset) !== SCHEMA_ID) {
        throw new RangeError('schema ' + schemaIdAt(view, offset) + ', expected ' + SCHEMA_ID);
    }
    if (versionAt(view, offset) !== SCHEMA_VERSION) {
        throw new RangeError('version ' + versionAt(view, offset) + ', expected ' + SCHEMA_VERSION);
    }
    return templateIdAt(view, offset);
}

function blockLengthAt(view, offset) {
    return view.getUint16(offset, true);
}

function templateIdAt(view, offset) {
    return view.getUint16(offset + 2, true);
}

function schemaIdAt(view, offset) {
    return view.getUint16(offset + 4, true);
}

function versionAt(view, offset) {
    return view.getUint16(offset + 6, true);
}

function putHeader(view, offset, blockLength, template) {
    view.setUint16(offset, blockLength, true);
    view.setUint16(offset + 2, template, true);
    view.setUint16(offset + 4, SCHEMA_ID, true);
    view.setUint16(offset + 6, SCHEMA_VERSION, true);
    return offset + HEADER_LENGTH;
}

class SbeMessage {
    _view = null;
    _at = 0;
    _end = 0;

    /** Encodes a message with its header. Returns its length in bytes. */
    static encode(view, offset, message) {
        const at = putHeader(view, offset, this.BLOCK_LENGTH, this.TEMPLATE_ID);
        return this._encode(view, at, message) - offset;
    }

    static _encode(view, at) {
        return at;
    }

    wrap(view, offset = 0, length = view.byteLength - offset) {
        const type = this.constructor;
        const template = templateId(view, offset, length);
        if (template !== type.TEMPLATE_ID) {
            throw new RangeError('template ' + template + ', expected ' + type.TEMPLATE_ID);
        }
        const blockLength = blockLengthAt(view, offset);
        const at = offset + HEADER_LENGTH;
        const end = offset + length;
        checkBlock(blockLength, type.BLOCK_LENGTH);
        if (blockLength > end - at) {
            throw tooShort();
        }
        this._view = view;
        this._at = at;
        this._end = end;
        if (this._measure(at + blockLength) !== end) {
            throw new RangeError('trailing bytes');
        }
        return this;
    }

    _measure(at) {
        return at;
    }
}

class SbeGroup {
    _count = 0;
    _view = null;
    _at = 0;
    _end = 0;
    _blockLength = 0;
    _first = 0;
    _next = 0;
    _index = 0;
    _step = {done: false, value: this};

    _begin(view, first, end, blockLength, length) {
        this._view = view;
        this._first = first;
        this._end = end;
        this._blockLength = blockLength;
        this._count = length;
        this._next = first;
        this._index = 0;
        return this;
    }

    /** Number of entries. A field of the entries that is called length hides it. */
    get length() {
        return this._count;
    }

    [Symbol.iterator]() {
        this._next = this._first;
        this._index = 0;
        return this;
    }

    next() {
        const step = this._step;
        step.done = this._index >= this._count;
        step.value = step.done ? undefined : this;
        if (!step.done) {
            this._index++;
            this._at = this._next;
            this._next = this._measure(this._at + this._blockLength);
        }
        return step;
    }

    _measure(at) {
        return at;
    }
}

function tooShort() {
    return new RangeError('the message ends too early');
}

function checkBlock(blockLength, expected) {
    if (blockLength !== expected) {
        throw new RangeError('block length ' + blockLength + ', expected ' + expected);
    }
}

/** Entries without a byte would make a loop as long as the count of a short message. */
function checkGroup(blockLength, count, expected) {
    checkBlock(blockLength, expected);
    if (blockLength === 0 && count > 0) {
        throw new RangeError('entries without a block');
    }
}

function checkEnd(at, end) {
    if (at > end) {
        throw tooShort();
    }
    return at;
}

/** Exact up to 2^53. */
function int64(view, at) {
    return view.getInt32(at + 4, true) * 4294967296 + view.getUint32(at, true);
}

/** Exact up to 2^53. */
function uint64(view, at) {
    return view.getUint32(at + 4, true) * 4294967296 + view.getUint32(at, true);
}

function bytesOf(view, at, length) {
    return new Uint8Array(view.buffer, view.byteOffset + at, length);
}

function utf8(view, at, length) {
    textDecoder = textDecoder || new TextDecoder();
    return length === 0 ? '' : textDecoder.decode(bytesOf(view, at, length));
}

function latin1(view, at, length) {
    let text = '';
    for (let i = 0; i < length; i++) {
        text += String.fromCharCode(view.getUint8(at + i));
    }
    return text;
}

/** Characters of a fixed length end at the first NUL. */
function charsLength(view, at, length) {
    let end = 0;
    while (end < length && view.getUint8(at + end) !== 0) {
        end++;
    }
    return end;
}

function list(length, element) {
    return Array.from({length}, (unused, index) => element(index));
}

function zeros(view, at, length) {
    for (let i = 0; i < length; i++) {
        view.setUint8(at + i, 0);
    }
}

function whole(value, least, most, name) {
    if (!Number.isInteger(value)) {
        throw new TypeError(name + ' must be an integer: ' + value);
    }
    if (value < least || value > most) {
        throw new RangeError(name + ' must be ' + least + ' to ' + most + ': ' + value);
    }
    return value;
}

function flag(value, name) {
    if (typeof value !== 'boolean') {
        throw new TypeError(name + ' must be true or false: ' + value);
    }
    return value ? 1 : 0;
}

function real(value, name) {
    if (typeof value !== 'number') {
        throw new TypeError(name + ' must be a number: ' + value);
    }
    return value;
}

function big(value, name) {
    if (typeof value !== 'bigint' && !Number.isInteger(value)) {
        throw new TypeError(name + ' must be an integer: ' + value);
    }
    return BigInt(value);
}

function putInt64(view, at, value, name) {
    const exact = big(value, name);
    if (BigInt.asIntN(64, exact) !== exact) {
        throw new RangeError(name + ' does not fit 64 bits: ' + value);
    }
    view.setBigInt64(at, exact, true);
}

function putUint64(view, at, value, name) {
    const exact = big(value, name);
    if (BigInt.asUintN(64, exact) !== exact) {
        throw new RangeError(name + ' does not fit 64 bits: ' + value);
    }
    view.setBigUint64(at, exact, true);
}

function char(value, name) {
    if (typeof value !== 'string' || value.length !== 1 || value.charCodeAt(0) > 255) {
        throw new TypeError(name + ' must be one character: ' + value);
    }
    return value.charCodeAt(0);
}

/** The bytes of a string, or of a Uint8Array; none of null. */
function encoded(value, isUtf8, name) {
    if (value === undefined || value === null) {
        return new Uint8Array(0);
    }
    if (value instanceof Uint8Array) {
        return value;
    }
    if (typeof value !== 'string') {
        throw new TypeError(name + ' must be a string or a Uint8Array');
    }
    if (isUtf8) {
        textEncoder = textEncoder || new TextEncoder();
        return textEncoder.encode(value);
    }
    return Uint8Array.from(value, (character) => char(character, name));
}

function putBytes(view, at, bytes) {
    if (at + bytes.length > view.byteLength) {
        throw new RangeError('the message does not fit its buffer');
    }
    bytesOf(view, at, bytes.length).set(bytes);
    return at + bytes.length;
}

function putChars(view, at, length, value, isUtf8, name) {
    const bytes = encoded(value, isUtf8, name);
    if (bytes.length > length) {
        throw new RangeError(name + ' has more than ' + length + ' bytes');
    }
    zeros(view, at + bytes.length, length - bytes.length);
    putBytes(view, at, bytes);
}

function putList(length, values, name, put) {
    if (values === null || typeof values !== 'object' || values.length !== length) {
        throw new RangeError(name + ' must have ' + length + ' elements');
    }
    for (let i = 0; i < length; i++) {
        put(values[i], i);
    }
}

function sized(count, most, name) {
    if (count > most) {
        throw new RangeError(name + ' has more than ' + most + ' elements');
    }
    return count;
}
