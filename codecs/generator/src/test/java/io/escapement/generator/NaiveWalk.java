package io.escapement.generator;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import uk.co.real_logic.sbe.ir.Ir;
import uk.co.real_logic.sbe.ir.Token;

/** Whether bytes are a valid message of a schema, found by walking the schema and consuming the bytes. */
final class NaiveWalk
{
    private static final class InvalidException extends RuntimeException
    {
        private static final long serialVersionUID = 1;
    }

    private final Ir ir;
    private ByteBuffer in;
    private boolean hasLimits;

    NaiveWalk(final Ir ir)
    {
        this.ir = ir;
    }

    /** Refuse numbers above the greatest value of the schema, as Java does. */
    NaiveWalk withLimits()
    {
        hasLimits = true;
        return this;
    }

    boolean isValid(final int templateId, final byte[] bytes)
    {
        in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        try
        {
            final int blockLength = in.getShort() & 0xFFFF;
            final int template = in.getShort() & 0xFFFF;
            final int schema = in.getShort() & 0xFFFF;
            final int version = in.getShort() & 0xFFFF;
            require(template == templateId && schema == ir.id() && version == ir.version());
            final List<Token> tokens = ir.getMessage(templateId);
            require(null != tokens);
            block(tokens, 1, tokens.size() - 1, blockLength, tokens.get(0).encodedLength());
            require(!in.hasRemaining());
            return true;
        }
        catch (final BufferUnderflowException | IllegalArgumentException | InvalidException ex)
        {
            return false;
        }
    }

    private void block(
        final List<Token> tokens, final int from, final int to, final int blockLength, final int currentLength)
    {
        require(blockLength == currentLength);
        in.position(in.position() + blockLength);
        for (int i = from; i < to; i += tokens.get(i).componentTokenCount())
        {
            final Token token = tokens.get(i);
            switch (token.signal())
            {
                case BEGIN_GROUP -> group(tokens, i);
                case BEGIN_VAR_DATA ->
                {
                    final int length = number(tokens.get(i + 2));
                    in.position(in.position() + length);
                }
                default ->
                {
                }
            }
        }
    }

    private void group(final List<Token> tokens, final int at)
    {
        final Token dimensions = tokens.get(at + 1);
        final int blockLength = number(tokens.get(at + 2));
        final int count = number(tokens.get(at + 3));
        require(blockLength > 0 || 0 == count);
        final int begin = at + 1 + dimensions.componentTokenCount();
        final int end = at + tokens.get(at).componentTokenCount() - 1;
        require(blockLength == tokens.get(at).encodedLength());
        for (int i = 0; i < count; i++)
        {
            block(tokens, begin, end, blockLength, tokens.get(at).encodedLength());
        }
    }

    private int number(final Token token)
    {
        final int number = switch (token.encodedLength())
        {
            case 1 -> in.get() & 0xFF;
            case 2 -> in.getShort() & 0xFFFF;
            default -> (int)Math.min(in.getInt() & 0xFFFF_FFFFL, Integer.MAX_VALUE / 2);
        };
        require(!hasLimits || number <= token.encoding().applicableMaxValue().longValue());
        return number;
    }

    private static void require(final boolean isRight)
    {
        if (!isRight)
        {
            throw new InvalidException();
        }
    }
}
