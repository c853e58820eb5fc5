package io.escapement.driver.guard;

/** How much segmentation offload saves. Each is a counter in the driver's counters file, which Aeron's tools show. */
public enum OffloadCounter
{
    /** System calls that sent more than one datagram. */
    RUNS_SENT(72_020, "runs of datagrams sent"),
    /** Datagrams in them. */
    DATAGRAMS_IN_RUNS(72_021, "datagrams sent in runs"),
    /** Data of several datagrams that was read and handed on in one piece. */
    BLOCKS_JOINED(72_022, "blocks of joined datagrams received"),
    /** Send endpoints without offload from then on, because the network card or the path refused a run. */
    RUNS_REFUSED(72_023, "send endpoints whose runs were refused");

    private final int typeId;
    private final String label;

    OffloadCounter(final int typeId, final String label)
    {
        this.typeId = typeId;
        this.label = "escapement-offload: " + label;
    }

    /** Type id of the counter, above the range that Aeron reserves. */
    public int typeId()
    {
        return typeId;
    }

    String label()
    {
        return label;
    }
}
