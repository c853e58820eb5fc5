package io.escapement.engine.internal.service;

import io.escapement.engine.spi.AsyncService;
import java.util.function.Supplier;

/**
 * A service that rooms may ask.
 *
 * @param id       by which rooms name it.
 * @param name     for people; its threads have it in their names.
 * @param workers  how many threads it has.
 * @param supplier makes each worker's instance, in that worker's thread.
 */
public record ServiceDefinition(int id, String name, int workers, Supplier<? extends AsyncService> supplier)
{
}
