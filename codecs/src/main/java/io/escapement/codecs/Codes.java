package io.escapement.codecs;

import io.escapement.codecs.player.GatewayCode;
import io.escapement.codecs.room.RefusalCode;
import io.escapement.codecs.trunk.TrunkCode;
import java.util.function.IntFunction;

/**
 * The names of the codes with which rooms, the engine, trunks and gateways refuse. One number space has them all: the
 * engine's from {@link RefusalCode}, the trunk's from {@link TrunkCode}, the gateway's from {@link GatewayCode}, and
 * the application's from {@value #FIRST_APPLICATION_CODE} up.
 */
public final class Codes
{
    /** The first application code. Lower codes belong to the engine, the trunk and the gateway. */
    public static final int FIRST_APPLICATION_CODE = 1_024;

    /** The last code: they are 16 bits on the wire. */
    public static final int LAST_CODE = 65_534;

    private static final String[] NAMES = new String[FIRST_APPLICATION_CODE];

    static
    {
        for (final GatewayCode code : GatewayCode.values())
        {
            put(code.value(), code.name());
        }
        for (final TrunkCode code : TrunkCode.values())
        {
            put(code.value(), code.name());
        }
        for (final RefusalCode code : RefusalCode.values())
        {
            put(code.value(), code.name());
        }
    }

    private Codes()
    {
    }

    /**
     * The name of a code for people.
     *
     * @param code of a refusal.
     * @return the name in the schema. {@code APPLICATION_} and the number for an application code, {@code CODE_} and
     *         the number for any other.
     */
    public static String nameOf(final int code)
    {
        return nameOf(code, (number) -> null);
    }

    /**
     * The name of a code for people, with the application's own names.
     *
     * @param code         of a refusal.
     * @param applications returns the name of an application code, or null for an unknown code.
     * @return the name.
     */
    public static String nameOf(final int code, final IntFunction<String> applications)
    {
        if (code >= FIRST_APPLICATION_CODE && code <= LAST_CODE)
        {
            final String name = applications.apply(code);
            return null == name ? "APPLICATION_" + code : name;
        }
        final String name = code >= 0 && code < NAMES.length ? NAMES[code] : null;
        return null == name ? "CODE_" + code : name;
    }

    /**
     * Throw unless a code is an application code.
     *
     * @param code to check.
     * @return the code.
     */
    public static int checkApplication(final int code)
    {
        if (code < FIRST_APPLICATION_CODE || code > LAST_CODE)
        {
            throw new IllegalArgumentException(
                "an application's code must be " + FIRST_APPLICATION_CODE + " to " + LAST_CODE + ": " + code);
        }
        return code;
    }

    private static void put(final int code, final String name)
    {
        // The null values of both enums are 65,535.
        if (code < NAMES.length)
        {
            NAMES[code] = name;
        }
    }
}
