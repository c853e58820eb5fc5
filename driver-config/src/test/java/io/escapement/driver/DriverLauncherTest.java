package io.escapement.driver;

import io.aeron.Aeron;
import io.aeron.Publication;
import io.aeron.Subscription;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.aeron.driver.ext.DebugSendChannelEndpointSupplier;
import io.aeron.exceptions.RegistrationException;
import io.escapement.config.ConfigException;
import io.escapement.driver.guard.GuardLimits;
import io.escapement.driver.guard.GuardedEndpoints;
import io.escapement.testsupport.Tests;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.agrona.IoUtil;
import org.agrona.concurrent.AgentInvoker;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class DriverLauncherTest
{
    private static final int STREAM_ID = 1_001;

    private final Path directory = Tests.newDirectory();

    @AfterEach
    void deleteDirectory()
    {
        IoUtil.delete(directory.toFile(), true);
    }

    @ParameterizedTest
    @ValueSource(strings = {"dedicated", "shared", "solo", "cloud"})
    void shouldLaunchWithEachProfile(final String name)
    {
        try (MediaDriver driver = DriverLauncher.launch(DriverProfile.load(name), context()))
        {
            final AgentInvoker invoker = driver.sharedAgentInvoker();
            assertEquals("solo".equals(name), null != invoker);
            assertEquals(128 << 10, driver.context().publicationTermWindowLength());
            try (Aeron aeron = Aeron.connect(client(driver)))
            {
                final String channel = "aeron:udp?endpoint=127.0.0.1:" + Tests.freePort();
                final Subscription subscription = aeron.addSubscription(channel, STREAM_ID);
                final Publication publication = aeron.addPublication(channel, STREAM_ID);
                final UnsafeBuffer message = new UnsafeBuffer(new byte[64]);
                final long[] counts = new long[2];
                Tests.await(() ->
                {
                    turn(aeron, invoker);
                    if (counts[0] < 100 && publication.offer(message) > 0)
                    {
                        counts[0]++;
                    }
                    counts[1] += subscription.poll((buffer, offset, length, header) -> {}, 10);
                    return 100 == counts[1];
                }, "messages through a driver with the profile " + name);
                // Proves that the guard is installed, because a bare driver accepts such a publication.
                assertThrows(RegistrationException.class, () -> aeron.addPublication(
                    "aeron:udp?control-mode=dynamic|control=127.0.0.1:" + Tests.freePort(), STREAM_ID));
            }
        }
        assertFalse(Files.exists(directory), "each profile deletes the directory on shutdown");
    }

    @Test
    void shouldLeaveTheDirectoryUnlessTheProfileDeletesIt()
    {
        SystemProperties.with(Map.of("aeron.dir.delete.on.shutdown", "false"), () ->
        {
            DriverLauncher.launch(DriverProfile.load("solo"), context()).close();
            assertTrue(Files.exists(directory.resolve("cnc.dat")));
        });
    }

    @Test
    void shouldOverrideTheProfileByTheContext()
    {
        final DriverProfile profile = DriverProfile.load("solo");
        final MediaDriver.Context context = profile.newContext()
            .aeronDirectoryName(directory.toString())
            .threadingMode(ThreadingMode.DEDICATED);
        try (MediaDriver driver = DriverLauncher.launch(context, profile.guardLimits()))
        {
            // A setter overrides the profile even with Aeron's default value.
            assertNull(driver.sharedAgentInvoker());
        }
    }

    @Test
    void shouldRefuseADirectoryInUseAndLeaveItAlone()
    {
        final DriverProfile profile = DriverProfile.load("shared");
        try (MediaDriver driver = DriverLauncher.launch(profile, context()))
        {
            final IllegalStateException refused = assertThrows(IllegalStateException.class,
                () -> DriverLauncher.launch(profile, context().dirDeleteOnStart(true)).close());
            assertTrue(refused.getMessage().startsWith("aeronDirectoryName: " + directory + ": in use by an active"),
                refused.getMessage());
            try (Aeron aeron = Aeron.connect(client(driver)))
            {
                assertTrue(aeron.addPublication("aeron:ipc", STREAM_ID).channelStatus() >= 0);
            }
        }
    }

    /** On a host whose cores all run spinning loops, every wake-up of another thread preempts a loop. */
    @Test
    void shouldStartInTheDirectoryOfADeadDriver() throws IOException
    {
        final DriverProfile profile = DriverProfile.load("solo");
        SystemProperties.with(Map.of("aeron.dir.delete.on.shutdown", "false"),
            () -> DriverLauncher.launch(profile, context()).close());
        Files.createFile(directory.resolve("images").resolve("stale"));
        DriverLauncher.launch(profile, context()).close();
        assertFalse(Files.exists(directory));
    }

    @Test
    void shouldExplainWhyAeronRefusesAContext()
    {
        final ConfigException refused = assertThrows(ConfigException.class,
            () -> DriverLauncher.launch(DriverProfile.load("solo"), context().mtuLength(7)).close());
        assertTrue(refused.getMessage().startsWith(
            "aeronDirectoryName: " + directory + ": the media driver cannot start: "), refused.getMessage());
        assertTrue(refused.getMessage().contains("mtuLength=7"), refused.getMessage());
    }

    @Test
    void shouldNameThePortThatNameResolutionFindsInUse() throws IOException
    {
        try (DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress()))
        {
            final String address = "127.0.0.1:" + socket.getLocalPort();
            final ConfigException refused = assertThrows(ConfigException.class,
                () -> DriverLauncher.launch(DriverProfile.load("solo"),
                    context().resolverName("one").resolverInterface(address)).close());
            assertTrue(refused.getMessage().startsWith("aeron.driver.resolver.interface: " + address + ": "),
                refused.getMessage());
        }
        assertFalse(Files.exists(directory), "a driver that cannot start deletes its directory");
    }

    @Test
    void shouldRefuseEndpointsThatGuardsWouldReplace()
    {
        final ConfigException refused = assertThrows(ConfigException.class,
            () -> DriverLauncher.launch(DriverProfile.load("solo"),
                context().sendChannelEndpointSupplier(new DebugSendChannelEndpointSupplier())).close());
        assertTrue(refused.getMessage().contains("sendChannelEndpointSupplier"), refused.getMessage());
        final String property = "aeron.ReceiveChannelEndpoint.supplier";
        SystemProperties.with(Map.of(property, "a.Supplier"), () ->
        {
            final ConfigException refusedToo = assertThrows(ConfigException.class,
                () -> DriverLauncher.launch(DriverProfile.load("solo"), context()).close());
            assertTrue(refusedToo.getMessage().startsWith(property + ": a.Supplier: "), refusedToo.getMessage());
        });
    }

    @Test
    void shouldRefuseAnInvalidOffloadWithoutAProfile()
    {
        SystemProperties.with(Map.of(DriverProfile.GSO_KEY, "maybe"), () ->
        {
            final ConfigException ex = assertThrows(ConfigException.class,
                () -> DriverLauncher.launch(new MediaDriver.Context(), GuardLimits.DEFAULTS));
            assertTrue(ex.getMessage().startsWith("escapement.gso: maybe: invalid in a system property"),
                ex::getMessage);
        });
    }

    @Test
    void shouldKeepGuardsOfTheContext()
    {
        final MediaDriver.Context context = context();
        GuardedEndpoints.install(context, new GuardLimits(64 << 10, 512, 8_192, 1, 1, 1));
        final Object installed = context.sendChannelEndpointSupplier();
        try (MediaDriver driver = DriverLauncher.launch(DriverProfile.load("solo"), context))
        {
            assertEquals(installed, driver.context().sendChannelEndpointSupplier());
        }
    }

    private MediaDriver.Context context()
    {
        return new MediaDriver.Context().aeronDirectoryName(directory.toString());
    }

    private static Aeron.Context client(final MediaDriver driver)
    {
        final Aeron.Context context = new Aeron.Context().aeronDirectoryName(driver.aeronDirectoryName());
        if (null != driver.sharedAgentInvoker())
        {
            context.useConductorAgentInvoker(true).driverAgentInvoker(driver.sharedAgentInvoker());
        }
        return context;
    }

    private static void turn(final Aeron aeron, final AgentInvoker invoker)
    {
        if (null != invoker)
        {
            invoker.invoke();
            aeron.conductorAgentInvoker().invoke();
        }
    }
}
