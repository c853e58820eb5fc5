package io.escapement.rooms.steps;

import io.escapement.testsupport.Tests;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Random programs and events, in a room and in a {@link StoryTwin}, which keeps closures and no positions. One room is
 * replaced after each event by the room of its snapshot, another one runs straight through and is replayed.
 */
class StepsTwinTest
{
    private static final int SEEDS = Tests.isFull() ? 1_000 : 40;
    private static final int EVENTS = 60;
    private static final int PROGRAMS = 4;

    @Test
    void shouldDoWhatTheTwinDoes()
    {
        int lines = 0;
        for (long seed = 1; seed <= SEEDS; seed++)
        {
            lines += compare(seed);
        }
        assertTrue(lines > 30 * SEEDS, "only " + lines + " lines");
    }

    private static int compare(final long seed)
    {
        final SplittableRandom random = new SplittableRandom(seed);
        final StoryTwin twin = new StoryTwin();
        final List<Steps<StoryRoom>> programs = twin.makePrograms(PROGRAMS, random);
        final Story straight = new Story(programs);
        final Story restored = new Story(programs);
        int lines = 0;
        for (int i = 0; i < EVENTS; i++)
        {
            final String event = event(random, twin, List.of(straight, restored));
            final List<String> expected = new ArrayList<>(twin.lines);
            twin.lines.clear();
            final int number = i;
            assertEquals(expected, straight.said(), () -> "seed " + seed + ", event " + number + ": " + event);
            assertEquals(expected, restored.said(), () -> "seed " + seed + ", restored, event " + number);
            assertEquals(straight.rig.host.stateHash(), restored.rig.host.stateHash(),
                () -> "seed " + seed + ", event " + number);
            assertEquals(List.of(), straight.rig.events.errors.stream().map(Throwable::getMessage)
                .filter((message) -> !message.contains("rounds of a repeatWhile")).toList(), () -> "seed " + seed);
            assertEquals(1, straight.rig.host.openRooms(), () -> "seed " + seed);
            restored.restart();
            lines += expected.size();
        }
        straight.rig.assertReplays();
        return lines;
    }

    private static String event(final SplittableRandom random, final StoryTwin twin, final List<Story> rigs)
    {
        final int kind = random.nextInt(10);
        final int argument = random.nextInt(6);
        final boolean isAsked = rigs.get(0).hasRequest();
        rigs.forEach((story) ->
        {
            switch (kind)
            {
                case 0, 1 -> story.start(argument % PROGRAMS);
                case 2 -> story.message(0 == argument ? StoryRoom.CANCEL_ALL : StoryRoom.CANCEL, 0);
                case 3 -> story.message(StoryRoom.SET_FLAG, argument);
                case 4 -> story.message(StoryRoom.FIRST_FREE + argument % 2, argument);
                case 5 -> story.signal(argument, 0);
                default ->
                {
                    if (6 == kind && isAsked)
                    {
                        story.reply(argument);
                    }
                    else
                    {
                        story.frame();
                    }
                }
            }
        });
        switch (kind)
        {
            case 0, 1 -> twin.message(StoryRoom.START, argument % PROGRAMS);
            case 2 -> twin.message(0 == argument ? StoryRoom.CANCEL_ALL : StoryRoom.CANCEL, 0);
            case 3 -> twin.message(StoryRoom.SET_FLAG, argument);
            case 4 -> twin.message(StoryRoom.FIRST_FREE + argument % 2, argument);
            case 5 -> twin.signal(argument);
            default ->
            {
                if (6 == kind && isAsked)
                {
                    twin.reply(argument);
                }
                else
                {
                    twin.frame();
                }
            }
        }
        return kind + " " + argument;
    }
}
