/** The machine's clock, and the engine's clock estimated by it. */

/** Number of pings. The fastest gives the engine's clock. */
const SAMPLES = 8;

/** The difference of two clocks, from the round trip that had the least time to be wrong. */
export class ClockOffset {
    #samples = [];
    #offsetNs = 0;

    /** The last round trip in milliseconds; NaN before the first. */
    roundTripMs = NaN;

    get ns() {
        return this.#offsetNs;
    }

    /** The first estimate of a connection, before any round trip. */
    reset(offsetNs) {
        this.#samples = [];
        this.#offsetNs = offsetNs;
    }

    /** A request was sent at sentNs and answered at nowNs, both of this clock. The answer has the time of the other. */
    add(sentNs, nowNs, otherNs) {
        const roundTripNs = nowNs - sentNs;
        this.roundTripMs = roundTripNs / 1e6;
        this.#samples.push({roundTripNs, offsetNs: otherNs - (nowNs - roundTripNs / 2)});
        if (this.#samples.length > SAMPLES) {
            this.#samples.shift();
        }
        this.#offsetNs =
            this.#samples.reduce((best, sample) => sample.roundTripNs < best.roundTripNs ? sample : best).offsetNs;
    }
}

export function systemClock() {
    return {
        now: () => performance.now(),
        setTimeout: (action, delayMs) => setTimeout(action, delayMs),
        clearTimeout: (timer) => clearTimeout(timer),
    };
}
