// A program.
/**
 * A class: `with a tick.
 */
class Twice {
    /** One line. */
    #value = '// no comment'; // stays

    get(text) {
        /* Several
           lines. */
        const url = text + '/* neither */';

        // The last.
        return [this.#value, url, `${text}//`].join(
            '|');
    }
}

new Twice().get('http://x');
