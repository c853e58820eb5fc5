import {Connection, Room, RoomHandlers} from './client.js';
import {LobbyCode} from './messages/lobby.js';

export {LobbyCode};

/** The schema of the list, as JSON. */
export const SCHEMA: string;

/** Texts by key, 0 to 7. */
export type Labels = Record<number, string>;

/** An open room. */
export interface LobbyRoom {
    readonly id: bigint;
    readonly type: number;
    /** Seats that are taken or reserved. */
    readonly taken: number;
    readonly seats: number;
    readonly labels: Labels;
}

export interface LobbyOptions {
    /** The lobby: the first room unless it is given. */
    roomId?: bigint | number;
    /** Shown next to the player's chat lines. Up to 32 bytes. */
    name?: string;
    onchange?: ((rooms: LobbyRoom[]) => void) | null;
    onchat?: ((name: string, text: string, epochMs: number, playerId: bigint) => void) | null;
    /** A chat line was refused. */
    onrefused?: ((code: number) => void) | null;
}

/**
 * A player in a lobby. Every call joins the lobby if the player is not there yet. A request for a room rejects with a
 * RefusedError, whose code is a LobbyCode or one of the room or the engine; or with a ConnectionError. One request at a
 * time. The args open a new room and join it: up to 192 bytes.
 */
export class Lobby {
    constructor(connection: Connection, options?: LobbyOptions);
    onchange: ((rooms: LobbyRoom[]) => void) | null;
    onchat: ((name: string, text: string, epochMs: number, playerId: bigint) => void) | null;
    onrefused: ((code: number) => void) | null;
    readonly rooms: LobbyRoom[];

    /** Resolves when `rooms` is known. */
    join(): Promise<void>;
    /** Resolves with a seat in an open room of the type that has the labels, or in a new room with them. */
    joinOrCreate(
        type: number, labels?: Labels, args?: Uint8Array | string | null, handlers?: RoomHandlers): Promise<Room>;
    /** Resolves with a seat in the open room of the type that has most players, or in a new one. */
    quickMatch(type: number, args?: Uint8Array | string | null, handlers?: RoomHandlers): Promise<Room>;
    /** Resolves with a seat in a new room of the type. */
    create(type: number, labels?: Labels, args?: Uint8Array | string | null, handlers?: RoomHandlers): Promise<Room>;
    /** Resolves with false if the line was not sent. */
    say(text: string): Promise<boolean>;
}
