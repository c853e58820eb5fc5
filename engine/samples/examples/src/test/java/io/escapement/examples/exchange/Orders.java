package io.escapement.examples.exchange;

import io.escapement.examples.exchange.codecs.AcceptedDecoder;
import io.escapement.examples.exchange.codecs.CancelOrderEncoder;
import io.escapement.examples.exchange.codecs.CancelledDecoder;
import io.escapement.examples.exchange.codecs.ExecutedDecoder;
import io.escapement.examples.exchange.codecs.FilledDecoder;
import io.escapement.examples.exchange.codecs.MessageHeaderDecoder;
import io.escapement.examples.exchange.codecs.MessageHeaderEncoder;
import io.escapement.examples.exchange.codecs.PlaceOrderEncoder;
import io.escapement.examples.exchange.codecs.Side;
import io.escapement.examples.exchange.codecs.TopDecoder;
import org.agrona.concurrent.UnsafeBuffer;

/** The messages of the book for tests: orders as bytes, and what a trader receives as text. */
final class Orders
{
    private static final int HEADER = MessageHeaderEncoder.ENCODED_LENGTH;

    private Orders()
    {
    }

    static byte[] place(final long clientOrderId, final Side side, final int price, final int quantity)
    {
        final byte[] bytes = new byte[HEADER + PlaceOrderEncoder.BLOCK_LENGTH];
        new PlaceOrderEncoder().wrapAndApplyHeader(new UnsafeBuffer(bytes), 0, new MessageHeaderEncoder())
            .clientOrderId(clientOrderId).price(price).quantity(quantity).side(side);
        return bytes;
    }

    static byte[] cancel(final long orderId)
    {
        final byte[] bytes = new byte[HEADER + CancelOrderEncoder.BLOCK_LENGTH];
        new CancelOrderEncoder().wrapAndApplyHeader(new UnsafeBuffer(bytes), 0, new MessageHeaderEncoder())
            .orderId(orderId);
        return bytes;
    }

    static boolean isTop(final byte[] message)
    {
        return TopDecoder.TEMPLATE_ID == templateId(message);
    }

    static boolean isExecuted(final byte[] message)
    {
        return ExecutedDecoder.TEMPLATE_ID == templateId(message);
    }

    private static int templateId(final byte[] message)
    {
        return new MessageHeaderDecoder().wrap(new UnsafeBuffer(message), 0).templateId();
    }

    static String text(final byte[] message)
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(message);
        final MessageHeaderDecoder header = new MessageHeaderDecoder();
        switch (header.wrap(buffer, 0).templateId())
        {
            case AcceptedDecoder.TEMPLATE_ID ->
            {
                final AcceptedDecoder accepted = new AcceptedDecoder().wrapAndApplyHeader(buffer, 0, header);
                return "accepted " + accepted.clientOrderId() + " as " + accepted.orderId() + " " + accepted.price() +
                    " x " + accepted.quantity() + " " + accepted.side();
            }
            case FilledDecoder.TEMPLATE_ID ->
            {
                final FilledDecoder filled = new FilledDecoder().wrapAndApplyHeader(buffer, 0, header);
                final String text = filled.tradeId() + ": order " + filled.orderId() + " " + filled.price() + " x " +
                    filled.quantity();
                return text + " rest " + filled.remaining() + " " + filled.side();
            }
            case CancelledDecoder.TEMPLATE_ID ->
            {
                final CancelledDecoder cancelled = new CancelledDecoder().wrapAndApplyHeader(buffer, 0, header);
                return "cancelled " + cancelled.orderId() + " x " + cancelled.quantity();
            }
            case ExecutedDecoder.TEMPLATE_ID ->
            {
                final ExecutedDecoder executed = new ExecutedDecoder().wrapAndApplyHeader(buffer, 0, header);
                return "executed " + executed.clientOrderId() + " " + Long.toHexString(executed.window());
            }
            case TopDecoder.TEMPLATE_ID ->
            {
                final TopDecoder top = new TopDecoder().wrapAndApplyHeader(buffer, 0, header);
                return "top " + top.bidPrice() + " x " + top.bidQuantity() + ", " + top.askPrice() + " x " +
                    top.askQuantity() + ", last " + top.lastPrice() + ", trades " + top.trades() + ", booked " +
                    top.booked() + ", volume " + top.volume();
            }
            default ->
            {
                throw new AssertionError("template " + header.templateId());
            }
        }
    }
}
