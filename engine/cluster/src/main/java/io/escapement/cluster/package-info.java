/**
 * The log of turns in an Aeron Cluster. No other module knows Aeron Archive and Aeron Cluster.
 *
 * <p>Decisions:
 * <ul>
 * <li>The tails of an archive are repaired before it starts. Aeron Archive 1.51 takes a fragment that a kill left half
 * written for a whole one when it lies behind the first MiB of its segment, and refuses to start when it lies in it. A
 * node would then report, and run, bytes that no other node has.
 * <li>Mark files are deleted under a lock of ours. By themselves they keep a node from its start for 10 s.
 * </ul>
 */
package io.escapement.cluster;
