import {Connection, Room, RoomHandlers} from './client.js';
import {MatchmakingCode} from './messages/matchmaking.js';

export {MatchmakingCode};

export interface TicketOptions {
    /** A random number that the members of a party share; 0n for a player alone. */
    partyId?: bigint;
    partySize?: number;
    /** For the join of the room that is found. */
    args?: Uint8Array | string | null;
    handlers?: RoomHandlers;
}

/**
 * A player of a matchmaker, who has one ticket at a time. Every call joins the matchmaker if the player is not there
 * yet. A ticket rejects with a RefusedError, whose code is a MatchmakingCode or one of the room or the engine; or with a
 * ConnectionError.
 */
export class Matchmaker {
    constructor(
        connection: Connection, roomId: bigint | number, options?: {onqueued?: ((missing: number) => void) | null});
    /** The number of party members who have not asked yet. */
    onqueued: ((missing: number) => void) | null;

    /** Resolves with a seat in a match. */
    enqueue(options?: TicketOptions & {rating?: number}): Promise<Room>;
    /** Resolves with a seat in an open room that has up to four labels, texts by keys 0 to 7. */
    find(labels?: Record<number, string>, options?: TicketOptions): Promise<Room>;
    /** Withdraws the ticket, for all of its party: the promises reject with CANCELLED. */
    cancel(): void;
}
