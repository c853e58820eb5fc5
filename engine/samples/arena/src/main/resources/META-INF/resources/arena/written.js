/** Text from players: names and chat. It is set as text, never as markup, and each piece has its own direction. */

/** The embeddings, overrides and isolates of bidirectional text. */
const DIRECTION_CONTROLS = /[\u202A-\u202E\u2066-\u2069]/g;

/** An element with a class and a text. */
export function text(tag, className, content) {
    const element = document.createElement(tag);
    element.className = className;
    element.textContent = content;
    return element;
}

/** A name or a text of a player. Text next to the element keeps its place, whatever the direction of the element is. */
export function written(className, content) {
    return text('bdi', className, content.replace(DIRECTION_CONTROLS, ''));
}

/** Adds a line to a chat. */
export function addChat(log, name, message, isOwn, limit) {
    const item = document.createElement('li');
    item.className = isOwn ? 'own' : '';
    item.append(written('who', name), written('said', message));
    log.append(item);
    while (log.children.length > limit) {
        log.firstChild.remove();
    }
    log.scrollTop = log.scrollHeight;
}
