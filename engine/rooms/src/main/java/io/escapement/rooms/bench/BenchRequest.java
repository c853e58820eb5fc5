package io.escapement.rooms.bench;

/** A request of a room to a service of a bench that answers when its test does, see {@link RoomBench#lateService}. */
public final class BenchRequest
{
    private static final byte[] NOTHING = new byte[0];

    private final RoomBench bench;
    private final int serviceId;
    private final long orderKey;
    private final byte[] bytes;
    final long roomId;
    final long correlationId;

    BenchRequest(
        final RoomBench bench,
        final long roomId,
        final long correlationId,
        final int serviceId,
        final long orderKey,
        final byte[] bytes)
    {
        this.bench = bench;
        this.roomId = roomId;
        this.correlationId = correlationId;
        this.serviceId = serviceId;
        this.orderKey = orderKey;
        this.bytes = bytes;
    }

    /** Id of the service. */
    public int serviceId()
    {
        return serviceId;
    }

    /** Requests of one key are processed in order. */
    public long orderKey()
    {
        return orderKey;
    }

    /** The request. */
    public byte[] bytes()
    {
        return bytes;
    }

    /**
     * Answer the request, and run the turn that delivers it.
     *
     * @param status 0 for success, or the service's own.
     * @param answer for the room's onReply.
     * @return 0, or the code of the refusal, for example of a closed room.
     */
    public int answer(final int status, final byte[] answer)
    {
        return bench.answer(this, false, status, answer);
    }

    /**
     * Fail the request, as an engine does when the service throws or its queue is full, and run the turn.
     *
     * @param code a {@code RefusalCode}, such as the code of SERVICE_FAILED.
     * @return 0, or the code of the refusal.
     */
    public int refuse(final int code)
    {
        return bench.answer(this, true, code, NOTHING);
    }
}
