package io.escapement.cluster;

import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

class ElectionErrorsTest
{
    private final ElectionErrors errors = new ElectionErrors();

    /** Two errors for one cause alternate. */
    @Test
    void shouldNameAnErrorThatComesThreeTimesWhateverItsNumbersAre()
    {
        add("no file 0-17.rec");
        add("no answer 1");
        add("no file 3-9.rec");
        add("no answer 2");
        assertNull(errors.repeated());
        add("no file 4-2.rec");
        assertEquals("no file N-N.rec", errors.repeated());
    }

    @Test
    void shouldBeginAgainWhenAnElectionIsOver()
    {
        add(null);
        add(null);
        errors.clear();
        add(null);
        add(null);
        assertNull(errors.repeated());
        add(null);
        assertEquals("null", errors.repeated());
        errors.clear();
        assertNull(errors.repeated());
    }

    private void add(final String message)
    {
        errors.add(new IllegalStateException(message));
    }
}
