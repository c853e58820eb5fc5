/** A game to start with: only a synchronised state and its page. */
package io.escapement.examples.game;
