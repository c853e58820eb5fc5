// What the guide's page has in addition to the README's: elements of HTML, and the storage of a tab.
import {lines} from './readme-test.js';

export {lines};

/** Shows texts in the lines that a test reads. */
class Element {
    constructor(id) {
        this.id = id;
        this.value = '';
    }

    append(text) {
        lines.push(this.id + ': ' + text);
    }

    replaceChildren(text) {
        this.append(text);
    }

    addEventListener(type, listener) {
        this[type] = listener;
    }
}

const elementById = new Map(['notice', 'lines', 'say', 'text'].map((id) => [id, new Element(id)]));

/** The player enters a text. */
export function say(text) {
    elementById.get('text').value = text;
    elementById.get('say').submit({preventDefault: () => undefined});
}

globalThis.document = {
    addEventListener: () => undefined,
    createElement: () => undefined,
    getElementById: (id) => elementById.get(id),
};
globalThis.sessionStorage = {getItem: () => null, setItem: () => undefined};
