package io.escapement.accounts;

import com.ibm.icu.lang.UCharacter;
import com.ibm.icu.text.Normalizer2;
import com.ibm.icu.text.SpoofChecker;
import com.ibm.icu.util.VersionInfo;

/**
 * The keys of a name that players see. Two names are the same if either key is.
 *
 * <p>Both are skeletons of UTS 39, in which similar characters are equal, such as a Latin and a Cyrillic a. A capital I
 * looks like a small L. Therefore a key for the look of a name takes Bill and BILL for two names. A key for letters
 * without case takes Kal, with a capital I at its end, for Kai. So a name has a key of each kind.
 *
 * <p>The tables are from ICU, and not from the JVM: the keys of a name depend only on {@link #VERSION}.
 *
 * @param meaning the skeleton of the name without its case and the width of its letters.
 * @param look    the skeleton of the name as it is written, without case.
 */
public record NameKeys(String meaning, String look)
{
    /** Version of the tables. */
    public static final String VERSION = VersionInfo.ICU_VERSION.toString();

    /** A few signs represent whole sentences. */
    private static final int MAX_LENGTH = 96;
    private static final Normalizer2 FOLDED = Normalizer2.getNFKCCasefoldInstance();
    private static final SpoofChecker LOOKS = new SpoofChecker.Builder().build();

    /**
     * The keys of a name.
     *
     * @param name that a player gave.
     */
    public static NameKeys of(final String name)
    {
        return new NameKeys(skeleton(FOLDED.normalize(name)), skeleton(name));
    }

    /**
     * Whether others would take one name for the other.
     *
     * @param other keys.
     */
    public boolean isTakenBy(final NameKeys other)
    {
        return meaning.equals(other.meaning) || look.equals(other.look);
    }

    /** Whether the database has place for the keys. */
    boolean isStorable()
    {
        return meaning.length() <= MAX_LENGTH && look.length() <= MAX_LENGTH;
    }

    /** The case is removed again after it, because a digit 0 has a capital O as its skeleton. */
    private static String skeleton(final String text)
    {
        return UCharacter.foldCase(LOOKS.getSkeleton(text), true);
    }
}
