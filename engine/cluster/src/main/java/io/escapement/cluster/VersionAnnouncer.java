package io.escapement.cluster;

import io.aeron.Aeron;
import io.aeron.FragmentAssembler;
import io.aeron.Publication;
import io.aeron.Subscription;
import io.aeron.exceptions.AeronException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.CloseHelper;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Announces to the other members which versions of room types this node has, once per second and after each change, and
 * receives their announcements. Not in the log, because only a leader can write there. Runs in the keeper's thread,
 * except for methods that any thread may call.
 */
final class VersionAnnouncer implements AutoCloseable
{
    private static final long INTERVAL_NS = TimeUnit.SECONDS.toNanos(1);
    private static final int FRAGMENT_LIMIT = 16;

    private final MemberVersions versions;
    private final UnsafeBuffer message = new UnsafeBuffer(new byte[MemberVersions.MAX_LENGTH]);
    private final FragmentAssembler assembler;
    private final List<String> endpoints;
    private final int streamId;
    private final Publication[] publications;
    private final ErrorHandler errorHandler;
    private Aeron aeron;
    private Subscription subscription;
    private volatile boolean isChanged = true;
    private long announcedNs;
    private long nowNs;

    /**
     * Make an announcer without versions.
     *
     * @param options      of the node.
     * @param key          of the members.
     * @param errorHandler of the node.
     */
    VersionAnnouncer(final ClusterOptions options, final MemberKey key, final ErrorHandler errorHandler)
    {
        streamId = key.streamId("versions");
        versions = new MemberVersions(options.realm(), options.memberId(), options.memberCount());
        endpoints = options.otherVersionEndpoints();
        publications = new Publication[endpoints.size()];
        this.errorHandler = errorHandler;
        assembler = new FragmentAssembler(
            (buffer, offset, length, header) -> versions.onMessage(buffer, offset, length, nowNs));
    }

    /** Any thread. */
    void announce(final int typeId, final int version)
    {
        versions.add(typeId, version);
        isChanged = true;
    }

    /** Any thread. */
    List<Integer> membersWithout(final int typeId, final int version)
    {
        return versions.membersWithout(typeId, version, System.nanoTime());
    }

    /** The driver runs. */
    void begin(final Aeron client, final String endpoint)
    {
        aeron = client;
        subscription = client.addSubscription(channel(endpoint), streamId);
        announcedNs = System.nanoTime();
    }

    /** Announce and receive. Returns the work done. */
    int update(final long now)
    {
        nowNs = now;
        int work = subscription.poll(assembler, FRAGMENT_LIMIT);
        if (isChanged || now - announcedNs >= INTERVAL_NS)
        {
            isChanged = false;
            announcedNs = now;
            final int length = versions.encode(message);
            for (int i = 0; i < publications.length; i++)
            {
                offer(i, length);
            }
            work++;
        }
        return work;
    }

    @Override
    public void close()
    {
        CloseHelper.closeAll(publications);
        CloseHelper.close(subscription);
    }

    /** If no member is connected, or a buffer is full, the announcement is repeated after a second. */
    private void offer(final int other, final int length)
    {
        try
        {
            if (null == publications[other])
            {
                // The name of a member that has not started may be unknown.
                publications[other] = aeron.addPublication(channel(endpoints.get(other)), streamId);
            }
            publications[other].offer(message, 0, length);
        }
        catch (final AeronException ex)
        {
            errorHandler.onError(ex);
        }
    }

    private static String channel(final String endpoint)
    {
        return "aeron:udp?term-length=64k|endpoint=" + endpoint;
    }
}
