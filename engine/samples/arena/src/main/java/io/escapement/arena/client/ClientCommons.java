package io.escapement.arena.client;

import io.escapement.arena.codecs.ArenaLayout;
import io.escapement.arena.codecs.ChatDecoder;
import io.escapement.arena.codecs.ClosingDecoder;
import io.escapement.arena.codecs.CorrectionDecoder;
import io.escapement.arena.codecs.DeltaDecoder;
import io.escapement.arena.codecs.EnteredDecoder;
import io.escapement.arena.codecs.EventsDecoder;
import io.escapement.arena.codecs.FullStateDecoder;
import io.escapement.arena.codecs.GoneDecoder;
import io.escapement.arena.codecs.RefusedDecoder;
import io.escapement.arena.codecs.RoundDecoder;
import io.escapement.arena.codecs.ScoreDecoder;
import io.escapement.arena.codecs.WelcomeDecoder;
import io.escapement.arena.common.ArenaMaps;
import io.escapement.arena.simulation.Fixed;
import io.escapement.rooms.MessageHandlers;
import org.HdrHistogram.Histogram;
import org.agrona.DirectBuffer;

/**
 * Shared by the clients of one thread: maps, decoders, and histograms of the position error. If each of thousands of
 * clients had its own, they would take more memory, and more cache misses, than the world itself.
 */
public final class ClientCommons
{
    /** Errors are measured in thousandths of a unit, up to the size of the largest map. */
    private static final long LARGEST_ERROR = 2_000_000;
    private static final int THOUSANDTHS = 1_000;

    final ArenaMaps maps;
    private final Histogram ownError = new Histogram(LARGEST_ERROR, 2);
    private final Histogram othersError = new Histogram(LARGEST_ERROR, 2);
    private final MessageHandlers<ShownArena> handlers = new MessageHandlers<ShownArena>(ArenaLayout.RULES)
        .on(new WelcomeDecoder(), ShownArena::onWelcome)
        .on(new EnteredDecoder(), ShownArena::onEntered)
        .on(new GoneDecoder(), ShownArena::onGone)
        .on(new EventsDecoder(), ShownArena::onEvents)
        .on(new CorrectionDecoder(), ShownArena::onCorrection)
        .on(new ScoreDecoder(), ShownArena::onScore)
        .on(new RoundDecoder(), ShownArena::onRound)
        .on(new ChatDecoder(), ShownArena::onChat)
        .on(new RefusedDecoder(), ShownArena::onRefused)
        .on(new ClosingDecoder(), ShownArena::onClosing)
        .on(new FullStateDecoder(), ShownArena::onFullState)
        .on(new DeltaDecoder(), ShownArena::onDelta);

    /** For the clients of one thread. */
    public ClientCommons(final ArenaMaps maps)
    {
        this.maps = maps;
    }

    /**
     * Distance between a client's own player as shown and as the server holds it, in thousandths of a unit. Recorded
     * once per state in which the server has every input of the client.
     */
    public Histogram ownError()
    {
        return ownError;
    }

    /** How far watched others were shown from where the server held them, in thousandths of a unit, once a state. */
    public Histogram othersError()
    {
        return othersError;
    }

    void ownError(final long error)
    {
        record(ownError, error);
    }

    void othersError(final long error)
    {
        record(othersError, error);
    }

    void onMessage(final ShownArena arena, final DirectBuffer buffer, final int offset, final int length)
    {
        final int code = handlers.onMessage(arena, buffer, offset, length);
        if (0 != code)
        {
            arena.violations.add("a message that is none", code, length);
        }
    }

    private static void record(final Histogram histogram, final long error)
    {
        histogram.recordValue(Math.min(LARGEST_ERROR, error * THOUSANDTHS >> Fixed.SHIFT));
    }
}
