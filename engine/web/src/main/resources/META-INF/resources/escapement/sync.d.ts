/** The schema of a state: the JSON of SyncSchema.toJson(), as a text or parsed. */
export type SyncSchema = string | {name: string; tables: object[]};

/** A field's value: bigint for ID, boolean for BOOL, string for TEXT, number for all others. */
export type SyncValue = number | bigint | boolean | string;

/** A row: its fields by name. */
export type SyncRow = Record<string, SyncValue>;

/** Receives the changes of a frame by row, after all of them have been applied. Must not apply a message. */
export interface SyncCallbacks {
    onadd?(table: string, row: number, entity: SyncRow): void;
    onchange?(table: string, row: number, field: string, value: SyncValue, before: SyncValue): void;
    onremove?(table: string, row: number, entity: SyncRow): void;
    onframe?(): void;
}

export const Result: {
    /** The copy has changed to the state that the message completed, and by the messages that were held for it. */
    readonly APPLIED: 'APPLIED';
    /** The message is a part of a frame; the copy will change with the last part. */
    readonly INCOMPLETE: 'INCOMPLETE';
    /** A message before this one is missing. The copy will change when that one arrives. */
    readonly HELD: 'HELD';
    /** The message is not newer than the copy, or a part before it is lost. */
    readonly IGNORED: 'IGNORED';
    /** Not a message of this schema. */
    readonly MALFORMED: 'MALFORMED';
};

/** The schema with a name, as the gateway of its room has it: see RoomType.schema. Rejects if it has none. */
export function fetchSchema(name: string): Promise<string>;

/** Whether a message has synchronised state. */
export function isSync(view: DataView, offset?: number, length?: number): boolean;

/** A copy of the state of a room. */
export class SyncedCopy {
    constructor(schema: SyncSchema, callbacks?: SyncCallbacks);
    /** The rows of each table that are there. */
    readonly tables: Record<string, ReadonlyMap<number, SyncRow>>;
    /** The room's own fields, or undefined before the first full state. */
    readonly room: SyncRow | undefined;
    /** Whether the copy has the state of its last message. */
    readonly isCurrent: boolean;
    readonly sequence: number;
    readonly view: number;
    /**
     * Whether a held message shows that the copy misses an earlier state. It is so for a short time whenever messages
     * overtake each other, and while a full state is on its way. The gateway reports each message that was lost on the
     * way, and the room answers with a full state. Ask the room for a full state only if the copy is behind for a second or
     * more: nothing was lost on the way, but the copy dropped held messages at its limits, 16 messages and 64 KiB.
     */
    readonly isBehind: boolean;
    /** Number of malformed messages, when they arrived or when they were no longer held. */
    readonly malformedCount: number;
    /** Apply a message, and the held ones that follow it. One that is not APPLIED has changed nothing. */
    apply(
        view: DataView, offset?: number, length?: number): 'APPLIED' | 'INCOMPLETE' | 'HELD' | 'IGNORED' | 'MALFORMED';
    /** The seat is away: the next full state continues the copy. Held messages are dropped. */
    reset(): void;
}
