package io.escapement.engine.internal.queue;

/**
 * The type of a queue slot: a command of {@code room.xml}, or a message between the engine's threads. The fields in
 * braces are the slot's bytes from offset 0, in native byte order.
 */
public enum ControlSignal
{
    /** Any queue: a command for the room host, as bytes of {@code room.xml}. */
    COMMAND(0),
    /** To a loop: {@code LinkUp} or {@code LinkResumed}, with a {@code LinkAttachment}. */
    ATTACH(1),
    /** To a loop: {@code LinkDown}. The loop releases the publication and answers {@link #DETACHED}. */
    DETACH(2),
    /** To a loop: {room id}, with a closure. */
    EXECUTE(3),
    /** To a loop: a service's {@code Reply}. Its inbox slot was reserved when the request was sent. */
    REPLY(4),
    /** To a loop, no bytes: close all open rooms. */
    CLOSE_ROOMS(5),
    /** To a loop: {@code Drain}. */
    DRAIN_ROOMS(6),
    /** To a loop or the edge, no bytes, with a closure that reads it between two turns. No part of the log. */
    INSPECT(7),
    /** To a loop, no bytes, with a {@code LoopReload}. The loop sends the commands. */
    RELOAD(8),
    /** To a loop, no bytes, with a {@code LinkFeed.Change}. No part of the log. */
    FEED(9),
    /** To the edge: {loop, link}. The loop sends on the link's publication from now on. */
    ATTACHED(16),
    /** To the edge: {loop, link}. The loop no longer uses the publication: it can be closed. */
    DETACHED(17),
    /** To the edge: {loop, link}. The trunk is a slow consumer: close it. */
    SLOW(18),
    /** To the edge: {loop}, with a {@code LoopLeadership}. The loop leads from now on. */
    LEADING(19),
    /** To the edge: {loop, leader}. The loop no longer leads, or starts another incarnation. */
    FOLLOWING(20),
    /** To the edge, no bytes: accept no trunks and open no rooms from now on. */
    DRAIN(33),
    /** To the edge, no bytes: close all trunks, because the engine stops or a loop has failed. */
    STOP(34),
    /** To a service worker: {@code Request}. */
    REQUEST(40),
    /** In a ring: a slot to skip. Its entry was refused after the slots of its batch had been claimed. */
    PADDING(48);

    private static final ControlSignal[] BY_CODE = new ControlSignal[PADDING.code + 1];

    static
    {
        for (final ControlSignal signal : values())
        {
            BY_CODE[signal.code] = signal;
        }
    }

    private final int code;

    ControlSignal(final int code)
    {
        this.code = code;
    }

    /** The code in a slot. */
    public int code()
    {
        return code;
    }

    /**
     * The signal of a code.
     *
     * @param code of {@link #code()}.
     */
    public static ControlSignal of(final int code)
    {
        return BY_CODE[code];
    }
}
