package io.escapement.engine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** Two network namespaces of Linux with a link between them, for child processes. Needs root, ip and tc. */
final class Namespaces implements AutoCloseable
{
    static final String ENGINE_HOST = "10.213.77.1";
    static final String CLIENT_HOST = "10.213.77.2";

    private final String engine = "escapement-" + ProcessHandle.current().pid() + "-engine";
    private final String client = "escapement-" + ProcessHandle.current().pid() + "-client";
    private final Path directory;

    private Namespaces(final Path directory)
    {
        this.directory = directory;
    }

    /** The reason why there are none here with a network emulator, or null. */
    static String obstacle(final Path directory)
    {
        try (Namespaces trial = open(directory))
        {
            trial.impair("delay 1ms");
            return null;
        }
        catch (final IllegalStateException ex)
        {
            return ex.getMessage();
        }
    }

    /** Make both, with launchers in this directory. */
    static Namespaces open(final Path directory)
    {
        final Namespaces made = new Namespaces(directory);
        try
        {
            run("ip", "netns", "add", made.engine);
            run("ip", "netns", "add", made.client);
            run("ip", "link", "add", "wire", "netns", made.engine, "type", "veth",
                "peer", "name", "wire", "netns", made.client);
            made.start(made.engine, ENGINE_HOST);
            made.start(made.client, CLIENT_HOST);
            return made;
        }
        catch (final IllegalStateException ex)
        {
            made.close();
            throw ex;
        }
    }

    private void start(final String namespace, final String host)
    {
        run("ip", "-n", namespace, "address", "add", host + "/24", "dev", "wire");
        run("ip", "-n", namespace, "link", "set", "lo", "up");
        run("ip", "-n", namespace, "link", "set", "wire", "up");
    }

    /** Launcher of a JVM on the engine's host. */
    String engineJava()
    {
        return launcher(engine);
    }

    /** Launcher of a JVM on the client's host. */
    String clientJava()
    {
        return launcher(client);
    }

    private String launcher(final String namespace)
    {
        try
        {
            final Path script = Files.writeString(directory.resolve(namespace), "#!/bin/sh\nexec ip netns exec " +
                namespace + " '" + Path.of(System.getProperty("java.home"), "bin", "java") + "' \"$@\"\n");
            return Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------")).toString();
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    /** Impair both directions by the parameters of netem. */
    void impair(final String parameters)
    {
        for (final String namespace : new String[]{engine, client})
        {
            final String command = "tc -n " + namespace + " qdisc replace dev wire root netem " + parameters;
            run(command.split(" "));
        }
    }

    private static void run(final String... command)
    {
        try
        {
            final Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
            final String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).trim();
            if (0 != process.waitFor())
            {
                throw new IllegalStateException(String.join(" ", command) + ": " + text);
            }
        }
        catch (final IOException ex)
        {
            throw new IllegalStateException(ex.getMessage(), ex);
        }
        catch (final InterruptedException ex)
        {
            throw new IllegalStateException(ex);
        }
    }

    @Override
    public void close()
    {
        for (final String namespace : new String[]{engine, client})
        {
            try
            {
                run("ip", "netns", "delete", namespace);
            }
            catch (final IllegalStateException ex)
            {
                // It was not made.
                continue;
            }
        }
    }
}
