package io.escapement.engine.internal.loop;

/**
 * What a slot holds when it is not a command: the few words that the threads have for each other. Integers and longs
 * stand in it in the machine's byte order, from 0.
 */
public final class ControlSignal
{
    /** To a loop: {@code LinkUp} or {@code LinkResumed}, the link's publication attached. */
    public static final int ATTACH = 1;

    /** To a loop: {@code LinkDown}; the loop lets go of the publication. */
    public static final int DETACH = 2;

    /** To a loop: {room id}, a closure attached. */
    public static final int EXECUTE = 3;

    /** To a loop: {@code Reply} of a service, to a request that took a credit. */
    public static final int REPLY = 4;

    /** To a loop: nothing; close every room that is still open. */
    public static final int CLOSE_ROOMS = 5;

    /** To a loop: {@code Drain}. */
    public static final int DRAIN_ROOMS = 6;

    /** From a loop: {loop, link}; entries of the link are taken. */
    public static final int ATTACHED = 16;

    /** From a loop: {loop, link}; the publication is used no more. */
    public static final int DETACHED = 17;

    /** From a loop: {loop, link}; the trunk does not take what it is sent. */
    public static final int SLOW = 18;

    /** To the edge: {trunk id, request id, player id, status}; a log-in was answered. */
    public static final int LOGGED_IN = 32;

    /** To the edge: nothing; take no new trunks and open no rooms. */
    public static final int DRAIN = 33;

    /** To the edge: nothing; say goodbye to the trunks that are there. */
    public static final int STOP = 34;

    /** In a ring: nothing. An entry of a frame was refused when its slot was claimed already. */
    public static final int NOTHING = 48;

    private ControlSignal()
    {
    }
}
