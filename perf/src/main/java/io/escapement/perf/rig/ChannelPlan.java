package io.escapement.perf.rig;

import java.util.List;
import picocli.CommandLine.Option;

/** The options of a run whose processes talk over Aeron. */
public class ChannelPlan extends RunPlan
{
    /** Values of {@code --channel}. */
    public static final List<String> CHANNELS = List.of("udp", "ipc");

    @Option(names = "--channel", defaultValue = "udp", description = {
        "udp, or ipc: shared memory, in which the client has no media driver and joins the server's",
        "(default: ${DEFAULT-VALUE})"})
    public String channel;

    /** Whether the client uses the server's media driver. */
    public final boolean isIpc()
    {
        return "ipc".equals(channel);
    }
}
