package io.escapement.arena.protocol;

import io.escapement.arena.codecs.ArenaLayout;
import io.escapement.arena.codecs.CancelMatchDecoder;
import io.escapement.arena.codecs.ChangeArenaDecoder;
import io.escapement.arena.codecs.ChangeRoomDecoder;
import io.escapement.arena.codecs.CharacterCreatedDecoder;
import io.escapement.arena.codecs.CharacterDeletedDecoder;
import io.escapement.arena.codecs.CharacterListDecoder;
import io.escapement.arena.codecs.ChatDecoder;
import io.escapement.arena.codecs.ClaimDecoder;
import io.escapement.arena.codecs.ClosingDecoder;
import io.escapement.arena.codecs.CorrectionDecoder;
import io.escapement.arena.codecs.CreateCharacterDecoder;
import io.escapement.arena.codecs.CreateRoomDecoder;
import io.escapement.arena.codecs.DashDecoder;
import io.escapement.arena.codecs.DeleteArenaDecoder;
import io.escapement.arena.codecs.DeleteCharacterDecoder;
import io.escapement.arena.codecs.DeleteRoomDecoder;
import io.escapement.arena.codecs.DeltaDecoder;
import io.escapement.arena.codecs.EnterRoomDecoder;
import io.escapement.arena.codecs.EnteredDecoder;
import io.escapement.arena.codecs.EventsDecoder;
import io.escapement.arena.codecs.FreedDecoder;
import io.escapement.arena.codecs.GoneDecoder;
import io.escapement.arena.codecs.GuestDecoder;
import io.escapement.arena.codecs.ListCharactersDecoder;
import io.escapement.arena.codecs.ListRoomsDecoder;
import io.escapement.arena.codecs.LobbyChatDecoder;
import io.escapement.arena.codecs.MeleeDecoder;
import io.escapement.arena.codecs.MovedDecoder;
import io.escapement.arena.codecs.OpenArenaDecoder;
import io.escapement.arena.codecs.PictureDecoder;
import io.escapement.arena.codecs.PingDecoder;
import io.escapement.arena.codecs.PongDecoder;
import io.escapement.arena.codecs.QuickMatchDecoder;
import io.escapement.arena.codecs.RefusedDecoder;
import io.escapement.arena.codecs.RoomChangedDecoder;
import io.escapement.arena.codecs.RoomChatDecoder;
import io.escapement.arena.codecs.RoomCreatedDecoder;
import io.escapement.arena.codecs.RoomDeletedDecoder;
import io.escapement.arena.codecs.RoomPageDecoder;
import io.escapement.arena.codecs.ScoreDecoder;
import io.escapement.arena.codecs.SeatReservedDecoder;
import io.escapement.arena.codecs.SeatedDecoder;
import io.escapement.arena.codecs.ShootDecoder;
import io.escapement.arena.codecs.WelcomeDecoder;
import io.escapement.codecs.NaiveRules;
import io.escapement.codecs.TestSchema;
import io.escapement.codecs.Walk;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** arena.xml: its samples are made of its shapes, in several sizes. */
final class ArenaSchema
{
    static final String RESOURCE = "/io/escapement/arena/protocol/arena.xml";
    private static final int[] SIZES = {0, 1, 8};

    private ArenaSchema()
    {
    }

    static TestSchema schema()
    {
        final NaiveRules naive = new NaiveRules(RESOURCE)
            .caps(2, 64).caps(4, 64).caps(5, 64, 32, 64).caps(6, 64, 64).caps(8, 64).caps(9, 256).caps(20, 256)
            .caps(32, 8, 64).caps(35, 16, 64, 32).caps(40, 256).caps(48, 32, 64).caps(49, 64).caps(51, 256)
            .caps(56, 16, 64).caps(57, 16, 16, 64).caps(64, 64, 32).caps(65, 64).caps(67, 64);
        final Walk walk = new Walk(
            new ListCharactersDecoder(), new CreateCharacterDecoder(), new DeleteCharacterDecoder(),
            new ListRoomsDecoder(),
            new CreateRoomDecoder(), new ChangeRoomDecoder(), new DeleteRoomDecoder(), new EnterRoomDecoder(),
            new LobbyChatDecoder(), new QuickMatchDecoder(), new CancelMatchDecoder(),
            new ClaimDecoder(), new DashDecoder(), new MeleeDecoder(), new ShootDecoder(),
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
        return new TestSchema(ArenaLayout.RULES, naive, walk, samples);
    }
}
