/** Sounds as computed tones, without files. A browser plays no sound before the player's first gesture. */
import {EventKind} from './arena.js';

/** Hertz at the start and at the end, and a length in seconds. */
const TONES = {
    shot: {type: 'square', from: 620, to: 180, seconds: 0.1, gain: 0.2},
    dash: {type: 'sine', from: 220, to: 640, seconds: 0.16, gain: 0.35},
    hit: {type: 'triangle', from: 300, to: 90, seconds: 0.14, gain: 0.6},
    kill: {type: 'sawtooth', from: 440, to: 55, seconds: 0.5, gain: 0.35},
    round: {type: 'triangle', from: 523, to: 1046, seconds: 0.9, gain: 0.5},
};
const EVENTS = new Map([
    [EventKind.SHOT, 'shot'], [EventKind.DASH, 'dash'], [EventKind.HIT, 'hit'], [EventKind.DEATH, 'kill'],
]);
/** Loudness of what concerns only other players. */
const OTHERS = 0.3;
/** Tones at a time: sixteen players can shoot at once. */
const LIMIT = 12;
const SILENT = 0.001;

export class Sound {
    #makeContext;
    #context = null;
    #out = null;
    #isMuted = true;
    #volume = 0;
    #playing = 0;

    /** @param makeContext of WebAudio. */
    constructor(makeContext) {
        this.#makeContext = makeContext;
    }

    /** Volume from 0 to 100. */
    set({isMuted, volume}) {
        this.#isMuted = isMuted;
        this.#volume = (volume / 100) ** 2;
        if (this.#out !== null) {
            this.#out.gain.value = this.#volume;
        }
    }

    /** For a handler of a gesture. */
    start() {
        if (this.#isMuted) {
            return;
        }
        if (this.#context === null) {
            this.#context = this.#makeContext();
            this.#out = this.#context.createGain();
            this.#out.gain.value = this.#volume;
            this.#out.connect(this.#context.destination);
        }
        if (this.#context.state === 'suspended') {
            this.#context.resume();
        }
    }

    /** The sound of an event of a game, louder if it is the own player's. */
    onEvent({kind, player, other}, ownIndex) {
        const name = EVENTS.get(kind);
        if (name !== undefined) {
            this.play(name, player === ownIndex || other === ownIndex ? 1 : OTHERS);
        }
    }

    play(name, loudness = 1) {
        if (this.#isMuted || this.#context === null || this.#playing === LIMIT) {
            return;
        }
        const {type, from, to, seconds, gain} = TONES[name];
        const now = this.#context.currentTime;
        const tone = this.#context.createOscillator();
        const envelope = this.#context.createGain();
        tone.type = type;
        tone.frequency.setValueAtTime(from, now);
        tone.frequency.exponentialRampToValueAtTime(to, now + seconds);
        envelope.gain.setValueAtTime(gain * loudness, now);
        envelope.gain.exponentialRampToValueAtTime(SILENT, now + seconds);
        tone.connect(envelope);
        envelope.connect(this.#out);
        this.#playing++;
        tone.onended = () => {
            this.#playing--;
        };
        tone.start(now);
        tone.stop(now + seconds);
    }
}
