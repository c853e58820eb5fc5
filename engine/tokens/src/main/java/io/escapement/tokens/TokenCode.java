package io.escapement.tokens;

/** Status of a log-in that is refused. */
public enum TokenCode
{
    /** The token is longer than the limit of credentials. */
    TOKEN_TOO_LONG(1200),

    /** The credentials are not three parts in base64url without padding. */
    NOT_A_TOKEN(1201),

    /** The header is longer than 512 bytes. */
    HEADER_TOO_LONG(1202),

    /** Header or claims are not UTF-8. */
    NOT_UTF8(1203),

    /** Header or claims are not a JSON object. */
    BAD_JSON(1204),

    /** An object of the header or the claims has two members of one name. */
    DUPLICATE_MEMBER(1205),

    /** Header or claims have objects or arrays deeper than 4. */
    NESTED_TOO_DEEP(1206),

    /** A parameter of the header has another type than a string. */
    BAD_HEADER(1207),

    /** The algorithm is {@code none}. */
    UNSIGNED(1208),

    /** The algorithm is not HS256, RS256, ES256 or EdDSA. */
    UNKNOWN_ALGORITHM(1209),

    /** The header has {@code typ}, which is neither JWT nor at+jwt. */
    OTHER_TYPE(1210),

    /** The header has {@code crit}: extensions are not supported. */
    CRITICAL_HEADER(1211),

    /** The header has {@code b64}: an unencoded payload is not supported. */
    UNENCODED_PAYLOAD(1212),

    /** The header brings a key or its address along. */
    EMBEDDED_KEY(1213),

    /** No keys are loaded yet. Retry later. */
    NO_KEYS(1214),

    /** No loaded key has the id. The keys may be fetched now: retry later. */
    UNKNOWN_KEY(1215),

    /** The header has no key id, and there are several keys. */
    NO_KEY_ID(1216),

    /** The key is not for verifying signatures. */
    KEY_OF_OTHER_USE(1217),

    /** The key is for another algorithm than the header's. */
    KEY_OF_OTHER_ALGORITHM(1218),

    /** The signature does not have the length of the algorithm and the key. */
    BAD_SIGNATURE_LENGTH(1219),

    /** The signature is not the key's. */
    BAD_SIGNATURE(1220),

    /** The claims have no {@code exp}. */
    NO_EXPIRY(1221),

    /** A time in the claims is not a number of seconds. */
    BAD_TIME(1222),

    /** The token has expired. */
    EXPIRED(1223),

    /** The token is not valid yet, or was issued in the future. */
    NOT_YET_VALID(1224),

    /** The issuer is wrong or missing. */
    OTHER_ISSUER(1225),

    /** The audience is wrong or missing. */
    OTHER_AUDIENCE(1226),

    /** The claims do not have the claim of the player. */
    NO_PLAYER(1227),

    /** The claim of the player is no id: a text of 1 to 256 characters, or an integer from 1 to 2^62 - 1. */
    BAD_PLAYER(1228),

    /** Another player's text has the same player id. */
    PLAYER_ID_TAKEN(1229),

    /** The player is banned. */
    BANNED(1230),

    /** The log-in queue is full. Retry later. */
    LOG_IN_QUEUE_FULL(1231),

    /** The server is stopping. */
    STOPPING(1232);

    private final int value;

    TokenCode(final int value)
    {
        this.value = value;
    }

    /** The wire value. */
    public int value()
    {
        return value;
    }
}
