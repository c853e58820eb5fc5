// The percentile curve (uPlot) and the heat map (a canvas).

import {ROWS, brightness, curveBottom, curveData, duration, percentile, rowName} from "./logic.js";

const LINES = ["#5fcfbd", "#e2b25c", "#8fb4ff", "#ff7a70", "#c79bff", "#9fd86b", "#ff9fd2", "#b8c0cc"];

/** Of the chart with its legend, as the heat map next to it. */
const HEIGHT = 300;
const LEGEND = 24;
/** Width of the names of the heat map's rows. */
const HEAT_LEFT = 52;

function colour(name) {
    return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

/** A curve of frame lateness for each loop. */
export class Curve {
    constructor(parent, loops) {
        this.parent = parent;
        this.loops = loops;
        this.make();
        new ResizeObserver(() => this.plot.setSize(this.size())).observe(parent);
        matchMedia("(prefers-color-scheme: light)").addEventListener("change", () => this.make());
    }

    make() {
        const data = this.plot ? this.plot.data : [[1], ...new Array(this.loops).fill([null])];
        if (this.plot) {
            this.plot.destroy();
        }
        const axis = {stroke: colour("--muted"), grid: {stroke: colour("--border"), width: 1}, ticks: {show: false}};
        this.plot = new uPlot({
            ...this.size(),
            legend: {show: this.loops <= LINES.length},
            cursor: {y: false},
            scales: {
                x: {time: false, distr: 3, range: (_, min, max) => [1, Math.max(1000, max)]},
                y: {distr: 3, range: (_, min, max) => [curveBottom(min), Math.max(10, max || 1)]}
            },
            axes: [
                {...axis, size: 32, values: (_, ticks) => ticks.map((x) => Number.isInteger(Math.log10(x)) || x === 1 ?
                    percentile(x) : "")},
                {...axis, size: 64, values: (_, ticks) => ticks.map((ms) => Number.isInteger(Math.round(
                    1e6 * Math.log10(ms)) / 1e6) ? duration(ms * 1000) : "")}
            ],
            series: [
                {label: "percentile", value: (_, x) => x === null ? "–" : percentile(x)},
                ...Array.from({length: this.loops}, (_, i) => ({
                    label: "loop " + i, stroke: LINES[i % LINES.length], width: 2, points: {show: false},
                    value: (__, ms) => ms === null ? "–" : duration(ms * 1000)
                }))
            ]
        }, data, this.parent);
    }

    size() {
        const legend = this.loops <= LINES.length ? LEGEND : 0;
        return {width: Math.max(280, this.parent.clientWidth), height: HEIGHT - legend};
    }

    show(loops, window) {
        const data = curveData(loops, window);
        if (data[0].length > 0) {
            this.plot.setData(data);
        }
    }
}

/** Frame lateness over five minutes: one column per second, one row per power of two. */
export class Heat {
    /** A click calls onSecond with the second of a column. */
    constructor(canvas, onSecond) {
        this.canvas = canvas;
        this.map = null;
        canvas.addEventListener("click", (event) => {
            const share = (event.offsetX - HEAT_LEFT) / (canvas.clientWidth - HEAT_LEFT);
            if (this.map !== null && share >= 0) {
                onSecond(this.map.second - (this.map.span() - 1 - Math.floor(share * this.map.span())));
            }
        });
    }

    draw(map) {
        this.map = map;
        const ratio = devicePixelRatio || 1;
        const width = this.canvas.clientWidth;
        const height = this.canvas.clientHeight;
        if (this.canvas.width !== Math.round(width * ratio) || this.canvas.height !== Math.round(height * ratio)) {
            this.canvas.width = Math.round(width * ratio);
            this.canvas.height = Math.round(height * ratio);
        }
        const context = this.canvas.getContext("2d");
        context.setTransform(ratio, 0, 0, ratio, 0, 0);
        context.clearRect(0, 0, width, height);
        const left = HEAT_LEFT;
        const bottom = 20;
        const columns = map.span();
        const cellWidth = (width - left) / columns;
        const cellHeight = (height - bottom) / ROWS;
        let most = 1;
        context.fillStyle = colour("--raised");
        context.fillRect(left, 0, width - left, height - bottom);
        for (let age = 0; age < columns; age++) {
            most = Math.max(most, ...map.column(age));
        }
        for (let age = 0; age < columns; age++) {
            const column = map.column(age);
            const x = left + (columns - 1 - age) * cellWidth;
            for (let row = 0; row < ROWS; row++) {
                if (column[row] > 0) {
                    // From teal, on time, over brass at 2 ms to red from 16 ms: a frame at 60 Hz.
                    const hue = row < 11 ? 171 : row < 14 ? 39 : 4;
                    context.fillStyle = `hsl(${hue} 62% 58% / ${brightness(column[row], most).toFixed(2)})`;
                    context.fillRect(x, (ROWS - 1 - row) * cellHeight, Math.ceil(cellWidth), cellHeight - 0.5);
                }
            }
        }
        context.fillStyle = colour("--muted");
        context.font = "11px system-ui, sans-serif";
        context.textAlign = "right";
        context.textBaseline = "middle";
        for (let row = 0; row < ROWS; row += 4) {
            context.fillText(rowName(row), left - 6, (ROWS - 0.5 - row) * cellHeight);
        }
        context.textBaseline = "bottom";
        const step = columns > 120 ? 60 : 20;
        for (let age = 0; age < columns; age += step) {
            context.textAlign = age === 0 ? "right" : "center";
            context.fillText(age === 0 ? "now" : step === 60 ? "−" + age / 60 + " min" : "−" + age + " s",
                left + (columns - age) * cellWidth, height);
        }
    }
}
