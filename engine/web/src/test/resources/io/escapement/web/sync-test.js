// Holds a copy for SyncTest.java, and a second one that consists of what the callbacks reported.
import {SyncedCopy} from './sync.js';

const bits = new DataView(new ArrayBuffer(8));

function show(type, value) {
    if (['FLOAT', 'DOUBLE', 'INT64'].includes(type)) {
        bits.setFloat64(0, value);
        return Number.isNaN(value) ? 'NaN' : bits.getBigUint64(0).toString(16);
    }
    return String(value);
}

export function open(json) {
    const reported = new Map();
    let frames = 0;
    const key = (table, row) => table + '[' + row + ']';
    const copy = new SyncedCopy(json, {
        onadd: (table, row, entity) => reported.set(key(table, row), {...entity}),
        onchange: (table, row, field, value, before) => {
            if (!Object.is(reported.get(key(table, row))[field], before)) {
                throw new Error('another value before of ' + key(table, row) + field);
            }
            reported.get(key(table, row))[field] = value;
        },
        onremove: (table, row) => reported.delete(key(table, row)),
        onframe: () => frames++,
    });
    const dump = (entityOf) => {
        const lines = [];
        for (const {name, capacity, fields} of JSON.parse(json).tables) {
            for (let row = 0; row < capacity; row++) {
                const entity = entityOf(name, row);
                if (entity !== undefined) {
                    lines.push(key(name, row) + fields.map(([field, type]) => ' ' + show(type, entity[field])).join(','));
                }
            }
        }
        return lines.join('\n');
    };
    return {
        apply: (buffer) => copy.apply(new DataView(buffer)),
        held: () => dump((name, row) => copy.tables[name].get(row)),
        reported: () => dump((name, row) => reported.get(key(name, row))),
        frames: () => frames,
        reset: () => copy.reset(),
        figures: () => [copy.isCurrent, copy.isBehind, copy.sequence, copy.view, copy.malformedCount].join(' '),
    };
}
