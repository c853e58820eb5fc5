package io.escapement.rooms.internal;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class PhaseGroupTest
{
    private static final int ROOMS = 1_000_000;
    private static final long LIMIT = 64 * 1024;

    private final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
    private final PhaseGroup group = new PhaseGroup(60, 0, 1, (running, from, to) ->
    {
    }, null);
    private final List<Long> ran = new ArrayList<>();

    @Test
    void shouldNotGrowWithRoomsThatLeaveBeforeTheyAreDue()
    {
        final Target stays = new Target(1);
        final Target passes = new Target(2);
        group.add(stays);
        final long before = allocated();
        for (int i = 0; i < ROOMS; i++)
        {
            group.add(passes);
            group.remove(passes.position);
        }
        assertTrue(allocated() - before < LIMIT, "the last place must be used again");
    }

    @Test
    void shouldNotGrowWhenTheOldestRoomIsTheNextToLeave()
    {
        final Target[] targets = new Target[10];
        for (int i = 0; i < targets.length; i++)
        {
            targets[i] = new Target(i);
            group.add(targets[i]);
        }
        final long before = allocated();
        for (int i = 0; i < ROOMS; i++)
        {
            final Target target = targets[i % targets.length];
            group.remove(target.position);
            group.add(target);
        }
        assertTrue(allocated() - before < LIMIT, "free places must be used again");
        group.run(1_000_000_000);
        assertEquals(List.of(0L, 1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L), ran);
    }

    @Test
    void shouldRunEveryOtherRoomOnceWhenOneLeavesAndEntersInItsFrame()
    {
        final Target[] targets = new Target[10];
        for (int i = 0; i < targets.length; i++)
        {
            final Target target = new Target(i);
            target.isRestless = i % 3 == 0;
            targets[i] = target;
            group.add(target);
        }
        group.run(1_000_000_000);
        group.run(2_000_000_000);
        assertEquals(List.of(0L, 1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L, 0L, 1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L), ran);
    }

    private long allocated()
    {
        return threads.getThreadAllocatedBytes(Thread.currentThread().getId());
    }

    private final class Target implements FrameTarget
    {
        private final long ordinal;
        private boolean isRestless;
        private int position;
        private long lastN = -1;

        Target(final long ordinal)
        {
            this.ordinal = ordinal;
        }

        @Override
        public long roomId()
        {
            return ordinal;
        }

        @Override
        public long ordinal()
        {
            return ordinal;
        }

        @Override
        public void groupPosition(final int value)
        {
            position = value;
        }

        @Override
        public void settle()
        {
            throw new IllegalStateException("the group runs no frame of this room");
        }

        @Override
        public void onThrown(final Throwable thrown)
        {
            throw new IllegalStateException("the group runs no frame of this room", thrown);
        }

        @Override
        public void leaveStep()
        {
            throw new IllegalStateException("the room is not in step");
        }

        @Override
        public void run(final PhaseGroup running, final long n, final long deadlineNs)
        {
            if (n == lastN)
            {
                return;
            }
            lastN = n;
            ran.add(ordinal);
            for (int i = 0; i < 40 && isRestless; i++)
            {
                running.remove(position);
                running.add(this);
            }
        }
    }
}
