// The past of a room: a bar that moves through it, what happened to the room by time, and its values.

import {PICTURE_MS, duration, nextOf, spanOf} from "./logic.js";

/** The number and the date of a turn, before the bytes that the room's view has read. */
const HEADER = 16;
const LANES = [["commands", "--teal"], ["refused", "--danger"], ["lateUs", "--brass"]];
const LANE_HEIGHT = 14;

const element = (id) => document.getElementById("past-" + id);

export class Past {
    /** onPicture is given the bytes of the room's view, onEnd is called when the page returns to the present. */
    constructor(request, onPicture, onEnd) {
        this.request = request;
        this.onPicture = onPicture;
        this.onEnd = onEnd;
        this.room = null;
        this.range = null;
        this.span = null;
        this.lanes = null;
        this.turn = 0;
        this.atMs = 0;
        this.timer = 0;
        this.isAsking = false;
        this.wanted = null;
        this.listen();
    }

    get isOpen() {
        return this.room !== null;
    }

    listen() {
        element("end").addEventListener("click", () => this.close());
        element("play").addEventListener("click", () => {
            if (this.timer === 0) {
                this.play();
            } else {
                this.pause();
                this.go("turn=" + this.turn);
            }
        });
        element("scrub").addEventListener("input", (event) => {
            this.pause();
            this.go("at=" + Math.round(this.span.fromMs + Number(event.target.value)));
        });
        for (const button of element("panel").querySelectorAll("[data-move]")) {
            button.addEventListener("click", () => {
                this.pause();
                this.go("turn=" + this.turn + "&move=" + button.dataset.move);
            });
        }
        for (const button of element("panel").querySelectorAll("[data-jump]")) {
            button.addEventListener("click", () => this.go("at=" + Math.max(this.range.begin,
                Math.min(this.range.end, Math.round(this.atMs) + Number(button.dataset.jump)))));
        }
    }

    /** Show a room as it was at a date, or as it is now. */
    async open(room, atMs = null) {
        this.pause();
        this.room = room;
        this.span = null;
        this.lanes = null;
        this.wanted = null;
        element("panel").hidden = false;
        element("note").textContent = "Reading the log …";
        try {
            const range = await this.request("/api/past?id=" + room);
            if (this.room !== room) {
                return null;
            }
            this.range = range;
            await this.go("at=" + Math.min(range.end, atMs ?? range.end));
            return range;
        } catch (error) {
            this.fail(error);
            return null;
        }
    }

    close() {
        this.pause();
        this.room = null;
        element("panel").hidden = true;
        this.onEnd();
    }

    play() {
        element("play").textContent = "Pause";
        this.timer = setInterval(() => {
            const speed = Number(element("speed").value);
            if (this.atMs >= this.range.end) {
                this.pause();
                this.go("turn=" + this.turn);
            } else if (!document.hidden && !this.isAsking) {
                this.go("at=" + Math.round(nextOf(this.atMs, speed, this.range.end)));
            }
        }, PICTURE_MS);
    }

    pause() {
        clearInterval(this.timer);
        this.timer = 0;
        element("play").textContent = "Play";
    }

    /** Go to a place, after the answer to the last request: only the newest wish is worth asking for. */
    async go(place) {
        this.wanted = place;
        if (this.isAsking) {
            return;
        }
        this.isAsking = true;
        try {
            while (this.wanted !== null && this.room !== null) {
                const wanted = this.wanted;
                this.wanted = null;
                await this.show(wanted);
            }
        } catch (error) {
            this.fail(error);
        } finally {
            this.isAsking = false;
        }
    }

    async show(place) {
        const {room} = this;
        const bytes = new DataView(await this.request("/api/past/view?id=" + room + "&" + place, {isBytes: true}));
        if (this.room !== room) {
            return;
        }
        this.turn = Number(bytes.getBigInt64(0));
        const turnMs = Number(bytes.getBigInt64(8));
        // A film continues where no turn is, and a move to a turn leads to its date.
        this.atMs = place.startsWith("at=") ? Number(place.slice(3)) : turnMs;
        element("note").textContent = "";
        element("place").textContent = new Date(this.atMs).toLocaleTimeString("en-GB") + "." +
            String(Math.round(this.atMs) % 1000).padStart(3, "0") + ", turn " + this.turn;
        element("panel").dataset.turn = this.turn;
        this.onPicture(new DataView(bytes.buffer, HEADER));
        if (this.span === null || this.atMs < this.span.fromMs || this.atMs > this.span.toMs) {
            this.span = spanOf(this.atMs, this.range);
            this.loadLanes(room, this.span);
        }
        element("scrub").max = this.span.toMs - this.span.fromMs;
        element("scrub").value = this.atMs - this.span.fromMs;
        if (this.timer === 0) {
            await this.showValues(room);
        }
    }

    async showValues(room) {
        const {turn} = this;
        const answer = await this.request("/api/past/values?id=" + room + "&turn=" + turn);
        if (this.room !== room || this.turn !== turn) {
            return;
        }
        const facts = [["commands", answer.commands], ["late", duration(answer.lateUs)],
            ...answer.refusals.map((code) => ["refused", code]),
            ...(answer.thrown === null ? [] : [["thrown", answer.thrown]])];
        element("values").replaceChildren(...[...facts, ...Object.entries(answer.values)].map(([name, value]) => {
            const row = document.createElement("tr");
            for (const text of [name, String(value)]) {
                const cell = document.createElement("td");
                cell.textContent = text;
                row.append(cell);
            }
            return row;
        }));
    }

    async loadLanes(room, span) {
        try {
            const lanes = await this.request("/api/past/lanes?id=" + room + "&from=" + Math.round(span.fromMs) + "&to=" +
                Math.round(span.toMs));
            if (this.room === room && this.span === span) {
                this.lanes = lanes;
                this.drawLanes();
            }
        } catch (error) {
            this.fail(error);
        }
    }

    drawLanes() {
        const canvas = element("lanes");
        const ratio = devicePixelRatio || 1;
        const width = canvas.clientWidth;
        canvas.width = Math.round(width * ratio);
        canvas.height = Math.round((LANES.length + 1) * LANE_HEIGHT * ratio);
        const context = canvas.getContext("2d");
        context.setTransform(ratio, 0, 0, ratio, 0, 0);
        const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
        LANES.forEach(([name, hue], i) => {
            const values = this.lanes[name];
            const most = Math.max(1, ...values);
            context.fillStyle = colour(hue);
            values.forEach((value, part) => {
                const height = value === 0 ? 0 : Math.max(1, (LANE_HEIGHT - 2) * Math.log1p(value) / Math.log1p(most));
                context.fillRect(part * width / values.length, (i + 1) * LANE_HEIGHT - height,
                    Math.max(1, width / values.length - 0.5), height);
            });
        });
        context.fillStyle = colour("--danger");
        for (const failure of this.lanes.failures) {
            const x = (failure.timeMs - this.span.fromMs) / (this.span.toMs - this.span.fromMs) * width;
            context.fillRect(Math.min(width - 3, x), LANES.length * LANE_HEIGHT + 2, 3, LANE_HEIGHT - 4);
        }
        const {latest, failures} = this.lanes;
        element("lanes-note").textContent = (latest.lateUs === 0 ? "No frame was late." :
            "Latest frame: " + duration(latest.lateUs) + " in turn " + latest.turn + ". ") +
            (failures.length === 0 ? "" : " Failed: " + failures.at(-1).text) +
            (this.lanes.isCut ? " The rest of the lanes took too long to read." : "");
    }

    fail(error) {
        this.pause();
        element("note").textContent = error.message;
    }
}
