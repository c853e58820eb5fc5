package io.escapement.accounts;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** An operator's commands, and the watch by which a server finds them, polled by the test. On any database. */
abstract class OperatorCases extends DatabaseCases
{
    private static final long HOUR_MS = TimeUnit.HOURS.toMillis(1);

    private final List<List<Long>> passed = new ArrayList<>();
    private final AtomicLong nowNs = new AtomicLong();

    @Test
    void shouldPassOnABannedAndADeletedAccountForThirtyPolls()
    {
        try (World world = new World(url))
        {
            final RemovalWatch watch = watch(world);
            final long ann = world.account("Ann");
            final long ben = world.account("Ben");
            world.account("Eve");
            watch.poll();
            assertEquals(List.of(), passed);

            // The server of the watch and the command share the database only.
            assertTrue(world.accounts().ban("ANN", Long.MAX_VALUE));
            poll(watch, 10);
            assertTrue(world.accounts().delete("ben"));
            poll(watch, 2 * RemovalWatch.REPEATS);
            assertEquals(RemovalWatch.REPEATS, passed.stream().filter((ids) -> ids.contains(ann)).count());
            assertEquals(RemovalWatch.REPEATS, passed.stream().filter((ids) -> ids.contains(ben)).count());
            assertEquals(List.of(ann), passed.get(0));
            assertEquals(List.of(ann, ben), passed.get(10));
            assertEquals(List.of(), world.faults);
        }
    }

    @Test
    void shouldStopWhenABanIsLiftedOrEnds()
    {
        try (World world = new World(url))
        {
            final RemovalWatch watch = watch(world);
            final long ann = world.account("Ann");
            world.accounts().ban("ann", Long.MAX_VALUE);
            poll(watch, 2);
            world.accounts().ban("ann", 0);
            poll(watch, 2);
            assertEquals(List.of(List.of(ann), List.of(ann)), passed);
            world.accounts().ban("ann", world.nowMs.get() + HOUR_MS);
            poll(watch, 1);
            world.nowMs.addAndGet(HOUR_MS);
            poll(watch, 1);
            assertEquals(3, passed.size());
        }
    }

    @Test
    void shouldPassOnTheBansOfTwoHoursAfterAStart()
    {
        try (World world = new World(url))
        {
            final long ann = world.account("Ann");
            world.accounts().ban("ann", Long.MAX_VALUE);
            world.nowMs.addAndGet(RemovalWatch.RETENTION_MS);
            poll(watch(world), 1);
            assertEquals(List.of(List.of(ann)), passed);
            world.nowMs.incrementAndGet();
            poll(watch(world), 1);
            assertEquals(1, passed.size(), "no token of before the ban is valid");
        }
    }

    @Test
    void shouldFindABanAfterAnOutage()
    {
        try (World world = new World(url, (context) -> context.databaseTimeoutNs(World.SHORT_TIMEOUT_NS)))
        {
            final RemovalWatch watch = watch(world);
            final long ann = world.account("Ann");
            world.accounts().ban("ann", Long.MAX_VALUE);
            world.database.isDown = true;
            poll(watch, 3);
            assertEquals(List.of(), passed);
            world.database.isDown = false;
            nowNs.addAndGet(TimeUnit.SECONDS.toNanos(1));
            poll(watch, 1);
            assertEquals(List.of(List.of(ann)), passed);
        }
    }

    @Test
    void shouldListAccountsInPagesAndByPrefix()
    {
        try (World world = new World(url))
        {
            world.nowMs.set(5_000);
            final long ann = world.account("Ann");
            world.nowMs.set(6_000);
            for (final String name : new String[]{"bob_1", "Bob-2", "bobx1", "BOB.3", "zed"})
            {
                world.account(name);
            }
            world.accounts().ban("ann", 9_000);
            assertEquals(List.of(new Accounts.Listed(ann, "Ann", 5_000, 9_000)), world.accounts().list("A", "", 9));
            final List<String> all = names(world, "", "", 100);
            assertEquals(6, all.size());
            assertEquals("Ann", all.get(0));
            assertEquals("zed", all.get(5));
            final List<String> paged = new ArrayList<>();
            String after = "";
            for (List<String> page = names(world, "", after, 2); !page.isEmpty(); page = names(world, "", after, 2))
            {
                paged.addAll(page);
                after = page.get(page.size() - 1);
            }
            assertEquals(all, paged);
            assertEquals(List.of("bob_1"), names(world, "BOB_", "", 100), "a sign that SQL takes for a pattern");
            assertEquals(4, names(world, "bob", "", 100).size());
            assertEquals(List.of(), names(world, "%", "", 100));
            assertEquals(List.of(), names(world, "!", "", 100));
        }
    }

    private static List<String> names(final World world, final String prefix, final String after, final int limit)
    {
        return world.accounts().list(prefix, after, limit).stream().map(Accounts.Listed::name).toList();
    }

    private RemovalWatch watch(final World world)
    {
        final AccountsContext context = new AccountsContext().databaseUrl(url).errorHandler(world.faults::add)
            .databaseTimeoutNs(World.SHORT_TIMEOUT_NS).epochClock(world.nowMs::get)
            .nanoClock(nowNs::get).pause(nowNs::addAndGet)
            .bannedListener((ids) -> passed.add(Arrays.stream(ids).boxed().collect(Collectors.toList())));
        context.conclude();
        return new RemovalWatch(context, new RetryingDatabase(world.accounts().dataSource(), context));
    }

    private static void poll(final RemovalWatch watch, final int times)
    {
        for (int i = 0; i < times; i++)
        {
            watch.poll();
        }
    }
}
