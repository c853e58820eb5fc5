package io.escapement.accounts;

import com.ibm.icu.lang.UCharacter;
import com.ibm.icu.lang.UCharacterEnums.ECharacterCategory;
import com.ibm.icu.lang.UProperty;
import io.escapement.codecs.PlayerNames;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

class NamesTest
{
    private static final Set<Integer> HIDDEN_TYPES = Set.of(
        (int)ECharacterCategory.CONTROL, (int)ECharacterCategory.FORMAT, (int)ECharacterCategory.SPACE_SEPARATOR,
        (int)ECharacterCategory.LINE_SEPARATOR, (int)ECharacterCategory.PARAGRAPH_SEPARATOR,
        (int)ECharacterCategory.PRIVATE_USE, (int)ECharacterCategory.SURROGATE);

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
    @ValueSource(strings = {"\u3164", "\u3164\u3164", "bob\u034F", "bob\u3164", "bob\u115F", "bob\u17B4",
        "bob\uFE0F", "bob\u200D", "bob\uFFA0", "a\u180B"})
    void shouldRefuseNamesThatDoNotShow(final String name)
    {
        assertFalse(Names.isValidCharacter(name), name);
    }

    /** Latin, and Cyrillic, Greek, digits, the width and the case. */
    @ParameterizedTest
    @CsvSource({"ANN,ann", "J\u00DCRGEN,j\u00FCrgen", "Stra\u00DFe,STRASSE", "\uFF21nn,ann",
        "\u0416\u0443\u043A,\u0436\u0423\u041A", "Cop,\u0421\u043E\u0440", "BOB,\u0392\u039F\u0392",
        "bob,\u0392\u039F\u0392", "bob,b0b", "Ill,l1l", "Kal,KaI", "BILL,bill", "Arnold,Amold",
        "o'neil,O\u2019Neil"})
    void shouldTakeNamesForTheSameThatAreOrLookTheSame(final String one, final String other)
    {
        assertTrue(NameKeys.of(one).isTakenBy(NameKeys.of(other)), one + ' ' + other);
        assertTrue(NameKeys.of(other).isTakenBy(NameKeys.of(one)), other + ' ' + one);
    }

    @ParameterizedTest
    @CsvSource({"Kai,Kal", "Ann,Anna", "J\u00FCrgen,Jurgen", "bot-2,bot-3", "\u0416\u0443\u043A,Zuk"})
    void shouldTellOtherNamesApart(final String one, final String other)
    {
        assertFalse(NameKeys.of(one).isTakenBy(NameKeys.of(other)), one + ' ' + other);
    }

    /** The table of rooms, which must not depend on a library, against the library's. */
    @Test
    void shouldAgreeWithUnicodeOnWhatShows()
    {
        for (int codePoint = 0; codePoint <= Character.MAX_CODE_POINT; codePoint++)
        {
            final int type = UCharacter.getType(codePoint);
            final boolean isNoCharacter = UCharacter.hasBinaryProperty(codePoint, UProperty.NONCHARACTER_CODE_POINT);
            final boolean isHidden = HIDDEN_TYPES.contains(type) && ' ' != codePoint || 0x2800 == codePoint ||
                UCharacter.hasBinaryProperty(codePoint, UProperty.DEFAULT_IGNORABLE_CODE_POINT);
            if (!isNoCharacter)
            {
                assertEquals(!isHidden, PlayerNames.isVisible(codePoint), Integer.toHexString(codePoint));
            }
        }
    }

    /** Rooms keep keys, so another version of ICU is another version of these rooms. */
    @Test
    void shouldHaveTheVersionOfIcuThatRoomsWereBuiltWith()
    {
        assertEquals("78.3.0.0", NameKeys.VERSION, "raise the version of the lobby's type too");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Ann", "a.b-c_d"})
    void shouldKeepAccountsToAscii(final String name)
    {
        assertTrue(Names.isValid(name));
        assertFalse(Names.isValid(name + '\u00FC'));
    }
}
