package io.escapement.codecs;

import io.escapement.codecs.room.LogHeaderDecoder;
import io.escapement.codecs.room.LoopCommandDecoder;
import io.escapement.codecs.room.RefusalCode;
import io.escapement.codecs.room.RefusalDecoder;
import io.escapement.codecs.room.ReplyDecoder;
import io.escapement.codecs.room.SubscribeDecoder;
import java.util.Set;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** Which messages of {@code room.xml} are commands, answers and records of a log. */
class RoomCommandsTest
{
    private static final int NOT_A_COMMAND = RefusalCode.NOT_A_COMMAND.value();
    private static final int TOO_SHORT = RefusalCode.TOO_SHORT.value();

    private final NaiveRules room = new NaiveRules("room.xml");

    @Test
    void shouldTellMessagesByTheirTemplates()
    {
        final Set<Integer> answers = Set.of(ReplyDecoder.TEMPLATE_ID, RefusalDecoder.TEMPLATE_ID);
        for (final int templateId : room.shapes.byTemplate.keySet())
        {
            final int parts = room.shapes.byTemplate.get(templateId).parts.size();
            final byte[] message = room.shapes.message(templateId, new int[parts]);
            final UnsafeBuffer buffer = new UnsafeBuffer(message);
            assertEquals(answers.contains(templateId), RoomCommands.isAnswer(buffer, 0), "template " + templateId);
            assertEquals(templateId < LogHeaderDecoder.TEMPLATE_ID ? NOT_A_COMMAND : 0,
                RoomCommands.validateLogRecord(buffer, 0, message.length), "template " + templateId);
            if (LoopCommandDecoder.TEMPLATE_ID != templateId)
            {
                assertEquals(templateId < SubscribeDecoder.TEMPLATE_ID ? 0 : NOT_A_COMMAND,
                    RoomCommands.validateCommand(buffer, 0, message.length), "template " + templateId);
            }
            assertEquals(TOO_SHORT, RoomCommands.validateLogRecord(buffer, 0, 7), "template " + templateId);
        }
    }
}
