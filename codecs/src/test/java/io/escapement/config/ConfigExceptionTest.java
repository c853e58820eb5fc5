package io.escapement.config;

import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

class ConfigExceptionTest
{
    @Test
    void shouldNameOptionValueAndRemedyInOneLine()
    {
        final ConfigException ex = assertThrows(ConfigException.class,
            () -> ConfigException.check(false, "loops", 65, "1 to 64"));
        assertEquals("loops: 65: 1 to 64", ex.getMessage());
        assertEquals("loops", ex.option());
        assertEquals("65", ex.value());
        assertEquals("1 to 64", ex.remedy());
    }

    @Test
    void shouldAcceptAValidValue()
    {
        assertDoesNotThrow(() -> ConfigException.check(true, "loops", 64, "1 to 64"));
    }
}
