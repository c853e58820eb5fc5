// Functions that WallsTest calls with numbers of the Java simulation.
import * as walls from './walls.js';

let box;
let body;

export function load(text, half) {
    const map = walls.readMap(text);
    const made = new walls.Walls(map, half);
    box = new walls.SweptBox(made);
    body = new walls.Extrapolation(made);
    return {fingerprint: String(walls.fingerprint(map)), name: map.name, count: made.count};
}

/** The first of the moves {x, y, dx, dy, expected x, expected y} that ends elsewhere, or -1. */
export function firstWrongMove(moves) {
    for (let i = 0; i < moves.length; i += 6) {
        box.move(moves[i], moves[i + 1], moves[i + 2], moves[i + 3]);
        if (box.x !== moves[i + 4] || box.y !== moves[i + 5]) {
            return i / 6;
        }
    }
    return -1;
}

/** The first of the sweeps {x, y, dx, dy, expected x, y, wall, time of the impact} that ends in another way, or -1. */
export function firstWrongSweep(sweeps) {
    for (let i = 0; i < sweeps.length; i += 9) {
        box.sweep(sweeps[i], sweeps[i + 1], sweeps[i + 2], sweeps[i + 3]);
        if (box.x !== sweeps[i + 4] || box.y !== sweeps[i + 5] || box.id !== sweeps[i + 6] ||
            box.numerator * sweeps[i + 8] !== box.denominator * sweeps[i + 7]) {
            return i / 9;
        }
    }
    return -1;
}

/** The first of the runs {x, y, vx, vy, dash vx, dash vy, dash time, sub-steps, expected x, y} that ends elsewhere. */
export function firstWrongRun(runs) {
    for (let i = 0; i < runs.length; i += 10) {
        body.set(runs[i], runs[i + 1], runs[i + 2], runs[i + 3]);
        body.dash(runs[i + 4], runs[i + 5], runs[i + 6]);
        body.advance(runs[i + 7]);
        if (body.x !== runs[i + 8] || body.y !== runs[i + 9]) {
            return i / 10;
        }
    }
    return -1;
}

/** The first of the vectors {dx, dy, target, expected x, expected y} that scales to another, or -1. */
export function firstWrongScale(vectors) {
    for (let i = 0; i < vectors.length; i += 5) {
        const [dx, dy, target] = [vectors[i], vectors[i + 1], vectors[i + 2]];
        if (walls.scale(dx, dx, dy, target) !== vectors[i + 3] || walls.scale(dy, dx, dy, target) !== vectors[i + 4]) {
            return i / 5;
        }
    }
    return -1;
}
