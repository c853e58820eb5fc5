package io.escapement.perf.peers;

import io.escapement.testsupport.RealTime;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

@RealTime("a thread that sleeps")
class GameLoopThreadTest
{
    private final GameLoopThread loop = new GameLoopThread(1);

    @Test
    void shouldRunAnActionOnceInTheOrderOfRegistering()
    {
        final List<Integer> ran = new ArrayList<>();
        final List<Integer> expected = new ArrayList<>();
        for (int i = 0; i < 100; i++)
        {
            final int number = i;
            loop.nextFrame(() -> ran.add(number));
            expected.add(number);
        }
        assertEquals(100, loop.runFrame());
        assertEquals(expected, ran);
        assertEquals(0, loop.runFrame());
    }

    @Test
    void shouldRunAnActionThatRegistersItselfOnceAFrame()
    {
        final int[] count = new int[1];
        final Runnable action = new Runnable()
        {
            @Override
            public void run()
            {
                count[0]++;
                loop.nextFrame(this);
            }
        };
        loop.nextFrame(action);
        for (int frame = 1; frame <= 5; frame++)
        {
            assertEquals(1, loop.runFrame());
            assertEquals(frame, count[0]);
        }
    }

    @Test
    void shouldRunFramesUntilClosed() throws InterruptedException
    {
        final CountDownLatch frames = new CountDownLatch(3);
        final Thread thread = new Thread(loop, "game-loop");
        loop.nextFrame(new Runnable()
        {
            @Override
            public void run()
            {
                frames.countDown();
                loop.nextFrame(this);
            }
        });
        thread.start();
        assertTrue(frames.await(5, TimeUnit.SECONDS));
        loop.close();
        thread.join(5_000);
        assertFalse(thread.isAlive());
    }
}
