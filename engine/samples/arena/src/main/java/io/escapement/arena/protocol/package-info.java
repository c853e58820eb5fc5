/**
 * The game's limits, and the rules that its messages must meet before they are decoded. The codecs in this package are
 * generated from {@code arena.xml}. {@code PROTOCOL.md} of this module describes who sends each message, and when.
 */
package io.escapement.arena.protocol;
