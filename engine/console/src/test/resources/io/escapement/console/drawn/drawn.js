// A view as a game has it, for the tests: it shows the first byte of a reading, and counts readings.
export async function open(canvas) {
    let readings = 0;
    return {
        show(view) {
            readings++;
            canvas.dataset.shown = view.getUint8(0) + " of " + view.byteLength;
            canvas.dataset.readings = readings;
        },
        close() {
            canvas.dataset.shown = "closed";
        }
    };
}
