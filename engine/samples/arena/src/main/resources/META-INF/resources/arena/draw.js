/**
 * Draws an arena on a canvas: every player is a watch, its hand shows where it looks and the ring around its dial how
 * much health is left. The style sheet defines all colours, and thus dark and light.
 */
import {EventKind} from './arena.js';
import {
    EXPLOSION_RADIUS, FULL_HEALTH, PLAYER_HALF, SUB_STEPS_PER_SECOND, SWING_ACTIVE, SWING_TIME, SWING_WIND_UP, UNIT,
} from './walls.js';

/** Pixels of one unit at least. A map that would be smaller is shown in part, around the own player. */
const LEAST_SCALE = 24;
const PART_SCALE = 34;
const MOST_SCALE = 64;
/** Share of a drawn error that is left after a second: a correction glides in a tenth of a second. */
const ERROR_LEFT = 1e-6;
/** Pixels that the page's own elements cover above and below the arena, and at either side of it. */
const COVER = {top: 8, bottom: 104, side: 0};
const TOUCH_COVER = {top: 8, bottom: 280, side: 0};
/** The sticks have the corners, and columns of text are above them. */
const WIDE_TOUCH_COVER = {top: 8, bottom: 92, side: 90};
/** Visible units beyond the edges of a large map, so that no corner is under the page's elements. */
const BEYOND = 3;
/** Units beyond which a player has jumped, not drifted: it is drawn there at once. */
const JUMP = 3;
const HUES = [42, 172, 348, 205, 88, 268, 18, 222, 128, 318, 60, 190, 0, 150, 290, 105];
/** Pixels. */
const DAMAGE_SIZE = 20;
const LEAST_RADIUS = 5;
const TAU = 2 * Math.PI;

/** Distances are in units from here on. */
const RADIUS = PLAYER_HALF / UNIT;

export class Renderer {
    constructor(canvas) {
        this.canvas = canvas;
        this.context = canvas.getContext('2d', {alpha: false});
        this.effects = [];
        this.swings = new Map();
        this.shown = new Map();
        this.scenery = null;
        this.sceneryKey = '';
        this.cameraX = 0;
        this.cameraY = 0;
        this.scale = LEAST_SCALE;
        /** Fewer moving things, as the player or its system asks. */
        this.isCalm = false;
        this.showsNames = true;
        /** Whether sticks cover the lower part or the corners. */
        this.isTouched = false;
        this.readColours();
    }

    /** After a change between dark and light. */
    readColours() {
        const style = getComputedStyle(this.canvas);
        const colour = (name) => style.getPropertyValue('--' + name).trim();
        this.colours = {
            void: colour('arena-void'), floor: colour('arena-floor'), line: colour('arena-line'),
            wall: colour('arena-wall'), top: colour('arena-top'), edge: colour('arena-edge'), text: colour('text'),
            muted: colour('muted'), brass: colour('brass'), danger: colour('danger'), dial: colour('arena-dial'),
            shadow: colour('arena-shadow'), spark: colour('arena-spark'), lightness: colour('player-lightness'),
        };
        this.sceneryKey = '';
    }

    clear() {
        this.effects = [];
        this.swings.clear();
        this.shown.clear();
    }

    /** Something that happened, to be seen for a while. */
    add(event, nowMs) {
        const x = event.x / UNIT;
        const y = event.y / UNIT;
        switch (event.kind) {
            case EventKind.SWING:
                this.swings.set(event.player, nowMs);
                break;
            case EventKind.EXPLOSION:
                this.#effect('blast', x, y, nowMs, 420, {radius: EXPLOSION_RADIUS / UNIT});
                this.#sparks(x, y, nowMs, 14, this.colours.spark);
                break;
            case EventKind.HIT:
                this.#effect('damage', x, y, nowMs, 900, {text: '\u2212' + event.value});
                break;
            case EventKind.DEATH:
                this.#effect('ring', x, y, nowMs, 600, {colour: this.colours.danger, radius: 1.4});
                this.#sparks(x, y, nowMs, 18, this.playerColour(event.player));
                break;
            case EventKind.SPAWN:
                this.shown.delete(event.player);
                this.#effect('ring', x, y, nowMs, 500, {colour: this.playerColour(event.player), radius: 1.2});
                break;
            case EventKind.DASH:
                this.#effect('ring', x, y, nowMs, 260, {colour: this.playerColour(event.player), radius: 0.8});
                break;
            default:
                break;
        }
    }

    playerColour(index) {
        return 'hsl(' + HUES[index % HUES.length] + ' 62% ' + this.colours.lightness + ')';
    }

    /** Where a point of the page is in the arena, in units. */
    toArena(clientX, clientY) {
        const box = this.canvas.getBoundingClientRect();
        return {
            x: this.cameraX + (clientX - box.left - box.width / 2) / this.scale,
            y: this.cameraY + (clientY - box.top - box.height / 2) / this.scale,
        };
    }

    /** Draws a frame: the game at a time in sub-steps, with the own player looking into a direction. */
    frame(game, subStep, aim, nowMs, elapsedMs) {
        const {canvas, context} = this;
        const ratio = Math.min(devicePixelRatio || 1, 2);
        const width = canvas.clientWidth;
        const height = canvas.clientHeight;
        if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
            canvas.width = Math.round(width * ratio);
            canvas.height = Math.round(height * ratio);
        }
        context.setTransform(ratio, 0, 0, ratio, 0, 0);
        context.fillStyle = this.colours.void;
        context.fillRect(0, 0, width, height);
        if (game.map === null || (game.index < 0 && !game.isWatching)) {
            return;
        }
        const places = this.#places(game, subStep, elapsedMs);
        this.#look(game, places, width, height);
        context.translate(width / 2, height / 2);
        context.scale(this.scale, this.scale);
        context.translate(-this.cameraX, -this.cameraY);
        this.#drawScenery(game.map, ratio);
        this.#drawShots(game, subStep);
        for (const [index, place] of places) {
            this.#drawPlayer(game, index, place, index === game.index ? aim : null, nowMs);
        }
        this.#drawEffects(nowMs);
        if (this.showsNames) {
            for (const [index, place] of places) {
                this.#drawName(game, index, place);
            }
        }
    }

    #effect(kind, x, y, startMs, lengthMs, more) {
        if (this.effects.length < 400) {
            this.effects.push({kind, x, y, startMs, lengthMs, ...more});
        }
    }

    #sparks(x, y, nowMs, count, colour) {
        for (let i = 0; i < (this.isCalm ? 0 : count); i++) {
            const angle = TAU * (i + Math.random()) / count;
            const speed = 1.5 + 3 * Math.random();
            this.#effect('spark', x, y, nowMs, 280 + 260 * Math.random(),
                {colour, dx: speed * Math.cos(angle), dy: speed * Math.sin(angle)});
        }
    }

    /** Living players and where to draw them. A difference to the last picture glides away instead of jumping. */
    #places(game, subStep, elapsedMs) {
        const places = new Map();
        game.world.players.forEach((player, index) => {
            if (!player.isLiving || (index === game.index && !game.own.isPlaced)) {
                this.shown.delete(index);
                return;
            }
            const body = game.bodyAt(index, subStep);
            const x = body.x / UNIT;
            const y = body.y / UNIT;
            const vx = (body.dashLeft > 0 ? body.dashVx : body.vx) * SUB_STEPS_PER_SECOND / UNIT;
            const vy = (body.dashLeft > 0 ? body.dashVy : body.vy) * SUB_STEPS_PER_SECOND / UNIT;
            const before = this.shown.get(index);
            let errorX = 0;
            let errorY = 0;
            if (before !== undefined) {
                const left = ERROR_LEFT ** (elapsedMs / 1000);
                errorX = (before.x + before.vx * elapsedMs / 1000 - x) * left;
                errorY = (before.y + before.vy * elapsedMs / 1000 - y) * left;
                if (Math.abs(errorX) + Math.abs(errorY) > JUMP) {
                    errorX = 0;
                    errorY = 0;
                }
            }
            const place = {x: x + errorX, y: y + errorY, vx, vy, isDashing: body.dashLeft > 0};
            this.shown.set(index, place);
            places.set(index, place);
        });
        return places;
    }

    /** The whole map if it fits, otherwise the own player in the middle, as far as the edges allow. */
    #look(game, places, width, height) {
        const mapWidth = game.map.width / UNIT;
        const mapHeight = game.map.height / UNIT;
        if (game.isWatching) {
            this.scale = Math.min(width / (mapWidth + 1), height / (mapHeight + 1));
            this.cameraX = mapWidth / 2;
            this.cameraY = mapHeight / 2;
            return;
        }
        const {top, bottom, side} = !this.isTouched ? COVER : width > height ? WIDE_TOUCH_COVER : TOUCH_COVER;
        const clearWidth = width - 2 * side;
        const clearHeight = height - top - bottom;
        const fit = Math.min(clearWidth / (mapWidth + 1), clearHeight / (mapHeight + 1));
        this.scale = fit < LEAST_SCALE ? PART_SCALE : Math.min(MOST_SCALE, fit);
        const own = places.get(game.index);
        const target = own || {x: this.cameraX || mapWidth / 2, y: this.cameraY || mapHeight / 2};
        this.cameraX = clampView(target.x, mapWidth, clearWidth / this.scale);
        this.cameraY = clampView(target.y, mapHeight, clearHeight / this.scale) + (bottom - top) / 2 / this.scale;
    }

    /** Floor and walls do not change: they are painted once a size and colour scheme. */
    #drawScenery(map, ratio) {
        const scale = Math.min(this.scale * ratio, 8192 / Math.max(map.width, map.height) * UNIT);
        const key = map.name + ' ' + scale;
        if (key !== this.sceneryKey) {
            this.scenery = paintScenery(map, scale, this.colours);
            this.sceneryKey = key;
        }
        this.context.drawImage(this.scenery, -0.5, -0.5, map.width / UNIT + 1, map.height / UNIT + 1);
    }

    #drawShots(game, subStep) {
        const {context} = this;
        for (const shot of game.world.shots) {
            if (shot.owner < 0) {
                continue;
            }
            const place = game.shotAt(shot, subStep);
            const x = place.x / UNIT;
            const y = place.y / UNIT;
            const tail = 4 * SUB_STEPS_PER_SECOND / UNIT / 60;
            context.strokeStyle = this.playerColour(shot.owner);
            context.lineCap = 'round';
            context.lineWidth = 0.12;
            context.globalAlpha = 0.45;
            context.beginPath();
            context.moveTo(x - shot.vx * tail, y - shot.vy * tail);
            context.lineTo(x, y);
            context.stroke();
            context.globalAlpha = 1;
            circle(context, x, y, 0.17, this.playerColour(shot.owner));
            circle(context, x, y, 0.09, this.colours.spark);
        }
    }

    #drawPlayer(game, index, place, aim, nowMs) {
        const {context, colours} = this;
        const player = game.world.players[index];
        const colour = this.playerColour(index);
        const angle = aim === null ? Math.atan2(player.facingY, player.facingX) : Math.atan2(aim.y, aim.x);
        if (place.isDashing && !this.isCalm) {
            for (let i = 1; i <= 4; i++) {
                context.globalAlpha = 0.28 - 0.06 * i;
                circle(context, place.x - place.vx * 0.012 * i, place.y - place.vy * 0.012 * i, RADIUS, colour);
            }
            context.globalAlpha = 1;
        }
        this.#drawSwing(index, place, angle, nowMs);
        if (RADIUS * this.scale < LEAST_RADIUS) {
            // A large map in a small place: a point is all that can be seen.
            circle(context, place.x, place.y, LEAST_RADIUS / this.scale, colour);
            return;
        }
        context.globalAlpha = 0.3;
        circle(context, place.x + 0.06, place.y + 0.1, RADIUS + 0.04, colours.shadow);
        context.globalAlpha = 1;
        if (index === game.index) {
            context.strokeStyle = colours.brass;
            context.lineWidth = 0.05;
            context.setLineDash([0.16, 0.12]);
            ring(context, place.x, place.y, RADIUS + 0.3, 0, TAU);
            context.setLineDash([]);
        }
        circle(context, place.x, place.y, RADIUS, colours.dial);
        context.lineWidth = 0.11;
        context.strokeStyle = colours.line;
        ring(context, place.x, place.y, RADIUS + 0.04, 0, TAU);
        context.strokeStyle = player.health <= 34 ? colours.danger : colour;
        ring(context, place.x, place.y, RADIUS + 0.04, -TAU / 4, -TAU / 4 + TAU * player.health / FULL_HEALTH);
        this.#drawDial(place, angle, colour);
    }

    #drawDial(place, angle, colour) {
        const {context, colours} = this;
        context.strokeStyle = colours.muted;
        context.lineWidth = 0.03;
        for (let i = 0; i < 12; i++) {
            const tick = TAU * i / 12;
            const from = i % 3 === 0 ? 0.62 : 0.74;
            line(context, place.x + RADIUS * from * Math.cos(tick), place.y + RADIUS * from * Math.sin(tick),
                place.x + RADIUS * 0.84 * Math.cos(tick), place.y + RADIUS * 0.84 * Math.sin(tick));
        }
        context.lineCap = 'round';
        context.strokeStyle = colour;
        context.lineWidth = 0.1;
        line(context, place.x - 0.1 * Math.cos(angle), place.y - 0.1 * Math.sin(angle),
            place.x + (RADIUS + 0.24) * Math.cos(angle), place.y + (RADIUS + 0.24) * Math.sin(angle));
        circle(context, place.x, place.y, 0.08, colours.text);
    }

    #drawSwing(index, place, angle, nowMs) {
        const startMs = this.swings.get(index);
        if (startMs === undefined) {
            return;
        }
        const subSteps = (nowMs - startMs) * SUB_STEPS_PER_SECOND / 1000;
        if (subSteps >= SWING_TIME) {
            this.swings.delete(index);
            return;
        }
        const {context} = this;
        const reach = 1.7;
        const isActive = subSteps >= SWING_WIND_UP && subSteps < SWING_WIND_UP + SWING_ACTIVE + 4;
        const share = Math.min(1, subSteps / (SWING_WIND_UP + SWING_ACTIVE));
        context.globalAlpha = isActive ? 0.75 : subSteps < SWING_WIND_UP ? 0.25 : 0.12;
        context.fillStyle = isActive ? this.colours.brass : this.playerColour(index);
        context.beginPath();
        context.moveTo(place.x, place.y);
        context.arc(place.x, place.y, reach, angle - 0.75, angle - 0.75 + 1.5 * share);
        context.closePath();
        context.fill();
        context.globalAlpha = 1;
    }

    #drawName(game, index, place) {
        const entry = game.roster.get(index);
        if (entry === undefined) {
            return;
        }
        const {context, colours} = this;
        const size = Math.max(11, Math.min(14, this.scale * 0.36)) / this.scale;
        context.font = (index === game.index ? '600 ' : '500 ') + '100px system-ui, sans-serif';
        context.textAlign = 'center';
        context.save();
        context.translate(place.x, place.y - RADIUS - 0.3);
        context.scale(size / 100, size / 100);
        context.lineJoin = 'round';
        context.lineWidth = 28;
        context.strokeStyle = colours.floor;
        context.strokeText(entry.name, 0, 0);
        context.fillStyle = index === game.index ? colours.brass : colours.text;
        context.fillText(entry.name, 0, 0);
        context.restore();
    }

    #drawEffects(nowMs) {
        const {context, colours} = this;
        this.effects = this.effects.filter((effect) => nowMs - effect.startMs < effect.lengthMs);
        for (const effect of this.effects) {
            const share = Math.max(0, (nowMs - effect.startMs) / effect.lengthMs);
            const fade = 1 - share;
            context.globalAlpha = fade;
            if (effect.kind === 'spark') {
                circle(context, effect.x + effect.dx * share * 0.5, effect.y + effect.dy * share * 0.5, 0.09 * fade,
                    effect.colour);
            } else if (effect.kind === 'damage') {
                // Solid for the first half, so that it can be read.
                context.globalAlpha = Math.min(1, 2 * fade);
                const size = DAMAGE_SIZE / this.scale;
                context.save();
                context.translate(effect.x, effect.y - 0.7 - (this.isCalm ? 0 : share));
                context.scale(size / 100, size / 100);
                context.font = '800 100px system-ui, sans-serif';
                context.textAlign = 'center';
                context.lineJoin = 'round';
                context.lineWidth = 30;
                context.strokeStyle = colours.dial;
                context.strokeText(effect.text, 0, 0);
                context.fillStyle = colours.danger;
                context.fillText(effect.text, 0, 0);
                context.restore();
            } else {
                const isBlast = effect.kind === 'blast';
                const grown = this.isCalm ? 1 : 1 - (1 - share) ** 3;
                if (isBlast) {
                    context.globalAlpha = 0.22 * fade;
                    circle(context, effect.x, effect.y, effect.radius * grown, colours.spark);
                    context.globalAlpha = 0.8 * fade;
                }
                context.strokeStyle = isBlast ? colours.spark : effect.colour;
                context.lineWidth = 0.12 * fade + 0.02;
                ring(context, effect.x, effect.y, effect.radius * grown, 0, TAU);
            }
        }
        context.globalAlpha = 1;
    }
}

function clampView(target, mapSize, viewSize) {
    if (viewSize >= mapSize + 1) {
        return mapSize / 2;
    }
    return Math.max(viewSize / 2 - BEYOND, Math.min(mapSize + BEYOND - viewSize / 2, target));
}

function circle(context, x, y, radius, colour) {
    context.fillStyle = colour;
    context.beginPath();
    context.arc(x, y, Math.max(0, radius), 0, TAU);
    context.fill();
}

function ring(context, x, y, radius, from, to) {
    context.beginPath();
    context.arc(x, y, Math.max(0, radius), from, to);
    context.stroke();
}

function line(context, fromX, fromY, toX, toY) {
    context.beginPath();
    context.moveTo(fromX, fromY);
    context.lineTo(toX, toY);
    context.stroke();
}

function paintScenery(map, scale, colours) {
    const width = map.width / UNIT;
    const height = map.height / UNIT;
    const canvas = document.createElement('canvas');
    canvas.width = Math.ceil((width + 1) * scale);
    canvas.height = Math.ceil((height + 1) * scale);
    const context = canvas.getContext('2d');
    context.scale(scale, scale);
    context.translate(0.5, 0.5);
    context.fillStyle = colours.edge;
    context.beginPath();
    context.roundRect(-0.5, -0.5, width + 1, height + 1, 0.6);
    context.fill();
    context.fillStyle = colours.floor;
    context.fillRect(0, 0, width, height);
    context.strokeStyle = colours.line;
    context.lineWidth = 0.03;
    for (let x = 2; x < width; x += 2) {
        line(context, x, 0, x, height);
    }
    for (let y = 2; y < height; y += 2) {
        line(context, 0, y, width, y);
    }
    // The escapement wheel in the middle of the floor.
    context.lineWidth = 0.1;
    context.strokeStyle = colours.brass;
    context.globalAlpha = 0.16;
    const radius = Math.min(width, height) * 0.36;
    ring(context, width / 2, height / 2, radius, 0, TAU);
    ring(context, width / 2, height / 2, radius * 0.86, 0, TAU);
    for (let i = 0; i < 60; i++) {
        const angle = TAU * i / 60;
        const to = i % 5 === 0 ? 1.06 : 1.02;
        line(context, width / 2 + radius * Math.cos(angle), height / 2 + radius * Math.sin(angle),
            width / 2 + radius * to * Math.cos(angle), height / 2 + radius * to * Math.sin(angle));
    }
    context.globalAlpha = 1;
    const boxes = [];
    for (let i = 0; i < map.boxes.length; i += 4) {
        const [minX, minY, maxX, maxY] = map.boxes.slice(i, i + 4).map((side) => side / UNIT);
        boxes.push([minX, minY, maxX - minX, maxY - minY]);
    }
    context.fillStyle = colours.shadow;
    context.globalAlpha = 0.35;
    for (const [x, y, boxWidth, boxHeight] of boxes) {
        context.fillRect(x + 0.08, y + 0.16, boxWidth + 0.08, boxHeight + 0.08);
    }
    context.globalAlpha = 1;
    for (const [x, y, boxWidth, boxHeight] of boxes) {
        context.fillStyle = colours.wall;
        context.fillRect(x, y, boxWidth, boxHeight);
        context.fillStyle = colours.top;
        context.fillRect(x + 0.09, y + 0.06, boxWidth - 0.18, boxHeight - 0.24);
    }
    return canvas;
}
