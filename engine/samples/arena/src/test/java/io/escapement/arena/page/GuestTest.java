package io.escapement.arena.page;

import io.escapement.accounts.AccountCode;
import java.io.IOException;
import org.graalvm.polyglot.Value;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** A visitor without an account: which accounts the page signs up, keeps and uses. */
class GuestTest
{
    private static final String LOG_IN = "2 ";
    private static final String FIRST = "Guest-010203 0405060708090a0b0c0d0e0f10111213";
    private static final String SECOND = "Guest-141516 1718191a1b1c1d1e1f20212223242526";

    private final PageModules modules;
    private final Value page;

    GuestTest() throws IOException
    {
        modules = new PageModules();
        page = modules.load("guest-test.js");
    }

    @AfterEach
    void close()
    {
        modules.close();
    }

    @Test
    void shouldPlayOnAsTheSameGuest()
    {
        assertEquals("", guest());
        assertVisit("1 " + FIRST + "\nstatus 0 Guest-010203", 0);
        assertEquals("Guest-010203", guest());
        assertVisit(LOG_IN + FIRST + "\nstatus 0 Guest-010203", 0);
    }

    @Test
    void shouldPlayOnWhenTheAnswerToTheSignUpWasLost()
    {
        assertVisit("1 " + FIRST);
        assertVisit(LOG_IN + FIRST + "\nstatus 0 Guest-010203", 0);
    }

    @Test
    void shouldTakeAnotherNameWhenOneIsTaken()
    {
        final int taken = AccountCode.NAME_TAKEN.value();
        assertVisit("1 " + FIRST + "\n1 " + SECOND + "\nstatus 0 Guest-141516", taken, 0);
        assertVisit(LOG_IN + SECOND + "\nstatus 0 Guest-141516", 0);
    }

    @Test
    void shouldNotTryNamesForEver()
    {
        final int taken = AccountCode.NAME_TAKEN.value();
        page.invokeMember("visit", taken, taken, taken, taken, 0);
        assertEquals(5, lines().lines().count(), this::lines);
    }

    /** The account was deleted, or the server has another database. */
    @Test
    void shouldSignUpAgainWhenItsAccountIsGone()
    {
        assertVisit("1 " + FIRST + "\nstatus 0 Guest-010203", 0);
        assertVisit(LOG_IN + FIRST + "\n1 " + SECOND + "\nstatus 0 Guest-141516",
            AccountCode.WRONG_CREDENTIALS.value(), 0);
        assertEquals("Guest-141516", guest());
    }

    @Test
    void shouldKeepTheGuestWhenItIsRefusedOtherwise()
    {
        assertVisit("1 " + FIRST + "\nstatus 0 Guest-010203", 0);
        for (final AccountCode code : new AccountCode[]{AccountCode.TOO_MANY_ATTEMPTS, AccountCode.DATABASE_DOWN,
            AccountCode.BANNED})
        {
            assertVisit(LOG_IN + FIRST + "\nstatus " + code.value() + " Guest-010203", code.value());
        }
        assertEquals("Guest-010203", guest());
    }

    private void assertVisit(final String expected, final Object... statuses)
    {
        page.invokeMember("visit", statuses);
        assertEquals(expected, lines());
    }

    private String lines()
    {
        return page.invokeMember("lines").asString();
    }

    private String guest()
    {
        return page.invokeMember("guest").asString();
    }
}
