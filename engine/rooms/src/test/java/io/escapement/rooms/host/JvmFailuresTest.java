package io.escapement.rooms.host;

import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

class JvmFailuresTest
{
    /** Longest chain of causes, and most suppressed throwables, that are looked through. */
    private static final int LIMIT = 64;

    private final StackOverflowError overflow = new StackOverflowError("on purpose");
    private final OutOfMemoryError noMemory = new OutOfMemoryError("on purpose");

    @Test
    void shouldFindTheFailureAtTheEndOfTheLongestChain()
    {
        assertSame(overflow, JvmFailures.in(overflow));
        assertSame(overflow, JvmFailures.in(behind(LIMIT - 1, overflow)));
        assertNull(JvmFailures.in(behind(LIMIT, overflow)));
    }

    @Test
    void shouldFindTheLastOfTheSuppressedThatAreLookedAt()
    {
        assertSame(overflow, JvmFailures.in(suppressing(LIMIT - 1, overflow)));
        assertNull(JvmFailures.in(suppressing(LIMIT, overflow)));
    }

    @Test
    void shouldPreferTheFailureThatTheHostCannotSurvive()
    {
        overflow.initCause(noMemory);
        assertSame(noMemory, JvmFailures.in(overflow));
        final StackOverflowError other = new StackOverflowError();
        other.addSuppressed(noMemory);
        assertSame(noMemory, JvmFailures.in(other));
        noMemory.initCause(new StackOverflowError());
        assertSame(noMemory, JvmFailures.in(noMemory));
    }

    @Test
    void shouldReturnFromCircles()
    {
        final Exception a = new Exception();
        final Exception b = new Exception(a);
        a.initCause(b);
        assertNull(JvmFailures.in(a));
        final Exception c = new Exception();
        final Exception d = new Exception();
        c.addSuppressed(d);
        d.addSuppressed(c);
        assertNull(JvmFailures.in(c));
        assertNull(JvmFailures.in(null));
    }

    @Test
    void shouldTakeTheFailureOfAThrowablesOwnMethods()
    {
        assertSame(overflow, JvmFailures.in(new Hostile(overflow)));
        assertNull(JvmFailures.in(new Hostile(new AssertionError("on purpose"))));
    }

    @Test
    void shouldCallAnythingButAStackOverflowFatal()
    {
        assertTrue(JvmFailures.isFatal(noMemory));
        assertTrue(JvmFailures.isFatal(new InternalError()));
        assertFalse(JvmFailures.isFatal(overflow));
        assertFalse(JvmFailures.isFatal(null));
    }

    private static Throwable behind(final int others, final Throwable last)
    {
        Throwable chain = last;
        for (int i = 0; i < others; i++)
        {
            chain = new Exception(chain);
        }
        return chain;
    }

    private static Throwable suppressing(final int others, final Throwable last)
    {
        final Exception first = new Exception();
        for (int i = 0; i < others; i++)
        {
            first.addSuppressed(new Exception());
        }
        first.addSuppressed(last);
        return first;
    }

    private static final class Hostile extends RuntimeException
    {
        private static final long serialVersionUID = 1;
        private final transient Error failure;

        Hostile(final Error failure)
        {
            this.failure = failure;
        }

        @Override
        public synchronized Throwable getCause()
        {
            throw failure;
        }
    }
}
