package io.escapement.driver.guard;

/**
 * What a guard drops, and how Aeron's own tools show it: each is a counter in the driver's counters file.
 */
public enum GuardCounter
{
    /** Datagrams of data that hold something other than whole frames one after the other. */
    DATA_MALFORMED(72_000, "datagrams of data not well formed"),
    /** Frames for a session that lives at another address. */
    DATA_WRONG_SOURCE(72_001, "frames for a session of another address"),
    /** Set-ups that ask for a term, an MTU or a position outside of the limits. */
    SETUP_REFUSED(72_002, "set-ups out of limits"),
    /** New sessions that came too fast. */
    SETUP_RATE(72_003, "new sessions over the rate"),
    /** New sessions when all places were taken. */
    SESSION_LIMIT(72_004, "new sessions over the limit"),
    /** Status messages, NAKs and the like that are cut short or hold a length beyond their end. */
    CONTROL_MALFORMED(72_005, "control frames not well formed"),
    /** Status messages, NAKs and the like from an address that a publication does not send to. */
    CONTROL_WRONG_SOURCE(72_006, "control frames of another address"),
    /** Requests to send a response publication to an address that did not ask first. */
    RESPONSE_REDIRECT(72_007, "response publications asked for by another address"),
    /** Publications with destinations that anyone may join. */
    DYNAMIC_REFUSED(72_008, "dynamic multi-destination publications refused");

    private final int typeId;
    private final String label;

    GuardCounter(final int typeId, final String label)
    {
        this.typeId = typeId;
        this.label = "escapement-guard: " + label;
    }

    /**
     * The counter's type, by which a reader finds it.
     *
     * @return the id, above those that Aeron keeps for itself.
     */
    public int typeId()
    {
        return typeId;
    }

    /**
     * What tools print.
     *
     * @return the label.
     */
    public String label()
    {
        return label;
    }
}
