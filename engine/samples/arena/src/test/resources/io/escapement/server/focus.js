// For ArenaPageTest: the controls of the lobby, and those that had the focus.

const visited = new Set();
const hidden = new Set();
const nameOf = (element) => element.id || element.ariaLabel || element.textContent.trim();

window.tabs = {
    wanted: () => [...document.querySelectorAll('#lobby :is(button, input, select, summary, [role=option])')]
        .filter((element) => element.checkVisibility() && !element.disabled).map(nameOf),
    missing: () => window.tabs.wanted().filter((name) => !visited.has(name)),
    unseen: () => [...hidden],
    /** Note the element that has the focus, and whether a frame shows that. */
    visit() {
        const element = document.activeElement;
        const {outlineStyle, outlineWidth} = getComputedStyle(element);
        visited.add(nameOf(element));
        if (element !== document.body && (outlineStyle === 'none' || parseFloat(outlineWidth) < 2)) {
            hidden.add(nameOf(element));
        }
    },
};
