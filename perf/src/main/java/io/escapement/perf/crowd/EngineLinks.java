package io.escapement.perf.crowd;

import io.aeron.Aeron;
import io.escapement.driver.HostFacts;
import io.escapement.perf.rig.ClientHost;
import io.escapement.perf.rig.PerfDriver;
import java.nio.file.Path;
import java.util.Arrays;
import org.agrona.CloseHelper;
import org.agrona.concurrent.AgentInvoker;

/** All trunks to an engine and, unless they join the engine's, a media driver. */
final class EngineLinks implements BotLinks
{
    private static final int WINDOW = 128 * 1024;
    private static final int WINDOW_UNIT = 1024;
    /** Half of the socket buffer is for the windows of all trunks. */
    private static final int SHARE_OF_SOCKET = 2;

    private final CrowdPlan plan;
    private final CrowdBots bots;
    private final EngineTrunk[] trunks;
    private final ClientHost host;
    private final AgentInvoker driver;
    private final AgentInvoker conductor;

    EngineLinks(final CrowdPlan plan, final CrowdBots bots)
    {
        this.plan = plan;
        this.bots = bots;
        trunks = new EngineTrunk[plan.trunks];
        host = new ClientHost(plan, () -> CrowdGame.driverContext(plan), true);
        driver = host.driver();
        conductor = host.aeron().conductorAgentInvoker();
    }

    @Override
    public void connect()
    {
        final Aeron aeron = host.aeron();
        final int window = window(HostFacts.read(Path.of(aeron.context().aeronDirectoryName())).receiveBufferMax());
        for (int i = 0; i < trunks.length; i++)
        {
            trunks[i] = new EngineTrunk(aeron, plan, window, i, bots);
        }
    }

    @Override
    public boolean isUp()
    {
        return Arrays.stream(trunks).allMatch(EngineTrunk::isUp);
    }

    @Override
    public BotTrunk trunk(final int number)
    {
        return trunks[number];
    }

    @Override
    public int poll()
    {
        int work = PerfDriver.invoke(driver) + conductor.invoke();
        for (final EngineTrunk trunk : trunks)
        {
            work += trunk.poll();
        }
        return work;
    }

    @Override
    public void flush()
    {
        for (final EngineTrunk trunk : trunks)
        {
            trunk.flush();
        }
        PerfDriver.invoke(driver, 1);
    }

    @Override
    public void close()
    {
        CloseHelper.quietCloseAll(trunks);
        host.close();
    }

    /** All trunks may share one socket. The host may limit its buffer. */
    private int window(final long receiveBufferMax)
    {
        final long socket = HostFacts.UNKNOWN == receiveBufferMax ?
            CrowdGame.SOCKET_BUFFER : Math.min(CrowdGame.SOCKET_BUFFER, receiveBufferMax);
        final int share = (int)(socket / (SHARE_OF_SOCKET * trunks.length));
        return Math.min(WINDOW, share - share % WINDOW_UNIT);
    }
}
