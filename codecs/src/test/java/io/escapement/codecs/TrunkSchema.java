package io.escapement.codecs;

import io.escapement.codecs.trunk.AcceptedDecoder;
import io.escapement.codecs.trunk.AttachDecoder;
import io.escapement.codecs.trunk.AttachedDecoder;
import io.escapement.codecs.trunk.AwayDecoder;
import io.escapement.codecs.trunk.CancelJoinDecoder;
import io.escapement.codecs.trunk.ChallengeDecoder;
import io.escapement.codecs.trunk.EntryRefusedDecoder;
import io.escapement.codecs.trunk.EventDecoder;
import io.escapement.codecs.trunk.GoodbyeDecoder;
import io.escapement.codecs.trunk.HelloDecoder;
import io.escapement.codecs.trunk.JoinDecoder;
import io.escapement.codecs.trunk.JoinedDecoder;
import io.escapement.codecs.trunk.KeepaliveDecoder;
import io.escapement.codecs.trunk.KeepaliveReplyDecoder;
import io.escapement.codecs.trunk.LeadingDecoder;
import io.escapement.codecs.trunk.LeaveDecoder;
import io.escapement.codecs.trunk.LeftDecoder;
import io.escapement.codecs.trunk.LogInDecoder;
import io.escapement.codecs.trunk.LogInReplyDecoder;
import io.escapement.codecs.trunk.LogInSessionDecoder;
import io.escapement.codecs.trunk.ProofDecoder;
import io.escapement.codecs.trunk.RefusedDecoder;
import io.escapement.codecs.trunk.RejectDecoder;
import io.escapement.codecs.trunk.ResumeDecoder;
import io.escapement.codecs.trunk.SeatAwayDecoder;
import io.escapement.codecs.trunk.SeatResumedDecoder;
import io.escapement.codecs.trunk.SendDecoder;
import io.escapement.codecs.trunk.StandDecoder;
import io.escapement.codecs.trunk.StandbyDecoder;
import io.escapement.codecs.trunk.StateDecoder;
import io.escapement.codecs.trunk.StateLostDecoder;
import io.escapement.codecs.trunk.TrunkLayout;
import io.escapement.codecs.trunk.WelcomeDecoder;

/** trunk.xml. Samples are generated from the schema, so a new message is sampled automatically. */
final class TrunkSchema
{
    private TrunkSchema()
    {
    }

    static TestSchema schema()
    {
        final NaiveRules naive = new NaiveRules("trunk.xml")
            .caps(2, 64, 512).caps(4, 254, 512).caps(16, 64).caps(17, 512).caps(18, 512).caps(19, 512).caps(22, 512)
            .caps(36, 64).caps(39, 128).caps(48, 8_192).caps(49, 8_192)
            .caps(50, 512);
        final Walk walk = new Walk(
            new AttachDecoder(), new JoinDecoder(), new LeaveDecoder(), new SendDecoder(), new AwayDecoder(),
            new StateLostDecoder(), new CancelJoinDecoder(), new HelloDecoder(),
            new ProofDecoder(), new ResumeDecoder(), new LogInDecoder(), new KeepaliveDecoder(),
            new GoodbyeDecoder(), new StandDecoder(), new ChallengeDecoder(), new WelcomeDecoder(), new RejectDecoder(),
            new AttachedDecoder(), new LogInReplyDecoder(), new KeepaliveReplyDecoder(), new EntryRefusedDecoder(),
            new LogInSessionDecoder(), new StandbyDecoder(), new LeadingDecoder(), new EventDecoder(),
            new StateDecoder(), new JoinedDecoder(), new SeatResumedDecoder(), new SeatAwayDecoder(),
            new LeftDecoder(), new RefusedDecoder(), new AcceptedDecoder());
        return new TestSchema(TrunkLayout.RULES, naive, walk, TestSchema.samplesOf(naive.shapes));
    }
}
