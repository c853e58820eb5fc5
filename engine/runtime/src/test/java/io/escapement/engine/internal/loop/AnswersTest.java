package io.escapement.engine.internal.loop;

import io.escapement.codecs.RoomCommands;
import io.escapement.codecs.SchemaWalk;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** Every id of the schema, and two that it does not have, as an answer to the program. */
class AnswersTest
{
    @Test
    void shouldRefuseAnAnswerThatIsNone()
    {
        final SchemaWalk room = new SchemaWalk("room.xml");
        final ApplicationQuestions questions = new ApplicationQuestions();
        room.walk((id) -> RoomCommands.isAnswer(new UnsafeBuffer(room.message(id)), 0),
            (message, length) -> questions.onAnswer(message, 0));
    }
}
