package io.escapement.codecs;

import io.escapement.codecs.player.HelloDecoder;
import io.escapement.codecs.player.PlayerLayout;
import io.escapement.codecs.player.WelcomeDecoder;

/** Limits of the player protocol, player.xml. Each WebSocket message is one message of the schema. */
public final class PlayerMessages
{
    /** Version of the protocol, as in Hello. */
    public static final int PROTOCOL_VERSION = 1;

    /** The WebSocket subprotocol that a player's client must offer. */
    public static final String SUBPROTOCOL = "escapement.1";

    /**
     * Start of a second subprotocol that a returning client may offer. The resume token in hexadecimal digits follows.
     * A gateway without free places recognises a player by it, and never selects it.
     */
    public static final String RESUME_SUBPROTOCOL = "escapement.resume.";

    /** Length of a resume token: too many values to guess one. */
    public static final int RESUME_TOKEN_LENGTH = HelloDecoder.resumeTokenLength();

    /** Longest time in milliseconds for which a player may have its messages held back: three frames of 60 Hz. */
    public static final int MAX_FLUSH_MS = 50;

    /** Longest message of a player: the longest data after its headers, and room for more fields. */
    public static final int MAX_REQUEST_LENGTH = 1_536;

    /** Longest payload of Message and longest args of Join: as on a trunk. */
    public static final int MAX_PAYLOAD_LENGTH = PlayerLayout.MESSAGE_PAYLOAD_MAX_LENGTH;

    /** Longest credentials of LogIn: as on a trunk. */
    public static final int MAX_LOG_IN_LENGTH = PlayerLayout.LOG_IN_CREDENTIALS_MAX_LENGTH;

    /** Longest session token. */
    public static final int MAX_SESSION_TOKEN_LENGTH = PlayerLayout.LOGGED_IN_SESSION_TOKEN_MAX_LENGTH;

    /** Longest answer of a room's logic in Joined: as on a trunk. */
    public static final int MAX_ANSWER_LENGTH = PlayerLayout.JOINED_ANSWER_MAX_LENGTH;

    /** Longest payload of Event and State: as on a trunk. */
    public static final int MAX_MESSAGE_LENGTH = PlayerLayout.EVENT_PAYLOAD_MAX_LENGTH;

    /** Players send template ids below this, gateways this and higher ids. */
    public static final int FIRST_REPLY = WelcomeDecoder.TEMPLATE_ID;

    private PlayerMessages()
    {
    }
}
