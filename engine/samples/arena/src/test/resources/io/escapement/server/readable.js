// For ArenaPageTest: how readable the texts are that the page shows now.

const canvas = document.createElement('canvas');
canvas.width = 1;
canvas.height = 1;
const pixel = canvas.getContext('2d', {willReadFrequently: true});

/** A colour in any notation as red, green, blue and alpha. */
function rgba(css) {
    pixel.clearRect(0, 0, 1, 1);
    pixel.fillStyle = css;
    pixel.fillRect(0, 0, 1, 1);
    const [red, green, blue, alpha] = pixel.getImageData(0, 0, 1, 1).data;
    return [red, green, blue, alpha / 255];
}

function over(top, under) {
    return under.map((part, i) => top[i] * top[3] + part * (1 - top[3]));
}

/** The arena counts as a wall, whose colour is nearest to that of texts. */
function paint(element) {
    const style = getComputedStyle(element);
    return rgba(element.id === 'canvas' ? style.getPropertyValue('--arena-wall') : style.backgroundColor);
}

/** The colour behind a point of an element: its ancestors, and what was painted over them before it. */
function ground(element, x, y) {
    if (element === null) {
        return [255, 255, 255];
    }
    let colour = ground(element.parentElement, x, y);
    for (let before = element.parentElement?.firstElementChild; before && before !== element;
        before = before.nextElementSibling) {
        const box = before.getBoundingClientRect();
        if (before.checkVisibility() && box.left <= x && x <= box.right && box.top <= y && y <= box.bottom) {
            colour = over(paint(before), colour);
        }
    }
    return over(paint(element), colour);
}

function luminance(colour) {
    const [red, green, blue] = colour.map((part) => part / 255)
        .map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(colour, behind) {
    const [dark, light] = [luminance(colour), luminance(behind)].sort((a, b) => a - b);
    return (light + 0.05) / (dark + 0.05);
}

/** The worst contrast and the smallest font of the visible texts and placeholders, and how light the page is. */
window.readable = () => {
    const found = {texts: 0, contrast: 21, fontPx: 100, worst: '', smallest: ''};
    const judge = (element, style, text) => {
        const box = element.getBoundingClientRect();
        const behind = ground(element, box.left + box.width / 2, box.top + box.height / 2);
        const ratio = contrast(over(rgba(style.color), behind), behind);
        const fontPx = parseFloat(style.fontSize);
        found.texts++;
        if (ratio < found.contrast) {
            found.contrast = ratio;
            found.worst = text;
        }
        if (fontPx < found.fontPx) {
            found.fontPx = fontPx;
            found.smallest = text;
        }
    };
    const isShown = (element) =>
        element.checkVisibility() && element.closest(':disabled, script, noscript, select') === null;
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
        const {textContent, parentElement} = texts.currentNode;
        if (textContent.trim() !== '' && isShown(parentElement)) {
            judge(parentElement, getComputedStyle(parentElement), textContent.trim());
        }
    }
    for (const field of document.querySelectorAll('input[placeholder], select')) {
        if (field.checkVisibility() && !field.disabled) {
            const style = getComputedStyle(field, field.matches('input') ? '::placeholder' : null);
            judge(field, style, field.id);
        }
    }
    const {width} = document.documentElement.getBoundingClientRect();
    return {...found, width: Math.max(width, document.documentElement.scrollWidth),
        lightness: luminance(paint(document.body).slice(0, 3))};
};
