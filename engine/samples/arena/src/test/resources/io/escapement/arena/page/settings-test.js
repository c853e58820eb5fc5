// For SettingsTest: the storage is a map, and the dialog has controls as a page has them.
import {keepSettings, readSettings, showSettings} from './settings.js';

function storageOf(kept) {
    const map = new Map(kept === null ? [] : [['escapement.arena.settings', kept]]);
    return {getItem: (key) => map.get(key) ?? null, setItem: (key, value) => map.set(key, value)};
}

/** The choices that a page reads from this. */
export function read(kept) {
    return JSON.stringify(readSettings(storageOf(kept)));
}

/** The choices at the next visit, and how often the page was told, after these changes in the dialog. */
export function change(...changes) {
    const storage = storageOf(null);
    const controls = new Map(['mute', 'volume', 'show-names', 'calm'].map((id) => [id, {
        type: id === 'volume' ? 'range' : 'checkbox',
        addEventListener(name, listener) {
            this[name] = listener;
        },
    }]));
    const choices = readSettings(storage);
    let told = 0;
    showSettings({querySelector: (selector) => controls.get(selector.slice(1))}, choices, () => {
        told++;
        keepSettings(storage, choices);
    });
    const before = [...controls.values()].map((control) => control.checked ?? control.valueAsNumber);
    for (const id of changes) {
        const control = controls.get(id);
        control.checked = !control.checked;
        control.valueAsNumber = 15;
        control.input();
    }
    return before.join(' ') + ', ' + told + ', ' + JSON.stringify(readSettings(storage));
}
