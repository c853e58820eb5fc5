// The chosen room, drawn by the module that its game registered for its type.

const POLL_MS = 100;
/** After an answer that failed. */
const RETRY_MS = 1000;

export class Drawing {
    constructor(canvas, note, request) {
        this.canvas = canvas;
        this.note = note;
        this.request = request;
        this.key = "";
        this.view = null;
        this.timer = 0;
        /** While the page looks back, it draws the given bytes, and not the current room. */
        this.isPast = false;
        this.last = null;
    }

    /** Draw a reading of the room's past, once its module has loaded. */
    show(view) {
        this.last = view;
        if (this.isPast && this.view !== null && view.byteLength > 0) {
            this.view.show(view);
        }
    }

    /** Draw a room with the module of its type, or no room. */
    of(room, module) {
        const key = module === null ? "" : room.id + " " + module;
        if (key === this.key) {
            return;
        }
        this.end();
        this.key = key;
        if (key !== "") {
            this.begin(key, module, "/api/view?id=" + room.id + "&type=" + room.type);
        }
    }

    end() {
        clearTimeout(this.timer);
        this.view?.close();
        this.view = null;
        this.last = null;
        this.key = "";
        this.canvas.hidden = true;
        this.note.textContent = "";
    }

    async begin(key, module, path) {
        try {
            const {open} = await import(module);
            // A canvas keeps its context: another module gets another canvas.
            const canvas = this.canvas.cloneNode(false);
            canvas.className = "";
            this.canvas.replaceWith(canvas);
            this.canvas = canvas;
            canvas.hidden = false;
            const view = await open(canvas);
            if (key !== this.key) {
                view.close();
                return;
            }
            this.view = view;
            if (this.last !== null) {
                this.show(this.last);
            }
            this.poll(key, path);
        } catch (error) {
            if (key === this.key) {
                this.note.textContent = "The room cannot be drawn: " + error.message;
            }
        }
    }

    async poll(key, path) {
        let delayMs = POLL_MS;
        try {
            if (!document.hidden && !this.isPast) {
                const bytes = await this.request(path, {isBytes: true});
                if (key === this.key && !this.isPast) {
                    this.view.show(new DataView(bytes));
                    this.note.textContent = "";
                }
            }
        } catch (error) {
            delayMs = RETRY_MS;
            if (key === this.key) {
                this.note.textContent = "The room is not drawn now: " + error.message;
            }
        }
        if (key === this.key) {
            this.timer = setTimeout(() => this.poll(key, path), delayMs);
        }
    }
}
