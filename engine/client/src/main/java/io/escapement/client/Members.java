package io.escapement.client;

import io.aeron.exceptions.AeronException;
import io.escapement.client.TrunkClient.State;
import io.escapement.codecs.TrunkMessages;
import io.escapement.codecs.trunk.TrunkCode;
import org.agrona.concurrent.NanoClock;

/**
 * The engines of a group with one leader. The client is on standby at each and asks the leader for its trunk. If
 * several engines claim to lead, the engine of the greatest incarnation is right: a majority has voted for it, and the
 * others run no further turns. Therefore the client moves at once, and does not wait for silence of the last leader.
 *
 * <pre>
 *   a member   event                                        then
 *   WAITING    its delay is over                            CONNECTING
 *   CONNECTING, GREETED, PROVEN as in the handshake, with Stand
 *   PROVEN     Standby                                      STANDBY
 *   STANDBY    Standby or Leading said that it leads, in    PROVEN, with Resume or Proof: it is asked
 *              a greater incarnation than the one asked
 *   asked      Welcome                                      UP: it has the trunk
 *   asked      Standby: it leads no more                    STANDBY, and the next best is asked
 *   asked      Reject UNKNOWN_TRUNK                         asked again, with Proof
 *   asked, UP  another leads in a greater incarnation       WAITING, for standby on a new connection
 *   UP         Goodbye REPLACED                             the client is DOWN
 *   any        lost, silent, refused, overdue               WAITING; the client is DOWN if all refuse for good
 * </pre>
 */
final class Members
{
    /** The trunk, which outlives its sessions. */
    interface Owner
    {
        /** The ticket of the trunk, or null for a new trunk. */
        ResumeTicket ticket();

        void onUp(TrunkSession session, Welcome welcome);

        /** A connection with a trunk is over. Another attempt follows unless the reason is final. */
        void onLost(int code);

        /** Every member refuses for a reason that another attempt would meet again. */
        void onRefused(int code);

        /** The engine that leads has not got the trunk of the ticket. */
        void onUnknownTrunk();

        void onFailure(int code, String text);
    }

    private static final int NONE = 0;

    private final TrunkContext context;
    private final EgressAdapter egress;
    private final Owner owner;
    private final NanoClock clock;
    private final Member[] members;
    /** The member that has the trunk or is asked for it, or null. */
    private Member asked;
    private long malformed;
    private long leaderlessNs;
    private boolean isClosed;

    Members(final TrunkContext context, final EgressAdapter egress, final Owner owner)
    {
        this.context = context;
        this.egress = egress;
        this.owner = owner;
        clock = context.clock();
        leaderlessNs = clock.nanoTime();
        members = new Member[context.members()];
        for (int i = 0; i < members.length; i++)
        {
            members[i] = new Member(i, context.newBackoff());
        }
        for (final Member member : members)
        {
            member.open();
        }
    }

    int poll()
    {
        final long nowNs = clock.nanoTime();
        int work = 0;
        for (int i = 0; i < members.length && !isClosed; i++)
        {
            work += members[i].poll(nowNs);
        }
        if (null == asked && nowNs - leaderlessNs > context.connectTimeoutNs())
        {
            leaderlessNs = nowNs;
            reportLeaderless();
        }
        return work;
    }

    /** The state of the client: the state of the asked connection, or the best of all. */
    State state()
    {
        if (null != asked)
        {
            return asked.session.state();
        }
        State best = State.WAITING;
        for (final Member member : members)
        {
            if (member.isStandingBy())
            {
                return State.STANDBY;
            }
            best = null == member.session ? best : State.CONNECTING;
        }
        return best;
    }

    long malformed()
    {
        long sum = malformed;
        for (final Member member : members)
        {
            sum += null == member.session ? 0 : member.session.malformed();
        }
        return sum;
    }

    /** Close all connections, with a Goodbye or as if they broke. */
    void close(final boolean isGoodbye)
    {
        isClosed = true;
        asked = null;
        for (final Member member : members)
        {
            member.close(isGoodbye);
        }
    }

    /** Ask the leader of the greatest incarnation, unless it is asked already. */
    private void choose()
    {
        Member best = asked;
        for (final Member member : members)
        {
            if (member.isLeading && member.isStandingBy() && (null == best || member.incarnation > best.incarnation))
            {
                best = member;
            }
        }
        if (best != asked)
        {
            final Member before = asked;
            asked = best;
            if (null != before)
            {
                before.leave();
            }
            if (!isClosed)
            {
                best.session.ask(owner.ticket());
            }
        }
    }

    /** The member that was asked has no trunk for the client. */
    private void onNotAsked()
    {
        asked = null;
        leaderlessNs = clock.nanoTime();
        if (!isClosed)
        {
            choose();
        }
    }

    private void checkRefused()
    {
        int code = NONE;
        if (isClosed)
        {
            return;
        }
        for (final Member member : members)
        {
            if (NONE == member.refusal)
            {
                return;
            }
            code = member.refusal;
        }
        owner.onRefused(code);
    }

    private void reportLeaderless()
    {
        int standingBy = 0;
        int leader = TrunkMessages.NO_LEADER;
        for (final Member member : members)
        {
            standingBy += member.isStandingBy() ? 1 : 0;
            leader = member.isStandingBy() ? Math.max(leader, member.leaderMemberId) : leader;
        }
        if (0 != standingBy)
        {
            owner.onFailure(TrunkSession.CONNECTION_LOST, "no engine of " + members.length + " gives a trunk; " +
                standingBy + " follow, and name " +
                (TrunkMessages.NO_LEADER == leader ? "no leader: check that a majority of them runs" :
                    "member " + leader + " as the leader: check that its endpoints are given, and reachable"));
        }
    }

    /** One engine of the group. */
    private final class Member implements TrunkSession.Owner
    {
        private final int index;
        private final Backoff backoff;
        /** Null while it waits for its next attempt. */
        private TrunkSession session;
        private boolean isLeading;
        /** Whether the trunk exists. */
        private boolean isUp;
        private int incarnation;
        private int leaderMemberId;
        /** The code with which it refused for good, if that was its last answer. */
        private int refusal;
        private String failure = "";

        Member(final int index, final Backoff backoff)
        {
            this.index = index;
            this.backoff = backoff;
        }

        int poll(final long nowNs)
        {
            if (null == session)
            {
                if (backoff.isDue(nowNs))
                {
                    open();
                }
                return 0;
            }
            final TrunkSession polled = session;
            try
            {
                return State.UP == polled.state() ? polled.poll() : polled.pollControl(nowNs);
            }
            catch (final AeronException ex)
            {
                if (State.UP == polled.state())
                {
                    throw ex;
                }
                report(TrunkSession.CONNECTION_LOST, "the media driver refused a stream: " + ex.getMessage());
                polled.onDown(TrunkSession.CONNECTION_LOST);
                return 1;
            }
        }

        void open()
        {
            try
            {
                session = TrunkSession.standingBy(context, index, egress, this);
            }
            catch (final AeronException ex)
            {
                report(TrunkSession.CONNECTION_LOST, "the media driver refused a stream: " + ex.getMessage());
                backoff.onFailure(clock.nanoTime());
            }
        }

        boolean isStandingBy()
        {
            return null != session && State.STANDBY == session.state();
        }

        /**
         * Another member leads. The engine ends the trunk of a connection, if it has one. Therefore a new connection is
         * made.
         */
        void leave()
        {
            final boolean wasUp = isUp;
            close(false);
            backoff.onFailure(clock.nanoTime());
            if (wasUp)
            {
                owner.onLost(TrunkCode.NOT_LEADING.value());
            }
        }

        void close(final boolean isGoodbye)
        {
            if (null != session)
            {
                if (isGoodbye)
                {
                    session.goodbye();
                }
                session.close();
                forgetConnection();
            }
        }

        private void forgetConnection()
        {
            malformed += session.malformed();
            session = null;
            isLeading = false;
            isUp = false;
        }

        @Override
        public void onStandby(final Standby standby)
        {
            backoff.onSuccess();
            refusal = NONE;
            failure = "";
            isLeading = standby.isLeading();
            incarnation = standby.incarnation();
            leaderMemberId = standby.leaderMemberId();
            if (this == asked)
            {
                onNotAsked();
            }
            else
            {
                choose();
            }
        }

        @Override
        public void onLeading(final int newIncarnation)
        {
            isLeading = true;
            incarnation = newIncarnation;
            choose();
        }

        @Override
        public void onUnknownTrunk()
        {
            owner.onUnknownTrunk();
            session.ask(owner.ticket());
        }

        @Override
        public void onUp(final Welcome welcome)
        {
            isUp = true;
            owner.onUp(session, welcome);
        }

        @Override
        public void onDown(final int code, final HandshakeFailure.Progress progress)
        {
            final boolean wasUp = isUp;
            forgetConnection();
            backoff.onFailure(clock.nanoTime());
            if (wasUp)
            {
                owner.onLost(code);
            }
            else
            {
                refusal = TrunkClient.isFinal(code) ? code : NONE;
                if (State.STANDBY != progress.state() && TrunkSession.CONNECTION_LOST != code)
                {
                    report(code, HandshakeFailure.text(code, progress, context, index));
                }
            }
            if (this == asked)
            {
                onNotAsked();
            }
            checkRefused();
        }

        /** One line for the same reason, however often the member is tried. */
        private void report(final int code, final String text)
        {
            if (!text.equals(failure))
            {
                failure = text;
                owner.onFailure(code, text);
            }
        }
    }
}
