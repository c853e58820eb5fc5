package io.escapement.perf.rig;

import java.nio.file.Path;
import java.util.List;

/**
 * The command lines by which the program of {@code escapement-server} plays a role of a run.
 *
 * @param commands    one, or one for each node of a cluster, which share a process. None if this tool plays the role.
 * @param directories that are deleted when the process has ended.
 */
public record Program(List<List<String>> commands, List<Path> directories)
{
    /** A role of this tool. */
    public static final Program NONE = new Program(List.of(), List.of());
}
