package io.escapement.ratelimit;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import static org.junit.jupiter.api.Assertions.assertEquals;

class AddressPrefixTest
{
    @ParameterizedTest
    @CsvSource({
        "10.0.0.1, 10.0.0",
        "10.0.0.255, 10.0.0",
        "10.0.1.1, 10.0.1",
        "::ffff:10.0.0.7, 10.0.0",
        "2001:db8:0:0:0:0:0:1, 2001:db8:0:",
        "2001:db8:0:ff:1:2:3:4, 2001:db8:0:",
        "2001:0db8:0000::1, 2001:db8:0:",
        "2001:db8::1, 2001:db8:0:",
        "2001:db8:1::1, 2001:db8:1:",
        "2001::1, 2001:0:0:",
        "::1, 0:0:0:",
        "fe80:0:0:0:1:2:3:4%eth0, fe80:0:0:",
        "'', ''",
        "nothing, nothing"})
    void shouldBeTheNetworkOfAnAddress(final String address, final String prefix)
    {
        assertEquals(prefix, AddressPrefix.of(address));
    }

    @ParameterizedTest
    @CsvSource({
        "10.0.0.1, 10.0.0.1",
        "::ffff:10.0.0.7, 10.0.0.7",
        "2001:db8:0:1:0:0:0:1, 2001:db8:0:1:",
        "2001:db8:0:1:ffff::, 2001:db8:0:1:",
        "2001:db8::1, 2001:db8:0:0:",
        "fe80:0:0:0:1:2:3:4%eth0, fe80:0:0:0:",
        "'', ''"})
    void shouldCountAHouseholdAsOneAddress(final String address, final String household)
    {
        assertEquals(household, AddressPrefix.householdOf(address));
    }
}
