package io.escapement.driver.guard;

/** How many datagrams a driver has sent, as far as its receiver is concerned: as long as one thread runs both. */
final class SentDatagrams
{
    long count;
}
