package io.escapement.engine.internal.durable;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** Recognizes a container. A container's shared memory does not outlive it. */
final class Containers
{
    private static final Path SHARED_MEMORY = Path.of("/dev/shm");

    private Containers()
    {
    }

    /** A warning if tails may be lost with a container, otherwise null. */
    static String warning(final Path tails, final Path root, final Map<String, String> environment)
    {
        final boolean isInside = Files.exists(root.resolve(".dockerenv")) ||
            Files.exists(root.resolve("run/.containerenv")) ||
            environment.containsKey("KUBERNETES_SERVICE_HOST") || environment.containsKey("container");
        return null != tails && tails.startsWith(SHARED_MEMORY) && isInside ?
            "durability.tailDirectory: " + tails + ": the shared memory of this container ends with it: name a " +
                "directory on a volume, or use withoutTail()" : null;
    }
}
