package io.escapement.arena.client;

import io.escapement.codecs.ArenaMessages;
import io.escapement.codecs.arena.ChatDecoder;
import io.escapement.codecs.arena.ClosingDecoder;
import io.escapement.codecs.arena.CorrectionDecoder;
import io.escapement.codecs.arena.DeltaDecoder;
import io.escapement.codecs.arena.EnteredDecoder;
import io.escapement.codecs.arena.EventsDecoder;
import io.escapement.codecs.arena.GoneDecoder;
import io.escapement.codecs.arena.PictureDecoder;
import io.escapement.codecs.arena.RefusedDecoder;
import io.escapement.codecs.arena.ScoreDecoder;
import io.escapement.codecs.arena.WelcomeDecoder;
import io.escapement.rooms.MessageHandlers;
import org.agrona.DirectBuffer;

/**
 * Reads what comes for players of arenas. It keeps nothing from one message to the next, so all clients of a thread
 * share one: with thousands of them, decoders of their own would cost more memory, and time to reach it, than the world
 * that they hold.
 */
public final class ArenaAdapter
{
    private final MessageHandlers<ShownArena> handlers = new MessageHandlers<ShownArena>(ArenaMessages.RULES)
        .on(new WelcomeDecoder(), ShownArena::onWelcome)
        .on(new EnteredDecoder(), ShownArena::onEntered)
        .on(new GoneDecoder(), ShownArena::onGone)
        .on(new EventsDecoder(), ShownArena::onEvents)
        .on(new CorrectionDecoder(), ShownArena::onCorrection)
        .on(new ScoreDecoder(), ShownArena::onScore)
        .on(new ChatDecoder(), ShownArena::onChat)
        .on(new RefusedDecoder(), ShownArena::onRefused)
        .on(new ClosingDecoder(), ShownArena::onClosing)
        .on(new PictureDecoder(), ShownArena::onPicture)
        .on(new DeltaDecoder(), ShownArena::onDelta);

    void onMessage(final ShownArena arena, final DirectBuffer buffer, final int offset, final int length)
    {
        final int code = handlers.onMessage(arena, buffer, offset, length);
        if (0 != code)
        {
            arena.violations.add("a message that is none", code, length);
        }
    }
}
