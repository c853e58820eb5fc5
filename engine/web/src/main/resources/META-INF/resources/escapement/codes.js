/** Codes of the connection: final codes, codes after which to retry, and the errors with the codes. */
import {codeName} from './code-names.js';
import {CloseCode, Join} from './messages/player.js';

export const NORMAL = 1000;
/** The status that a browser reports for a connection without a close frame. */
export const ABNORMAL = 1006;

/** After these another attempt would fail in the same way, or do harm. */
export const FINAL_CODES = new Set([
    CloseCode.NORMAL, CloseCode.PROTOCOL_ERROR, CloseCode.TEXT, CloseCode.TOO_BIG, CloseCode.PROTOCOL_VERSION,
    CloseCode.MALFORMED, CloseCode.FLOOD, CloseCode.REPLACED, CloseCode.NOT_LOGGED_IN,
]);
/** After these the gateway has forgotten the session. */
export const SESSION_LOST_CODES = new Set([CloseCode.ENGINE_LOST]);

/** The connection, or its address, may not log in again soon. Another connection may. */
export const TOO_MANY_LOG_INS = 194;

/** Codes of the engine and the gateway after which the same request may succeed later: see codecs/protocol/player.md. */
export const TRANSIENT_CODES = new Map([
    [58, 'SERVICE_FAILED'], [62, 'JOIN_LIMIT'], [137, 'NOT_ATTACHED'], [138, 'BAD_PLAYER_TOKEN'],
    [139, 'PLAYER_TOKEN_EXPIRED'], [140, 'RATE_LIMITED'], [144, 'LOG_IN_BUSY'], [149, 'ENGINE_STOPPING'],
    [152, 'NOT_LEADING'], [193, 'ALREADY_LOGGED_IN'], [TOO_MANY_LOG_INS, 'TOO_MANY_LOG_INS'],
    [196, 'ENGINE_UNREACHABLE'], [197, 'TRY_LATER'],
]);

/** Whether a refusal with this code of the engine or the gateway may succeed later. */
export function isTransient(code) {
    return TRANSIENT_CODES.has(code);
}

/** The connection was lost or closed before an answer arrived. */
export class ConnectionError extends Error {
    constructor(code) {
        super('connection closed: ' + code + ' ' + closeName(code));
        this.name = 'ConnectionError';
        this.code = code;
    }
}

/** The gateway or the engine refused a request. */
export class RefusedError extends Error {
    constructor(code, template = Join.TEMPLATE_ID) {
        super('refused: ' + code + ' ' + codeName(code));
        this.name = 'RefusedError';
        this.code = code;
        this.codeName = codeName(code);
        this.templateId = template;
    }
}

/** The name of a close code, or an empty string. */
export function closeName(code) {
    for (const name of Object.keys(CloseCode)) {
        if (CloseCode[name] === code) {
            return name;
        }
    }
    return code === ABNORMAL ? 'ABNORMAL' : '';
}
