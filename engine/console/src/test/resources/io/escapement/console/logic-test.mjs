import * as logic from "../../../../../main/resources/io/escapement/console/page/logic.js";

const found = [];
let checks = 0;

function same(actual, expected, name) {
    checks++;
    if (JSON.stringify(actual) !== JSON.stringify(expected)) {
        found.push(name + ": " + JSON.stringify(actual) + ", not " + JSON.stringify(expected));
    }
}

const lines = new logic.Lines(20);
same(lines.push('{"a":1'), [], "half a line");
same(lines.push('}\n{"b":2}\n\n{"c'), [{a: 1}, {b: 2}], "the rest and a line");
same(lines.push('":3}\n'), [{c: 3}], "the other rest");
let isLimited = false;
try {
    lines.push("x".repeat(21));
} catch (error) {
    isLimited = true;
}
same(isLimited, true, "a line without end");

const loops = [{curves: [[100, 2000], [], []]}, {curves: [[0, 1, 2], [], []]}];
const data = logic.curveData(loops, 0);
same(data[0].map((x) => x.toFixed(2)), ["1.00", "1.78", "3.16"], "x");
same(data[1], [0.1, 2, null], "a short curve ends");
same(data[2], [0.001, 0.001, 0.002], "a logarithmic axis has no 0");
same(logic.curveData(loops, 1), [[], [], []], "nothing yet");
same([null, 0.5, 0.01, 0.0099, 0.0037, 0.001].map(logic.curveBottom), [0.01, 0.01, 0.01, 0.001, 0.001, 0.001],
    "an axis begins at a power of ten");

same([1, 10, 100, 1000, 1e4, 1e6].map(logic.percentile), ["min", "p90", "p99", "p99.9", "p99.99", "p99.9999"],
    "percentiles");

const map = new logic.HeatMap();
const column = (value) => new Array(logic.ROWS).fill(value);
map.fill(1000, Array.from({length: logic.COLUMNS}, (_, i) => column(i)));
same(map.column(0)[0], logic.COLUMNS - 1, "the newest");
same(map.column(299)[0], 0, "the oldest");
map.update(1001, [column(7), column(8)]);
same([map.column(0)[0], map.column(1)[0], map.column(2)[0]], [8, 7, 298], "a second on");
map.update(1004, [column(5), column(6)]);
same([map.column(0)[0], map.column(1)[0], map.column(2)[0], map.column(3)[0]], [6, 5, 0, 8], "a gap is empty");
map.update(1003, [column(1), column(2)]);
same([map.second, map.column(0)[0]], [1004, 6], "an older event takes nothing back");
map.update(9000, [column(1), column(2)]);
same([map.column(0)[0], map.column(1)[0], map.column(2)[0], map.column(299)[0]], [2, 1, 0, 0], "a long gap");
map.update(9001, [[], []]);
same(map.second, 9000, "no columns");

same(logic.brightness(0, 100), 0, "nothing is dark");
same(logic.brightness(100, 100), 1, "the most is bright");
same(logic.brightness(1, 1e6) > 0.25, true, "one among a million is seen");
same([0, 10, 20, 23].map(logic.rowName), ["1 µs", "1 ms", "1 s", "8 s"], "rows");
same([0.5, 250, 25_000, 2.5e6, null].map(logic.duration), ["0.5 µs", "250 µs", "25 ms", "2.5 s", "–"], "durations");
same([0, 9_999, 12_345, 1.5e6, null].map(logic.count), ["0", "9999", "12.3 k", "1.5 M", "–"], "counts");
same([5, 65, 3_700, 90_000].map(logic.age), ["5 s", "1 min 5 s", "1 h 1 min", "1 d 1 h"], "ages");

const calm = {framesMissed: 1, statesDropped: 0, eventsLost: 0, refused: 5, roomsFailed: 0, stalls: 0};
same(logic.troubles(null, calm), [], "the first event is no trouble");
same(logic.troubles(calm, {...calm, refused: 6, stalls: 1}), ["refused", "stalls"], "counters that grew");

same(logic.tokenOf("#" + "a".repeat(32)), "a".repeat(32), "a token");
same([logic.tokenOf(""), logic.tokenOf("#short"), logic.tokenOf("#<" + "a".repeat(40))], [null, null, null], "none");
const types = [{id: 1, name: "lobby"}, {id: 2, name: "<Arena>"}];
same(logic.search(" aren ", types), {type: 2}, "a type");
same(logic.search("", types), {type: -1}, "all");
same(logic.search("zoo", types), {}, "no type");
same(logic.search("#17", types), {room: "17"}, "a serial");
same(logic.search("18014398509481985", types), {room: "18014398509481985"}, "an id");
same([logic.loopOf("18014398509481985"), logic.serialOf("18014398509481985")], [1, "1"], "parts of an id");

same([0, 999, 1500, 2.5e6, 3e9, null].map(logic.bytes), ["0 B", "999 B", "1.5 kB", "2.5 MB", "3.0 GB", "–"], "bytes");
const rates = new logic.Rates();
rates.next(1000);
same(rates.rate("a", 5), null, "the first answer has no rates");
rates.next(3000);
same([rates.rate("a", 25), rates.rate("b", 7)], [10, null], "a rate, and a thing that is new");
rates.next(4000);
same([rates.rate("a", 3), rates.growth("b", 9)], [null, 2], "a thing that began again");
rates.next(5000);
same(rates.rate("a", 4), 1, "and goes on");
rates.next(5000);
same(rates.rate("a", 4), 1, "the same answer again, with the same rate");
rates.next(7000);
same(rates.rate("a", 8), 2, "and the next one");

const range = {begin: 1_000, end: 301_000};
same(logic.spanOf(150_000, range), {fromMs: 120_000, toMs: 180_000}, "a date in the middle of the bar");
same(logic.spanOf(300_000, range), {fromMs: 241_000, toMs: 301_000}, "the end of the past");
same(logic.spanOf(1_000, range), {fromMs: 1_000, toMs: 61_000}, "its beginning");
same(logic.spanOf(1_000, {begin: 1_000, end: 3_000}), {fromMs: 1_000, toMs: 3_000}, "a short past");
same(logic.spanOf(1_000, {begin: 1_000, end: 1_000}), {fromMs: 1_000, toMs: 1_001}, "a past of one turn");
same([logic.nextOf(1_000, 0.25, 5_000), logic.nextOf(1_000, 8, 5_000), logic.nextOf(4_900, 8, 5_000)],
    [1_025, 1_800, 5_000], "the next picture of a film");

if (checks < 46) {
    found.push("only " + checks + " checks ran");
}
export const failures = found.join("\n");
