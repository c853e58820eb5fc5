package io.escapement.cluster;

import io.escapement.engine.RoomHandle;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A node that prints its role, its snapshots and its pauses, and opens the ledger room if there is none. */
final class NodeProcess
{
    static final String LEADING = "leading ";
    static final String FOLLOWING = "following ";
    /** Last proposal before the snapshot, and checksum. */
    static final String SNAPSHOT = "snapshot ";

    private static final long SNAPSHOT_INTERVAL_NS = TimeUnit.SECONDS.toNanos(3);
    private static final long PARK_NS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(200);

    private NodeProcess()
    {
    }

    public static void main(final String[] args)
    {
        final Path directory = Path.of(args[0]);
        final int member = Integer.parseInt(args[2]);
        final LossMatrix loss = new LossMatrix(directory.resolve("loss"));
        final Path memory = Path.of(args[5]);
        final TestNode node = new TestNode(
            TestNode.options(directory, args[1], member)
                .driverDirectory(memory.resolve("cluster" + member))
                .driver((context) -> loss.install(context, member, member)),
            LedgerRoom.type(), 1, new LedgerClient(), SNAPSHOT_INTERVAL_NS,
            // A directory that a killed process has left cannot be used again for 10 s.
            new TestNode.Edge(new TestNode.Endpoints(args[3], args[4]),
                memory.resolve("trunks" + ProcessHandle.current().pid()).toString(), Path.of(args[6])));
        RoomHandle room = null;
        String status = "";
        int snapshots = 0;
        long nowNs = System.nanoTime();
        while (node.engine().isAlive())
        {
            final boolean isLeader = node.isLeader();
            if (isLeader && null == room)
            {
                room = node.ledger();
                if (null != room)
                {
                    System.out.println(LEADING + room.roomId());
                }
            }
            else if (!isLeader && null != room)
            {
                room = null;
                System.out.println(FOLLOWING + node.engine().leaderMemberId());
            }
            final String last = status;
            status = node.log().status();
            if (!status.equals(last))
            {
                System.out.println(status);
            }
            for (; snapshots < node.snapshots().size(); snapshots++)
            {
                final ChecksummedLog.Snapshot taken = node.snapshots().get(snapshots);
                System.out.println(SNAPSHOT + taken.lastProposal() + " " + Long.toHexString(taken.checksum()));
            }
            LockSupport.parkNanos(PARK_NS);
            final long beforeNs = nowNs;
            nowNs = System.nanoTime();
            if (nowNs - beforeNs > PAUSE_NS)
            {
                System.out.println("stood still for " + TimeUnit.NANOSECONDS.toMillis(nowNs - beforeNs) + " ms");
            }
        }
        System.out.println(FOLLOWING + "nobody: " + node.errors());
        Runtime.getRuntime().halt(1);
    }
}
