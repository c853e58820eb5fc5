package io.escapement.driver.guard;

/** Reasons for which guards drop packets. Each is a counter in the driver's counters file, which Aeron's tools show. */
public enum GuardCounter
{
    /** Data datagrams that are no sequence of whole Aeron frames. */
    DATA_MALFORMED(72_000, "malformed data datagrams"),
    /** Datagrams for a session that belongs to another source address. */
    DATA_WRONG_SOURCE(72_001, "datagrams for a session of another address"),
    /** SETUP frames with a term length, MTU or position outside the limits. */
    SETUP_REFUSED(72_002, "setups outside limits"),
    /** New sessions over the rate limit. */
    SETUP_RATE(72_003, "new sessions over the rate limit"),
    /** New sessions while the session limit was reached. */
    SESSION_LIMIT(72_004, "new sessions over the session limit"),
    /** Control frames, such as status messages and NAKs, that are truncated or have a wrong length. */
    CONTROL_MALFORMED(72_005, "malformed control frames"),
    /** Control frames from an address that the publication does not send to. */
    CONTROL_WRONG_SOURCE(72_006, "control frames from another address"),
    /** Requests for a response publication by an address other than the first requester. */
    RESPONSE_REDIRECT(72_007, "response publications requested by another address"),
    /** Publications with control-mode=dynamic, which any address may join. */
    DYNAMIC_REFUSED(72_008, "dynamic multi-destination publications refused"),
    /** New sessions of streams or sessions without a subscription. */
    NO_SUBSCRIPTION(72_009, "new sessions without a subscription"),
    /** New sessions of a host that has its share of the places for strangers. */
    SOURCE_LIMIT(72_010, "new sessions over the share of a source"),
    /** Datagrams from an address that no peer of the driver has, where its peers are known. */
    SOURCE_REFUSED(72_011, "datagrams from an address that is no peer"),
    /** NAKs and errors from receivers of a feed. A feed does not repeat, and only its application closes it. */
    FEED_IGNORED(72_012, "NAKs and errors from receivers of a feed"),
    /** Datagrams that a destination of a feed was not sent, because the socket was full or an error occurred. */
    FEED_MISSED(72_013, "datagrams that a destination of a feed missed");

    private final int typeId;
    private final String label;

    GuardCounter(final int typeId, final String label)
    {
        this.typeId = typeId;
        this.label = "escapement-guard: " + label;
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
