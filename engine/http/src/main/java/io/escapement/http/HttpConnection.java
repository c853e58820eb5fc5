package io.escapement.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.netty.handler.flow.FlowControlHandler;
import io.netty.util.concurrent.Future;
import java.io.ByteArrayOutputStream;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * A client's connection. It has one request at a time, and each wait has a deadline. A silent connection costs a timer.
 */
final class HttpConnection extends SimpleChannelInboundHandler<HttpObject> implements HttpStream
{
    /** Request line, and all headers: a browser's fit four times. */
    static final int HEAD_LENGTH = 8 * 1_024;
    /** An operation of the console has a few short values. */
    static final int BODY_LENGTH = 1_024;
    /** Requests of a connection. A client connects afresh after them. */
    static final int REQUEST_LIMIT = 1_000;
    /** From the connection, or a later request's first byte, to the request's last byte. */
    static final long REQUEST_NS = TimeUnit.SECONDS.toNanos(10);
    /** Between requests. A scraper asks every 15 s to 60 s. */
    static final long IDLE_NS = TimeUnit.SECONDS.toNanos(75);
    /** For a worker's answer. A worker that hangs has no connection any more. */
    static final long WORK_NS = TimeUnit.SECONDS.toNanos(30);
    /** For an answer, or bytes of a stream, to be taken. */
    static final long ANSWER_NS = TimeUnit.SECONDS.toNanos(10);
    /** For all requests of a connection, streams excepted. */
    static final long AGE_NS = TimeUnit.MINUTES.toNanos(10);
    /** For the client to read the last answer. A socket that is closed with unread bytes would take it back. */
    static final long LEAVE_NS = TimeUnit.SECONDS.toNanos(1);

    private static final System.Logger LOGGER = System.getLogger("io.escapement.http");
    private static final String RETRY_SECONDS = "1";

    private enum State
    {
        /** For a whole request. */
        WAITING,
        /** For a worker's answer. */
        WORKING,
        /** For the client to take the answer. */
        ANSWERING,
        STREAMING,
        /** For the client to read the last answer. */
        LEAVING
    }

    private final HttpHandler handler;
    private final Executor workers;
    private final HttpConnections connections;
    private final InetAddress address;
    private final int port;
    private final ByteBuffer source;
    private final ByteArrayOutputStream body = new ByteArrayOutputStream(0);
    private ChannelHandlerContext channel;
    private io.netty.handler.codec.http.HttpRequest head;
    private Future<?> deadline;
    private Future<?> end;
    private State state = State.WAITING;
    private int requests;
    private boolean hasBytes;
    private boolean isOld;
    private boolean isWriting;

    HttpConnection(
        final HttpHandler handler,
        final Executor workers,
        final HttpConnections connections,
        final InetAddress address,
        final int port)
    {
        this.handler = handler;
        this.workers = workers;
        this.connections = connections;
        this.address = address;
        this.port = port;
        source = HttpConnections.sourceOf(address);
    }

    /** Add what decodes requests, and this connection. */
    void addTo(final ChannelPipeline pipeline)
    {
        pipeline.addLast(
            new ChannelInboundHandlerAdapter()
            {
                @Override
                public void channelRead(final ChannelHandlerContext context, final Object message)
                {
                    onBytes();
                    context.fireChannelRead(message);
                }
            },
            new HttpServerCodec(new HttpDecoderConfig().setMaxInitialLineLength(HEAD_LENGTH)
                .setMaxHeaderSize(HEAD_LENGTH).setMaxChunkSize(BODY_LENGTH)),
            // Requests of one packet wait here until the answer before theirs is taken.
            new FlowControlHandler(),
            this);
    }

    ByteBuffer source()
    {
        return source;
    }

    /** Whether the server only loses a wait for the client when it closes this connection. */
    boolean isWaiting()
    {
        return State.WORKING != state && State.STREAMING != state;
    }

    void close()
    {
        channel.close();
    }

    @Override
    public void handlerAdded(final ChannelHandlerContext context)
    {
        channel = context;
    }

    @Override
    public void channelActive(final ChannelHandlerContext context)
    {
        if (!connections.admit(this))
        {
            close();
            return;
        }
        expireIn(REQUEST_NS);
        end = channel.executor().schedule(this::age, AGE_NS, TimeUnit.NANOSECONDS);
    }

    @Override
    public void channelInactive(final ChannelHandlerContext context)
    {
        connections.remove(this);
        if (null != end)
        {
            end.cancel(false);
            deadline.cancel(false);
        }
    }

    private void onBytes()
    {
        if (State.WAITING == state && !hasBytes)
        {
            hasBytes = true;
            if (requests > 0)
            {
                expireIn(REQUEST_NS);
            }
        }
    }

    private void expireIn(final long ns)
    {
        if (null != deadline)
        {
            deadline.cancel(false);
        }
        deadline = channel.executor().schedule(this::expire, ns, TimeUnit.NANOSECONDS);
    }

    private void expire()
    {
        if (State.WAITING == state && hasBytes)
        {
            refuse(HttpResponseStatus.REQUEST_TIMEOUT);
        }
        else
        {
            close();
        }
    }

    private void age()
    {
        isOld = true;
        if (State.WAITING == state)
        {
            expire();
        }
    }

    @Override
    protected void channelRead0(final ChannelHandlerContext context, final HttpObject message)
    {
        if (State.STREAMING == state)
        {
            // The client of a stream has no further requests.
            close();
        }
        if (State.WAITING != state)
        {
            return;
        }
        if (message.decoderResult().isFailure())
        {
            refuse(statusOf(message.decoderResult().cause()));
            return;
        }
        if (message instanceof io.netty.handler.codec.http.HttpRequest next)
        {
            head = next;
            if (HttpUtil.getContentLength(head, 0L) > BODY_LENGTH)
            {
                refuse(HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE);
                return;
            }
            if (HttpUtil.is100ContinueExpected(head))
            {
                channel.writeAndFlush(new DefaultFullHttpResponse(
                    HttpVersion.HTTP_1_1, HttpResponseStatus.CONTINUE, Unpooled.EMPTY_BUFFER));
            }
        }
        if (message instanceof HttpContent part)
        {
            addToBody(part.content());
        }
        if (message instanceof LastHttpContent && State.WAITING == state)
        {
            handle(request());
        }
    }

    private HttpRequest request()
    {
        final String[] target = head.uri().split("\\?", 2);
        final Map<String, String> valueByHeaderMap = new HashMap<>();
        head.headers().forEach((header) -> valueByHeaderMap.merge(
            header.getKey().toLowerCase(Locale.ROOT), header.getValue(), (first, next) -> first + ", " + next));
        return new HttpRequest(head.method().name(), target[0], target.length > 1 ? target[1] : "",
            valueByHeaderMap, body.toByteArray(), address, port);
    }

    private static HttpResponseStatus statusOf(final Throwable fault)
    {
        if (fault instanceof TooLongHttpLineException)
        {
            return HttpResponseStatus.REQUEST_URI_TOO_LONG;
        }
        return fault instanceof TooLongHttpHeaderException ?
            HttpResponseStatus.REQUEST_HEADER_FIELDS_TOO_LARGE : HttpResponseStatus.BAD_REQUEST;
    }

    private void addToBody(final ByteBuf bytes)
    {
        if (body.size() + bytes.readableBytes() > BODY_LENGTH)
        {
            refuse(HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE);
            return;
        }
        body.writeBytes(ByteBufUtil.getBytes(bytes));
    }

    private void handle(final HttpRequest request)
    {
        requests++;
        body.reset();
        expireIn(WORK_NS);
        state = State.WORKING;
        HttpAnswer answer = handler.methods().contains(request.method()) ?
            ask(true, request) : error(new HttpError(HttpError.METHOD, "use " + methods()));
        if (null == answer)
        {
            channel.channel().config().setAutoRead(false);
            try
            {
                workers.execute(() -> work(request));
                return;
            }
            catch (final RejectedExecutionException ex)
            {
                answer = error(new HttpError(HttpError.BUSY, "too many requests wait"));
            }
        }
        answer(answer);
    }

    /** In a worker. */
    private void work(final HttpRequest request)
    {
        if (channel.channel().isActive())
        {
            final HttpAnswer answer = ask(false, request);
            try
            {
                channel.executor().execute(() -> answer(answer));
            }
            catch (final RejectedExecutionException ex)
            {
                // The server is closed, and its connections with it.
            }
        }
    }

    private HttpAnswer ask(final boolean isNow, final HttpRequest request)
    {
        try
        {
            return isNow ? handler.answerNow(request) : handler.answer(request);
        }
        catch (final HttpError ex)
        {
            return error(ex);
        }
        catch (final RuntimeException ex)
        {
            LOGGER.log(System.Logger.Level.ERROR, "http: " + request.path(), ex);
            return HttpAnswer.text(HttpResponseStatus.INTERNAL_SERVER_ERROR.code(), "a fault, which is in the log");
        }
    }

    private HttpAnswer error(final HttpError error)
    {
        final HttpAnswer answer = HttpAnswer.text(error.status(), error.getMessage());
        if (HttpError.METHOD == error.status())
        {
            answer.header(HttpHeaderNames.ALLOW.toString(), methods());
        }
        if (HttpError.BUSY == error.status())
        {
            answer.header(HttpHeaderNames.RETRY_AFTER.toString(), RETRY_SECONDS);
        }
        return answer;
    }

    private String methods()
    {
        return String.join(", ", handler.methods());
    }

    /** Answer a request that is not whole, or no request. It is the last answer. */
    private void refuse(final HttpResponseStatus status)
    {
        send(HttpAnswer.text(status.code(), status.reasonPhrase()), false, false);
    }

    private void answer(final HttpAnswer answer)
    {
        if (!channel.channel().isActive())
        {
            return;
        }
        if (null != answer.opened())
        {
            stream(answer);
            return;
        }
        send(answer, HttpMethod.HEAD.equals(head.method()),
            !isOld && requests < REQUEST_LIMIT && HttpUtil.isKeepAlive(head));
    }

    private void send(final HttpAnswer answer, final boolean isHead, final boolean isKept)
    {
        state = State.ANSWERING;
        expireIn(ANSWER_NS);
        final HttpResponse response = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1,
            HttpResponseStatus.valueOf(answer.status()),
            isHead ? Unpooled.EMPTY_BUFFER : Unpooled.wrappedBuffer(answer.body()));
        setHeaders(response, answer);
        response.headers().setInt(HttpHeaderNames.CONTENT_LENGTH, answer.body().length)
            .set(HttpHeaderNames.CONNECTION, isKept ? HttpHeaderValues.KEEP_ALIVE : HttpHeaderValues.CLOSE);
        final ChannelFuture written = channel.writeAndFlush(response);
        if (written.isDone())
        {
            onTaken(isKept && written.isSuccess());
        }
        else
        {
            channel.channel().config().setAutoRead(false);
            written.addListener((future) -> onTaken(isKept && future.isSuccess()));
        }
    }

    /** The client, or the kernel, has the answer. */
    private void onTaken(final boolean isKept)
    {
        if (!channel.channel().isActive())
        {
            return;
        }
        hasBytes = false;
        state = isKept ? State.WAITING : State.LEAVING;
        expireIn(isKept ? IDLE_NS : LEAVE_NS);
        if (!isKept && channel.channel() instanceof DuplexChannel duplex)
        {
            duplex.shutdownOutput();
        }
        channel.channel().config().setAutoRead(true);
    }

    private void stream(final HttpAnswer answer)
    {
        final HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        setHeaders(response, answer);
        final boolean isChunked = HttpVersion.HTTP_1_1.equals(head.protocolVersion());
        HttpUtil.setTransferEncodingChunked(response, isChunked);
        response.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
        channel.writeAndFlush(response);
        deadline.cancel(false);
        state = State.STREAMING;
        answer.opened().accept(this);
    }

    @Override
    public void offer(final byte[] bytes, final long delayNs)
    {
        channel.executor().schedule(() -> write(bytes), delayNs, TimeUnit.NANOSECONDS);
    }

    private void write(final byte[] bytes)
    {
        if (isWriting || !channel.channel().isActive())
        {
            return;
        }
        isWriting = true;
        expireIn(ANSWER_NS);
        channel.writeAndFlush(new DefaultHttpContent(Unpooled.wrappedBuffer(bytes))).addListener((written) ->
        {
            isWriting = false;
            deadline.cancel(false);
        });
    }

    @Override
    public void onClose(final Runnable task)
    {
        channel.channel().closeFuture().addListener((closed) -> task.run());
    }

    private void setHeaders(final HttpResponse response, final HttpAnswer answer)
    {
        handler.headers().forEach(response.headers()::set);
        answer.headers().forEach(response.headers()::set);
    }

    @Override
    public void exceptionCaught(final ChannelHandlerContext context, final Throwable cause)
    {
        close();
    }
}
