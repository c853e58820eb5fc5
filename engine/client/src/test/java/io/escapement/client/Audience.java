package io.escapement.client;

/** The audiences of room messages, each at its value. */
enum Audience
{
    ALL, ALL_EXCEPT, MASK, ONE
}
