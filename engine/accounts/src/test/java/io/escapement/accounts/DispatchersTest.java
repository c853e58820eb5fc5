package io.escapement.accounts;

import io.escapement.accounts.codec.CharacterListDecoder;
import io.escapement.codecs.SchemaWalk;
import io.escapement.codecs.room.RefusalCode;
import java.util.List;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

/** Every id of accounts.xml, and two that it does not have, through a worker of the service. */
class DispatchersTest
{
    private static final int UNKNOWN_TEMPLATE = ~RefusalCode.UNKNOWN_TEMPLATE.value();

    private final SchemaWalk schema = new SchemaWalk("/io/escapement/accounts/accounts.xml");

    @Test
    void shouldTakeEveryRequestAndRefuseTheRest()
    {
        try (TestDatabase database = new H2Database(); World world = new World(database.newUrl()))
        {
            for (final int id : schema.everyId())
            {
                final byte[] message = schema.message(id);
                final int connections = world.database.connections.get();
                final int result = world.client().request(message, message.length);
                if (schema.has(id, 1, CharacterListDecoder.TEMPLATE_ID))
                {
                    assertNotEquals(UNKNOWN_TEMPLATE, result, "template " + id);
                    continue;
                }
                assertEquals(UNKNOWN_TEMPLATE, result, "template " + id);
                assertEquals(connections, world.database.connections.get(), "the database: template " + id);
            }
            assertEquals(List.of(), world.faults);
        }
    }
}
