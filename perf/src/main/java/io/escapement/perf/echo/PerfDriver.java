package io.escapement.perf.echo;

import io.aeron.Aeron;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import org.agrona.concurrent.AgentInvoker;

/** The media driver of every process of a run: the same for what is compared. */
final class PerfDriver
{
    private static final int TERM_LENGTH = 1024 * 1024;
    private static final int SOCKET_BUFFER = 2 * 1024 * 1024;

    private PerfDriver()
    {
    }

    static MediaDriver.Context context(final String directory, final ThreadingMode mode)
    {
        return new MediaDriver.Context()
            .aeronDirectoryName(directory)
            .threadingMode(mode)
            .publicationTermBufferLength(TERM_LENGTH)
            .ipcTermBufferLength(TERM_LENGTH)
            .socketRcvbufLength(SOCKET_BUFFER)
            .socketSndbufLength(SOCKET_BUFFER)
            .dirDeleteOnStart(true)
            .dirDeleteOnShutdown(true);
    }

    static Aeron connect(final String directory, final AgentInvoker driver)
    {
        final Aeron.Context context = new Aeron.Context()
            .aeronDirectoryName(directory)
            .useConductorAgentInvoker(true);
        if (null != driver)
        {
            context.driverAgentInvoker(driver);
        }
        return Aeron.connect(context);
    }
}
