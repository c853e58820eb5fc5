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
import io.escapement.codecs.player.PongDecoder;
import io.escapement.codecs.player.RefusedDecoder;
import io.escapement.codecs.player.SeatAwayDecoder;
import io.escapement.codecs.player.StateDecoder;
import io.escapement.codecs.player.WelcomeDecoder;

/** Limits and validation of the player protocol, player.xml. One message of a WebSocket is one of the schema. */
public final class PlayerMessages
{
    /** Version of the protocol, as in Hello. */
    public static final int PROTOCOL_VERSION = 1;

    /** The WebSocket subprotocol that a player's program has to offer. */
    public static final String SUBPROTOCOL = "escapement.1";

    /**
     * Start of a second subprotocol that a returning program may offer. The resume token in hexadecimal digits follows.
     * A gateway without free places recognises a player by it, and never selects it.
     */
    public static final String RESUME_SUBPROTOCOL = "escapement.resume.";

    /** Length of a resume token: too many values to guess one. */
    public static final int RESUME_TOKEN_LENGTH = HelloDecoder.resumeTokenLength();

    /** Longest time in milliseconds for which a player may have its messages held back: three frames of 60 Hz. */
    public static final int MAX_FLUSH_MS = 50;

    /** Longest message of a player: the longest data behind its headers, and room for more fields. */
    public static final int MAX_REQUEST_LENGTH = 1_024;

    /** Longest payload of Message and longest args of Join: as on a trunk. */
    public static final int MAX_PAYLOAD_LENGTH = TrunkMessages.MAX_PAYLOAD_LENGTH;

    /** Longest credentials of LogIn: as on a trunk. */
    public static final int MAX_LOG_IN_LENGTH = TrunkMessages.MAX_LOG_IN_LENGTH;

    /** Longest session token. */
    public static final int MAX_SESSION_TOKEN_LENGTH = TrunkMessages.MAX_SESSION_LENGTH;

    /** Longest answer of a room's logic in Joined: as on a trunk. */
    public static final int MAX_ANSWER_LENGTH = RoomCommands.MAX_JOIN_ANSWER_LENGTH;

    /** Longest payload of Event and State: as on a trunk. */
    public static final int MAX_MESSAGE_LENGTH = TrunkMessages.MAX_MESSAGE_LENGTH;

    /** Template ids below this come from players, this and higher ones from gateways. */
    public static final int FIRST_REPLY = WelcomeDecoder.TEMPLATE_ID;

    /** The layout of every message of the schema. */
    public static final SchemaRules RULES = rules();

    /** Longest Event or State: the longest payload, and as much again as a request for its block. */
    private static final int MAX_BULK_LENGTH = MAX_MESSAGE_LENGTH + MAX_REQUEST_LENGTH;

    private PlayerMessages()
    {
    }

    private static SchemaRules rules()
    {
        final int longest = MAX_REQUEST_LENGTH;
        return SchemaRules
            .of(HelloDecoder.SCHEMA_ID, HelloDecoder.SCHEMA_VERSION)
            .message(HelloDecoder.TEMPLATE_ID, longest, HelloDecoder.BLOCK_LENGTH)
            .message(LogInDecoder.TEMPLATE_ID, longest, LogInDecoder.BLOCK_LENGTH).data(MAX_LOG_IN_LENGTH)
            .message(JoinDecoder.TEMPLATE_ID, longest, JoinDecoder.BLOCK_LENGTH)
            .data(MAX_PAYLOAD_LENGTH)
            .message(LeaveDecoder.TEMPLATE_ID, longest, LeaveDecoder.BLOCK_LENGTH)
            .message(MessageDecoder.TEMPLATE_ID, longest, MessageDecoder.BLOCK_LENGTH).data(MAX_PAYLOAD_LENGTH)
            .message(PingDecoder.TEMPLATE_ID, longest, PingDecoder.BLOCK_LENGTH)
            .message(GoodbyeDecoder.TEMPLATE_ID, longest, GoodbyeDecoder.BLOCK_LENGTH)
            .message(WelcomeDecoder.TEMPLATE_ID, longest, WelcomeDecoder.BLOCK_LENGTH)
            .message(LoggedInDecoder.TEMPLATE_ID, longest, LoggedInDecoder.BLOCK_LENGTH).data(MAX_SESSION_TOKEN_LENGTH)
            .message(JoinedDecoder.TEMPLATE_ID, longest, JoinedDecoder.BLOCK_LENGTH)
            .data(MAX_ANSWER_LENGTH)
            .message(SeatAwayDecoder.TEMPLATE_ID, longest, SeatAwayDecoder.BLOCK_LENGTH)
            .message(LeftDecoder.TEMPLATE_ID, longest, LeftDecoder.BLOCK_LENGTH)
            .message(RefusedDecoder.TEMPLATE_ID, longest, RefusedDecoder.BLOCK_LENGTH)
            .message(PongDecoder.TEMPLATE_ID, longest, PongDecoder.BLOCK_LENGTH)
            .message(EngineAwayDecoder.TEMPLATE_ID, longest, EngineAwayDecoder.BLOCK_LENGTH)
            .message(EngineBackDecoder.TEMPLATE_ID, longest, EngineBackDecoder.BLOCK_LENGTH)
            .message(GoAwayDecoder.TEMPLATE_ID, longest, GoAwayDecoder.BLOCK_LENGTH)
            .message(EventDecoder.TEMPLATE_ID, MAX_BULK_LENGTH, EventDecoder.BLOCK_LENGTH).data(MAX_MESSAGE_LENGTH)
            .message(StateDecoder.TEMPLATE_ID, MAX_BULK_LENGTH, StateDecoder.BLOCK_LENGTH).data(MAX_MESSAGE_LENGTH)
            .build();
    }
}
