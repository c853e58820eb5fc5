package io.escapement.rooms.bench;

import io.escapement.codecs.layout.SchemaRules;
import io.escapement.codecs.room.MessageHeaderDecoder;
import io.escapement.codecs.room.StateHashDecoder;
import io.escapement.rooms.log.LogFile;
import io.escapement.rooms.log.ProposalReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.RuntimeMXBean;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Runs a scenario in further JVMs, and compares the logs. A JVM draws the direction of {@code Set.of} and its first
 * element from its clock when it starts. Therefore JVMs are started until a JVM has drawn the other direction. Identity
 * hashes are a sequence with the same start in each thread. Therefore each JVM first discards another number of them.
 *
 * <p>The other JVM finds the scenario as a service, in a directory that is added to its class path.
 */
final class OtherJvms
{
    private static final int FEWEST_JVMS = 2;
    /** One in a million scenarios meets no JVM with the other direction. */
    private static final int MOST_JVMS = 20;
    private static final int DISCARDED_HASHES = 37;
    private static final long LIMIT_SECONDS = 120;
    private static final String SERVICES = "META-INF/services";

    private final Path directory;
    private final Path service;
    private final Path result;
    private final Path output;

    private OtherJvms(final Path directory) throws IOException
    {
        this.directory = directory;
        service = directory.resolve(SERVICES).resolve(RoomBench.Scenario.class.getName());
        result = directory.resolve("result");
        output = directory.resolve("output.txt");
        Files.createDirectories(service.getParent());
    }

    static void compare(final RoomBench.Scenario scenario)
    {
        final Class<?> type = scenario.getClass();
        if (type.isHidden() || type.isAnonymousClass() || type.isLocalClass())
        {
            throw new IllegalArgumentException("another JVM cannot create the scenario " + type.getName() +
                ": name a public class with a public constructor without arguments");
        }

        final byte[] ours = scenario.run().logWithStateHash();
        try
        {
            final OtherJvms jvms = new OtherJvms(Files.createTempDirectory("escapement-bench"));
            try
            {
                jvms.compare(type, ours);
            }
            finally
            {
                jvms.delete();
            }
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(ex);
        }
    }

    /** The main method of another JVM. */
    public static void main(final String[] args) throws IOException
    {
        for (int i = Integer.parseInt(args[1]) * DISCARDED_HASHES; i > 0; i--)
        {
            new Object().hashCode();
        }
        final byte[] log = ServiceLoader.load(RoomBench.Scenario.class).iterator().next().run().logWithStateHash();
        final byte[] result = new byte[1 + log.length];
        result[0] = direction();
        System.arraycopy(log, 0, result, 1, log.length);
        Files.write(Path.of(args[0]), result);
    }

    private void compare(final Class<?> type, final byte[] ours) throws IOException, InterruptedException
    {
        Files.writeString(service, type.getName(), StandardCharsets.UTF_8);
        boolean isOtherDirection = false;
        for (int i = 1; i <= FEWEST_JVMS || !isOtherDirection; i++)
        {
            if (i > MOST_JVMS)
            {
                throw new IllegalStateException(MOST_JVMS + " JVMs have the same direction of Set.of as this one");
            }
            final byte[] theirs = run(type, i);
            isOtherDirection |= direction() != theirs[0];
            compareLogs(ours, theirs, "JVM " + i + " beside this one");
        }
    }

    private byte[] run(final Class<?> type, final int number) throws IOException, InterruptedException
    {
        final RuntimeMXBean runtime = ManagementFactory.getRuntimeMXBean();
        final List<String> command = new ArrayList<>();
        command.add(Path.of(runtime.getSystemProperties().get("java.home"), "bin", "java").toString());
        for (final String flag : runtime.getInputArguments())
        {
            // Modules and properties, which the scenario may need. Not the agents and the heap of this JVM.
            if (flag.startsWith("--") || flag.startsWith("-D"))
            {
                command.add(flag);
            }
        }
        final String separator = runtime.getSystemProperties().get("path.separator");
        command.addAll(List.of("-cp", directory + separator + runtime.getClassPath(), OtherJvms.class.getName(),
            result.toString(), Integer.toString(number)));
        Files.deleteIfExists(result);
        final Process process = new ProcessBuilder(command).redirectErrorStream(true)
            .redirectOutput(output.toFile()).start();
        try
        {
            if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS))
            {
                throw new AssertionError(type.getName() + " ran for more than " + LIMIT_SECONDS +
                    " s in another JVM");
            }
        }
        finally
        {
            process.destroyForcibly();
        }
        if (0 != process.exitValue() || !Files.exists(result))
        {
            throw new AssertionError(type.getName() + " failed in another JVM:\n" + Files.readString(output));
        }
        return Files.readAllBytes(result);
    }

    private void delete() throws IOException
    {
        Files.deleteIfExists(service);
        Files.deleteIfExists(result);
        Files.deleteIfExists(output);
        Files.delete(directory.resolve(SERVICES));
        Files.delete(directory.resolve("META-INF"));
        Files.delete(directory);
    }

    private static void compareLogs(final byte[] ours, final byte[] theirs, final String where)
    {
        final LogFile here = LogFile.openUnfinished(new UnsafeBuffer(ours), 0, ours.length);
        final LogFile there =
            LogFile.openUnfinished(new UnsafeBuffer(theirs, 1, theirs.length - 1), 0, theirs.length - 1);
        final ProposalReader ourTurn = new ProposalReader();
        final ProposalReader theirTurn = new ProposalReader();
        while (here.next())
        {
            if (!there.next() || isStateHash(here) != isStateHash(there))
            {
                throw different(where, "has no turn after " + ourTurn.number());
            }
            if (isStateHash(here))
            {
                compareStates(here, there, where);
                continue;
            }
            ourTurn.wrap(here.buffer(), here.offset(), here.length());
            theirTurn.wrap(there.buffer(), there.offset(), there.length());
            if (ourTurn.hashedTurn() != theirTurn.hashedTurn() || ourTurn.outputHash() != theirTurn.outputHash())
            {
                throw different(where, "has other output in turn " + ourTurn.hashedTurn());
            }
            if (ourTurn.nowNs() != theirTurn.nowNs())
            {
                throw different(where, "has another time in turn " + (1 + ourTurn.hashedTurn()));
            }
        }
        if (there.next())
        {
            throw different(where, "has another turn after " + ourTurn.number());
        }
    }

    private static boolean isStateHash(final LogFile log)
    {
        return StateHashDecoder.TEMPLATE_ID == SchemaRules.templateId(log.buffer(), log.offset());
    }

    private static void compareStates(final LogFile here, final LogFile there, final String where)
    {
        final MessageHeaderDecoder header = new MessageHeaderDecoder();
        final StateHashDecoder ours = new StateHashDecoder().wrapAndApplyHeader(here.buffer(), here.offset(), header);
        final StateHashDecoder theirs =
            new StateHashDecoder().wrapAndApplyHeader(there.buffer(), there.offset(), header);
        if (ours.outputHash() != theirs.outputHash())
        {
            throw different(where, "has other output in turn " + ours.turn());
        }
        if (ours.hash() != theirs.hash())
        {
            throw different(where, "has another state after turn " + ours.turn());
        }
    }

    private static AssertionError different(final String where, final String difference)
    {
        return new AssertionError(where + " " + difference +
            ": does a room walk a Set.of, a Map.of, or a table of keys without a hashCode?");
    }

    private static byte direction()
    {
        return Set.of((byte)1, (byte)2).iterator().next();
    }
}
