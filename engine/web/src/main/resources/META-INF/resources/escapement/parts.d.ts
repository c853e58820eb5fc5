/** The parts of a message, of up to `maxPayload` bytes each. Throws a RangeError for one of 0 bytes or over 1 MiB. */
export function split(message: Uint8Array, maxPayload: number): Uint8Array[];

/** Whether a message is a part of a longer one. */
export function isPart(view: DataView, offset?: number, length?: number): boolean;

/** Joins the parts of one message after another. */
export class MessageJoiner {
    /** The longest message in bytes, up to 1 MiB, which are taken at once. */
    constructor(maxLength: number);
    /**
     * The message when it is complete, in memory that the next one uses too; null before. Throws a RangeError for a
     * part that is malformed, not the next, or of a message over the limit.
     */
    onPart(view: DataView, offset?: number, length?: number): Uint8Array | null;
    /** Drops what was there of a message: call it in onaway. */
    reset(): void;
}
