// For RoundTextsTest.
import {clock, result, secondsLeft} from './round.js';

export const timeLeft = (endsAt, subStep) => clock(secondsLeft({endsAt}, subStep));

export const winners = (kills, ...names) => result(names.map((name) => ({name, kills})), (name) => '<' + name + '>')
    .join('');
