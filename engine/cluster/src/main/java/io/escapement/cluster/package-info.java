/**
 * The log of turns in an Aeron Cluster. No other module knows Aeron Archive and Aeron Cluster.
 *
 * <p>Decisions:
 * <ul>
 * <li>The tails of an archive are repaired before it starts. A kill can leave a half-written fragment. If the fragment
 * is after the first MiB of its segment, Aeron Archive 1.51 takes it for a whole fragment. The node would then report,
 * and run, bytes that no other node has. If it is within the first MiB, the archive refuses to start.
 * <li>Mark files are deleted under a lock of ours. By themselves they keep a node from its start for 10 s.
 * </ul>
 */
package io.escapement.cluster;
