package io.escapement.codecs;

import io.escapement.codecs.room.CloseRoomDecoder;
import io.escapement.codecs.room.DirectoryEntryDecoder;
import io.escapement.codecs.room.DrainDecoder;
import io.escapement.codecs.room.FailedAtDecoder;
import io.escapement.codecs.room.JoinDecoder;
import io.escapement.codecs.room.KickDecoder;
import io.escapement.codecs.room.LeaveDecoder;
import io.escapement.codecs.room.LinkDownDecoder;
import io.escapement.codecs.room.LinkResumedDecoder;
import io.escapement.codecs.room.LinkStateLostDecoder;
import io.escapement.codecs.room.LinkUpDecoder;
import io.escapement.codecs.room.LogEndDecoder;
import io.escapement.codecs.room.LogHeaderDecoder;
import io.escapement.codecs.room.MessageDecoder;
import io.escapement.codecs.room.MessageHeaderDecoder;
import io.escapement.codecs.room.OpenRoomDecoder;
import io.escapement.codecs.room.RefusalDecoder;
import io.escapement.codecs.room.ReplyDecoder;
import io.escapement.codecs.room.ReserveDecoder;
import io.escapement.codecs.room.SetRateDecoder;
import io.escapement.codecs.room.SignalDecoder;
import io.escapement.codecs.room.StateHashDecoder;
import io.escapement.codecs.room.StateLostDecoder;
import io.escapement.codecs.room.TurnDecoder;
import org.agrona.DirectBuffer;
import org.agrona.sbe.MessageDecoderFlyweight;

/** Reads a message that was found valid from end to end with the generated decoders, over a view of exactly it. */
final class Walk
{
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final MessageDecoderFlyweight[] decoders = {
        new OpenRoomDecoder(), new CloseRoomDecoder(), new JoinDecoder(), new ReserveDecoder(),
        new LeaveDecoder(), new LinkUpDecoder(), new LinkDownDecoder(), new LinkResumedDecoder(),
        new MessageDecoder(), new SignalDecoder(), new ReplyDecoder(), new RefusalDecoder(),
        new StateLostDecoder(), new LinkStateLostDecoder(), new SetRateDecoder(), new DrainDecoder(), new KickDecoder(),
        new FailedAtDecoder(), new DirectoryEntryDecoder(), new LogHeaderDecoder(), new TurnDecoder(),
        new StateHashDecoder(), new LogEndDecoder()};

    int end(final DirectBuffer message)
    {
        header.wrap(message, 0);
        for (final MessageDecoderFlyweight decoder : decoders)
        {
            if (decoder.sbeTemplateId() == header.templateId())
            {
                decoder.wrap(message, MessageHeaderDecoder.ENCODED_LENGTH, header.blockLength(), header.version());
                // It reads every field, group and data on its way to the text.
                if (decoder.toString().isEmpty())
                {
                    throw new IllegalStateException("nothing was read");
                }
                decoder.wrap(message, MessageHeaderDecoder.ENCODED_LENGTH, header.blockLength(), header.version());
                return MessageHeaderDecoder.ENCODED_LENGTH + decoder.sbeDecodedLength();
            }
        }
        throw new IllegalStateException("no decoder for template " + header.templateId());
    }
}
