/** The rate limiter. It is in the lowest module because the driver's guard, the edge and the log-in all use it. */
package io.escapement.ratelimit;
