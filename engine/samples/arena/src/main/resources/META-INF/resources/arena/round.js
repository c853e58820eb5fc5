/** The texts of a round. */
import {SUB_STEPS_PER_SECOND} from './walls.js';

/** Sub-steps of the pause after a round. */
const PAUSE = 6 * SUB_STEPS_PER_SECOND;
/** More winners of a tie are only counted. */
const NAMED = 3;

/** Seconds until the end of a round, or of the pause after it. */
export function secondsLeft(round, subStep) {
    return Math.max(0, Math.ceil((round.endsAt - subStep) / SUB_STEPS_PER_SECOND));
}

/** The page with the film of a round, in the pause after it. */
export function filmOf(roomId, pause) {
    return '/arena/film.html#' + roomId + '/' + (pause.endsAt - PAUSE);
}

/** Minutes and seconds. */
export function clock(seconds) {
    return Math.floor(seconds / 60) + ':' + String(seconds % 60).padStart(2, '0');
}

/** Who won, as texts and names. `write` makes the element for a name. */
export function result(winners, write) {
    if (winners.length === 0) {
        return ['No kills, no winner'];
    }
    const [{kills}] = winners;
    const more = winners.length - NAMED;
    const parts = winners.slice(0, NAMED).flatMap(({name}, i) => {
        const isLast = i === winners.length - 1;
        return [i === 0 ? '' : isLast ? ' and ' : ', ', write(name)];
    });
    return [...parts, more > 0 ? ' and ' + more + ' more' : '', winners.length === 1 ? ' wins' : ' tie',
        ' with ' + kills + (kills === 1 ? ' kill' : ' kills')];
}
