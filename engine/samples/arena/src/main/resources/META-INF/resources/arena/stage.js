/** A game on the screen: the loop of frames, inputs into the game, and everything shown next to the canvas. */
import {ArenaCode, EventKind} from './arena.js';
import {Renderer} from './draw.js';
import {Game} from './game.js';
import {direction} from './input.js';
import {clock, filmOf, result, secondsLeft} from './round.js';
import {textOf} from './texts.js';
import {FULL_HEALTH, SUB_STEPS_PER_SECOND} from './walls.js';
import {addChat, written} from './written.js';

const PING_MS = 1000;
const METERS_MS = 500;
const CHAT_LIMIT = 8;
const FEED_LIMIT = 3;
const SCORE_LIMIT = 8;
const FEED_MS = 4500;
/** Share of the difference to the last state's time that the drawn time gives up at each state. */
const CLOCK_GAIN = 0.1;
/** Sub-steps beyond which the drawn time jumps. */
const CLOCK_JUMP = 30;

const byId = (id) => document.getElementById(id);

export class Stage {
    #renderer;
    #input;
    #handlers;
    #room = null;
    #frameHandle = 0;
    #lastFrameMs = 0;
    #subStep = 0;
    #aim = {x: 1, y: 0};
    #frames = 0;
    #metersAtMs = 0;
    #pingAtMs = 0;
    #pingMs = NaN;
    #killer = '';
    #calm = matchMedia('(prefers-reduced-motion: reduce)');
    #choices = {showsNames: true, isCalm: false};
    game = null;

    /** @param handlers loadMap(name), onleave(), ontoast(text), sound. */
    constructor(canvas, input, handlers) {
        this.#renderer = new Renderer(canvas);
        this.#input = input;
        this.#handlers = handlers;
        input.onrun = () => this.#steer();
        const light = matchMedia('(prefers-color-scheme: light)');
        this.choose(this.#choices);
        this.#calm.addEventListener('change', () => this.choose(this.#choices));
        light.addEventListener('change', () => {
            this.#renderer.readColours();
            this.#showScores();
        });
        byId('leave').addEventListener('click', () => this.#leave());
        byId('room-chat-form').addEventListener('submit', (event) => {
            event.preventDefault();
            this.#sendChat();
        });
        byId('room-chat-text').addEventListener('keydown', (event) => {
            if (event.key === 'Escape') {
                canvas.focus();
            }
        });
        canvas.addEventListener('keydown', (event) => {
            if (event.key === 'Enter') {
                byId('room-chat-text').focus();
                event.preventDefault();
            }
        });
    }

    /** Whether fewer things move. */
    get isCalm() {
        return this.#renderer.isCalm;
    }

    /** The choices of the player, in addition to the preferences of its system. */
    choose({showsNames, isCalm}) {
        this.#choices = {showsNames, isCalm};
        this.#renderer.showsNames = showsNames;
        this.#renderer.isCalm = isCalm || this.#calm.matches;
    }

    start() {
        const loadMap = this.#handlers.loadMap;
        this.game = new Game((type, fields) => this.#room !== null && this.#room.send(type, fields), loadMap, {
            onwelcome: (name) => this.#onWelcome(name),
            onroster: () => this.#showScores(),
            onround: () => {
                const {isPause, winners} = this.game.round;
                byId('winners').replaceChildren(...result(winners, (name) => written('', name)));
                if (isPause) {
                    byId('film').href = filmOf(this.game.roomId, this.game.round);
                    this.#handlers.sound.play('round');
                }
            },
            onchat: (index, text) => this.#onChat(index, text),
            onevent: (event) => this.#onEvent(event),
            onstate: (subStep) => this.#onState(subStep),
            onpong: (stamp) => {
                this.#pingMs = performance.now() - stamp;
            },
            onclosing: (code) => this.#handlers.ontoast(textOf(code)),
            onrefused: (code) => {
                // Refusals of the fight are the page's own haste. The game continues.
                if (code < ArenaCode.BAD_INDEX) {
                    this.#handlers.ontoast(textOf(code));
                }
            },
            onfault: (text) => {
                this.#handlers.ontoast(text);
                this.#leave();
            },
        });
        this.#renderer.clear();
        this.#renderer.readColours();
        this.#pingMs = NaN;
        for (const id of ['room-chat', 'feed', 'scores']) {
            byId(id).replaceChildren();
        }
        byId('room-title').textContent = '';
        byId('death').hidden = true;
        byId('pause').hidden = true;
        this.#lastFrameMs = performance.now();
        cancelAnimationFrame(this.#frameHandle);
        this.#frameHandle = requestAnimationFrame((nowMs) => this.#frame(nowMs));
    }

    async join(connection, roomId) {
        const game = this.game;
        const take = (view, offset, length) => {
            // The room's last messages arrive after the player has left.
            if (game === this.game) {
                game.onMessage(view, offset, length);
            }
        };
        const room = await connection.join(roomId, {
            onevent: take,
            onstate: take,
            onaway: () => game.onAway(),
            onleft: () => {
                if (game === this.game) {
                    this.#room = null;
                    this.#handlers.onleave();
                }
            },
            onrefused: (code) => this.#handlers.ontoast(textOf(code)),
        });
        this.#room = room;
    }

    stop() {
        cancelAnimationFrame(this.#frameHandle);
        this.game = null;
        this.#room = null;
        this.#input.release();
    }

    #leave() {
        const room = this.#room;
        this.#room = null;
        if (room !== null) {
            // Whether it is confirmed or the connection is lost: the player is out of the room.
            room.leave().catch(() => undefined);
        }
        this.#handlers.onleave();
    }

    #steer() {
        if (this.game !== null) {
            const {x, y} = direction(this.#input.run);
            this.game.steer(x, y);
        }
    }

    #onWelcome(name) {
        byId('room-title').textContent = name;
        this.#subStep = 0;
        this.#renderer.clear();
        this.#showScores();
        this.#steer();
    }

    /** The drawn time follows the time of the states, without the jitter of their arrival. */
    #onState(subStep) {
        const error = subStep - this.#subStep;
        this.#subStep += Math.abs(error) > CLOCK_JUMP ? error : error * CLOCK_GAIN;
    }

    #frame(nowMs) {
        this.#frameHandle = requestAnimationFrame((nextMs) => this.#frame(nextMs));
        const elapsedMs = Math.min(200, Math.max(0, nowMs - this.#lastFrameMs));
        this.#lastFrameMs = nowMs;
        this.#subStep += elapsedMs * SUB_STEPS_PER_SECOND / 1000;
        const {game} = this;
        this.#look(game);
        this.#act(game);
        this.#renderer.isTouched = this.#input.isTouched;
        this.#renderer.frame(game, this.#subStep, this.#aim, nowMs, elapsedMs);
        this.#showOwn(game);
        this.#showRound(game.round);
        this.#frames++;
        if (nowMs - this.#pingAtMs >= PING_MS) {
            this.#pingAtMs = nowMs;
            game.ping(Math.round(performance.now()));
        }
        if (nowMs - this.#metersAtMs >= METERS_MS) {
            this.#showMeters(nowMs);
        }
    }

    /** The own player looks to the mouse, where the right stick points, or where it runs. */
    #look(game) {
        const {mouse, stick, isAiming, run} = this.#input;
        const own = game.index < 0 ? undefined : this.#renderer.shown.get(game.index);
        let aim = this.#aim;
        if (mouse !== null && own !== undefined) {
            const point = this.#renderer.toArena(mouse.x, mouse.y);
            aim = {x: point.x - own.x, y: point.y - own.y};
        } else if (isAiming) {
            aim = stick;
        } else if (run.x !== 0 || run.y !== 0) {
            aim = run;
        }
        if (aim.x !== 0 || aim.y !== 0) {
            this.#aim = aim;
        }
    }

    #act(game) {
        if (game.own === null || !game.own.canAct) {
            return;
        }
        const input = this.#input;
        const aim = direction(this.#aim);
        if (input.take('dash')) {
            const way = direction(input.run);
            game.own.dash(way.x === 0 && way.y === 0 ? aim.x : way.x, way.x === 0 && way.y === 0 ? aim.y : way.y);
        }
        if (input.take('swing')) {
            game.own.melee(aim.x, aim.y);
        }
        if (input.take('shot')) {
            game.own.shoot(aim.x, aim.y);
        }
    }

    #onEvent(event) {
        const nowMs = performance.now();
        this.#renderer.add(event, nowMs);
        this.#handlers.sound.onEvent(event, this.game.index);
        if (event.kind === EventKind.DEATH) {
            const killer = event.other >= 0 && event.other !== event.player ? this.#name(event.other) : '';
            const player = written('', this.#name(event.player));
            this.#addToFeed(...killer === '' ? [player, ' ran down'] : [written('', killer), ' stopped ', player]);
            if (event.player === this.game.index) {
                this.#killer = killer;
            }
        }
    }

    #addToFeed(...parts) {
        const feed = byId('feed');
        const item = document.createElement('li');
        item.append(...parts);
        feed.append(item);
        while (feed.children.length > FEED_LIMIT) {
            feed.firstChild.remove();
        }
        setTimeout(() => item.remove(), FEED_MS);
    }

    #onChat(index, text) {
        addChat(byId('room-chat'), this.#name(index), text, index === this.game.index, CHAT_LIMIT);
    }

    #sendChat() {
        const field = byId('room-chat-text');
        const text = field.value.trim();
        if (text === '' || this.game.chat(text)) {
            field.value = '';
            byId('canvas').focus();
        }
    }

    #name(index) {
        const entry = this.game.roster.get(index);
        return entry === undefined ? 'Somebody' : entry.name;
    }

    #showScores() {
        if (this.game === null) {
            return;
        }
        const entries = [...this.game.roster.entries()]
            .sort(([, a], [, b]) => b.kills - a.kills || a.deaths - b.deaths);
        const shown = entries.slice(0, SCORE_LIMIT);
        const own = entries.findIndex(([index]) => index === this.game.index);
        if (own >= SCORE_LIMIT) {
            shown[SCORE_LIMIT - 1] = entries[own];
        }
        byId('scores').replaceChildren(...shown.map(([index, entry]) => {
            const item = document.createElement('li');
            const dot = document.createElement('i');
            const name = written('', entry.name);
            const score = document.createElement('span');
            item.className = index === this.game.index ? 'own' : '';
            dot.style.background = this.#renderer.playerColour(index);
            score.textContent = entry.kills + ' / ' + entry.deaths;
            item.append(dot, name, score);
            return item;
        }));
    }

    #showOwn(game) {
        const player = game.index < 0 ? null : game.world.players[game.index];
        const health = player !== null && player.isLiving ? player.health : 0;
        const meter = byId('health');
        if (meter.ariaValueNow !== String(health)) {
            meter.ariaValueNow = String(health);
            meter.classList.toggle('low', health <= 34);
            byId('health-bar').style.transform = 'scaleX(' + health / FULL_HEALTH + ')';
            byId('health-text').textContent = String(health);
        }
        if (game.own !== null) {
            const ready = game.own.readiness();
            for (const [name, share] of Object.entries(ready)) {
                const button = byId('act-' + name);
                button.firstElementChild.style.transform = 'scaleX(' + share.toFixed(2) + ')';
                button.classList.toggle('ready', share === 1);
            }
        }
        const death = byId('death');
        const isDead = game.isDead && game.diedAt > 0 && !game.round?.isPause;
        death.hidden = !isDead;
        if (isDead) {
            const seconds = Math.ceil(game.respawnIn(this.#subStep) / SUB_STEPS_PER_SECOND);
            const text = (this.#killer === '' ? 'Your watch ran down' : 'Stopped by ' + this.#killer) +
                '\nBack in ' + Math.max(1, seconds);
            setText(death, text);
        }
    }

    #showRound(round) {
        const seconds = round === null ? 0 : secondsLeft(round, this.#subStep);
        byId('pause').hidden = round === null || !round.isPause;
        setText(byId('round'), round === null ? '' : clock(seconds));
        setText(byId('next-round'), 'Next round in ' + Math.max(1, seconds));
    }

    #showMeters(nowMs) {
        const perSecond = 1000 * this.#frames / (nowMs - this.#metersAtMs);
        this.#frames = 0;
        this.#metersAtMs = nowMs;
        const ping = Number.isNaN(this.#pingMs) ? '...' : Math.round(this.#pingMs) + ' ms';
        const meters = byId('meters');
        meters.textContent = 'ping ' + ping + ', ' + Math.round(perSecond) + ' frames/s';
        meters.classList.toggle('slow', this.#pingMs > 150);
    }
}

/** Only a change is written, because this runs each frame. */
function setText(element, text) {
    if (element.textContent !== text) {
        element.textContent = text;
    }
}
