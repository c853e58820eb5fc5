// For ArenaPageTest: where a colour is in the picture of a room on the console's page.

const NEAR = 30;

window.marks = {
    colour: '',
    before: null,
    /** The middle of the pixels of about the colour, or null if there are none. */
    middle() {
        const canvas = document.getElementById('room-view');
        if (canvas.hidden || canvas.width === 0) {
            return null;
        }
        const wanted = /(\d+), (\d+), (\d+)/.exec(this.colour).slice(1).map(Number);
        const {data} = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
        const sum = {count: 0, x: 0, y: 0};
        for (let i = 0; i < data.length; i += 4) {
            if (wanted.every((part, j) => Math.abs(data[i + j] - part) < NEAR)) {
                sum.count++;
                sum.x += i / 4 % canvas.width;
                sum.y += Math.floor(i / 4 / canvas.width);
            }
        }
        return sum.count === 0 ? null : {x: sum.x / sum.count, y: sum.y / sum.count};
    },
};
