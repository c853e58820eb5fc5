// Splits and joins for PartsTest.java.
import {MessageJoiner, isPart, split} from './parts.js';

export function open(maxLength) {
    const joiner = new MessageJoiner(maxLength);
    return {
        split: (buffer, maxPayload) => split(new Uint8Array(buffer), maxPayload).map((part) => Array.from(part)),
        isPart: (buffer) => isPart(new DataView(buffer)),
        onPart: (buffer) => {
            // Behind other bytes, as in the message of a gateway.
            const bytes = new Uint8Array(buffer.byteLength + 5);
            bytes.set(new Uint8Array(buffer), 5);
            try {
                const message = joiner.onPart(new DataView(bytes.buffer, 2), 3);
                return message === null ? 'more' : Array.from(message).join(' ');
            } catch (error) {
                if (!(error instanceof RangeError)) {
                    throw error;
                }
                return 'refused';
            }
        },
        reset: () => joiner.reset(),
    };
}
