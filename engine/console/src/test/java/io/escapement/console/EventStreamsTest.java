package io.escapement.console;

import io.escapement.http.HttpStream;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The places of pages. How a page that takes nothing is closed is tested with the HTTP server. */
class EventStreamsTest
{
    private final EventStreams streams = new EventStreams();
    private final List<Page> pages = new ArrayList<>();

    @Test
    void shouldOfferAnEventToOnePageAfterAnother()
    {
        enter(3);
        streams.publish(new byte[1]);
        for (int i = 0; i < pages.size(); i++)
        {
            assertEquals(List.of(i * EventStreams.APART_NS), pages.get(i).delays);
        }
    }

    @Test
    void shouldGiveAPlaceToTheNextPage()
    {
        assertTrue(streams.isEmpty());
        enter(EventStreams.LIMIT);
        assertTrue(streams.isFull());
        pages.get(1).closing.run();
        assertFalse(streams.isFull());
        enter(1);
        assertTrue(streams.isFull());
        streams.publish(new byte[1]);
        assertEquals(List.of(), pages.get(1).delays);
        assertEquals(List.of(EventStreams.APART_NS), pages.get(EventStreams.LIMIT).delays);
        pages.remove(1);
        pages.forEach((page) -> page.closing.run());
        assertTrue(streams.isEmpty());
    }

    private void enter(final int count)
    {
        for (int i = 0; i < count; i++)
        {
            final Page page = new Page();
            pages.add(page);
            streams.enter(page);
        }
    }

    private static final class Page implements HttpStream
    {
        private final List<Long> delays = new ArrayList<>();
        private Runnable closing;

        @Override
        public void offer(final byte[] bytes, final long delayNs)
        {
            delays.add(delayNs);
        }

        @Override
        public void onClose(final Runnable task)
        {
            closing = task;
        }
    }
}
