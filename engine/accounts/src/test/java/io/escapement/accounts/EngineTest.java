package io.escapement.accounts;

import io.aeron.Aeron;
import io.aeron.driver.MediaDriver;
import io.escapement.accounts.codec.AccountsEncoder;
import io.escapement.accounts.codec.CharacterCreatedDecoder;
import io.escapement.accounts.codec.CharacterListDecoder;
import io.escapement.accounts.codec.MessageHeaderDecoder;
import io.escapement.client.TrunkClient;
import io.escapement.client.TrunkContext;
import io.escapement.client.TrunkListener;
import io.escapement.driver.DriverDirectory;
import io.escapement.driver.DriverLauncher;
import io.escapement.engine.DrainReport;
import io.escapement.engine.Engine;
import io.escapement.engine.EngineContext;
import io.escapement.engine.RoomHandle;
import io.escapement.engine.ThreadingMode;
import io.escapement.engine.monitor.MonitorContext;
import io.escapement.engine.trunks.TrunkServerContext;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.testsupport.Tests;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Accounts in an engine: a log-in over the control stream, and a room that uses the service. */
class EngineTest
{
    private static final byte[] SECRET = World.bytes("a secret of the trunks of this test");
    private static final int SERVICE = 9;
    private static final int TYPE = 1;
    private static final int SAVES = 200;

    private final AllLogs logs = new AllLogs();
    private final List<Throwable> faults = new CopyOnWriteArrayList<>();
    private final List<String> refusals = new CopyOnWriteArrayList<>();
    private final List<ServiceClient.Listed> listed = new CopyOnWriteArrayList<>();
    private final AtomicInteger saved = new AtomicInteger();
    private final AtomicInteger frames = new AtomicInteger();
    private final FaultySource database = new FaultySource();
    private final TestDatabase databases = new H2Database();
    private String aeronDirectory;

    @AfterEach
    void shouldHaveLoggedNoSecret()
    {
        databases.close();
        logs.close();
        assertTrue(logs.count() > 0, "logs of libraries were captured");
        assertEquals(List.of(), logs.secrets());
    }

    @Test
    void shouldLogInOverTheControlStreamAndServeRoomsInOrder(@TempDir final Path folder) throws Exception
    {
        final Path record = Files.createDirectory(folder.resolve("record"));
        try (Accounts accounts = accounts())
        {
            final long account;
            try (Engine engine = engine(accounts, record))
            {
                account = signUp(engine);
                final RoomHandle room = engine.openRoom(TYPE);
                final UnsafeBuffer message = new UnsafeBuffer(new byte[Long.BYTES]);
                message.putLong(0, account);
                assertTrue(room.signal(message, 0, Long.BYTES));
                turnUntil(engine, () -> !listed.isEmpty(), "the room to have all replies");
                // The list was requested last, and requests of an account are processed in order.
                assertEquals(SAVES, saved.get());
                assertEquals(SAVES, listed.get(0).kills());
                assertEquals(List.of(), refusals, "refusals");
                assertClean(engine);
            }
            assertNoSecrets(record);
        }
        assertEquals(List.of(), faults);
    }

    @Test
    void shouldRunFramesWhileTheDatabaseIsFrozen(@TempDir final Path folder) throws Exception
    {
        final Path record = Files.createDirectory(folder.resolve("record"));
        try (Accounts accounts = accounts())
        {
            try (Engine engine = engine(accounts, record))
            {
                final long account = signUp(engine);
                database.gate = new CountDownLatch(1);
                final RoomHandle room = engine.openRoom(TYPE);
                final UnsafeBuffer message = new UnsafeBuffer(new byte[Long.BYTES]);
                message.putLong(0, account);
                assertTrue(room.signal(message, 0, Long.BYTES));
                final int before = frames.get();
                turnUntil(engine, () -> frames.get() > before + 20, "frames to run");
                assertEquals(0, saved.get(), "no reply while it is frozen");
                database.gate.countDown();
                turnUntil(engine, () -> !listed.isEmpty(), "the room to have all replies");
                assertEquals(SAVES, listed.get(0).kills());
                assertClean(engine);
            }
        }
        assertEquals(List.of(), faults);
    }

    private Accounts accounts()
    {
        return Accounts.launch(new AccountsContext()
            .databaseUrl(databases.newUrl())
            .passwordCost(World.CHEAP)
            .dataSourceWrapper(database::wrap)
            .errorHandler(faults::add));
    }

    private Engine engine(final Accounts accounts, final Path record)
    {
        return Engine.launch(new EngineContext()
            .threadingMode(ThreadingMode.INVOKER)
            .driverContext(driverContext())
            .trunks(new TrunkServerContext().ipc(true).secret(SECRET, false).logInService(accounts.logIn()))
            .roomType(RoomType.of(TYPE, "client", 1, ServiceRoom::new).requests(1_024))
            .service(SERVICE, "accounts", accounts.workers(), accounts::service)
            .recordTo(record)
            // A long turn of a busy host is no failure.
            .monitor(new MonitorContext().stalls(TimeUnit.SECONDS.toNanos(1), (stall) -> {}))
            .errorHandler(faults::add));
    }

    /** Signs up over a trunk, as a gateway does; returns the account id. */
    private long signUp(final Engine engine)
    {
        final long[] playerId = new long[1];
        final List<byte[]> tokens = new ArrayList<>();
        // A wall clock that a busy host sets does not end the test.
        try (Aeron aeron = Aeron.connect(DriverLauncher.steady(new Aeron.Context())
            .aeronDirectoryName(aeronDirectory)
            .useConductorAgentInvoker(true));
            TrunkClient client = TrunkClient.connect(new TrunkContext().aeron(aeron).ipc().identity("tests")
                .secret(SECRET).listener(new TrunkListener()
                {
                    @Override
                    public void onLogIn(
                        final long requestId, final int status, final long player, final byte[] token)
                    {
                        assertEquals(0, status);
                        playerId[0] = player;
                        tokens.add(token);
                    }
                })))
        {
            turnUntil(engine, () ->
            {
                aeron.conductorAgentInvoker().invoke();
                client.poll();
                return TrunkClient.State.UP == client.state();
            }, "the trunk");
            client.logIn(1, Credentials.signUp("Ann", World.bytes(World.PASSWORD), "10.0.0.1"));
            turnUntil(engine, () ->
            {
                aeron.conductorAgentInvoker().invoke();
                client.poll();
                return !tokens.isEmpty();
            }, "a token");
        }
        assertTrue(playerId[0] > 0);
        return playerId[0];
    }

    private MediaDriver.Context driverContext()
    {
        aeronDirectory = DriverDirectory.temporary();
        return new MediaDriver.Context()
            .aeronDirectoryName(aeronDirectory)
            .threadingMode(io.aeron.driver.ThreadingMode.INVOKER)
            .termBufferSparseFile(true)
            .dirDeleteOnStart(true)
            .dirDeleteOnShutdown(true);
    }

    private static void turnUntil(
        final Engine engine, final BooleanSupplier condition, final String message)
    {
        Tests.await(() ->
        {
            engine.invoke();
            return condition.getAsBoolean();
        }, message);
    }

    private static void assertClean(final Engine engine) throws Exception
    {
        final FutureTask<DrainReport> draining =
            new FutureTask<>(() -> engine.drain(TimeUnit.SECONDS.toNanos(5)));
        final Thread thread = new Thread(draining, "draining");
        thread.start();
        thread.join();
        assertTrue(draining.get().isClean(), () -> "the drain");
    }

    private static void assertNoSecrets(final Path record) throws IOException
    {
        try (Stream<Path> files = Files.list(record))
        {
            boolean hasRequests = false;
            for (final Path file : files.toList())
            {
                final String bytes = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
                hasRequests |= bytes.contains("Knight");
                assertFalse(bytes.contains(World.PASSWORD), "the password is in " + file);
            }
            assertTrue(hasRequests, "the recording contains requests");
        }
    }

    /** Creates a character, saves it many times and requests the list, for the account that a signal names. */
    private final class ServiceRoom implements RoomLogic
    {
        private final AccountsEncoder encoder = new AccountsEncoder();
        private final UnsafeBuffer out = new UnsafeBuffer(new byte[256]);
        private Room room;
        private long account;
        private long createId;
        private long listId;

        @Override
        public void onOpen(final Room opened, final DirectBuffer args, final int offset, final int length)
        {
            room = opened;
            room.frameRate(60);
        }

        @Override
        public void onMessage(
            final Seat from, final DirectBuffer buffer, final int offset, final int length)
        {
            // This room has no seats in use.
        }

        @Override
        public void onFrame(final long frame, final long elapsedNs)
        {
            frames.incrementAndGet();
        }

        @Override
        public void onSignal(final long fromRoomId, final DirectBuffer buffer, final int offset, final int length)
        {
            account = buffer.getLong(offset);
            createId = request(encoder.createCharacter(out, 0, 77, 0, "Knight".getBytes(StandardCharsets.UTF_8)));
        }

        @Override
        public void onReply(
            final long correlationId, final int status, final DirectBuffer buffer, final int offset, final int length)
        {
            final MessageHeaderDecoder header = new MessageHeaderDecoder();
            if (0 != status)
            {
                refusals.add("status " + status);
            }
            else if (correlationId == createId)
            {
                final long id =
                    new CharacterCreatedDecoder().wrapAndApplyHeader(buffer, offset, header).characterId();
                for (int i = 1; i <= SAVES; i++)
                {
                    request(encoder.saveProgress(out, 0, 77, i, id, i, i, i, 0, 1));
                }
                listId = request(encoder.listCharacters(out, 0));
            }
            else if (correlationId == listId)
            {
                for (final CharacterListDecoder.CharactersDecoder next :
                    new CharacterListDecoder().wrapAndApplyHeader(buffer, offset, header).characters())
                {
                    listed.add(new ServiceClient.Listed(next.characterId(), next.kills(), next.deaths(),
                        next.mapId(), next.x(), next.y(), next.name()));
                }
            }
            else
            {
                saved.incrementAndGet();
            }
        }

        private long request(final int length)
        {
            return room.async(SERVICE, account, out, 0, length);
        }
    }
}
