/**
 * The arena's movement, as the server computes it: whole numbers, one unit is 65,536, and the same bits. A page moves
 * its own player with it, and every other player between two states. Because a map is at most 1,024 units wide, no
 * product here exceeds 2^53 and plain numbers are exact.
 */

export const UNIT = 65536;
export const PLAYER_LIMIT = 16;
export const SHOT_LIMIT = 64;
export const SUB_STEPS_PER_SECOND = 120;
export const RULES_VERSION = 1;
export const PLAYER_HALF = Math.trunc(UNIT * 2 / 5);
export const SHOT_HALF = Math.trunc(UNIT / 10);
export const RUN_SPEED = Math.trunc(8 * UNIT / SUB_STEPS_PER_SECOND);
export const DASH_SPEED = Math.trunc(24 * UNIT / SUB_STEPS_PER_SECOND);
export const DASH_TIME = 24;
export const DASH_COOLDOWN = 120;
export const SWING_TIME = 54;
export const SWING_WIND_UP = 18;
export const SWING_ACTIVE = 6;
export const SWING_REACH = UNIT;
export const SWING_HALF = Math.trunc(UNIT * 7 / 10);
export const SHOT_COOLDOWN = 60;
export const EXPLOSION_RADIUS = 3 * UNIT;
export const FULL_HEALTH = 100;
export const RESPAWN_DELAY = 3 * SUB_STEPS_PER_SECOND;
export const ROUND_TRIP = 12;

/** How far a box stays away from a wall at least. */
const SKIN = UNIT / 1024;
/** Thickness of the walls around the map. */
const EDGE = 2 ** 26;
/** Before any start and after any end: longer than any distance over a displacement of one. */
const FOREVER = 2 ** 30;
const AXIS_NONE = 0;
const AXIS_X = 1;
const AXIS_Y = 2;
const HASH_START = 0x9E3779B97F4A7C15n;

/** Reads the text of a map. Throws an Error if it is malformed. */
export function readMap(text) {
    const map = {name: '', width: 0, height: 0, boxes: [], spawns: []};
    for (const line of text.split('\n')) {
        const [word, ...rest] = line.trim().split(/\s+/);
        if (word === '' || word.startsWith('#')) {
            continue;
        }
        const numbers = rest.map((number) => Number(number) * UNIT);
        if (word === 'name') {
            map.name = line.trim().slice(word.length).trim();
        } else if (word === 'size') {
            [map.width, map.height] = numbers;
        } else if (word === 'box') {
            const [x, y, width, height] = numbers;
            map.boxes.push(x, y, x + width, y + height);
        } else if (word === 'spawn') {
            map.spawns.push(numbers[0], numbers[1]);
        } else {
            throw new Error('not a line of a map: ' + line);
        }
    }
    if (!map.boxes.concat(map.spawns, map.width, map.height).every(Number.isInteger) || map.width === 0) {
        throw new Error('not a map');
    }
    return map;
}

/** The server's fingerprint of a map, a signed number of 64 bits. */
export function fingerprint(map) {
    let hash = mix(mix(HASH_START, map.width), map.height);
    for (const side of map.boxes) {
        hash = mix(hash, side);
    }
    hash = mix(hash, map.boxes.length);
    for (const coordinate of map.spawns) {
        hash = mix(hash, coordinate);
    }
    return BigInt.asIntN(64, hash);
}

function mix(hash, value) {
    let mixed = BigInt.asUintN(64, (hash ^ BigInt.asUintN(64, BigInt(value))) * 0xBF58476D1CE4E5B9n);
    mixed ^= mixed >> 29n;
    mixed = BigInt.asUintN(64, mixed * 0x94D049BB133111EBn);
    return mixed ^ mixed >> 32n;
}

/**
 * A component of a vector, scaled to another length and rounded so that the vector is never longer than it.
 * The vector is not zero, and its components are at most 2^27 either way.
 */
export function scale(component, dx, dy, target) {
    // Short vectors get extra bits, so that rounding their length has no effect on the result.
    const shift = Math.max(0, Math.clz32(Math.abs(dx) | Math.abs(dy)) - 8);
    const x = BigInt(dx) << BigInt(shift);
    const y = BigInt(dy) << BigInt(shift);
    const square = x * x + y * y;
    let length = BigInt(Math.floor(Math.sqrt(Number(square))));
    while (length * length > square) {
        length--;
    }
    while (length * length < square) {
        length++;
    }
    return Number((BigInt(component) << BigInt(shift)) * BigInt(target) / length);
}

/** The walls of a map as the middle of a box sees them: larger by half the box and a skin. */
export class Walls {
    constructor(map, half) {
        const grown = half + SKIN;
        const sides = [...map.boxes,
            -EDGE, -EDGE, 0, map.height + EDGE,
            map.width, -EDGE, map.width + EDGE, map.height + EDGE,
            -EDGE, -EDGE, map.width + EDGE, 0,
            -EDGE, map.height, map.width + EDGE, map.height + EDGE];
        this.count = sides.length / 4;
        this.sides = Int32Array.from(sides, (side, i) => side + (i % 4 < 2 ? -grown : grown));
    }
}

/** Moves a box among walls: it stops at the first it hits and slides along it. */
export class SweptBox {
    constructor(walls) {
        this.walls = walls;
        this.x = 0;
        this.y = 0;
        this.id = -1;
        this.axis = AXIS_NONE;
        this.numerator = 1;
        this.denominator = 1;
        this.isCorner = false;
    }

    move(fromX, fromY, dx, dy) {
        let leftX = dx;
        let leftY = dy;
        this.x = fromX;
        this.y = fromY;
        while (leftX !== 0 || leftY !== 0) {
            const startX = this.x;
            const startY = this.y;
            if (!this.sweep(startX, startY, leftX, leftY)) {
                return;
            }
            // An impact stops the movement on its axis. After at most two impacts no displacement is left.
            leftX = this.axis === AXIS_Y ? leftX - (this.x - startX) : 0;
            leftY = this.axis === AXIS_X ? leftY - (this.y - startY) : 0;
        }
    }

    /** Moves straight, up to the first impact. Returns whether there was one. */
    sweep(x, y, dx, dy) {
        const sides = this.walls.sides;
        this.id = -1;
        this.axis = AXIS_NONE;
        this.numerator = 1;
        this.denominator = 1;
        this.isCorner = false;
        const leastX = Math.min(x, x + dx);
        const mostX = Math.max(x, x + dx);
        const leastY = Math.min(y, y + dy);
        const mostY = Math.max(y, y + dy);
        for (let wall = 0, i = 0; wall < this.walls.count; wall++, i += 4) {
            if (sides[i] <= mostX && sides[i + 2] >= leastX && sides[i + 1] <= mostY && sides[i + 3] >= leastY) {
                this.#consider(x, y, dx, dy, sides[i], sides[i + 1], sides[i + 2], sides[i + 3], wall);
            }
        }
        this.#rest(x, y, dx, dy);
        return this.id >= 0;
    }

    #consider(x, y, dx, dy, minX, minY, maxX, maxY, wall) {
        if (dx === 0 && (x <= minX || x >= maxX) || dy === 0 && (y <= minY || y >= maxY)) {
            return;
        }
        const nearX = dx > 0 ? minX - x : dx < 0 ? x - maxX : -FOREVER;
        const nearY = dy > 0 ? minY - y : dy < 0 ? y - maxY : -FOREVER;
        const farX = dx > 0 ? maxX - x : dx < 0 ? x - minX : FOREVER;
        const farY = dy > 0 ? maxY - y : dy < 0 ? y - minY : FOREVER;
        const lengthX = dx === 0 ? 1 : Math.abs(dx);
        const lengthY = dy === 0 ? 1 : Math.abs(dy);
        if (farX <= 0 || farY <= 0 || nearX >= lengthX || nearY >= lengthY) {
            return;
        }
        if (nearX < 0 && nearY < 0) {
            this.#offer(0, 1, AXIS_NONE, false, wall);
            return;
        }
        // Entered when it is within both slabs. Entered at all if that is before it leaves the first of them.
        const crossX = nearX * lengthY;
        const crossY = nearY * lengthX;
        if (crossX >= crossY) {
            if (crossX < farY * lengthX) {
                this.#offer(nearX, lengthX, AXIS_X, crossX === crossY, wall);
            }
        } else if (crossY < farX * lengthY) {
            this.#offer(nearY, lengthY, AXIS_Y, false, wall);
        }
    }

    #offer(time, of, axis, isCorner, wall) {
        const left = time * this.denominator;
        const right = this.numerator * of;
        if (left < right || left === right && this.#isBefore(isCorner, wall)) {
            this.id = wall;
            this.axis = axis;
            this.numerator = time;
            this.denominator = of;
            this.isCorner = isCorner;
        }
    }

    /** At the same time a face precedes a corner, then the lower wall: the order of the tries has no effect. */
    #isBefore(isCorner, wall) {
        return this.id >= 0 && (isCorner === this.isCorner ? wall < this.id : this.isCorner);
    }

    #rest(fromX, fromY, dx, dy) {
        if (this.id < 0) {
            this.x = fromX + dx;
            this.y = fromY + dy;
        } else if (this.axis === AXIS_X) {
            this.x = fromX + Math.sign(dx) * this.numerator;
            this.y = fromY + Math.trunc(dy * this.numerator / this.denominator);
        } else if (this.axis === AXIS_Y) {
            this.x = fromX + Math.trunc(dx * this.numerator / this.denominator);
            this.y = fromY + Math.sign(dy) * this.numerator;
        } else {
            this.x = fromX;
            this.y = fromY;
        }
    }
}

/** Dead reckoning: where a player is that was seen somewhere with some velocity. */
export class Extrapolation {
    constructor(walls) {
        this.box = new SweptBox(walls);
        this.x = 0;
        this.y = 0;
        this.vx = 0;
        this.vy = 0;
        this.dashVx = 0;
        this.dashVy = 0;
        this.dashLeft = 0;
    }

    /** The last known state. This stops a dash. */
    set(x, y, vx, vy) {
        this.x = x;
        this.y = y;
        this.vx = vx;
        this.vy = vy;
        this.dashLeft = 0;
    }

    turn(vx, vy) {
        this.vx = vx;
        this.vy = vy;
    }

    dash(vx, vy, subSteps) {
        this.dashVx = vx;
        this.dashVy = vy;
        this.dashLeft = subSteps;
    }

    advance(subSteps) {
        for (let i = 0; i < subSteps; i++) {
            const isDashing = this.dashLeft > 0;
            this.box.move(this.x, this.y, isDashing ? this.dashVx : this.vx, isDashing ? this.dashVy : this.vy);
            this.x = this.box.x;
            this.y = this.box.y;
            this.dashLeft -= isDashing ? 1 : 0;
        }
    }
}
