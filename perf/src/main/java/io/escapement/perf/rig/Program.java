package io.escapement.perf.rig;

import java.nio.file.Path;
import java.util.List;

/**
 * The command lines by which the program of {@code escapement-server} plays a role of a run.
 *
 * @param commands    one command, or a command per node of a cluster, all in one process. Empty if this tool plays the
 *                    role.
 * @param directories that are deleted when the process has exited.
 */
public record Program(List<List<String>> commands, List<Path> directories)
{
    /** A role of this tool. */
    public static final Program NONE = new Program(List.of(), List.of());
}
