package io.escapement.codecs;

import io.escapement.codecs.player.EngineAwayDecoder;
import io.escapement.codecs.player.EngineBackDecoder;
import io.escapement.codecs.player.EventDecoder;
import io.escapement.codecs.player.GoAwayDecoder;
import io.escapement.codecs.player.GoodbyeDecoder;
import io.escapement.codecs.player.HelloDecoder;
import io.escapement.codecs.player.JoinDecoder;
import io.escapement.codecs.player.JoinedDecoder;
import io.escapement.codecs.player.LeaveDecoder;
import io.escapement.codecs.player.LeftDecoder;
import io.escapement.codecs.player.LogInDecoder;
import io.escapement.codecs.player.LoggedInDecoder;
import io.escapement.codecs.player.MessageDecoder;
import io.escapement.codecs.player.PingDecoder;
import io.escapement.codecs.player.PlayerLayout;
import io.escapement.codecs.player.PongDecoder;
import io.escapement.codecs.player.RefusedDecoder;
import io.escapement.codecs.player.SeatAwayDecoder;
import io.escapement.codecs.player.StateDecoder;
import io.escapement.codecs.player.WelcomeDecoder;

/** player.xml. Samples are generated from the schema, so a new message is sampled automatically. */
final class PlayerSchema
{
    private PlayerSchema()
    {
    }

    static TestSchema schema()
    {
        final NaiveRules naive = new NaiveRules("player.xml")
            .caps(2, 512).caps(3, 512).caps(5, 512).caps(33, 128).caps(34, 512).caps(48, 8_192).caps(49, 8_192);
        final Walk walk = new Walk(
            new HelloDecoder(), new LogInDecoder(), new JoinDecoder(), new LeaveDecoder(), new MessageDecoder(),
            new PingDecoder(), new GoodbyeDecoder(), new WelcomeDecoder(), new LoggedInDecoder(), new JoinedDecoder(),
            new SeatAwayDecoder(), new LeftDecoder(), new RefusedDecoder(), new PongDecoder(),
            new EngineAwayDecoder(), new EngineBackDecoder(), new GoAwayDecoder(), new EventDecoder(),
            new StateDecoder());
        return new TestSchema(PlayerLayout.RULES, naive, walk, TestSchema.samplesOf(naive.shapes));
    }
}
