/**
 * Rate limits and fair queues. They are in the lowest module because the driver's guard, the edge, the gateway and the
 * log-in all use them.
 */
package io.escapement.ratelimit;
