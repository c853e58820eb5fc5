package io.escapement.engine.internal.service;

import io.escapement.engine.spi.AsyncService;
import java.util.function.Supplier;

/**
 * A service for requests of rooms.
 *
 * @param id       that rooms use.
 * @param name     for people, and part of the threads' names.
 * @param workers  number of threads.
 * @param supplier of the instance of each worker, called in that worker's thread.
 */
public record ServiceDefinition(int id, String name, int workers, Supplier<? extends AsyncService> supplier)
{
}
