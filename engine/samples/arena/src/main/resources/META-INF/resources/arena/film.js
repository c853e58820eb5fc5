/** Plays the film of a round that has ended: pictures that the server has made from its log. */
import {clock} from './round.js';
import {SUB_STEPS_PER_SECOND} from './walls.js';
import {open} from './watch.js';

/** Bytes of the sub-step and the length before each picture. */
const HEADER = 8;
const NONE = 'There is no film of this round here.\nIt is older than what the server keeps, or this server makes none.';

const byId = (id) => document.getElementById(id);

/** Fetches the pictures with their sub-steps. Fails with a text for the player. */
async function load(roomId, endedAt) {
    const answer = await fetch('/arena/films/' + roomId + '/' + endedAt).catch(() => {
        throw new Error('The server does not answer.');
    });
    if (!answer.ok) {
        throw new Error(answer.status === 503 ? await answer.text() : NONE);
    }
    const bytes = await new Response(answer.body.pipeThrough(new DecompressionStream('gzip'))).arrayBuffer();
    const view = new DataView(bytes);
    const pictures = [];
    for (let at = 0; at < bytes.byteLength;) {
        const length = view.getUint32(at + 4, true);
        pictures.push({subStep: view.getUint32(at, true), view: new DataView(bytes, at + HEADER, length)});
        at += HEADER + length;
    }
    return pictures;
}

class Film {
    #watch;
    #pictures;
    #subStep = 0;
    #shown = -1;
    #lastMs = performance.now();
    isPlaying = false;

    constructor(watch, pictures) {
        this.#watch = watch;
        this.#pictures = pictures;
        byId('film-scrub').max = String(this.end);
        byId('film-scrub').addEventListener('input', ({target}) => {
            this.play(false);
            this.#subStep = Number(target.value);
        });
        byId('film-play').addEventListener('click', () => this.play(!this.isPlaying));
        byId('film-speed').addEventListener('change', () => this.play(this.isPlaying));
        requestAnimationFrame((nowMs) => this.#frame(nowMs));
    }

    get end() {
        return this.#pictures.at(-1).subStep;
    }

    /** For tests of the page. */
    get state() {
        return {subStep: this.#subStep, shown: this.#shown, pictures: this.#pictures.length,
            players: this.#watch.players.size};
    }

    play(isPlaying) {
        this.#subStep = isPlaying && this.#subStep >= this.end ? 0 : this.#subStep;
        this.isPlaying = isPlaying;
        this.#watch.speed = isPlaying ? Number(byId('film-speed').value) : 0;
        byId('film-play').textContent = isPlaying ? 'Pause' : 'Play';
    }

    #frame(nowMs) {
        requestAnimationFrame((nextMs) => this.#frame(nextMs));
        const elapsedMs = Math.min(200, Math.max(0, nowMs - this.#lastMs));
        this.#lastMs = nowMs;
        if (this.isPlaying) {
            this.#subStep += this.#watch.speed * elapsedMs * SUB_STEPS_PER_SECOND / 1000;
            if (this.#subStep >= this.end) {
                this.#subStep = this.end;
                this.play(false);
            }
        }
        const index = Math.max(0, this.#pictures.findLastIndex(({subStep}) => subStep <= this.#subStep));
        if (index !== this.#shown) {
            this.#shown = index;
            this.#watch.show(this.#pictures[index].view);
        }
        byId('film-scrub').value = String(Math.round(this.#subStep));
        byId('film-time').textContent = clock(Math.floor(this.#subStep / SUB_STEPS_PER_SECOND)) + ' / ' +
            clock(Math.floor(this.end / SUB_STEPS_PER_SECOND));
    }
}

// Another link in the same tab.
addEventListener('hashchange', () => location.reload());
try {
    const [roomId, endedAt] = location.hash.slice(1).split('/');
    const pictures = await load(roomId, endedAt);
    window.film = new Film(await open(byId('canvas')), pictures);
    window.film.play(true);
    byId('film-note').hidden = true;
    byId('film-bar').hidden = false;
} catch (failure) {
    byId('film-note').textContent = failure.message;
}
