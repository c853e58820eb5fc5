/** A game to begin with: a synchronised state, its page, and nothing else. */
package io.escapement.examples.game;
