// The page's logic without the page: tests run it without a browser.

/** Points of a curve a decade: point i is at x = 1 / (1 - q) = 10^(i / 4). */
const POINTS_A_DECADE = 4;
/** A logarithmic axis has no 0. */
const SHORTEST_MS = 0.001;
export const ROWS = 24;
export const COLUMNS = 300;
const LEAST_SPAN = 60;

/** Splits a stream of text into lines of JSON. A chunk may end in the middle of one. */
export class Lines {
    constructor(limit = 1 << 20) {
        this.rest = "";
        this.limit = limit;
    }

    /** The objects of the lines that a chunk completes. */
    push(text) {
        this.rest += text;
        const lines = this.rest.split("\n");
        this.rest = lines.pop();
        if (this.rest.length > this.limit) {
            throw new Error("a line is too long");
        }
        return lines.filter((line) => line !== "").map((line) => JSON.parse(line));
    }
}

/** The data of a chart: x, then a row of milliseconds for each loop, null after the end of a loop's curve. */
export function curveData(loops, window) {
    const curves = loops.map((loop) => loop.curves[window]);
    const length = curves.reduce((longest, curve) => Math.max(longest, curve.length), 0);
    const x = Array.from({length}, (_, i) => 10 ** (i / POINTS_A_DECADE));
    return [x, ...curves.map((curve) => x.map((_, i) => i < curve.length ? Math.max(SHORTEST_MS, curve[i] / 1000) : null))];
}

/**
 * Where the axis of the curve starts, in ms: at a power of ten, because uPlot would divide any other axis without end.
 */
export function curveBottom(min) {
    return min !== null && min < 0.01 ? SHORTEST_MS : 0.01;
}

/** The percentile at x, as people write it. */
export function percentile(x) {
    if (x <= 1) {
        return "min";
    }
    const q = 100 * (1 - 1 / x);
    const decimals = Math.max(0, Math.ceil(Math.log10(x) - 2.0001));
    return "p" + q.toFixed(Math.min(6, decimals));
}

/** Columns of the heat map, a second each. Those of seconds without an event stay empty. */
export class HeatMap {
    constructor() {
        this.second = -1;
        this.columns = Array.from({length: COLUMNS}, () => new Array(ROWS).fill(0));
    }

    /** All columns. The last is the column of the given second. */
    fill(second, columns) {
        this.second = second;
        columns.forEach((column, i) => this.set(second - columns.length + 1 + i, column));
    }

    /** Columns of the second before a second and of that second. */
    update(second, [before, now]) {
        if (!now || now.length !== ROWS) {
            return;
        }
        for (let i = Math.max(this.second + 1, second - COLUMNS + 1); i <= second; i++) {
            this.columns[i % COLUMNS] = new Array(ROWS).fill(0);
        }
        this.second = Math.max(this.second, second);
        this.set(second - 1, before);
        this.set(second, now);
    }

    /** Columns to show: since the first column with a frame, and at least a minute. */
    span() {
        for (let age = COLUMNS - 1; age >= LEAST_SPAN; age--) {
            if (this.column(age).some((count) => count > 0)) {
                return age + 1;
            }
        }
        return LEAST_SPAN;
    }

    /** The column of an age in seconds. */
    column(age) {
        return this.columns[(this.second - age + COLUMNS) % COLUMNS];
    }

    set(second, column) {
        if (second >= 0 && second > this.second - COLUMNS) {
            this.columns[second % COLUMNS] = column;
        }
    }
}

/** Brightness of a cell from 0 to 1: logarithmic, so that one late frame among thousands is seen. */
export function brightness(count, most) {
    return count <= 0 ? 0 : 0.25 + 0.75 * Math.log1p(count) / Math.log1p(Math.max(1, most, count));
}

/** The lateness at which a row starts, as people write it. */
export function rowName(row) {
    const us = 2 ** row;
    return us < 1000 ? us + " µs" : us < 1e6 ? Math.round(us / 1000) + " ms" : Math.round(us / 1e6) + " s";
}

/** Microseconds as people write them. */
export function duration(us) {
    if (us === null || us === undefined) {
        return "–";
    }
    const short = (value) => String(Number(value.toFixed(value < 100 ? 1 : 0)));
    return us < 1000 ? short(us) + " µs" : us < 1e6 ? short(us / 1000) + " ms" : short(us / 1e6) + " s";
}

/** A number with three digits and a unit. */
export function count(value) {
    if (value === null || value === undefined) {
        return "–";
    }
    const size = Math.abs(value);
    return size < 10_000 ? String(Math.round(value)) : size < 1e6 ? (value / 1e3).toFixed(1) + " k" :
        size < 1e9 ? (value / 1e6).toFixed(1) + " M" : (value / 1e9).toFixed(1) + " G";
}

/** Bytes as people write them. */
export function bytes(value) {
    return value === null || value === undefined ? "–" : value < 1000 ? Math.round(value) + " B" :
        value < 1e6 ? (value / 1e3).toFixed(1) + " kB" : value < 1e9 ? (value / 1e6).toFixed(1) + " MB" :
            (value / 1e9).toFixed(1) + " GB";
}

/**
 * How fast numbers of things grow: remembers them from one answer to the next. A new thing has no rate yet. After a
 * restart a thing's number falls, and it has no rate yet either.
 */
export class Rates {
    constructor() {
        this.before = new Map();
        this.now = new Map();
        this.seconds = 0;
        this.timeMs = 0;
    }

    /** An answer has arrived. It may be the same answer as before, if other pages have also asked for it. */
    next(timeMs) {
        if (timeMs === this.timeMs) {
            return;
        }
        this.seconds = (timeMs - this.timeMs) / 1000;
        this.timeMs = timeMs;
        this.before = this.now;
        this.now = new Map();
    }

    /** By how much a number grew since the last answer, or null. */
    growth(key, value) {
        this.now.set(key, value);
        const before = this.before.get(key);
        return before === undefined || value < before ? null : value - before;
    }

    /** By how much a number grows per second, or null. */
    rate(key, value) {
        const growth = this.growth(key, value);
        return growth === null || this.seconds <= 0 ? null : growth / this.seconds;
    }
}

/** Seconds as days, hours, minutes. */
export function age(seconds) {
    const minutes = Math.floor(seconds / 60);
    const hours = Math.floor(minutes / 60);
    return hours >= 24 ? Math.floor(hours / 24) + " d " + hours % 24 + " h" :
        hours > 0 ? hours + " h " + minutes % 60 + " min" : minutes > 0 ? minutes + " min " + seconds % 60 + " s" :
            seconds + " s";
}

/** Names of the counters of trouble that have grown since the event before. */
export function troubles(before, now) {
    const names = ["framesMissed", "statesDropped", "eventsLost", "refused", "roomsFailed", "stalls"];
    return before === null ? [] : names.filter((name) => now[name] > before[name]);
}

/** The token of a fragment, or null. */
export function tokenOf(fragment) {
    const token = fragment.replace(/^#/, "");
    return /^[0-9A-Za-z._~-]{32,256}$/.test(token) ? token : null;
}

/** A search for rooms: a room id, or a part of a type's name. */
export function search(text, types) {
    const wanted = text.trim();
    if (/^[1-9][0-9]{5,18}$/.test(wanted) || /^#[0-9]{1,19}$/.test(wanted)) {
        return {room: wanted.replace("#", "")};
    }
    const found = types.find((type) => type.name.toLowerCase().includes(wanted.toLowerCase()));
    return wanted === "" ? {type: -1} : found ? {type: found.id} : {};
}

/** Loop of a room id: its high 10 bits. */
export function loopOf(roomId) {
    return Number(BigInt(roomId) >> 54n);
}

/** Place of a room id on its loop: its other bits. */
export function serialOf(roomId) {
    return String(BigInt(roomId) & ((1n << 54n) - 1n));
}

/** Between two pictures of a room's past. */
export const PICTURE_MS = 100;
/** Time that its bar has. */
const SPAN_MS = 60_000;

/** Where the bar starts, so that a date is in it, within the kept past. */
export function spanOf(atMs, {begin, end}) {
    const fromMs = Math.max(begin, Math.min(atMs - SPAN_MS / 2, end - SPAN_MS));
    return {fromMs, toMs: Math.min(fromMs + SPAN_MS, Math.max(end, fromMs + 1))};
}

/** The next date of a film. It stays at the end. */
export function nextOf(atMs, speed, endMs) {
    return Math.min(endMs, atMs + PICTURE_MS * speed);
}
