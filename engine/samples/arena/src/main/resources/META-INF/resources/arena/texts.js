/** Sentences for the codes of the game, the accounts and the connection. */
import {ArenaCode} from './arena.js';
import {AccountCode} from './credentials.js';

const TEXTS = new Map([
    [48, 'The server is stopping.'],
    [140, 'Slow down: too many messages.'],
    [194, 'Too many log-ins. Wait a moment.'],
    [196, 'The server is away for a moment. Try again.'],
    [197, 'The server is busy. Try again in a moment.'],
    [AccountCode.BAD_CREDENTIALS_FORM, 'The server did not understand the log-in.'],
    [AccountCode.BAD_NAME, 'An account name has 3 to 24 letters and digits and begins with a letter.'],
    [AccountCode.BAD_PASSWORD, 'A password has 8 to 128 characters.'],
    [AccountCode.NAME_TAKEN, 'This name is taken.'],
    [AccountCode.WRONG_CREDENTIALS, 'No such account, or another password.'],
    [AccountCode.TOO_MANY_ATTEMPTS, 'Too many attempts. Wait a minute.'],
    [AccountCode.LOG_IN_QUEUE_FULL, 'Many players log in right now. Try again in a moment.'],
    [AccountCode.STOPPING, 'The server is stopping.'],
    [AccountCode.BANNED, 'This account is banned.'],
    [AccountCode.SESSION_ENDED, 'Your session is over. Log in again.'],
    [AccountCode.DATABASE_DOWN, 'The database does not answer. Try again in a moment.'],
    [ArenaCode.TEXT_TOO_LONG, 'This is too long.'],
    [ArenaCode.TEXT_EMPTY, 'There is no text.'],
    [ArenaCode.TEXT_TOO_SHORT, 'This is too short.'],
    [ArenaCode.TEXT_NOT_PRINTABLE, 'Only characters that show, please, with single spaces.'],
    [ArenaCode.FLOOD, 'Slow down: too many messages.'],
    [ArenaCode.CHAT_FLOOD, 'Slow down: one message a second, fewer in a crowd.'],
    [ArenaCode.UNKNOWN_ROOM, 'This room is gone.'],
    [ArenaCode.WRONG_PASSWORD, 'The room has another password.'],
    [ArenaCode.PASSWORD_FLOOD, 'Too many wrong passwords. Wait a moment.'],
    [ArenaCode.NAME_TAKEN, 'This name is taken.'],
    [ArenaCode.ROOM_FULL, 'Every seat of this room is taken.'],
    [ArenaCode.UNKNOWN_MAP, 'The server does not have this map.'],
    [ArenaCode.TOO_MANY_ROOMS, 'No more rooms can be opened now.'],
    [ArenaCode.TOO_MANY_OWN_ROOMS, 'You own as many rooms as you may.'],
    [ArenaCode.TOO_MANY_REQUESTS, 'The lobby is still busy with your last request.'],
    [ArenaCode.UNKNOWN_CHARACTER, 'Choose another character.'],
    [ArenaCode.TOO_MANY_CHARACTERS, 'An account has at most 8 characters.'],
    [ArenaCode.BAD_NAME, 'A name begins with a letter and goes on with letters, digits and _ - . \''],
    [ArenaCode.CHARACTERS_UNAVAILABLE, 'The accounts are busy. Try again in a moment.'],
    [ArenaCode.SEATED_ELSEWHERE, 'Your progress in the last room is still being saved. Try again in a moment.'],
    [ArenaCode.NO_MATCHMAKER, 'There are no quick matches here now.'],
    [ArenaCode.MATCH_TIMED_OUT, 'No match was found. Try again.'],
    [ArenaCode.MATCH_AWAITED, 'You wait for a match: cancel that first.'],
    [ArenaCode.NO_MATCH_AWAITED, 'The match was found already.'],
    [ArenaCode.ROOM_DELETED, 'The room was closed by its owner.'],
    [ArenaCode.STOPPING, 'The server is stopping.'],
]);

export function textOf(code) {
    return TEXTS.get(code) || 'Refused with code ' + code + '.';
}
