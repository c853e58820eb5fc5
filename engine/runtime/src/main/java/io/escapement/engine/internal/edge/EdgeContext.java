package io.escapement.engine.internal.edge;

import io.escapement.engine.internal.loop.CommandQueue;
import io.escapement.engine.internal.loop.EngineTime;
import io.escapement.engine.spi.Authenticator;
import io.escapement.engine.spi.LogInService;
import java.security.SecureRandom;

/**
 * What an edge is made of.
 *
 * @param settings      its limits.
 * @param counters      that it counts with.
 * @param channels      of trunks.
 * @param authenticator decides who may have a trunk.
 * @param logInService  tells who players are, or null.
 * @param random        secure source of nonces, tokens and seeds.
 * @param time          of the engine.
 * @param rings         of the loops: the edge is their one producer.
 * @param inboxes       of the loops.
 * @param edgeInbox     its own.
 * @param placement     of new rooms.
 * @param counterCopier copies counters to the driver.
 */
public record EdgeContext(
    EdgeSettings settings,
    EdgeCounters counters,
    TrunkChannels channels,
    Authenticator authenticator,
    LogInService logInService,
    SecureRandom random,
    EngineTime time,
    CommandQueue[] rings,
    CommandQueue[] inboxes,
    CommandQueue edgeInbox,
    RoomPlacement placement,
    Runnable counterCopier)
{
}
