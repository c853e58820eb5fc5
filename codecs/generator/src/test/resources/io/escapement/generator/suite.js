// Functions of the tests; m is the module under test.
(m) => ({
    decode: (name, buffer, offset, length) =>
        new m[name]().wrap(new DataView(buffer), offset, length).toObject(),
    recode: (name, buffer) => {
        const out = new DataView(new ArrayBuffer(8192));
        new Uint8Array(out.buffer).fill(0xEE);
        const length = m[name].encode(out, 3, new m[name]().wrap(new DataView(buffer)).toObject());
        return out.buffer.slice(3, 3 + length);
    },
    outcome: (name, buffer, offset, length) => {
        try {
            new m[name]().wrap(new DataView(buffer), offset, length).toObject();
            return 'valid';
        } catch (error) {
            return error.name;
        }
    },
    failure: (action) => {
        try {
            action();
            return 'none';
        } catch (error) {
            return error.name + ': ' + error.message;
        }
    },
})
