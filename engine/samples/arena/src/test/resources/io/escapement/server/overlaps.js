// For ArenaPageTest: what takes input or has text, and where two of these overlap. And a game as full as it gets.

/** Pixels that are no overlap: shares of a pixel, and the edge of a line's box. */
const TOLERANCE = 1;
const CONTROLS = 'button, input, select, summary, .stick, [role=meter]';
const nameOf = (element) => element.id || element.className || element.textContent.trim().slice(0, 20);

/** The part of a box that an element and its ancestors do not cut off. */
function seen(box, element) {
    const part = {left: box.left, top: box.top, right: box.right, bottom: box.bottom};
    for (let over = element; over !== null; over = over.parentElement) {
        if (getComputedStyle(over).overflowY !== 'visible') {
            const edge = over.getBoundingClientRect();
            part.left = Math.max(part.left, edge.left);
            part.top = Math.max(part.top, edge.top);
            part.right = Math.min(part.right, edge.right);
            part.bottom = Math.min(part.bottom, edge.bottom);
        }
    }
    return part;
}

function boxes() {
    const found = [];
    const add = (element, box, name) => {
        const part = seen(box, element);
        if (part.right - part.left > TOLERANCE && part.bottom - part.top > TOLERANCE) {
            found.push({element, name, ...part});
        }
    };
    for (const element of document.body.querySelectorAll('*')) {
        if (!element.checkVisibility({checkVisibilityCSS: true})) {
            continue;
        }
        if (element.matches(CONTROLS)) {
            add(element, element.getBoundingClientRect(), nameOf(element));
        }
        for (const node of element.childNodes) {
            if (node.nodeType === Node.TEXT_NODE && node.textContent.trim() !== '' && !element.matches('option')) {
                const range = document.createRange();
                range.selectNodeContents(node);
                for (const line of range.getClientRects()) {
                    add(element, line, node.textContent.trim().slice(0, 30));
                }
            }
        }
    }
    return found;
}

/** Pairs that overlap, and what is beyond the sides of the page, or of a game also above and below it. */
window.overlaps = () => {
    const found = boxes();
    const wrong = [];
    const isGame = document.body.dataset.screen === 'game';
    for (const [i, a] of found.entries()) {
        const isBeyond = a.left < 0 || a.right > innerWidth || isGame && (a.top < 0 || a.bottom > innerHeight);
        if (isBeyond) {
            wrong.push(a.name + ' is off the page');
        }
        for (const b of found.slice(i + 1)) {
            const isPart = a.element.contains(b.element) || b.element.contains(a.element);
            const width = Math.min(a.right, b.right) - Math.max(a.left, b.left);
            const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
            if (!isPart && width > TOLERANCE && height > TOLERANCE) {
                wrong.push(a.name + ' / ' + b.name + ': ' + Math.round(width) + ' x ' + Math.round(height));
            }
        }
    }
    return wrong;
};

/** How many controls and texts are shown. */
window.shown = () => boxes().length;

/** Has the game receive players, kills and texts with names, and an own death. */
window.fill = async (name) => {
    const {Chat, Entered, EventKind, Events, Round, Score} = await import('/arena/arena.js');
    const {game} = window.arena;
    const view = new DataView(new ArrayBuffer(4096));
    const receive = (type, fields) => game.onMessage(view, 0, type.encode(view, 0, fields));
    const others = [0, 1, 2, 3, 4, 5, 6, 7].filter((index) => index !== game.index);
    for (const playerIndex of others) {
        receive(Entered, {playerId: BigInt(1000 + playerIndex), characterId: 1n, newUntil: 0, playerIndex, name});
    }
    const death = (playerIndex, otherIndex) => ({x: 0, y: 0, kind: EventKind.DEATH, playerIndex, otherIndex, value: 0});
    receive(Events, {subStep: game.world.subStep, entries: [
        death(others[0], others[1]), death(others[2], others[2]), death(others[3], others[4]),
        death(game.index, others[5]),
    ]});
    for (const playerIndex of others) {
        receive(Score, {playerIndex, kills: 12, deaths: 12});
        receive(Chat, {playerId: BigInt(1000 + playerIndex), playerIndex, text: 'so many words '.repeat(11).trim()});
    }
    /** All but the own player have won. */
    window.endRound = (isPause) => receive(Round, {subStep: game.world.subStep, endsAt: game.world.subStep + 600,
        winners: isPause ? 255 & ~(1 << game.index) : 0, isPause});
};
