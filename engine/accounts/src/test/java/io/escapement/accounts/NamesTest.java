package io.escapement.accounts;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

class NamesTest
{
    @ParameterizedTest
    @ValueSource(strings = {"Al", "Knight", "J\u00FCrgen", "\u00C9lo\u00EFse",
        "\u0416\u0443\u0440\u0430\u0432\u043B\u044C",
        "\u9F8D\u306E\u5B50", "\uAE40\uCCA0\uC218", "O'Neil-2", "\u0905\u0930\u094D\u091C\u0941\u0928",
        "\uD83C\uDCCFx", "abcdefghijklmnopqrstuvwxyz012345"})
    void shouldAcceptNamesOfAnyScript(final String name)
    {
        // A playing card is no letter.
        assertEquals(!name.startsWith("\uD83C"), Names.isValidCharacter(name), name);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "A", "1st", "Ann Lee", "a\u0000b", "Knight\u0430", "Ju\u0308rgen", "a\u202Eb", "_a",
        "abcdefghijklmnopqrstuvwxyz0123456", "\uFDFA\uFDFA\uFDFA\uFDFA\uFDFA\uFDFA", "a\uD800"})
    void shouldRefuseOtherNames(final String name)
    {
        assertFalse(Names.isValidCharacter(name), name);
    }

    @ParameterizedTest
    @CsvSource({"ANN,ann", "J\u00DCRGEN,j\u00FCrgen", "Stra\u00DFe,STRASSE", "\uFF21nn,ann",
        "\u0416\u0443\u043A,\u0436\u0423\u041A"})
    void shouldFoldCaseAndWidth(final String one, final String other)
    {
        assertEquals(Names.characterKey(one), Names.characterKey(other));
    }

    @ParameterizedTest
    @ValueSource(strings = {"Ann", "a.b-c_d"})
    void shouldKeepAccountsToAscii(final String name)
    {
        assertTrue(Names.isValid(name));
        assertFalse(Names.isValid(name + '\u00FC'));
    }
}
