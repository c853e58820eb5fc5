// A player of the page for PageGameTest: it receives and sends bytes.
import {Game} from './game.js';
import {readMap} from './walls.js';

const out = new DataView(new ArrayBuffer(512));
const calls = [];
let game;

export function start(maps, send) {
    const note = (name) => (...values) => calls.push(name + ' ' + values.join(' '));
    game = new Game((type, fields) => {
        send(new Uint8Array(out.buffer, 0, type.encode(out, 0, fields)));
        return true;
    }, (name) => maps[name] === undefined ? null : readMap(maps[name]), {
        onwelcome: note('welcome'), onroster: note('roster'),
        onround: () => calls.push('round ' + game.round.endsAt + ' ' + Boolean(game.round.isPause) + ' ' +
            game.round.winners.map(({name, kills}) => name + ' ' + kills)),
        onchat: note('chat'), onevent: () => undefined,
        onstate: () => undefined, onpong: note('pong'), onclosing: note('closing'), onrefused: note('refused'),
        onfault: note('fault'),
    });
}

export function receive(buffer) {
    const view = new DataView(buffer);
    game.onMessage(view, 0, view.byteLength);
}

/** As watch.js: messages, each after its length. Returns who is there. */
export function watch(buffer) {
    const view = new DataView(buffer);
    for (let offset = 0; offset < view.byteLength;) {
        const length = view.getUint16(offset, true);
        game.onMessage(view, offset + 2, length);
        offset += 2 + length;
    }
    return [...game.roster.values()].map((entry) => entry.name).join(' ') + (game.isWatching ? ', watched' : '');
}

export function away() {
    game.onAway();
}

export function steer(x, y) {
    game.steer(x, y);
}

export function act(kind, x, y) {
    return game.own !== null && game.own[kind](x, y);
}

export function chat(text) {
    return game.chat(text);
}

/** The world as numbers: its sequence and time, then each player, then each shot. */
export function world() {
    const numbers = [game.world.sequence, game.world.subStep];
    for (const player of game.world.players) {
        numbers.push(player.flags, player.x, player.y, player.vx, player.vy, player.facingX, player.facingY,
            player.dashVx, player.dashVy, player.kills, player.deaths, player.health);
    }
    for (const shot of game.world.shots) {
        numbers.push(shot.owner, ...shot.owner < 0 ? [0, 0] : [shot.x, shot.y]);
    }
    return numbers;
}

/** Whether the own player can act, and its position. */
export function own() {
    const {own: player} = game;
    return player === null || !player.canAct ? [0, 0, 0] : [1, player.body.x, player.body.y];
}

export function stats() {
    return game.stats;
}

export function index() {
    return game.index;
}

export function log() {
    return calls.splice(0);
}

/** Every projectile is drawn on the map at any time after the state. */
export function drawnShots(subSteps) {
    const places = [];
    for (const shot of game.world.shots) {
        if (shot.owner >= 0) {
            const place = game.shotAt(shot, game.world.subStep + subSteps);
            places.push(place.x, place.y);
        }
    }
    return places;
}

/** Velocities of the projectiles, a sub-step. */
export function shotVelocities() {
    return game.world.shots.filter((shot) => shot.owner >= 0).flatMap((shot) => [shot.vx, shot.vy]);
}

/** Everybody is drawn on the map at any time after the state. */
export function drawnPlaces(subSteps) {
    const places = [];
    game.world.players.forEach((player, i) => {
        if (player.isLiving) {
            const body = game.bodyAt(i, game.world.subStep + subSteps);
            places.push(body.x, body.y);
        }
    });
    return places;
}
