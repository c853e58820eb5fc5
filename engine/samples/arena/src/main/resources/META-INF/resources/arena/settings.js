/** The choices of a player, which the browser keeps. */
const STORAGE_KEY = 'escapement.arena.settings';
const DEFAULTS = {isMuted: false, volume: 60, showsNames: true, isCalm: false};
const CONTROLS = new Map([['mute', 'isMuted'], ['volume', 'volume'], ['show-names', 'showsNames'], ['calm', 'isCalm']]);

/** The choices of an earlier visit. A missing or malformed choice has its default. */
export function readSettings(storage) {
    const choices = {...DEFAULTS};
    try {
        const kept = JSON.parse(storage.getItem(STORAGE_KEY));
        for (const [name, value] of Object.entries(DEFAULTS)) {
            choices[name] = typeof kept[name] === typeof value ? kept[name] : value;
        }
    } catch {
        return choices;
    }
    choices.volume = Math.max(0, Math.min(100, choices.volume));
    return choices;
}

export function keepSettings(storage, choices) {
    storage.setItem(STORAGE_KEY, JSON.stringify(choices));
}

/** Has a dialog show the choices, and change them. */
export function showSettings(dialog, choices, onchange) {
    for (const [id, name] of CONTROLS) {
        const control = dialog.querySelector('#' + id);
        const property = control.type === 'checkbox' ? 'checked' : 'valueAsNumber';
        control[property] = choices[name];
        control.addEventListener('input', () => {
            choices[name] = control[property];
            onchange();
        });
    }
}
