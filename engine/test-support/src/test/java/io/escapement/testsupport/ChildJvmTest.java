package io.escapement.testsupport;

import java.util.List;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

class ChildJvmTest
{
    /** Prints what it was given, echoes a line, and ends with a status. */
    static final class Child
    {
        private Child()
        {
        }

        public static void main(final String[] args) throws java.io.IOException
        {
            System.out.println("flag " + System.getProperty("flag") + " " + args[0]);
            final int first = System.in.read();
            System.out.println("read " + (char)first);
            System.exit(3);
        }
    }

    @Test
    void shouldPassFlagsArgumentsAndInputAndReturnTheStatus()
    {
        try (ChildJvm child = new ChildJvm(Child.class, List.of("-Dflag=x"), List.of("a")))
        {
            Tests.await(() -> "x a".equals(child.valueOf("flag ")), "the first line");
            child.send("q");
            assertEquals(3, child.exitStatus());
            assertEquals("q", child.valueOf("read "));
            assertEquals(2, child.lines().size());
        }
    }

    @Test
    void shouldKillAProcessThatDoesNotEnd()
    {
        final ChildJvm child = new ChildJvm(Child.class, List.of(), List.of("a"));
        child.close();
        assertFalse(child.isAlive());
    }

    @Test
    void shouldFailWhenAConditionDoesNotComeTrue()
    {
        final AssertionError error =
            assertThrows(AssertionError.class, () -> Tests.await(1, () -> false, () -> "never"));
        assertEquals("timed out waiting for never", error.getMessage());
    }
}
