// What players wrote, in a document that has elements and text only, for WrittenTest.
import {addChat, written} from './written.js';

class Element {
    constructor(tag) {
        this.tag = tag;
        this.children = [];
        this.textContent = '';
        this.className = '';
    }

    get firstChild() {
        return this.children[0];
    }

    append(...parts) {
        for (const part of parts) {
            part.parent = this;
            this.children.push(part);
        }
    }

    remove() {
        this.parent.children.splice(this.parent.children.indexOf(this), 1);
    }

    toString() {
        return '<' + this.tag + ' ' + this.className + '>' + this.textContent + this.children.join('');
    }
}

globalThis.document = {createElement: (tag) => new Element(tag)};

/** The lines of a chat after these texts of a player. */
export function chat(name, limit, ...texts) {
    const log = new Element('ol');
    for (const text of texts) {
        addChat(log, name, text, false, limit);
    }
    return log.children.join('\n');
}

export const nameOf = (name) => String(written('name', name));
