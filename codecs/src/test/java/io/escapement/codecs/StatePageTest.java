package io.escapement.codecs;

import io.escapement.codecs.sync.SyncSchema;
import io.escapement.codecs.sync.SyncedCopy;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** Compares state.md with the code: ids, lengths, limits and the text of a schema. */
class StatePageTest
{
    private final ProtocolPage page = new ProtocolPage("state.md");

    @Test
    void shouldGiveTheHeaderOfAState()
    {
        page.assertContains("blockLength u16 = " + (SyncSchema.HEADER_LENGTH - 8) +
            " | templateId u16 | schemaId u16 = " + SyncSchema.SCHEMA_ID +
            " | version u16 = " + SyncSchema.VERSION + " |");
        page.assertContains("m.blockLength is not " + (SyncSchema.HEADER_LENGTH - 8) + ", m.schemaId not " +
            SyncSchema.SCHEMA_ID + ", m.version not " + SyncSchema.VERSION);
        page.assertContains("| " + SyncSchema.FULL_STATE + " | a full state | ");
        page.assertContains("| " + SyncSchema.DIFFERENCE + " | difference | ");
        page.assertContains("row in " + SyncSchema.ROW_BITS + " bits, operation in the high 2: u16");
        for (final String line : new String[]{"| %d change | ", "        %d change: "})
        {
            page.assertContains(String.format(line, SyncSchema.CHANGE));
            page.assertContains(String.format(line.replace("change", "add"), SyncSchema.ADD));
            page.assertContains(String.format(line.replace("change", "remove"), SyncSchema.REMOVE));
        }
        page.assertContains("Hold up to " + SyncedCopy.MAX_HELD_MESSAGES + " such messages of " +
            (SyncedCopy.MAX_HELD_LENGTH >> 10) + " KiB in total");
    }

    @Test
    void shouldShowTheTextOfASchemaAndItsTypes()
    {
        final SyncSchema.Builder race = SyncSchema.named("race");
        race.seats("cars", 8);
        race.field("x", SyncSchema.Type.INT16);
        page.assertContains("\n    " + race.build().toJson() + "\n");
        for (final SyncSchema.Type type : SyncSchema.Type.values())
        {
            assertEquals(1, page.text.lines().filter((line) -> line.matches("\\| [^|]*\\b" + type + "\\b[^|]* \\|.*"))
                .count(), type::toString);
        }
    }

    @Test
    void shouldGiveTheHeaderOfAPart()
    {
        page.assertContains("blockLength u16 = " + MessageSplitter.BLOCK_LENGTH + " | templateId u16 = " +
            MessageSplitter.TEMPLATE_ID + " | schemaId u16 = " + MessageSplitter.SCHEMA_ID + " | version u16 = 0 |");
        final int inPart = TrunkMessages.MAX_PAYLOAD_LENGTH - MessageSplitter.HEADER_LENGTH;
        page.assertContains("step by " + inPart + " (" + TrunkMessages.MAX_PAYLOAD_LENGTH + " less the " +
            MessageSplitter.HEADER_LENGTH + " bytes of the header)");
        page.assertContains("up to " + (MessageSplitter.MAX_MESSAGE_LENGTH >> 20) + " MiB");
    }
}
