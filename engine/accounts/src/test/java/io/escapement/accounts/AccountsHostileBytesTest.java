package io.escapement.accounts;

import io.escapement.accounts.codec.AccountsLayout;
import io.escapement.codecs.HostileBytesTest;
import io.escapement.codecs.TestSchema;

class AccountsHostileBytesTest extends HostileBytesTest
{
    AccountsHostileBytesTest()
    {
        super(TestSchema.of(AccountsLayout.RULES, "/io/escapement/accounts/accounts.xml"));
    }
}
