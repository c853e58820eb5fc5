// For BrowserTest: visible texts that do not fit their element, and words that are broken over lines.

const isScrolled = (style) => /auto|scroll/.test(style.overflowX);

/** The nearest element that is a box: an inline element has no width. */
function boxOf(element) {
    return getComputedStyle(element).display === "inline" ? boxOf(element.parentElement) : element;
}

function isBroken(node) {
    return [...node.textContent.matchAll(/[^\s-]+/g)].some((word) => {
        const range = document.createRange();
        range.setStart(node, word.index);
        range.setEnd(node, word.index + word[0].length);
        return new Set([...range.getClientRects()].map((line) => line.top)).size > 1;
    });
}

window.notWhole = () => {
    const found = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
        const {textContent, parentElement} = texts.currentNode;
        if (textContent.trim() !== "" && parentElement.checkVisibility() && !parentElement.closest(".hidden, legend, pre")) {
            const box = boxOf(parentElement);
            if (box.scrollWidth > box.clientWidth && !isScrolled(getComputedStyle(box))) {
                found.push("cut: " + textContent.trim());
            }
            if (isBroken(texts.currentNode)) {
                found.push("broken: " + textContent.trim());
            }
        }
    }
    return found;
};
