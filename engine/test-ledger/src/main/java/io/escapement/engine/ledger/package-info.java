/**
 * Ledger rooms, which note all that reaches them, the histories of their clients, and the checker that compares the
 * two. Tests run them on stepped loops with planted faults, and on engines that they kill.
 */
package io.escapement.engine.ledger;
