package io.escapement.codecs;

import io.escapement.codecs.arena.ChangeArenaDecoder;
import io.escapement.codecs.arena.ChangeRoomDecoder;
import io.escapement.codecs.arena.CharacterCreatedDecoder;
import io.escapement.codecs.arena.CharacterDeletedDecoder;
import io.escapement.codecs.arena.CharacterListDecoder;
import io.escapement.codecs.arena.ChatDecoder;
import io.escapement.codecs.arena.ClaimDecoder;
import io.escapement.codecs.arena.ClosingDecoder;
import io.escapement.codecs.arena.CorrectionDecoder;
import io.escapement.codecs.arena.CreateCharacterDecoder;
import io.escapement.codecs.arena.CreateRoomDecoder;
import io.escapement.codecs.arena.DashDecoder;
import io.escapement.codecs.arena.DeleteArenaDecoder;
import io.escapement.codecs.arena.DeleteCharacterDecoder;
import io.escapement.codecs.arena.DeleteRoomDecoder;
import io.escapement.codecs.arena.DeltaDecoder;
import io.escapement.codecs.arena.EnterRoomDecoder;
import io.escapement.codecs.arena.EnteredDecoder;
import io.escapement.codecs.arena.EventsDecoder;
import io.escapement.codecs.arena.FreedDecoder;
import io.escapement.codecs.arena.GoneDecoder;
import io.escapement.codecs.arena.GuestDecoder;
import io.escapement.codecs.arena.ListCharactersDecoder;
import io.escapement.codecs.arena.ListRoomsDecoder;
import io.escapement.codecs.arena.LobbyChatDecoder;
import io.escapement.codecs.arena.MeleeDecoder;
import io.escapement.codecs.arena.MovedDecoder;
import io.escapement.codecs.arena.OpenArenaDecoder;
import io.escapement.codecs.arena.PictureDecoder;
import io.escapement.codecs.arena.PingDecoder;
import io.escapement.codecs.arena.PongDecoder;
import io.escapement.codecs.arena.RefusedDecoder;
import io.escapement.codecs.arena.RoomChangedDecoder;
import io.escapement.codecs.arena.RoomChatDecoder;
import io.escapement.codecs.arena.RoomCreatedDecoder;
import io.escapement.codecs.arena.RoomDeletedDecoder;
import io.escapement.codecs.arena.RoomPageDecoder;
import io.escapement.codecs.arena.ScoreDecoder;
import io.escapement.codecs.arena.SeatReservedDecoder;
import io.escapement.codecs.arena.SeatedDecoder;
import io.escapement.codecs.arena.ShootDecoder;
import io.escapement.codecs.arena.WelcomeDecoder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** arena.xml: its samples are made of its shapes, in several sizes. */
final class ArenaSchema
{
    private static final int[] SIZES = {0, 1, 8};

    private ArenaSchema()
    {
    }

    static TestSchema schema()
    {
        final NaiveRules naive = new NaiveRules("arena.xml", 512)
            .longest(32, 8_192).longest(33, 8_192).longest(34, 8_192).longest(35, 8_192).longest(36, 8_192)
            .longest(37, 8_192).longest(38, 8_192).longest(39, 8_192).longest(40, 8_192).longest(41, 8_192)
            .longest(42, 8_192).longest(48, 8_192).longest(49, 8_192).longest(50, 8_192).longest(51, 8_192)
            .longest(52, 8_192).longest(53, 8_192).longest(54, 8_192).longest(56, 8_192).longest(57, 8_192)
            .caps(2, 64).caps(4, 64).caps(5, 64, 32, 64).caps(6, 64, 64).caps(8, 64).caps(9, 256).caps(20, 256)
            .caps(32, 8, 64).caps(35, 16, 64, 32).caps(40, 256).caps(48, 32, 64).caps(49, 64).caps(51, 256)
            .caps(56, 16, 64).caps(57, 16, 16, 64).caps(64, 64, 32).caps(65, 64).caps(67, 64);
        final Walk walk = new Walk(
            new ListCharactersDecoder(), new CreateCharacterDecoder(), new DeleteCharacterDecoder(),
            new ListRoomsDecoder(),
            new CreateRoomDecoder(), new ChangeRoomDecoder(), new DeleteRoomDecoder(), new EnterRoomDecoder(),
            new LobbyChatDecoder(), new ClaimDecoder(), new DashDecoder(), new MeleeDecoder(), new ShootDecoder(),
            new RoomChatDecoder(), new CharacterListDecoder(), new CharacterCreatedDecoder(),
            new CharacterDeletedDecoder(),
            new RoomPageDecoder(), new RoomCreatedDecoder(), new RoomChangedDecoder(), new RoomDeletedDecoder(),
            new SeatReservedDecoder(), new ChatDecoder(), new RefusedDecoder(), new ClosingDecoder(),
            new WelcomeDecoder(),
            new EnteredDecoder(), new GoneDecoder(), new EventsDecoder(), new CorrectionDecoder(), new ScoreDecoder(),
            new PictureDecoder(),
            new PingDecoder(), new PongDecoder(), new DeltaDecoder(), new OpenArenaDecoder(), new ChangeArenaDecoder(),
            new DeleteArenaDecoder(), new GuestDecoder(), new SeatedDecoder(), new FreedDecoder(), new MovedDecoder());
        final List<byte[]> samples = new ArrayList<>();
        naive.shapes.byTemplate.forEach((template, shape) ->
        {
            for (final int size : 0 == shape.parts.size() ? new int[1] : SIZES)
            {
                final int[] sizes = new int[shape.parts.size()];
                Arrays.fill(sizes, size);
                samples.add(naive.shapes.message(template, sizes));
            }
        });
        return new TestSchema(ArenaMessages.RULES, naive, walk, samples);
    }
}
