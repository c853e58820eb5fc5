package io.escapement.server;

import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;

class OptionNamesTest
{
    /** The warning of an engine in a container. */
    @Test
    void shouldNameTheOptionsOfServe()
    {
        assertEquals("--tail: /dev/shm: the shared memory of this container ends with it: name a directory on a " +
            "volume, or use --tail none", OptionNames.replaced("durability.tailDirectory: /dev/shm: the shared " +
            "memory of this container ends with it: name a directory on a volume, or use withoutTail()", true));
    }
}
