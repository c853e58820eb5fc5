/** Draws an arena without a player, for the console and for films: ten pictures per second, and the time between. */
import {Entered, EventKind, Welcome, templateId} from './arena.js';
import {Renderer} from './draw.js';
import {Game, LIVING, SWINGING} from './game.js';
import {SUB_STEPS_PER_SECOND, readMap} from './walls.js';

const MAPS = ['catacombs', 'courtyard', 'foundry'];
/** Bytes of the length before each message. */
const LENGTH = 2;
const NO_AIM = {x: 1, y: 0};
/**
 * Share of the difference to a picture's time that the drawn time gives up, and the largest difference without a jump.
 */
const CLOCK_GAIN = 0.2;
const CLOCK_JUMP = 60;

const maps = new Map();

async function loadMaps() {
    await Promise.all(MAPS.map(async (name) => {
        const answer = await fetch(new URL('maps/' + name + '.map', import.meta.url));
        maps.set(name, readMap(await answer.text()));
    }));
}

function addPalette() {
    const link = document.createElement('link');
    link.id = 'arena-palette';
    link.rel = 'stylesheet';
    link.href = new URL('palette.css', import.meta.url).href;
    return document.getElementById(link.id) !== null ? Promise.resolve() : new Promise((resolve) => {
        link.onload = resolve;
        link.onerror = resolve;
        document.head.append(link);
    });
}

class Watch {
    #renderer;
    #game;
    #roomId = 0n;
    #handle = 0;
    #lastMs = performance.now();
    #subStep = 0;
    #flags = new Map();
    /** Of the time between two pictures. With 0 a picture does not move. */
    speed = 1;

    constructor(canvas) {
        this.#renderer = new Renderer(canvas);
        this.#renderer.isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches;
        this.#game = new Game(() => false, (name) => maps.get(name) || null, {
            onwelcome: () => this.#renderer.clear(),
            onroster: () => undefined,
            onstate: (subStep) => this.#onState(subStep),
            onfault: () => undefined,
        });
        this.#handle = requestAnimationFrame((nowMs) => this.#frame(nowMs));
    }

    /** Living players as drawn now. */
    get players() {
        return this.#renderer.shown;
    }

    /** Messages, each after its length: Welcome, Entered of each player, a picture. */
    show(view) {
        const present = new Set();
        // The past is shown in any order.
        this.#game.world.clear();
        for (let offset = 0; offset < view.byteLength;) {
            const length = view.getUint16(offset, true);
            const start = offset + LENGTH;
            const id = templateId(view, start, length);
            offset = start + length;
            if (id === Welcome.TEMPLATE_ID) {
                const {roomId} = new Welcome().wrap(view, start, length);
                if (roomId === this.#roomId) {
                    continue;
                }
                this.#roomId = roomId;
            } else if (id === Entered.TEMPLATE_ID) {
                present.add(new Entered().wrap(view, start, length).playerIndex);
            }
            this.#game.onMessage(view, start, length);
        }
        for (const index of [...this.#game.roster.keys()]) {
            if (!present.has(index)) {
                this.#game.roster.delete(index);
            }
        }
    }

    close() {
        cancelAnimationFrame(this.#handle);
    }

    /** A picture has no events: swings, spawns and deaths are seen by the flags. */
    #onState(subStep) {
        const error = subStep - this.#subStep;
        this.#subStep += this.speed === 0 || Math.abs(error) > CLOCK_JUMP ? error : error * CLOCK_GAIN;
        this.#game.world.players.forEach((player, index) => {
            const before = this.#flags.get(index) ?? player.flags;
            const began = player.flags & ~before;
            this.#flags.set(index, player.flags);
            const kind = (began & SWINGING) !== 0 ? EventKind.SWING : (began & LIVING) !== 0 ? EventKind.SPAWN :
                (before & ~player.flags & LIVING) !== 0 ? EventKind.DEATH : null;
            if (kind !== null) {
                this.#renderer.add({kind, player: index, x: player.x, y: player.y}, performance.now());
            }
        });
    }

    #frame(nowMs) {
        this.#handle = requestAnimationFrame((nextMs) => this.#frame(nextMs));
        const elapsedMs = Math.min(200, Math.max(0, nowMs - this.#lastMs));
        this.#lastMs = nowMs;
        this.#subStep += this.speed * elapsedMs * SUB_STEPS_PER_SECOND / 1000;
        this.#renderer.frame(this.#game, this.#subStep, NO_AIM, nowMs, elapsedMs);
    }
}

/** Draws on a canvas the bytes given to its `show`. */
export async function open(canvas) {
    canvas.classList.add('arena-palette');
    await Promise.all([loadMaps(), addPalette()]);
    return new Watch(canvas);
}
