// The page: reads the events and shows them. Texts of the engine are set by textContent, never as HTML.

import {Curve, Heat} from "./charts.js";
import {
    HeatMap, Lines, Rates, age, bytes, count, duration, loopOf, search, serialOf, tokenOf, troubles
} from "./logic.js";
import {Drawing} from "./drawing.js";
import {Past} from "./past.js";
import {Operate} from "./operate.js";

const RETRY_MS = [500, 1000, 2000, 5000];
const SILENCE_MS = 10_000;
const REFRESH_MS = 2_000;
const element = (id) => document.getElementById(id);

const state = {
    token: null, about: null, event: null, before: null, window: 0, heatLoop: 0, map: new HeatMap(), curve: null,
    heat: null, rooms: {next: 0, open: 0}, room: null, events: 0, attempts: 0, troubled: new Map(), timer: 0,
    isRefreshFailing: false, trunkRates: new Rates(), serviceRates: new Rates(), roomRates: new Rates()
};

class Refused extends Error {
    constructor(status, text) {
        super(text);
        this.status = status;
    }
}

async function request(path, options = {}) {
    const answer = await fetch(path, {
        ...options, cache: "no-store", headers: {...options.headers, Authorization: "Bearer " + state.token}
    });
    if (!answer.ok) {
        throw new Refused(answer.status, (await answer.text()).trim());
    }
    return options.isStream ? answer : options.isBytes ? answer.arrayBuffer() : answer.json();
}

function make(name, text, className = "") {
    const made = document.createElement(name);
    made.textContent = text;
    made.className = className;
    return made;
}

function row(cells, className = "") {
    const made = document.createElement("tr");
    made.className = className;
    made.append(...cells.map((cell) => cell instanceof Node ? cell : make("td", cell)));
    return made;
}

function typeName(id) {
    const type = state.about.types.find((one) => one.id === id);
    return type ? type.name : "type " + id;
}

function button(text, onClick, className = "small") {
    const made = make("button", text, className);
    made.type = "button";
    made.addEventListener("click", onClick);
    return made;
}

function cell(...nodes) {
    const made = document.createElement("td");
    made.append(...nodes);
    return made;
}

/** Other rows. A control in them that had the focus keeps it, or a keyboard would lose its place at each refresh. */
function replace(body, rows) {
    const focused = body.contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
    body.replaceChildren(...rows);
    if (focused !== undefined) {
        body.querySelector(`[data-key="${focused}"]`)?.focus();
    }
}

function showHead(event) {
    const {head} = event;
    const load = Math.max(0, ...event.loops.map((loop) => loop.load));
    const values = {
        rooms: count(head.rooms), trunks: count(head.trunks), loops: String(event.loops.length),
        load: Math.round(100 * load) + " %", up: age(event.upSeconds), framesMissed: count(head.framesMissed),
        statesDropped: count(head.statesDropped), refused: count(head.refused), roomsFailed: count(head.roomsFailed),
        eventsLost: count(head.eventsLost), stalls: count(head.stalls)
    };
    for (const [name, value] of Object.entries(values)) {
        element("head-" + name).textContent = value;
    }
    for (const name of troubles(state.before, head)) {
        state.troubled.set(name, event.timeMs);
    }
    for (const name of ["framesMissed", "statesDropped", "refused", "roomsFailed", "eventsLost", "stalls"]) {
        element("head-" + name).closest(".tile").classList.toggle("none", head[name] === 0);
        const isRecent = event.timeMs - (state.troubled.get(name) ?? -Infinity) < 10_000;
        element("head-" + name).closest(".tile").classList.toggle("troubled", isRecent);
    }
    state.before = head;
    const badge = element("mode");
    badge.textContent = head.isDraining ? "draining" : head.isAlive ? "running" : "ended";
    badge.className = "badge " + (head.isDraining || !head.isAlive ? "bad" : "good");
}

function showLoops(event) {
    const hasFeed = event.loops.some((loop) => loop.feedReceivers !== null);
    element("loops").replaceChildren(...event.loops.map((loop, i) => {
        const meter = document.createElement("meter");
        meter.max = 1;
        meter.high = 0.85;
        meter.optimum = 0;
        meter.value = Math.min(1, loop.load);
        meter.title = "of it " + Math.round(100 * loop.frameLoad) + " % in frames";
        const quantiles = (values) => values.map((us) => duration(us)).join(" / ");
        return row([
            String(i), cell(meter, " " + Math.round(100 * loop.load) + " %"),
            loop.step === 0 ? "full" : "−" + loop.step,
            count(loop.rooms), loop.fit === null ? "–" : "+" + count(loop.fit), count(loop.frames), count(loop.turns),
            count(loop.commands), ...(hasFeed ? [feed(loop)] : []), duration(loop.longest),
            loop.ring + " / " + loop.inbox,
            quantiles(loop.frameWork), quantiles(loop.ringWait), quantiles(loop.commandWork), count(loop.timers),
            count(loop.requests), count(loop.missed), count(loop.dropped), count(loop.refused)
        ]);
    }));
    showFeeds(hasFeed, event.feeds);
    const refusals = Object.entries(event.refusals);
    element("refusals").replaceChildren(...(refusals.length === 0 ? [make("li", "none", "empty")] :
        refusals.map(([code, number]) => make("li", code + ": " + count(number)))));
    element("jvm").textContent = "heap " + count(event.jvm.heapMb) + " MB, " + (event.jvm.safepoints === null ?
        "safepoints are not counted (-XX:+PerfDisableSharedMem)" :
        count(event.jvm.safepoints) + " safepoints, " + count(event.jvm.safepointMs) + " ms in them");
}

function feed(loop) {
    return loop.feedReceivers === null ? "–" : count(loop.feedReceivers) + " / " + count(loop.feedPackets);
}

/** Hidden until a loop has a feed. */
function showFeeds(hasFeed, {missed, ignored, left}) {
    element("feed").hidden = !hasFeed;
    element("feeds").hidden = !hasFeed;
    element("feeds").textContent = "feeds: left by trunks " + count(left) + ", " + (missed === null ?
        "datagrams missed are not counted (the driver has no guarded endpoint)" :
        "datagrams missed " + count(missed) + ", NAKs and errors ignored " + count(ignored));
}

function show(event) {
    state.event = event;
    state.events++;
    showHead(event);
    showLoops(event);
    state.curve.show(event.loops, state.window);
    state.map.update(event.head.second, event.loops[state.heatLoop].columns);
    state.heat.draw(state.map);
    element("now").textContent = new Date(event.timeMs).toLocaleTimeString();
    document.body.dataset.events = state.events;
}

async function chooseHeatLoop(loop) {
    const history = await request("/api/history?loop=" + loop);
    state.heatLoop = loop;
    state.map = new HeatMap();
    state.map.fill(history.second, history.columns);
    state.heat.draw(state.map);
}

function share(room) {
    if (room.share === null) {
        return make("td", "–");
    }
    const meter = document.createElement("meter");
    meter.max = 1;
    meter.value = room.share;
    return cell(meter, " " + (100 * room.share).toFixed(1) + " %");
}

async function listRooms(from = 0) {
    const wanted = search(element("room-search").value, state.about.types);
    if (wanted.room) {
        await openRoom(wanted.room);
        return;
    }
    const loop = Number(element("room-loop").value);
    const isByCost = element("room-order").value === "cost";
    const list = wanted.type === undefined ? {open: 0, next: 0, rooms: []} : isByCost ?
        await request(`/api/costs?loop=${loop}&type=${wanted.type}`) :
        await request(`/api/rooms?loop=${loop}&type=${wanted.type}&from=${from}`);
    state.rooms = {next: list.next ?? 0, open: list.open};
    replace(element("rooms"), list.rooms.map((room) => {
        const type = state.about.types.find((one) => one.id === room.type);
        const open = button("#" + serialOf(room.id), () => attempt(openRoom(room.id)), "link");
        open.dataset.key = room.id;
        return row([
            cell(open), typeName(room.type), room.occupied + " / " + (type ? type.seats : "?"),
            age(room.ageSeconds), share(room)
        ]);
    }));
    element("rooms-count").textContent = wanted.type === undefined ? "no room type has that in its name" :
        list.rooms.length + " shown, " + list.open + " open on this loop";
    element("rooms-more").hidden = isByCost || state.rooms.next >= state.rooms.open;
}

async function openRoom(id) {
    past.close();
    state.room = id;
    state.roomRates = new Rates();
    await showRoom();
    if (state.room === null) {
        if (!state.about.hasPast) {
            throw new Error("No such room is open.");
        }
        await lookBack(id);
    }
    element("room").scrollIntoView({block: "nearest"});
}

/** Show a room as it was at a date, or as it was last, even if it has closed. */
async function lookBack(id, timeMs = null) {
    drawing.isPast = true;
    const range = await past.open(id, timeMs);
    if (range !== null && state.room === null) {
        element("room").hidden = false;
        element("room-none").hidden = true;
        element("room-title").textContent = typeName(range.type) + " #" + serialOf(id) + ", closed";
        element("room-id").textContent = "room " + id + " on loop " + loopOf(id);
        element("room-figures").replaceChildren();
        element("seats").replaceChildren();
        element("room-operate").hidden = true;
        drawing.of({id, type: range.type}, viewOf(range.type));
    }
}

function viewOf(typeId) {
    return state.about.types.find((type) => type.id === typeId)?.view ?? null;
}

/** Show the room that ran longest when frames of a second were late. */
async function showSlow(second) {
    const {room, timeMs, ranMs} = await request("/api/slow?loop=" + state.heatLoop + "&second=" + second);
    if (room === null) {
        element("heat-note").textContent = "No room was seen running for long then: late frames have another cause, " +
            "such as a pause of the JVM or of the host.";
        return;
    }
    element("heat-note").textContent = "Room #" + serialOf(room) + " was seen running for " + ranMs + " ms.";
    await openRoom(room);
    if (state.about.hasPast) {
        await lookBack(room, timeMs);
    }
}

/** Show the chosen room, unless another was chosen before the answer arrived, or it has closed. */
async function showRoom() {
    const id = state.room;
    const answer = await request("/api/room?id=" + id);
    const {room, seats} = answer;
    if (state.room !== id) {
        return;
    }
    if (room === null && past.isOpen) {
        return;
    }
    element("room").hidden = room === null;
    element("room-none").hidden = room !== null;
    if (room === null) {
        drawing.end();
        state.room = null;
        return;
    }
    element("room-past").hidden = !state.about.hasPast;
    const rates = state.roomRates;
    rates.next(answer.timeMs);
    element("room-title").textContent = typeName(room.type) + " #" + serialOf(room.id);
    element("room-id").textContent = "room " + room.id + " on loop " + loopOf(room.id) + ", " + room.occupied +
        " seats taken" + (answer.isLocked ? ", locked" : "");
    const figures = [
        ["age", age(answer.ageSeconds)],
        ["cost", room.share === null ? "–" : (100 * room.share).toFixed(1) + " %"],
        ["work a frame", room.share === null || answer.rate === 0 ? "–" : duration(1e6 * room.share / answer.rate)],
        ["frames/s", count(answer.rate)],
        ["callbacks/s", count(rates.rate("callbacks", answer.callbacks))],
        ["output/s", bytes(rates.rate("sent", answer.sentBytes))],
        ["output", bytes(answer.sentBytes)],
        ["timers", count(answer.timers)],
        ["requests", count(answer.requests)],
        ["states lost", count(answer.statesLost)],
        ["refused", count(answer.refusals)]
    ];
    element("room-figures").replaceChildren(...figures.map(([name, value]) => {
        const figure = document.createElement("div");
        figure.append(make("dt", name), make("dd", value));
        return figure;
    }));
    element("room-refusals").textContent = answer.lastRefusals.length === 0 ? "" : "Last refusals: " +
        answer.lastRefusals.map((one) => one.code + (one.seat < 0 ? "" : " of seat " + one.seat)).join(", ");
    drawing.of(room, viewOf(room.type));
    replace(element("seats"), seats.map((seat) => {
        const kick = button("Kick …", () => operate.ask({
            title: "Kick a player", verb: "Kick",
            effect: "Player " + seat.player + " leaves room #" + serialOf(room.id) + " and loses its seat.",
            values: {action: "kick", room: room.id, player: seat.player}
        }));
        kick.dataset.key = seat.player;
        return row([
            String(seat.index), seat.player, seat.isPresent ? "present" : make("td", "away", "away"),
            count(seat.sequence),
            state.about.isOperator ? cell(kick) : ""
        ]);
    }));
    element("room-operate").hidden = !state.about.isOperator;
    const lock = element("room-lock");
    lock.textContent = answer.isLockedByOperator ? "Unlock joins …" : "Lock joins …";
    lock.onclick = () => operate.ask(answer.isLockedByOperator ? {
        title: "Unlock joins of a room", verb: "Unlock", values: {action: "unlock", room: room.id},
        effect: typeName(room.type) + " #" + serialOf(room.id) +
            " takes new players again, unless its logic or the lock of its type refuses them."
    } : {
        title: "Lock joins of a room", verb: "Lock", values: {action: "lock", room: room.id},
        effect: typeName(room.type) + " #" + serialOf(room.id) +
            " takes no new players. Players whose seats are held can return."
    });
    element("room-close").onclick = () => operate.ask({
        title: "Close a room", verb: "Close the room",
        effect: typeName(room.type) + " #" + serialOf(room.id) + " closes, and its " + seats.length +
            " players leave it.",
        values: {action: "close", room: room.id}
    });
}

/** The number of refusals, and by which codes. */
function refused(trunk) {
    const codes = Object.entries(trunk.refusals).map(([code, number]) => code + " " + count(number)).join(", ");
    const made = make("td", codes === "" ? count(trunk.refused) : codes);
    made.title = count(trunk.refused) + " in all";
    return made;
}

async function showTrunks() {
    const answer = await request("/api/trunks");
    const rates = state.trunkRates;
    rates.next(answer.timeMs);
    element("trunks").replaceChildren(...answer.trunks.map((trunk) => {
        const rate = (name) => rates.rate(trunk.id + " " + name, trunk[name]);
        const perSecond = (value) => value === null ? "–" : bytes(value) + "/s";
        const backlog = make("td", trunk.isBlocked ? bytes(trunk.queued) + ", blocked" : bytes(trunk.queued),
            trunk.isBlocked ? "bad" : "");
        return row([
            trunk.identity === "" ? "(not back since the last start)" : trunk.identity, trunk.address,
            make("td", trunk.isUp ? "up" : "lost " + age(Math.floor(trunk.silentMs / 1000)), trunk.isUp ? "" : "bad"),
            trunk.roundTripUs > 0 ? duration(trunk.roundTripUs) : "–",
            count(trunk.seats), count(rate("entries")), perSecond(rate("received")), perSecond(rate("sent")), backlog,
            count(trunk.statesDropped), refused(trunk), count(trunk.logIns),
            trunk.loops + " / " + state.about.loops, trunk.id
        ]);
    }));
    element("head-players").textContent = count(answer.trunks.reduce((sum, trunk) => sum + trunk.seats, 0));
    element("trunks-note").textContent = answer.count === 0 ? "No trunks." :
        answer.count > answer.trunks.length ? answer.trunks.length + " of " + answer.count + " trunks" : "";
}

async function showStorage() {
    const answer = await request("/api/storage");
    const rates = state.serviceRates;
    rates.next(answer.timeMs);
    element("services").replaceChildren(...(answer.services.length === 0 ? [row(["none"], "empty")] :
        answer.services.map((service, i) => {
            const requests = rates.growth(i + " requests", service.requests);
            const busyMs = rates.growth(i + " busy", service.busyMs);
            return row([
                service.name, String(service.workers), count(service.queued),
                requests === null ? "–" : count(requests / rates.seconds),
                requests > 0 ? duration(1000 * busyMs / requests) : "–",
                busyMs === null ? "–" : Math.round(busyMs / 10 / rates.seconds / service.workers) + " %",
                count(service.requests), make("td", count(service.failed), service.failed > 0 ? "bad" : "")
            ]);
        })));
    element("storage").replaceChildren(...answer.loops.map((loop, i) => row([
        String(i), loop.commitWait.some((us) => us > 0) ? loop.commitWait.map((us) => duration(us)).join(" / ") : "–",
        count(loop.blocked), count(loop.snapshots),
        make("td", count(loop.snapshotsFailed), loop.snapshotsFailed > 0 ? "bad" : ""),
        loop.replayMs > 0 ? duration(1000 * loop.replayMs) : "–"
    ])));
    element("log").textContent =
        Object.entries(answer.log).map(([name, value]) => name + " " + count(value)).join(", ");
}

/** Whether the list of rooms follows their costs. A search for one room is done once. */
function isListFresh() {
    return element("room-order").value === "cost" &&
        search(element("room-search").value, state.about.types).room === undefined;
}

/** Fetch the requested reports, periodically while the page is visible. */
async function refresh() {
    clearTimeout(state.timer);
    try {
        if (!document.hidden && !element("page").hidden) {
            await Promise.all([
                showTrunks(), showStorage(), showFaults(), ...(isListFresh() ? [listRooms()] : []),
                ...(state.room === null ? [] : [showRoom()])
            ]);
        }
        // The failure of what somebody asked for stays.
        if (state.isRefreshFailing) {
            state.isRefreshFailing = false;
            element("failure").textContent = "";
        }
    } catch (error) {
        state.isRefreshFailing = true;
        element("failure").textContent = error.message;
    } finally {
        state.timer = setTimeout(refresh, REFRESH_MS);
    }
}

async function showFaults() {
    const {faults, operations} = await request("/api/faults");
    const time = (timeMs) => new Date(timeMs).toLocaleTimeString();
    // A stack that somebody reads stays open.
    const open = new Set([...element("faults").querySelectorAll("[open] > summary")].map((one) => one.dataset.key));
    replace(element("faults"), faults.length === 0 ? [make("li", "none", "empty")] : faults.reverse().map((fault) => {
        const item = document.createElement("li");
        const details = document.createElement("details");
        const summary = make("summary", time(fault.timeMs) + "  " + fault.kind + ": " + (fault.text ?? ""));
        summary.dataset.key = fault.timeMs + " " + fault.kind;
        details.open = open.has(summary.dataset.key);
        details.append(summary, make("pre", fault.stack.join("\n")));
        item.append(details);
        return item;
    }));
    element("operations").replaceChildren(...(operations.length === 0 ? [make("li", "none", "empty")] :
        operations.reverse().map((one) => make("li", time(one.timeMs) + "  " + one.who + ": " + one.what))));
}

async function showCounters() {
    const counters = await request("/api/counters");
    const wanted = element("counter-search").value.trim().toLowerCase();
    const isAll = element("counter-zero").checked;
    element("counters").replaceChildren(...counters
        .filter((one) => (isAll || one.value !== 0) && one.label.toLowerCase().includes(wanted))
        .map((one) => row([one.label, make("td", one.value.toLocaleString("en"), "number")])));
}

/** Show the failure of a request where it belongs: next to the page's title. */
async function attempt(promise) {
    try {
        await promise;
        element("failure").textContent = "";
    } catch (error) {
        element("failure").textContent = error.message;
    }
}

const drawing = new Drawing(element("room-view"), element("room-view-note"), request);
const past = new Past(request, (view) => drawing.show(view), () => {
    drawing.isPast = false;
    if (state.room === null) {
        drawing.end();
        element("room").hidden = true;
        element("room-none").hidden = false;
    }
});
const operate = new Operate(request, (done) => {
    element("failure").textContent = "";
    element("done").textContent = "Done: " + done;
    attempt(Promise.all([showFaults(), listRooms(), ...(state.room === null ? [] : [showRoom()])]));
});

function listen() {
    element("windows").addEventListener("change", (event) => {
        state.window = Number(event.target.value);
        state.curve.show(state.event.loops, state.window);
    });
    element("heat-loop").addEventListener("change", (event) => attempt(chooseHeatLoop(Number(event.target.value))));
    element("room-form").addEventListener("submit", (event) => {
        event.preventDefault();
        attempt(listRooms());
    });
    element("room-loop").addEventListener("change", () => attempt(listRooms()));
    element("room-order").addEventListener("change", () => attempt(listRooms()));
    element("rooms-more").addEventListener("click", () => attempt(listRooms(state.rooms.next)));
    element("counter-form").addEventListener("submit", (event) => {
        event.preventDefault();
        attempt(showCounters());
    });
    element("room-past").addEventListener("click", () => attempt(lookBack(state.room)));
    element("counter-zero").addEventListener("change", () => attempt(showCounters()));
    element("drain").addEventListener("click", () => operate.ask({
        title: "Drain the engine", verb: "Drain and stop",
        effect: "No trunks and rooms are accepted any more, all rooms are asked to close, and the engine stops.",
        values: {action: "drain"}, field: {name: "seconds", label: "Seconds for rooms to close", min: 0, max: 3600,
            value: 30}
    }));
    element("type-form").addEventListener("submit", (event) => {
        event.preventDefault();
        operateType(event.submitter.name, element("operate-type").value);
    });
}

function operateType(action, type) {
    const rooms = "Rooms of type " + typeName(Number(type));
    const questions = {
        cap: {
            title: "Cap a frame rate", verb: "Cap",
            effect: rooms + " run at most this many frames a second, on all loops. The governor may lower the rate " +
                "of a loaded loop further.",
            field: {name: "rate", label: "Frames a second, 0 for no cap", min: 0, max: 1000, value: 30}
        },
        lock: {
            title: "Lock joins", verb: "Lock",
            effect: rooms + " take no new players, also those that open later. Players whose seats are held can return."
        },
        unlock: {
            title: "Unlock joins", verb: "Unlock",
            effect: rooms + " take new players again, unless a room is locked itself."
        }
    };
    operate.ask({...questions[action], values: {action, type}});
}

function options(select, values) {
    select.replaceChildren(...values.map(([value, text]) => {
        const option = make("option", text);
        option.value = value;
        return option;
    }));
}

async function start() {
    state.about = await request("/api/about");
    const {about} = state;
    const loops = Array.from({length: about.loops}, (_, i) => [i, "loop " + i]);
    options(element("heat-loop"), loops);
    options(element("room-loop"), loops);
    options(element("operate-type"), about.types.map((type) => [type.id, type.name]));
    element("operate").hidden = !about.isOperator;
    element("about").textContent = "process " + about.pid + ", " + about.java;
    element("page").hidden = false;
    element("sign-in").hidden = true;
    if (state.curve === null) {
        state.curve = new Curve(element("curve"), about.loops);
        state.heat = new Heat(element("heat"), (second) => attempt(showSlow(second)));
        listen();
    }
    await attempt(Promise.all([chooseHeatLoop(state.heatLoop), listRooms(), showFaults(), showCounters()]));
    refresh();
    await read();
}

/** Read events until the connection closes. */
async function read() {
    const abort = new AbortController();
    let timer = 0;
    const watch = () => {
        clearTimeout(timer);
        timer = setTimeout(() => abort.abort(), SILENCE_MS);
    };
    try {
        watch();
        const answer = await request("/api/events", {isStream: true, signal: abort.signal});
        const lines = new Lines();
        const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
        for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
            watch();
            state.attempts = 0;
            setConnected(true);
            // Only the newest is worth showing.
            const events = lines.push(chunk.value);
            if (events.length > 0) {
                show(events.at(-1));
            }
        }
    } finally {
        clearTimeout(timer);
    }
}

function setConnected(isConnected) {
    element("connection").hidden = isConnected;
    if (!isConnected) {
        element("mode").className = "badge bad";
    }
}

async function run() {
    for (;;) {
        let text = "No connection to the engine";
        try {
            await start();
        } catch (error) {
            if (error.status === 401) {
                signIn();
                return;
            }
            text = error.status ? error.message : text;
        }
        element("connection").textContent = text + "; trying again.";
        setConnected(false);
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS[Math.min(state.attempts++, RETRY_MS.length - 1)]));
    }
}

function signIn() {
    sessionStorage.removeItem("token");
    element("page").hidden = true;
    element("sign-in").hidden = false;
    element("token").focus();
}

function useToken(token) {
    state.token = token;
    sessionStorage.setItem("token", token);
    run();
}

const fromUrl = tokenOf(location.hash);
// The token leaves the address bar, where it could be seen or copied.
history.replaceState(null, "", location.pathname);
element("sign-in-form").addEventListener("submit", (event) => {
    event.preventDefault();
    const token = tokenOf(element("token").value.trim().replace(/^.*#/, ""));
    element("sign-in-error").textContent = token === null ? "That is not a token of a console." : "";
    if (token !== null) {
        useToken(token);
    }
});
addEventListener("hashchange", () => {
    if (tokenOf(location.hash) !== null) {
        sessionStorage.setItem("token", tokenOf(location.hash));
        location.replace(location.pathname);
    }
});
const token = fromUrl ?? sessionStorage.getItem("token");
if (token === null) {
    signIn();
} else {
    useToken(token);
}
