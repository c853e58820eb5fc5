// For BrowserTest, before the page's scripts: the answers of the console have these figures instead of their own.

const change = (answer, figures) => {
    for (const [name, figure] of Object.entries(figures)) {
        if (!(name in answer)) {
            throw new Error("no figure " + name);
        }
        answer[name] = figure;
    }
};

const DAY = 86_399;

const changes = {
    "/api/about": (about) => about.types.forEach((type) => change(type, {name: "matchmaker"})),
    "/api/costs": (list) => list.rooms.forEach((room) => change(room, {occupied: 8192, ageSeconds: DAY, share: 0.123})),
    "/api/events": (event) => {
        change(event, {upSeconds: DAY});
        change(event.head, {framesMissed: 123_456, statesDropped: 123_456, eventsLost: 123_456, refused: 123_456});
        change(event.jvm, {heapMb: 65, safepoints: 21, safepointMs: 43});
        change(event.feeds, window.hasGuards ? {missed: 71, ignored: 72, left: 73} : {left: 74});
        change(event.loops[0], {
            load: 0.34, frameLoad: 0.2, step: 2, rooms: 5, fit: 12, frames: 300, turns: 7000, commands: 40,
            longest: 1500, ring: 3, inbox: 4, frameWork: [24.7, 175, 2900],
            ringWait: [10.2, 85, 1100], commandWork: [13.8, 211, 3800],
            timers: 8, requests: 9, missed: 10, dropped: 11, refused: 13,
            feedReceivers: window.hasFeed ? 14 : null, feedPackets: 15
        });
    },
    "/api/storage": (answer) => change(answer.loops[0], {
        commitWait: [100, 200, 3000], blocked: 1, snapshots: 2, snapshotsFailed: 3, replayMs: 40
    }),
    "/api/faults": (answer) => change(answer, {
        faults: [
            {timeMs: 1000, kind: "RoomFailure", text: "room 5 failed",
                stack: ["a.B.c(B.java:1)", "Caused by: d.E: text", "f.G.h(G.java:2)"]},
            {timeMs: 2000, kind: "Stall", text: "room 5 has held loop 0 for 120 ms", stack: ["i.J.k(J.java:3)"]}
        ]
    }),
    "/api/room": (answer) => change(answer, {
        ageSeconds: DAY, timers: 4, requests: 5, statesLost: 6, refusals: 7, sentBytes: 8000,
        lastRefusals: [{seat: 1, template: 16, code: "NOT_JOINED"}, {seat: -1, template: 2, code: "ROOM_LOCKED"}]
    })
};

const fetchOfPage = window.fetch;

function changeLines(body, apply) {
    let rest = "";
    return body.pipeThrough(new TextDecoderStream()).pipeThrough(new TransformStream({
        transform(chunk, controller) {
            const lines = (rest + chunk).split("\n");
            rest = lines.pop();
            for (const line of lines.filter((one) => one !== "")) {
                const event = JSON.parse(line);
                apply(event);
                controller.enqueue(JSON.stringify(event) + "\n");
            }
        }
    })).pipeThrough(new TextEncoderStream());
}

window.fetch = async (path, options) => {
    const answer = await fetchOfPage(path, options);
    const [name] = String(path).split("?");
    if (!(name in changes) || !answer.ok) {
        return answer;
    }
    if (name === "/api/events") {
        return new Response(changeLines(answer.body, changes[name]));
    }
    const json = await answer.json();
    changes[name](json);
    return new Response(JSON.stringify(json));
};
