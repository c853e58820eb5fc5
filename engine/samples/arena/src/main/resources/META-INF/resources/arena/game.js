/**
 * The arena as one player sees it: the states as received, the own player ahead of them, and what happened lately. No
 * part of it knows the page. `send` takes a class of arena.js and its fields, and says whether it was sent.
 */
import {
    ArenaCode, Chat, Claim, Closing, Correction, Dash, Delta, Entered, EventKind, Events, Gone, Melee, FullState, Ping,
    Pong, Refused, RoomChat, Round, Score, Shoot, Welcome, templateId,
} from './arena.js';
import {
    DASH_COOLDOWN, DASH_SPEED, DASH_TIME, Extrapolation, PLAYER_HALF, PLAYER_LIMIT, RESPAWN_DELAY, ROUND_TRIP,
    RULES_VERSION, RUN_SPEED, SHOT_COOLDOWN, SHOT_HALF, SHOT_LIMIT, SWING_TIME, SweptBox, Walls, fingerprint, scale,
} from './walls.js';

export const IN_GAME = 1;
export const LIVING = 2;
export const DASHING = 4;
export const SWINGING = 8;
const NOBODY = 254;
const NO_SEQUENCE = -1;
const NEVER = -1e9;
/** Most waiting deltas: frames of a quarter of a second, after which a room sends a full state, plus one. */
const HELD_LIMIT = 16;
/** Fewest sub-steps between two claims: 20 per second, of the 60 messages that the server takes. */
const SAMPLING = 6;
/** Sub-steps that a player is drawn ahead of the last state, at most. */
const MOST_AHEAD = 24;

/** A player as of the last state. */
class Player {
    constructor() {
        Object.assign(this, {
            flags: 0, x: 0, y: 0, vx: 0, vy: 0, facingX: 0, facingY: 0, dashVx: 0, dashVy: 0, dashEndsAt: 0,
            kills: 0, deaths: 0, health: 0,
        });
    }

    get isLiving() {
        return (this.flags & LIVING) !== 0;
    }
}

/** Applies full states and deltas in order. */
export class World {
    constructor() {
        this.players = Array.from({length: PLAYER_LIMIT}, () => new Player());
        this.shots = Array.from({length: SHOT_LIMIT}, () => ({owner: -1, x: 0, y: 0, vx: 0, vy: 0}));
        this.clear();
    }

    clear() {
        this.sequence = NO_SEQUENCE;
        this.subStep = 0;
        this.players.forEach((player) => Object.assign(player, new Player()));
        this.shots.forEach((shot) => Object.assign(shot, {owner: -1, x: 0, y: 0, vx: 0, vy: 0}));
    }

    /** Returns false if the full state is older than the world. */
    applyFullState(fullState) {
        const {sequence} = fullState;
        if (sequence < this.sequence) {
            return false;
        }
        this.clear();
        this.sequence = sequence;
        this.subStep = fullState.subStep;
        for (const held of fullState.players) {
            const player = this.#player(held.playerIndex);
            this.#move(player, held);
            this.#change(player, held);
        }
        for (const shot of fullState.shots) {
            this.#shoot(shot);
        }
        return true;
    }

    /** Whether a state before the delta is missing. */
    isEarly(delta) {
        return this.sequence === NO_SEQUENCE || delta.sequence > this.sequence + 1;
    }

    /** Returns false if the delta does not follow the world's state. */
    applyDelta(delta) {
        if (this.sequence === NO_SEQUENCE || delta.sequence !== this.sequence + 1) {
            return false;
        }
        this.#extrapolate(delta.subStep);
        this.sequence++;
        for (const move of delta.moves) {
            this.#move(this.#player(move.playerIndex), move);
        }
        for (const change of delta.changes) {
            this.#change(this.#player(change.playerIndex), change);
        }
        for (const shot of delta.shots) {
            this.#shoot(shot);
        }
        return true;
    }

    #player(index) {
        if (index >= PLAYER_LIMIT) {
            throw new RangeError('player ' + index);
        }
        return this.players[index];
    }

    #extrapolate(until) {
        const subSteps = until - this.subStep;
        this.subStep = until;
        for (const player of this.players) {
            player.x += subSteps * player.vx;
            player.y += subSteps * player.vy;
        }
        for (const shot of this.shots) {
            if (shot.owner >= 0) {
                shot.x += subSteps * shot.vx;
                shot.y += subSteps * shot.vy;
            }
        }
    }

    #move(player, from) {
        player.x = from.x;
        player.y = from.y;
        player.vx = from.vx;
        player.vy = from.vy;
        player.flags = from.flags;
    }

    #change(player, from) {
        player.dashEndsAt = from.dashEndsAt;
        player.facingX = from.facingX;
        player.facingY = from.facingY;
        player.dashVx = from.dashVx;
        player.dashVy = from.dashVy;
        player.kills = from.kills;
        player.deaths = from.deaths;
        player.health = from.health;
    }

    #shoot(from) {
        if (from.shotIndex >= SHOT_LIMIT || from.owner >= PLAYER_LIMIT) {
            throw new RangeError('shot ' + from.shotIndex + ' of ' + from.owner);
        }
        const shot = this.shots[from.shotIndex];
        shot.owner = from.owner;
        shot.x = from.x;
        shot.y = from.y;
        shot.vx = from.vx;
        shot.vy = from.vy;
    }
}

/**
 * The own player, where its inputs have taken it by the rules of the server. Its time is the last state's. A position
 * set by the server is valid from the sub-step that the server names.
 */
export class OwnPlayer {
    constructor(walls, send) {
        this.send = send;
        this.body = new Extrapolation(walls);
        this.isPlaced = false;
        this.time = 0;
        this.from = 0;
        this.claimedAt = NEVER;
        this.hasChanged = false;
        this.vx = 0;
        this.vy = 0;
        this.targetVx = 0;
        this.targetVy = 0;
        this.dashVx = 0;
        this.dashVy = 0;
        this.dashAt = NEVER;
        this.swingAt = NEVER;
        this.shotAt = NEVER;
    }

    get canAct() {
        return this.isPlaced && this.time >= this.from;
    }

    /** The server put it here: at a spawn, or after an impossible claim. */
    place(x, y, vx, vy, subStep) {
        this.vx = vx;
        this.vy = vy;
        this.body.set(x, y, vx, vy);
        this.isPlaced = true;
        this.hasChanged = false;
        this.from = subStep;
        const dashed = subStep - this.dashAt;
        if (dashed >= 0 && dashed < DASH_TIME) {
            this.body.dash(this.dashVx, this.dashVy, DASH_TIME - dashed);
        }
        this.#advance(this.from, this.time);
    }

    die() {
        this.isPlaced = false;
        this.vx = 0;
        this.vy = 0;
    }

    /** A state of this time has been applied. */
    onState(subStep, isLiving) {
        if (this.isPlaced) {
            this.#advance(Math.max(this.time, this.from), subStep);
        }
        this.time = subStep;
        if (!isLiving && this.isPlaced && subStep > this.from) {
            this.die();
        }
        this.#act();
    }

    /** Runs in a direction from now on. Zero to stop. */
    steer(dirX, dirY) {
        const isRest = dirX === 0 && dirY === 0;
        this.targetVx = isRest ? 0 : scale(dirX, dirX, dirY, RUN_SPEED);
        this.targetVy = isRest ? 0 : scale(dirY, dirX, dirY, RUN_SPEED);
        this.#act();
    }

    dash(dirX, dirY) {
        if (!this.canAct || this.time - this.dashAt < DASH_COOLDOWN || this.time - this.claimedAt < SAMPLING) {
            return false;
        }
        // Server and client start the dash at the place and time of this claim.
        if (!this.#claim() || !this.send(Dash, {dirX, dirY})) {
            return false;
        }
        this.dashAt = this.time;
        this.dashVx = scale(dirX, dirX, dirY, DASH_SPEED);
        this.dashVy = scale(dirY, dirX, dirY, DASH_SPEED);
        this.swingAt = NEVER;
        this.body.dash(this.dashVx, this.dashVy, DASH_TIME);
        return true;
    }

    melee(dirX, dirY) {
        if (!this.isFree || !this.send(Melee, {dirX, dirY})) {
            return false;
        }
        this.swingAt = this.time;
        return true;
    }

    shoot(dirX, dirY) {
        if (!this.isFree || this.time - this.shotAt < SHOT_COOLDOWN + ROUND_TRIP || !this.send(Shoot, {dirX, dirY})) {
            return false;
        }
        this.shotAt = this.time;
        return true;
    }

    /**
     * Neither swinging nor dashing. Another round trip is left between two swings, because a swing starts when it
     * arrives.
     */
    get isFree() {
        return this.canAct && this.time - this.swingAt >= SWING_TIME + ROUND_TRIP &&
            this.time - this.dashAt >= DASH_TIME;
    }

    /** 0 just used to 1 ready. */
    readiness() {
        const share = (since, cooldown) => Math.max(0, Math.min(1, (this.time - since) / cooldown));
        return {
            dash: share(this.dashAt, DASH_COOLDOWN),
            swing: share(this.swingAt, SWING_TIME + ROUND_TRIP),
            shot: share(this.shotAt, SHOT_COOLDOWN + ROUND_TRIP),
        };
    }

    #act() {
        if (!this.canAct) {
            return;
        }
        if (this.vx !== this.targetVx || this.vy !== this.targetVy) {
            this.vx = this.targetVx;
            this.vy = this.targetVy;
            this.body.turn(this.vx, this.vy);
            this.hasChanged = true;
        }
        if (this.hasChanged && this.time - this.claimedAt >= SAMPLING) {
            this.#claim();
        }
    }

    #claim() {
        const {x, y} = this.body;
        if (!this.send(Claim, {subStep: this.time, x, y, vx: this.vx, vy: this.vy})) {
            return false;
        }
        this.claimedAt = this.time;
        this.hasChanged = false;
        return true;
    }

    #advance(since, until) {
        if (until > since) {
            this.body.advance(until - since);
        }
    }
}

/** A seat in an arena. The handlers are called with plain values, for the page to show. */
export class Game {
    #decoders = new Map();
    #loadMap;
    #handlers;
    #bodies = [];
    /** Early deltas, as bytes. */
    #held = [];
    #shotBox = null;

    /**
     * @param send     sends a message to the room.
     * @param loadMap  returns the map of a name, or null if it does not exist.
     * @param handlers onwelcome(roomName), onroster(), onround(), onchat(index, text), onevent(event),
     *                 onclosing(code, ms), onrefused(code), onfault(text).
     */
    constructor(send, loadMap, handlers) {
        this.send = send;
        this.#loadMap = loadMap;
        this.#handlers = handlers;
        this.world = new World();
        this.map = null;
        this.own = null;
        this.index = -1;
        /** Without a player: full states are shown, and no message is sent. */
        this.isWatching = false;
        this.roomId = 0n;
        this.roomName = '';
        this.roster = new Map();
        /** Or the pause after a round, with the names and kills of its winners. */
        this.round = null;
        this.diedAt = NEVER;
        this.lastStateMs = 0;
        this.stats = {deltas: 0, gaps: 0, corrections: 0, refusals: 0, fullStates: 0, hits: 0, ownEvents: {}};
        this.#handle(Welcome, (message) => this.#onWelcome(message));
        this.#handle(Entered, (message) => this.#onEntered(message));
        this.#handle(Gone, (message) => this.#onGone(message));
        this.#handle(Events, (message) => this.#onEvents(message));
        this.#handle(Correction, (message) => this.#onCorrection(message));
        this.#handle(Score, (message) => this.#onScore(message));
        this.#handle(Round, (message) => this.#onRound(message));
        this.#handle(Chat, (message) => handlers.onchat(message.playerIndex, message.text, message.playerId));
        this.#handle(Refused, (message) => this.#onRefused(message));
        this.#handle(Closing, (message) => handlers.onclosing(message.code, message.leftMs));
        this.#handle(Pong, (message) => handlers.onpong(message.stamp));
        this.#handle(FullState, (message) => this.#onFullState(message));
        this.#handle(Delta, (message, view, offset, length) => this.#onDelta(message, view, offset, length));
    }

    get isDead() {
        return this.index >= 0 && this.own !== null && !this.own.isPlaced;
    }

    /** Sub-steps until the own player spawns again. */
    respawnIn(subStep) {
        return Math.max(0, this.diedAt + RESPAWN_DELAY - subStep);
    }

    /** A message from the room. Throws a RangeError if it is malformed or not for a player. */
    onMessage(view, offset, length) {
        const template = templateId(view, offset, length);
        const entry = this.#decoders.get(template);
        if (entry === undefined) {
            throw new RangeError('template ' + template + ' is not for a player of an arena');
        }
        entry.handler(entry.decoder.wrap(view, offset, length), view, offset, length);
    }

    /** The seat is away: the next message is a Welcome. */
    onAway() {
        this.#held = [];
        this.world.clear();
        this.index = -1;
        this.own = null;
    }

    steer(dirX, dirY) {
        if (this.own !== null) {
            this.own.steer(dirX, dirY);
        }
    }

    chat(text) {
        return this.send(RoomChat, {text});
    }

    ping(stamp) {
        return this.send(Ping, {stamp});
    }

    /** Where to draw a player at a time after the last state. The result is valid until the next call. */
    bodyAt(index, subStep) {
        const body = this.#bodies[index];
        const player = this.world.players[index];
        const ahead = Math.max(0, Math.min(MOST_AHEAD, Math.round(subStep - this.world.subStep)));
        if (index === this.index && this.own.isPlaced) {
            const {body: own} = this.own;
            body.set(own.x, own.y, own.vx, own.vy);
            body.dash(own.dashVx, own.dashVy, own.dashLeft);
        } else {
            body.set(player.x, player.y, player.vx, player.vy);
            body.dash(player.dashVx, player.dashVy, Math.min(DASH_TIME, Math.max(0,
                player.dashEndsAt - this.world.subStep)));
        }
        body.advance(ahead);
        return body;
    }

    /** Where to draw a projectile at a time after the last state: no farther than the first wall. */
    shotAt(shot, subStep) {
        const ahead = Math.max(0, Math.min(MOST_AHEAD, Math.round(subStep - this.world.subStep)));
        this.#shotBox.sweep(shot.x, shot.y, shot.vx * ahead, shot.vy * ahead);
        return this.#shotBox;
    }

    #handle(type, handler) {
        this.#decoders.set(type.TEMPLATE_ID, {decoder: new type(), handler});
    }

    #onWelcome(welcome) {
        const map = this.#loadMap(welcome.mapName);
        if (map === null || fingerprint(map) !== welcome.mapFingerprint || welcome.rulesVersion !== RULES_VERSION ||
            (welcome.playerIndex >= PLAYER_LIMIT && welcome.playerIndex !== NOBODY)) {
            this.#handlers.onfault('This page and the server differ in the map or the rules. Load the page again.');
            return;
        }
        const walls = new Walls(map, PLAYER_HALF);
        this.map = map;
        this.isWatching = welcome.playerIndex === NOBODY;
        this.index = this.isWatching ? -1 : welcome.playerIndex;
        this.roomId = welcome.roomId;
        this.roomName = welcome.roomName;
        this.own = this.isWatching ? null : new OwnPlayer(walls, this.send);
        this.#shotBox = new SweptBox(new Walls(map, SHOT_HALF));
        this.#bodies = Array.from({length: PLAYER_LIMIT}, () => new Extrapolation(walls));
        this.roster.clear();
        this.world.clear();
        this.#handlers.onwelcome(this.roomName);
    }

    #onEntered(message) {
        if (message.playerIndex < PLAYER_LIMIT) {
            this.roster.set(message.playerIndex,
                {playerId: message.playerId, name: message.name, kills: 0, deaths: 0});
            this.#handlers.onroster();
        }
    }

    #onGone(message) {
        const entry = this.roster.get(message.playerIndex);
        if (entry !== undefined && entry.playerId === message.playerId) {
            this.roster.delete(message.playerIndex);
            this.#handlers.onroster();
        }
    }

    #onScore(message) {
        const entry = this.roster.get(message.playerIndex);
        if (entry !== undefined) {
            entry.kills = message.kills;
            entry.deaths = message.deaths;
            this.#handlers.onroster();
        }
    }

    #onRound({endsAt, isPause, winners}) {
        this.round = {endsAt, isPause, winners: [...this.roster].filter(([index]) => (winners & 1 << index) !== 0)
            .map(([, {name, kills}]) => ({name, kills}))};
        this.#handlers.onround();
    }

    #onEvents(message) {
        const {subStep} = message;
        if (this.own === null) {
            return;
        }
        for (const entry of message.entries) {
            const event = {kind: entry.kind, x: entry.x, y: entry.y, player: entry.playerIndex,
                other: entry.otherIndex === NOBODY ? -1 : entry.otherIndex, value: entry.value, subStep};
            if (event.player === this.index) {
                this.stats.ownEvents[event.kind] = (this.stats.ownEvents[event.kind] || 0) + 1;
                if (event.kind === EventKind.SPAWN) {
                    this.own.place(event.x, event.y, 0, 0, subStep);
                } else if (event.kind === EventKind.DEATH) {
                    this.own.die();
                    this.diedAt = subStep;
                }
            }
            if (event.kind === EventKind.HIT && event.other === this.index) {
                this.stats.hits++;
            }
            this.#handlers.onevent(event);
        }
    }

    #onCorrection(message) {
        this.stats.corrections++;
        if (this.own !== null && this.own.isPlaced) {
            this.own.place(message.x, message.y, message.vx, message.vy, message.subStep);
        }
    }

    #onRefused(message) {
        const {code} = message;
        this.stats.refusals++;
        // A claim that crossed a correction or a spawn: its refusal does no harm.
        if (code !== ArenaCode.STALE) {
            this.#handlers.onrefused(code);
        }
    }

    #onFullState(fullState) {
        if ((this.own === null && !this.isWatching) || !this.world.applyFullState(fullState)) {
            return;
        }
        this.stats.fullStates++;
        this.#applyHeld();
        if (this.isWatching) {
            this.#handlers.onstate(this.world.subStep);
            return;
        }
        const player = this.world.players[this.index];
        if (!this.own.isPlaced && player.isLiving) {
            // A player that has returned alive receives no SPAWN.
            this.own.place(player.x, player.y, player.vx, player.vy, this.world.subStep);
        }
        this.own.onState(this.world.subStep, player.isLiving);
        this.#handlers.onstate(this.world.subStep);
    }

    /** An early delta is held until the full state or the delta before it arrives, because both are sent separately. */
    #onDelta(delta, view, offset, length) {
        if (this.own === null) {
            return;
        }
        if (this.world.isEarly(delta)) {
            this.stats.gaps += this.world.sequence === NO_SEQUENCE ? 0 : 1;
            const from = view.byteOffset + offset;
            this.#held.push(new DataView(view.buffer.slice(from, from + length)));
            if (this.#held.length > HELD_LIMIT) {
                this.#held.shift();
            }
            return;
        }
        if (!this.world.applyDelta(delta)) {
            return;
        }
        this.stats.deltas++;
        this.#applyHeld();
        const player = this.world.players[this.index];
        this.own.onState(this.world.subStep, player.isLiving);
        this.#handlers.onstate(this.world.subStep);
    }

    #applyHeld() {
        if (this.#held.length > 0) {
            const delta = new Delta();
            this.#held = this.#held.filter((view) => {
                delta.wrap(view, 0, view.byteLength);
                this.stats.deltas += this.world.applyDelta(delta) ? 1 : 0;
                return this.world.isEarly(delta);
            });
        }
    }
}
