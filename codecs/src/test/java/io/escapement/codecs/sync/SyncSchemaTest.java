package io.escapement.codecs.sync;

import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;

class SyncSchemaTest
{
    @Test
    void shouldKeepTheTextThatTheFingerprintHashes()
    {
        final SyncSchema.Builder builder = SyncSchema.named("fight");
        builder.field("round", SyncSchema.Type.UINT16);
        builder.entities("shots", 3);
        builder.field("x", SyncSchema.Type.FLOAT);
        builder.text("label", 7);
        assertEquals("{\"name\":\"fight\",\"tables\":[" +
            "{\"name\":\"room\",\"capacity\":1,\"fields\":[[\"round\",\"UINT16\",2]]}," +
            "{\"name\":\"shots\",\"capacity\":3,\"fields\":[[\"x\",\"FLOAT\",4],[\"label\",\"TEXT\",8]]}]}",
            builder.build().toJson());
    }
}
