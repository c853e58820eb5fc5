/** Keyboard, mouse and touch as one state: a direction to run, a direction to look, and the held buttons. */
const KEYS = new Map([
    ['KeyW', [0, -1]], ['ArrowUp', [0, -1]], ['KeyS', [0, 1]], ['ArrowDown', [0, 1]],
    ['KeyA', [-1, 0]], ['ArrowLeft', [-1, 0]], ['KeyD', [1, 0]], ['ArrowRight', [1, 0]],
]);
const ACTIONS = new Map([['Space', 'dash'], ['KeyJ', 'swing'], ['KeyF', 'swing'], ['KeyK', 'shot'], ['KeyE', 'shot']]);
/** Share of a stick's radius that counts as rest. */
const DEAD_ZONE = 0.22;
const LIMIT = 65536;

export class Input {
    #down = new Set();

    constructor(root) {
        this.root = root;
        this.canvas = root.querySelector('canvas');
        this.run = {x: 0, y: 0};
        /** The mouse on the page, or null until it moved. */
        this.mouse = null;
        this.stick = {x: 0, y: 0};
        this.isAiming = false;
        this.held = new Set();
        this.pressed = new Set();
        /** Called after each change of the direction to run. */
        this.onrun = () => undefined;
        this.#listenKeys();
        this.#listenMouse();
        this.#listenSticks();
        this.#listenButtons();
    }

    /** Whether the page is played by touch. */
    get isTouched() {
        return this.root.classList.contains('touch');
    }

    /** Whether an action is held or was pressed since the last call. */
    take(action) {
        return this.pressed.delete(action) || this.held.has(action);
    }

    release() {
        this.#down.clear();
        this.held.clear();
        this.pressed.clear();
        this.#runBy(0, 0);
    }

    #listenKeys() {
        addEventListener('keydown', (event) => {
            const isTyping = event.target.closest('input, select, dialog') !== null;
            if (this.root.hidden || isTyping || event.ctrlKey || event.metaKey || event.altKey) {
                return;
            }
            // A focused button keeps its own keys.
            const isButton = event.target instanceof HTMLButtonElement && event.code === 'Space';
            if (KEYS.has(event.code)) {
                event.preventDefault();
                this.#down.add(event.code);
                this.#runByKeys();
            } else if (ACTIONS.has(event.code) && !isButton) {
                event.preventDefault();
                this.#press(ACTIONS.get(event.code));
            }
        });
        addEventListener('keyup', (event) => {
            if (this.#down.delete(event.code)) {
                this.#runByKeys();
            }
            this.held.delete(ACTIONS.get(event.code));
        });
        addEventListener('blur', () => this.release());
    }

    #listenMouse() {
        this.canvas.addEventListener('pointermove', (event) => {
            if (event.pointerType === 'mouse') {
                this.mouse = {x: event.clientX, y: event.clientY};
            }
        });
        this.canvas.addEventListener('pointerdown', (event) => {
            if (event.pointerType === 'mouse') {
                this.mouse = {x: event.clientX, y: event.clientY};
                this.#press(event.button === 2 ? 'swing' : 'shot');
            } else {
                this.root.classList.add('touch');
            }
        });
        addEventListener('pointerup', (event) => {
            if (event.pointerType === 'mouse') {
                this.held.delete(event.button === 2 ? 'swing' : 'shot');
            }
        });
        this.canvas.addEventListener('contextmenu', (event) => event.preventDefault());
    }

    #listenSticks() {
        const coarse = matchMedia('(pointer: coarse)');
        this.root.classList.toggle('touch', coarse.matches);
        coarse.addEventListener('change', () => this.root.classList.toggle('touch', coarse.matches));
        const part = (id) => this.root.querySelector('#' + id);
        stick(part('stick-move'), part('hint-move'), (x, y) => this.#runBy(x, y));
        // Beyond its half the right stick shoots where it points.
        stick(part('stick-aim'), part('hint-aim'), (x, y) => {
            const length = Math.hypot(x, y);
            this.isAiming = length > 0;
            if (this.isAiming) {
                this.stick = {x, y};
                this.mouse = null;
            }
            if (length > 0.6) {
                this.held.add('shot');
            } else {
                this.held.delete('shot');
            }
        });
    }

    #listenButtons() {
        for (const [id, action] of [['act-dash', 'dash'], ['act-swing', 'swing'], ['act-shot', 'shot']]) {
            this.root.querySelector('#' + id).addEventListener('click', (event) => {
                this.pressed.add(action);
                // Not for the keyboard: its focus stays where it is.
                if (event.detail > 0) {
                    this.canvas.focus();
                }
            });
        }
    }

    #press(action) {
        this.held.add(action);
        this.pressed.add(action);
    }

    #runByKeys() {
        let x = 0;
        let y = 0;
        for (const code of this.#down) {
            x += KEYS.get(code)[0];
            y += KEYS.get(code)[1];
        }
        this.#runBy(Math.sign(x), Math.sign(y));
    }

    #runBy(x, y) {
        if (x !== this.run.x || y !== this.run.y) {
            this.run = {x, y};
            this.onrun();
        }
    }
}

/** A direction as the game takes it: whole numbers, never both zero unless at rest. */
export function direction({x, y}) {
    const length = Math.hypot(x, y);
    return length === 0 ? {x: 0, y: 0} :
        {x: Math.round(LIMIT * x / length), y: Math.round(LIMIT * y / length)};
}

/** A stick. Its hint is shown until its first use. */
function stick(element, hint, onmove) {
    const knob = element.firstElementChild;
    let pointer = null;
    const point = (event) => {
        const box = element.getBoundingClientRect();
        let x = (event.clientX - box.left - box.width / 2) / (box.width / 2);
        let y = (event.clientY - box.top - box.height / 2) / (box.height / 2);
        const length = Math.hypot(x, y);
        if (length > 1) {
            x /= length;
            y /= length;
        }
        knob.style.transform = 'translate(' + x * box.width / 3 + 'px,' + y * box.height / 3 + 'px)';
        hint.hidden ||= length >= DEAD_ZONE;
        onmove(length < DEAD_ZONE ? 0 : x, length < DEAD_ZONE ? 0 : y);
    };
    element.addEventListener('pointerdown', (event) => {
        pointer = event.pointerId;
        element.setPointerCapture(pointer);
        point(event);
        event.preventDefault();
    });
    element.addEventListener('pointermove', (event) => {
        if (event.pointerId === pointer) {
            point(event);
        }
    });
    for (const type of ['pointerup', 'pointercancel']) {
        element.addEventListener(type, (event) => {
            if (event.pointerId === pointer) {
                pointer = null;
                knob.style.transform = '';
                onmove(0, 0);
            }
        });
    }
}
