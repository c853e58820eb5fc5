/**
 * The page's side of escapement-matchmaking: a seat in a match, or in an open room with labels, by one call. The
 * messages are in messages/matchmaking.js.
 */
import {ConnectionError, RefusedError} from './client.js';
import {
    Cancel, Enqueue, Find, Matched, MatchmakingCode, Queued, Removed, templateId,
} from './messages/matchmaking.js';

export {MatchmakingCode};

/** The connection was lost, and the ticket with it. */
const ABNORMAL = 1006;
const MAX_LABELS = 4;
const VALUE_LENGTH = 30;
const NO_LABEL = {key: 255, length: 0, value: new Uint8Array(VALUE_LENGTH)};

/**
 * A player of a matchmaker, who has one ticket at a time. Every call joins the matchmaker if the player is not there
 * yet.
 *
 *     const matchmaker = new Matchmaker(connection, roomId);
 *     const room = await matchmaker.enqueue({rating: 1200, handlers: {onevent}});
 */
export class Matchmaker {
    #connection;
    #roomId;
    #joining = null;
    #room = null;
    #ticket = null;

    /** The callback onqueued(missing) gets the number of party members who have not asked yet. */
    constructor(connection, roomId, {onqueued = null} = {}) {
        this.#connection = connection;
        this.#roomId = BigInt(roomId);
        this.onqueued = onqueued;
    }

    /**
     * Resolves with a seat in a match. The rating is for matchmakers without a service for it. Members of a party share
     * a random `partyId` and its size. `args` and `handlers` are as in `connection.join`.
     */
    enqueue({rating = 0, partyId = 0n, partySize = 1, args = null, handlers = {}} = {}) {
        return this.#ask(Enqueue, {partyId, partySize, rating}, args, handlers);
    }

    /** Resolves with a seat in an open room that has up to four labels, texts by keys 0 to 7. */
    async find(labels = {}, {partyId = 0n, partySize = 1, args = null, handlers = {}} = {}) {
        const wanted = Object.entries(labels).map(labelOf);
        if (wanted.length > MAX_LABELS) {
            throw new RangeError(wanted.length + ' labels, at most ' + MAX_LABELS);
        }
        const [label1, label2, label3, label4] = [...wanted, ...new Array(MAX_LABELS).fill(NO_LABEL)];
        return this.#ask(Find, {partyId, partySize, label1, label2, label3, label4}, args, handlers);
    }

    /** Withdraws the ticket, for all of its party: the promises reject with CANCELLED. */
    cancel() {
        if (this.#ticket !== null) {
            this.#room.send(Cancel, {});
        }
    }

    async #ask(type, fields, args, handlers) {
        await this.#join();
        if (this.#ticket !== null) {
            throw new RefusedError(MatchmakingCode.ALREADY_QUEUED);
        }
        const roomId = await new Promise((resolve, reject) => {
            if (this.#room.send(type, fields)) {
                this.#ticket = {resolve, reject};
            } else {
                reject(new ConnectionError(ABNORMAL));
            }
        });
        return this.#connection.join(roomId, handlers, args);
    }

    #join() {
        this.#joining ??= this.#connection.join(this.#roomId, {
            onevent: (view, offset, length) => this.#onEvent(view, offset, length),
            onaway: () => this.#reject(new ConnectionError(ABNORMAL)),
            onleft: () => this.#onLeft(),
            onrefused: (code) => this.#onRefused(code),
        }).then((room) => {
            this.#room = room;
        }, (error) => {
            this.#joining = null;
            throw error;
        });
        return this.#joining;
    }

    #onEvent(view, offset, length) {
        switch (templateId(view, offset, length)) {
            case Queued.TEMPLATE_ID:
                this.onqueued?.(new Queued().wrap(view, offset, length).missing);
                break;
            case Matched.TEMPLATE_ID:
                this.#take()?.resolve(new Matched().wrap(view, offset, length).roomId);
                break;
            default:
                this.#reject(new RefusedError(new Removed().wrap(view, offset, length).code));
        }
    }

    #onRefused(code) {
        // A Cancel that crossed its Matched or Removed.
        if (code !== MatchmakingCode.NOT_QUEUED) {
            this.#reject(new RefusedError(code));
        }
    }

    #onLeft() {
        this.#joining = null;
        this.#reject(new ConnectionError(ABNORMAL));
    }

    #reject(error) {
        this.#take()?.reject(error);
    }

    #take() {
        const ticket = this.#ticket;
        this.#ticket = null;
        return ticket;
    }
}

function labelOf([key, text]) {
    const bytes = new TextEncoder().encode(text);
    if (bytes.length > VALUE_LENGTH) {
        throw new RangeError('a label of ' + bytes.length + ' bytes, at most ' + VALUE_LENGTH);
    }
    const value = new Uint8Array(VALUE_LENGTH);
    value.set(bytes);
    return {key: Number(key), length: bytes.length, value};
}
