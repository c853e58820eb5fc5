package io.escapement.codecs;

import io.escapement.codecs.room.AskDecoder;
import io.escapement.codecs.room.CancelJoinDecoder;
import io.escapement.codecs.room.CloseRoomDecoder;
import io.escapement.codecs.room.DirectoryChange;
import io.escapement.codecs.room.DirectoryEntryDecoder;
import io.escapement.codecs.room.DrainDecoder;
import io.escapement.codecs.room.FailedAtDecoder;
import io.escapement.codecs.room.FailedDecoder;
import io.escapement.codecs.room.FailedEncoder;
import io.escapement.codecs.room.HostResumedDecoder;
import io.escapement.codecs.room.JoinDecoder;
import io.escapement.codecs.room.KickDecoder;
import io.escapement.codecs.room.LeaveDecoder;
import io.escapement.codecs.room.LinkDownDecoder;
import io.escapement.codecs.room.LinkResumedDecoder;
import io.escapement.codecs.room.LinkStateLostDecoder;
import io.escapement.codecs.room.LinkUpDecoder;
import io.escapement.codecs.room.LockRoomDecoder;
import io.escapement.codecs.room.LockTypeDecoder;
import io.escapement.codecs.room.LogHeaderDecoder;
import io.escapement.codecs.room.LogHeaderEncoder;
import io.escapement.codecs.room.LoopCommandDecoder;
import io.escapement.codecs.room.MessageDecoder;
import io.escapement.codecs.room.MessageHeaderEncoder;
import io.escapement.codecs.room.OpenRoomDecoder;
import io.escapement.codecs.room.ProposalDecoder;
import io.escapement.codecs.room.ProposalEncoder;
import io.escapement.codecs.room.RefusalDecoder;
import io.escapement.codecs.room.ReloadDecoder;
import io.escapement.codecs.room.ReplyDecoder;
import io.escapement.codecs.room.RequestDecoder;
import io.escapement.codecs.room.ReserveDecoder;
import io.escapement.codecs.room.RoomEncoder;
import io.escapement.codecs.room.RoomLayout;
import io.escapement.codecs.room.SeatDownDecoder;
import io.escapement.codecs.room.SetRateDecoder;
import io.escapement.codecs.room.SignalDecoder;
import io.escapement.codecs.room.StateHashDecoder;
import io.escapement.codecs.room.StateHashEncoder;
import io.escapement.codecs.room.StateLostDecoder;
import io.escapement.codecs.room.SubscribeDecoder;
import io.escapement.codecs.room.TakenDecoder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;

/** room.xml. Samples are a message of every kind, in several sizes if it has data. */
final class RoomSchema
{
    private static final int[] SIZES = {0, 1, 40};

    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[4_096]);
    private final UnsafeBuffer data = new UnsafeBuffer(new byte[64]);
    private final RoomEncoder encoder = new RoomEncoder();
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final List<byte[]> samples = new ArrayList<>();

    private RoomSchema()
    {
        data.setMemory(0, 64, (byte)0x5A);
        for (final int size : SIZES)
        {
            add(encoder.openRoom(buffer, 0, 1, 3, 4, 5, 2, data, 0, size));
            add(encoder.join(buffer, 0, 1, 2, 3, 4, data, 0, size));
            add(encoder.message(buffer, 0, 1, 5, 2, 3, 4, data, 0, size));
            add(encoder.signal(buffer, 0, 1, 2, 3, data, 0, size));
            add(encoder.reply(buffer, 0, 1, 2, 3, data, 0, size));
            add(encoder.directoryEntry(buffer, 0, 1, 2, 3, 4, 5, 6, DirectoryChange.LABEL, data, 0, size));
            logHeader(size);
            add(encoder.request(buffer, 0, 1, 2, 4, 3, data, 0, size));
        }
        loopCommands();
        for (final int size : SIZES)
        {
            add(encoder.join(buffer, 0, 1, 2, 3, 4, true, data, 0, size));
            add(encoder.ask(buffer, 0, 1, 2, 3, 4, data, 0, size));
            add(encoder.reply(buffer, 0, 1, 3, 4, 2, data, 0, size));
        }
        add(encoder.hostResumed(buffer, 0, 3, 1, 2));
        add(encoder.taken(buffer, 0, 2, 1));
        add(encoder.directoryEntry(buffer, 0, 1, 0, 0, 0, 0, 0, DirectoryChange.RESET, data, 0, 0));
        add(encoder.closeRoom(buffer, 0, 1));
        add(encoder.closeRoom(buffer, 0, 1, 1_024));
        add(encoder.reserve(buffer, 0, 1, 2, 3, 4, 5));
        add(encoder.leave(buffer, 0, 1, 2, 3, 4));
        add(encoder.leave(buffer, 0, 1, 2, 3, 4, 5));
        add(encoder.cancelJoin(buffer, 0, 1, 2, 3, 4));
        add(encoder.linkUp(buffer, 0, 2, 1));
        add(encoder.linkDown(buffer, 0, 1));
        add(encoder.linkResumed(buffer, 0, 3, 1, 2));
        add(encoder.linkStateLost(buffer, 0, 1));
        add(encoder.refusal(buffer, 0, 1, 2, 3));
        add(encoder.stateLost(buffer, 0, 1, 2, 3));
        add(encoder.stateLost(buffer, 0, 1, 2, 3, 4));
        add(encoder.seatDown(buffer, 0, 1, 2, 3, 4));
        add(encoder.reload(buffer, 0, 1, 2, 3, 4));
        add(encoder.setRate(buffer, 0, 1, 2));
        add(encoder.lockRoom(buffer, 0, 1, true));
        add(encoder.lockType(buffer, 0, 1, true));
        add(encoder.drain(buffer, 0, 1));
        add(encoder.kick(buffer, 0, 1, 2));
        add(encoder.kick(buffer, 0, 1, 2, 65_534));
        add(encoder.failedAt(buffer, 0, 1, 2));
        add(encoder.subscribe(buffer, 0, 1));
        add(8 + new StateHashEncoder().wrapAndApplyHeader(buffer, 0, header).turn(1).outputHash(2).hash(3)
            .encodedLength());
        add(8 + new ProposalEncoder().wrapAndApplyHeader(buffer, 0, header).loop(1).incarnation(2).proposal(3).nowNs(4)
            .hashedTurn(5).outputHash(6).returns(7).commandCount(8).check(9).encodedLength());
        add(8 + new FailedEncoder().wrapAndApplyHeader(buffer, 0, header)
            .proposal(1).roomId(2).callback(3).encodedLength());
    }

    static TestSchema schema()
    {
        final NaiveRules naive = new NaiveRules("room.xml")
            .caps(1, 1_024).caps(3, 512).caps(9, 1_920).caps(10, 1_920).caps(11, 1_920).caps(18, 64).caps(22, 2_016)
            .caps(29, 1_920).caps(33, 1_920)
            .caps(64, 256, 64, 128);
        final Walk walk = new Walk(
            new OpenRoomDecoder(), new CloseRoomDecoder(), new JoinDecoder(), new ReserveDecoder(),
            new LeaveDecoder(), new LinkUpDecoder(), new LinkDownDecoder(), new LinkResumedDecoder(),
            new MessageDecoder(), new SignalDecoder(), new ReplyDecoder(), new RefusalDecoder(),
            new StateLostDecoder(), new LinkStateLostDecoder(), new SetRateDecoder(), new DrainDecoder(),
            new KickDecoder(), new FailedAtDecoder(), new DirectoryEntryDecoder(), new HostResumedDecoder(),
            new TakenDecoder(), new LoopCommandDecoder(), new SeatDownDecoder(), new ReloadDecoder(),
            new LockRoomDecoder(), new LockTypeDecoder(), new CancelJoinDecoder(), new AskDecoder(),
            new SubscribeDecoder(), new RequestDecoder(), new LogHeaderDecoder(), new StateHashDecoder(),
            new ProposalDecoder(), new FailedDecoder());
        return new TestSchema(RoomLayout.RULES, naive, walk, new RoomSchema().samples);
    }

    private void logHeader(final int types)
    {
        final LogHeaderEncoder log = new LogHeaderEncoder().wrapAndApplyHeader(buffer, 0, header)
            .epochMs(1).wheelTickNs(2).roomLimit(3).linkLimit(4).timerLimit(5).seatLimit(6).phaseGroups(7)
            .loop(8).loops(9).openRequestLimit(10).loopQueueLength(11);
        final LogHeaderEncoder.TypesEncoder group = log.typesCount(types);
        for (int i = 0; i < types; i++)
        {
            group.next().typeId(i).version(1).settingsHash(2).name("type" + i);
        }
        add(8 + log.build("build").encodedLength());
    }

    /** With each of the five commands that it may carry. */
    private void loopCommands()
    {
        final UnsafeBuffer inner = new UnsafeBuffer(new byte[256]);
        addCarrying(inner, encoder.signal(inner, 0, 1, 2, 3, data, 0, 40));
        addCarrying(inner, encoder.reserve(inner, 0, 1, 2, 3, 4, 5));
        addCarrying(inner, encoder.ask(inner, 0, 1, 2, 3, 4, data, 0, 40));
        addCarrying(inner, encoder.reply(inner, 0, 1, 2, 3, data, 0, 8));
        addCarrying(inner, encoder.refusal(inner, 0, 1, 2, 3));
    }

    private void addCarrying(final UnsafeBuffer inner, final int length)
    {
        add(encoder.loopCommand(buffer, 0, 4, 3, inner, 0, length));
    }

    private void add(final int length)
    {
        samples.add(Arrays.copyOf(buffer.byteArray(), length));
    }
}
