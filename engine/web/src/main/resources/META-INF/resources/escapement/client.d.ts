import {CloseCode} from './player.js';

export {CloseCode};

/** Subprotocol of the WebSocket. */
export const PROTOCOL: string;

/** The name of a close code, or an empty string. */
export function closeName(code: number): string;

/**
 * The name of a refusal's code: the engine's, the trunk's or the gateway's; APPLICATION_ and the number for a code of the
 * application, CODE_ and the number for any other.
 */
export function codeName(code: number): string;

/** Whether a refusal with this code of the engine or the gateway may succeed later. */
export function isTransient(code: number): boolean;

/** The connection was lost or closed before an answer arrived. */
export class ConnectionError extends Error {
    readonly code: number;
}

/** The gateway or the engine refused a request. */
export class RefusedError extends Error {
    readonly code: number;
    readonly codeName: string;
    readonly templateId: number;
}

/** Time and timers, in milliseconds. */
export interface Clock {
    now(): number;
    setTimeout(action: () => void, delayMs: number): unknown;
    clearTimeout(timer: unknown): void;
}

/** Callbacks of a session. Each may also be assigned to the Connection later. */
export interface ConnectionHandlers {
    /** After each Welcome, the first included. */
    onopen?: ((isResumed: boolean) => void) | null;
    /**
     * The connection was lost, or an attempt to connect has failed, also one before the first onopen. The next attempt
     * follows after the delay, or earlier when the page becomes visible or the network is back. Its number is 1 after an
     * open connection. The code and its name say why.
     */
    onlost?: ((code: number, delayMs: number, attempt: number, name: string) => void) | null;
    /** The session is a new one, and the session token is void or was never issued. Every room has left: log in. */
    onexpired?: (() => void) | null;
    /** The gateway lost the engine; seats are held for so long. */
    onengineaway?: ((graceMs: number) => void) | null;
    onengineback?: (() => void) | null;
    /** The gateway will close. The connection moves within the time. */
    ongoaway?: ((code: number, withinMs: number) => void) | null;
    /** The connection is closed and does not try again. */
    onclose?: ((code: number, name: string) => void) | null;
    /**
     * A resumed session has a seat that this page did not join, since the page was loaded again. Return the room's
     * callbacks to keep it, or null to leave it. Without this callback no session outlives its page.
     */
    onseat?: ((room: Room) => RoomHandlers | null) | null;
}

export interface ConnectOptions extends ConnectionHandlers {
    /** Version of the application, for the gateway. */
    applicationVersion?: number;
    /** How long the gateway may hold messages to send several in one packet: 0 to 50. Phones save power by it. */
    flushMs?: number;
    /** How long connect waits for the first Welcome. The default is 30,000. */
    patienceMs?: number;
    /** Codes of the application that say "not now": a log-in or a return that is refused with one is tried again. */
    retryCodes?: Iterable<number>;
    /** For the resume token. The default is the page's sessionStorage. */
    storage?: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;
    /** For tests. */
    WebSocket?: new (url: string, protocols: string[]) => WebSocket;
    /** For tests. */
    clock?: Clock;
    /** For tests: 0 to 1. */
    random?: () => number;
}

/**
 * Callbacks of a seat. A view is valid during the call. A turn is the number of the one that sent the message, or 0 where
 * messages come in the order in which the room sent them.
 */
export interface RoomHandlers {
    /** A message that arrives in order and without gaps. */
    onevent?(view: DataView, offset: number, length: number, turn: number): void;
    /** A message that may be missing. */
    onstate?(view: DataView, offset: number, length: number, turn: number): void;
    /** The seat is away and held; the client returns to it. 0: the connection was lost. */
    onaway?(reason: number): void;
    /** The seat is present again. */
    onback?(room: Room): void;
    /** The seat was freed. With the application's code of the leave, the kick or the room's close, or 0. */
    onleft?(reason: number, code: number): void;
    /** A message was refused: the reference counts the messages since the last Joined, from 1. */
    onrefused?(code: number, reference: number, templateId: number): void;
}

/** A class of a generated module. */
export interface MessageClass<Fields> {
    encode(view: DataView, offset: number, message: Fields): number;
}

/** A seat in a room. */
export class Room {
    readonly roomId: bigint;
    /** Whether the seat only watches: it gets states and no events, and sends nothing. */
    readonly isSpectator: boolean;
    readonly playerId: bigint;
    readonly seatIndex: number;
    /** Whether messages can be sent. */
    readonly isPresent: boolean;
    /** Bytes that the room gave this player with its seat, or null. */
    readonly answer: Uint8Array | null;
    /** Messages sent since the last Joined. */
    readonly sentCount: number;
    handlers: RoomHandlers;

    /** False if it was not sent, because the seat is away or the network is behind. */
    send<Fields>(message: MessageClass<Fields>, fields: Fields): boolean;
    send(message: Uint8Array): boolean;
    /** Frees the seat. The room gets the code as the reason: 1 to 65,534, or 0 for none. */
    leave(code?: number): Promise<void>;
}

/** A session with a gateway. */
export class Connection implements ConnectionHandlers {
    onopen: ((isResumed: boolean) => void) | null;
    onlost: ((code: number, delayMs: number, attempt: number, name: string) => void) | null;
    onexpired: (() => void) | null;
    onengineaway: ((graceMs: number) => void) | null;
    onengineback: (() => void) | null;
    ongoaway: ((code: number, withinMs: number) => void) | null;
    onclose: ((code: number, name: string) => void) | null;
    readonly state: 'connecting' | 'greeting' | 'open' | 'waiting' | 'closed';
    /** The player, after a log-in; otherwise 0n. */
    readonly playerId: bigint;
    /** Credentials with which the player may log in again without a password, or null. */
    readonly sessionToken: Uint8Array | null;
    /** The last round trip to the gateway in milliseconds; NaN before the first. */
    readonly roundTripMs: number;
    /** The longest message to a room. */
    readonly maxPayloadLength: number;
    readonly rooms: Room[];

    /** The engine's time, estimated from the fastest of the last pings. */
    serverTimeNs(): number;
    /** Credentials of the log-in service. The status is 0 on success. */
    logIn(credentials: Uint8Array | string): Promise<{status: number; playerId: bigint}>;
    /**
     * Logs the player of an earlier connection in with its session token, and keeps trying while the refusals may not
     * last. Any status but 0 is final. Rejects with a ConnectionError when the connection is closed.
     */
    logInAgain(sessionToken: Uint8Array): Promise<{status: number; playerId: bigint}>;
    /** Rejects with a RefusedError or a ConnectionError. */
    join(roomId: bigint | number, handlers?: RoomHandlers, args?: Uint8Array | string | null): Promise<Room>;
    /** Requests a seat that only watches. Rejects as join does. */
    watch(roomId: bigint | number, handlers?: RoomHandlers, args?: Uint8Array | string | null): Promise<Room>;
    /** Withdraws a join on which the room has not decided: it rejects with a RefusedError of code 68. */
    cancelJoin(roomId: bigint | number): void;
    /** Ends the session: the seats are freed. */
    close(): void;
}

/** Opens a session. Rejects with a ConnectionError. */
export function connect(url: string, options?: ConnectOptions): Promise<Connection>;
