package io.escapement.accounts;

import com.ibm.icu.lang.UCharacter;
import com.ibm.icu.text.Normalizer2;
import com.ibm.icu.text.SpoofChecker;
import com.ibm.icu.util.VersionInfo;

/**
 * The keys of a name that players see. Two names are the same if either key is.
 *
 * <p>Both are skeletons of UTS 39, in which characters that look alike are equal, such as a Latin and a Cyrillic a. A
 * capital I looks like a small L, so a key that knows only how a name looks takes Bill and BILL for two names. A key
 * that knows only letters without case takes Kal, with a capital I at its end, for Kai. So a name has a key of each
 * kind.
 *
 * <p>The tables are of ICU, and not of the JVM: the keys of a name depend on {@link #VERSION} alone.
 *
 * @param meaning the skeleton of the name without its case and the width of its letters.
 * @param look    the skeleton of the name as it is written, without case.
 */
public record NameKeys(String meaning, String look)
{
    /** Version of the tables. */
    public static final String VERSION = VersionInfo.ICU_VERSION.toString();

    /** A few signs stand for whole sentences. */
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

    /** A digit 0 has a capital O as its skeleton, so the case goes after it too. */
    private static String skeleton(final String text)
    {
        return UCharacter.foldCase(LOOKS.getSkeleton(text), true);
    }
}
