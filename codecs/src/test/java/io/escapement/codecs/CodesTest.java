package io.escapement.codecs;

import io.escapement.codecs.player.GatewayCode;
import io.escapement.codecs.room.RefusalCode;
import io.escapement.codecs.trunk.TrunkCode;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class CodesTest
{
    /** Of the generated names for no value and for an unknown one. */
    private static final int NULL_VALUE = 65_535;

    @Test
    void shouldNameTheCodesOfTheEngineTheTrunkAndTheGateway()
    {
        final Map<Integer, String> names = new TreeMap<>();
        for (final RefusalCode code : RefusalCode.values())
        {
            names.put(code.value(), code.name());
        }
        for (final TrunkCode code : TrunkCode.values())
        {
            final String other = names.put(code.value(), code.name());
            assertTrue(0 == code.value() || NULL_VALUE == code.value() || null == other, () -> code + " and " + other);
        }
        for (final GatewayCode code : GatewayCode.values())
        {
            final String other = names.put(code.value(), code.name());
            assertTrue(NULL_VALUE == code.value() || null == other, () -> code + " and " + other);
        }
        names.remove(NULL_VALUE);
        assertTrue(names.size() > 60, names::toString);
        names.forEach((code, name) ->
        {
            assertTrue(code < Codes.FIRST_APPLICATION_CODE, name);
            assertEquals(name, Codes.nameOf(code));
        });
    }

    @Test
    void shouldNameCodesOfTheApplicationAndUnknownOnes()
    {
        assertEquals("APPLICATION_1024", Codes.nameOf(Codes.FIRST_APPLICATION_CODE));
        assertEquals("APPLICATION_65534", Codes.nameOf(Codes.LAST_CODE));
        assertEquals("NOT_A_GUEST", Codes.nameOf(1_030, (code) -> 1_030 == code ? "NOT_A_GUEST" : null));
        assertEquals("APPLICATION_1031", Codes.nameOf(1_031, (code) -> 1_030 == code ? "NOT_A_GUEST" : null));
        assertEquals("NONE", Codes.nameOf(0, (code) -> "the application's"));
        assertEquals("CODE_1023", Codes.nameOf(1_023));
        assertEquals("CODE_65535", Codes.nameOf(65_535));
        assertEquals("CODE_-1", Codes.nameOf(-1));
    }

    @Test
    void shouldTakeCodesOfTheApplicationAlone()
    {
        assertEquals(Codes.FIRST_APPLICATION_CODE, Codes.checkApplication(Codes.FIRST_APPLICATION_CODE));
        assertEquals(Codes.LAST_CODE, Codes.checkApplication(Codes.LAST_CODE));
        assertThrows(
            IllegalArgumentException.class, () -> Codes.checkApplication(Codes.FIRST_APPLICATION_CODE - 1));
        assertThrows(IllegalArgumentException.class, () -> Codes.checkApplication(Codes.LAST_CODE + 1));
    }
}
