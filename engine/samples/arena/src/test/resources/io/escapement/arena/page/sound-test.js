// For SoundTest: a WebAudio that only records.
import {EventKind} from './arena.js';
import {Sound} from './sound.js';

const log = [];
const tones = [];

class Context {
    constructor() {
        log.push('context');
        this.state = 'suspended';
        this.currentTime = 5;
        this.destination = 'speakers';
    }

    resume() {
        log.push('resume');
        this.state = 'running';
    }

    createGain() {
        const node = {gain: {value: 1, setValueAtTime: (value) => log.push('gain ' + value.toFixed(3)),
            exponentialRampToValueAtTime: () => undefined}, connect: () => undefined};
        this.master ??= node;
        return node;
    }

    createOscillator() {
        const tone = {frequency: {setValueAtTime: (value) => log.push('tone ' + value),
            exponentialRampToValueAtTime: () => undefined}, connect: () => undefined, start: () => undefined,
            stop: (time) => log.push('until ' + time.toFixed(2))};
        tones.push(tone);
        return tone;
    }
}

let context = null;
const sound = new Sound(() => {
    context = new Context();
    return context;
});

export const set = (isMuted, volume) => sound.set({isMuted, volume});
export const start = () => sound.start();
export const play = (name) => sound.play(name);
export const volume = () => context.master.gain.value;
export const end = () => tones.splice(0).forEach((tone) => tone.onended());
export const taken = () => log.splice(0).join(', ');

/** An event of the game, by its name. */
export function event(kind, player, other) {
    sound.onEvent({kind: EventKind[kind], player, other}, 3);
    return taken();
}
