package io.escapement.gateway;

import io.escapement.codecs.PlayerMessages;
import io.escapement.codecs.player.CloseCode;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.websocketx.WebSocketDecoderConfig;
import io.netty.handler.codec.http.websocketx.WebSocketHandshakeException;
import io.netty.handler.codec.http.websocketx.WebSocketServerHandshaker13;
import io.netty.handler.flow.FlowControlHandler;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * Answers a connection's HTTP requests: pages, health, and the upgrade to a WebSocket, with which it leaves. A
 * connection has one answer at a time: until that is taken, no other request is read or handled.
 */
final class WebHandler extends SimpleChannelInboundHandler<FullHttpRequest>
{
    private static final WebSocketDecoderConfig DECODER = WebSocketDecoderConfig.newBuilder()
        .maxFramePayloadLength(PlayerMessages.MAX_REQUEST_LENGTH)
        .expectMaskedFrames(true)
        .allowExtensions(false)
        .allowMaskMismatch(false)
        .closeOnProtocolViolation(false)
        .withUTF8Validator(false)
        .build();
    /** A page with all its files is a dozen requests. */
    static final int REQUEST_LIMIT = 100;
    /** All requests of a connection together may take as long as this many handshakes. */
    static final int HANDSHAKES = 12;
    /** Netty has no constant for it. */
    private static final String FORWARDED_FOR = "x-forwarded-for";
    private static final String IMMUTABLE = "public, max-age=31536000, immutable";
    private static final Pattern GZIP = Pattern.compile(
        "(?:^|.*,)\\s*gzip\\s*(?:;\\s*q=(?!0(?:\\.0*)?\\s*(?:,|$)).*|,.*)?", Pattern.CASE_INSENSITIVE);

    private final GatewayContext context;
    private final GatewayCounters counters;
    private final Sessions sessions;
    private final StaticFiles files;
    private final Newcomer client;
    /** For the next request, or for the Hello after it. */
    private long deadlineNs;
    /** For the last answer to be taken. */
    private long endNs;
    private int requests;
    private boolean isAnswering;
    private boolean isUpgraded;
    private Future<?> watching;
    /** Of a long answer, which has its own time limit. */
    private Download download;
    private long downloadNs;
    /** For the next chunk of the download to be taken. */
    private long chunkNs;

    WebHandler(
        final GatewayContext context,
        final GatewayCounters counters,
        final Sessions sessions,
        final StaticFiles files,
        final Newcomer client)
    {
        this.context = context;
        this.counters = counters;
        this.sessions = sessions;
        this.files = files;
        this.client = client;
    }

    /** The connection was accepted just now. */
    @Override
    public void handlerAdded(final ChannelHandlerContext channel)
    {
        awaitRequest();
        endNs = context.clock().nanoTime() + HANDSHAKES * context.limits().handshakeNs();
    }

    @Override
    public void channelActive(final ChannelHandlerContext channel)
    {
        watch(channel);
        channel.fireChannelActive();
    }

    private void awaitRequest()
    {
        deadlineNs = context.clock().nanoTime() + context.limits().handshakeNs();
    }

    /** Close a connection that has sent no request in time, or not taken its answers. */
    private void watch(final ChannelHandlerContext channel)
    {
        if (null != watching)
        {
            watching.cancel(false);
        }
        if (isUpgraded || !channel.channel().isActive())
        {
            return;
        }
        final long nowNs = context.clock().nanoTime();
        final long waitNs = null != download ? chunkNs - nowNs :
            isAnswering ? endNs - nowNs : Math.min(deadlineNs - nowNs, endNs - nowNs);
        if (waitNs <= 0)
        {
            counters.increment(GatewayCounter.CLOSED_HANDSHAKE_TIMEOUT);
            channel.close();
            return;
        }
        watching = channel.executor().schedule(() -> watch(channel), waitNs, TimeUnit.NANOSECONDS);
    }

    @Override
    protected void channelRead0(final ChannelHandlerContext channel, final FullHttpRequest request)
    {
        if (isUpgraded)
        {
            return;
        }
        requests++;
        counters.increment(GatewayCounter.REQUESTS);
        final String uri = request.uri();
        final int query = uri.indexOf('?');
        final String path = query < 0 ? uri : uri.substring(0, query);
        if (request.decoderResult().isFailure())
        {
            refuse(channel, request, HttpResponseStatus.BAD_REQUEST);
        }
        else if (HttpMethod.GET != request.method() && HttpMethod.HEAD != request.method())
        {
            refuse(channel, request, HttpResponseStatus.METHOD_NOT_ALLOWED);
        }
        else if (request.headers().containsValue(HttpHeaderNames.UPGRADE, HttpHeaderValues.WEBSOCKET, true))
        {
            upgrade(channel, request);
        }
        else if (client.isOverLimit())
        {
            refuse(channel, request, HttpResponseStatus.SERVICE_UNAVAILABLE);
        }
        else if ("/health".equals(path))
        {
            text(channel, request, HttpResponseStatus.OK, "ok\n");
        }
        else if ("/ready".equals(path))
        {
            final boolean isReady = sessions.isReady();
            text(channel, request, isReady ? HttpResponseStatus.OK : HttpResponseStatus.SERVICE_UNAVAILABLE,
                isReady ? "ready\n" : "no trunk to the engine, or stopping\n");
        }
        else if (!content(channel, request, path))
        {
            // The request's body is released when this returns, its head is not.
            if (!files.find(path, channel.executor(), (file) -> page(channel, request, file)))
            {
                pause(channel);
            }
        }
    }

    /** Answer with the application's bytes for a path. Returns false if the application serves no bytes there. */
    private boolean content(final ChannelHandlerContext channel, final FullHttpRequest request, final String path)
    {
        for (final Map.Entry<String, ContentSource> content : context.contents().entrySet())
        {
            if (path.startsWith(content.getKey()))
            {
                final String rest = path.substring(content.getKey().length());
                if (rest.length() > ContentSource.MAX_PATH_LENGTH || !StaticFiles.isPlain(path))
                {
                    refuse(channel, request, HttpResponseStatus.NOT_FOUND);
                    return true;
                }
                pause(channel);
                ask(content.getValue(), rest).whenComplete((bytes, failure) ->
                {
                    try
                    {
                        channel.executor().execute(() -> content(channel, request, bytes, failure));
                    }
                    catch (final RejectedExecutionException ignored)
                    {
                        // The worker stops, and with it the connection.
                    }
                });
                return true;
            }
        }
        return false;
    }

    private static CompletableFuture<byte[]> ask(final ContentSource source, final String path)
    {
        try
        {
            return source.get(path);
        }
        catch (final RuntimeException ex)
        {
            return CompletableFuture.failedFuture(ex);
        }
    }

    private void content(
        final ChannelHandlerContext channel, final FullHttpRequest request, final byte[] bytes, final Throwable failure)
    {
        if (null == failure && (null == bytes || bytes.length <= ContentSource.MAX_LENGTH))
        {
            page(channel, request, null == bytes ? null : StaticFiles.made(bytes));
        }
        else if (channel.channel().isActive())
        {
            final String reason = failure instanceof ContentSource.Unavailable ? failure.getMessage() :
                HttpResponseStatus.SERVICE_UNAVAILABLE.reasonPhrase();
            counters.increment(GatewayCounter.REQUESTS_REFUSED);
            text(channel, request, HttpResponseStatus.SERVICE_UNAVAILABLE, reason + "\n");
        }
    }

    private void page(final ChannelHandlerContext channel, final FullHttpRequest request, final StaticFiles.File file)
    {
        if (!channel.channel().isActive())
        {
            return;
        }
        if (null == file)
        {
            refuse(channel, request, HttpResponseStatus.NOT_FOUND);
            return;
        }
        final boolean isGzip = null != file.gzip() &&
            GZIP.matcher(String.join(",", request.headers().getAll(HttpHeaderNames.ACCEPT_ENCODING))).matches();
        final StaticFiles.Body body = isGzip ? file.gzip() : file.plain();
        final String known = String.join(",", request.headers().getAll(HttpHeaderNames.IF_NONE_MATCH));
        // No tag has a quote inside of it.
        final boolean isKnown = known.contains(body.tag()) || "*".equals(known.strip());
        final boolean isHead = HttpMethod.HEAD == request.method();
        final boolean isWhole = isKnown || isHead || null != body.bytes() && body.length() <= Download.CHUNK;
        final HttpResponseStatus status = isKnown ? HttpResponseStatus.NOT_MODIFIED : HttpResponseStatus.OK;
        final HttpResponse response;
        if (isWhole)
        {
            response = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status, isKnown || isHead ?
                Unpooled.EMPTY_BUFFER : Unpooled.wrappedBuffer(body.bytes().duplicate()));
        }
        else
        {
            try
            {
                download = new Download(channel, body, () -> onChunkTaken(channel));
            }
            catch (final IOException ex)
            {
                refuse(channel, request, HttpResponseStatus.SERVICE_UNAVAILABLE);
                return;
            }
            response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, status);
        }
        final HttpHeaders head = response.headers().set(HttpHeaderNames.ETAG, body.tag())
            .set(HttpHeaderNames.CACHE_CONTROL, file.isImmutable() ? IMMUTABLE : HttpHeaderValues.NO_CACHE);
        if (!isKnown)
        {
            head.set(HttpHeaderNames.CONTENT_TYPE, file.contentType())
                .set(HttpHeaderNames.CONTENT_LENGTH, body.length());
        }
        if (null != file.gzip())
        {
            head.set(HttpHeaderNames.VARY, HttpHeaderNames.ACCEPT_ENCODING);
        }
        if (isGzip && !isKnown)
        {
            head.set(HttpHeaderNames.CONTENT_ENCODING, HttpHeaderValues.GZIP);
        }
        respond(channel, request, response);
    }

    private ChannelFuture start(final ChannelHandlerContext channel)
    {
        downloadNs = context.clock().nanoTime();
        chunkNs = downloadNs + context.limits().slowNs();
        watch(channel);
        return download.start();
    }

    private void onChunkTaken(final ChannelHandlerContext channel)
    {
        final long nowNs = context.clock().nanoTime();
        chunkNs = nowNs + context.limits().slowNs();
        if (download.isDone())
        {
            endNs += nowNs - downloadNs;
            stopDownload();
        }
    }

    private void stopDownload()
    {
        if (null != download)
        {
            download.close();
            download = null;
        }
    }

    /** The connection is gone, or a WebSocket. */
    @Override
    public void handlerRemoved(final ChannelHandlerContext channel)
    {
        stopDownload();
    }

    private void upgrade(final ChannelHandlerContext channel, final FullHttpRequest request)
    {
        final UpgradeHead head = new UpgradeHead(request.headers(), context, counters);
        final HttpResponseStatus refusal =
            HttpMethod.GET == request.method() ? head.refusal() : HttpResponseStatus.BAD_REQUEST;
        if (null != refusal)
        {
            refuse(channel, request, refusal);
            return;
        }
        if (null != client.proxy() && !isForwarded(channel, request))
        {
            return;
        }
        showToken(head.resumeToken());
        final WebSocketLink link = new WebSocketLink(channel.channel(), client, context.errorHandler());
        final ChannelFuture done;
        try
        {
            done = new WebSocketServerHandshaker13(null, PlayerMessages.SUBPROTOCOL, DECODER)
                .handshake(channel.channel(), request);
        }
        catch (final WebSocketHandshakeException ex)
        {
            refuse(channel, request, HttpResponseStatus.BAD_REQUEST);
            return;
        }
        isUpgraded = true;
        final boolean isFull = client.isOverLimit();
        final PlayerConnection connection =
            sessions.accept(link, client.address(), deadlineNs - endNs < 0 ? deadlineNs : endNs);
        link.connection(connection);
        channel.pipeline().addLast(link);
        channel.pipeline().remove(FlowControlHandler.class);
        channel.pipeline().remove(this);
        if (isFull)
        {
            // A browser's script sees no status of HTTP, but this code.
            connection.close(CloseCode.FULL);
        }
        done.addListener((future) ->
        {
            if (!future.isSuccess())
            {
                channel.close();
            }
        });
    }

    /** A token that no session has is of no use. */
    private void showToken(final String token)
    {
        final PlayerSession session = null == token ? null : sessions.tokens().find(token);
        if (null != session)
        {
            client.welcomeBack(session);
        }
        else if (null != token)
        {
            counters.increment(GatewayCounter.RESUME_TOKENS_UNKNOWN);
        }
    }

    /** Count the player of a proxy for the address that it names. Its pages are fetched in the name of many. */
    private boolean isForwarded(final ChannelHandlerContext channel, final FullHttpRequest request)
    {
        final InetAddress address =
            context.proxies().clientOf(request.headers().getAll(FORWARDED_FOR), client.proxy());
        if (null == address)
        {
            counters.increment(GatewayCounter.PROXY_HEADERS_REFUSED);
            refuse(channel, request, HttpResponseStatus.BAD_REQUEST);
            return false;
        }
        if (!client.count(address))
        {
            refuse(channel, request, HttpResponseStatus.TOO_MANY_REQUESTS);
            return false;
        }
        return true;
    }

    private void refuse(
        final ChannelHandlerContext channel, final FullHttpRequest request, final HttpResponseStatus status)
    {
        counters.increment(GatewayCounter.REQUESTS_REFUSED);
        text(channel, request, status, status.reasonPhrase() + (HttpResponseStatus.MISDIRECTED_REQUEST == status ?
            ": name this host with allowHost, --web-allow-host of the server\n" : "\n"));
    }

    private void text(
        final ChannelHandlerContext channel,
        final FullHttpRequest request,
        final HttpResponseStatus status,
        final String body)
    {
        final ByteBuf bytes = Unpooled.copiedBuffer(body, StandardCharsets.US_ASCII);
        final int length = bytes.readableBytes();
        final HttpResponse response = new DefaultFullHttpResponse(
            HttpVersion.HTTP_1_1, status, HttpMethod.HEAD == request.method() ? Unpooled.EMPTY_BUFFER : bytes);
        response.headers()
            .set(HttpHeaderNames.CONTENT_TYPE, "text/plain; charset=utf-8")
            .setInt(HttpHeaderNames.CONTENT_LENGTH, length)
            .set(HttpHeaderNames.CACHE_CONTROL, HttpHeaderValues.NO_CACHE);
        if (HttpResponseStatus.UPGRADE_REQUIRED == status)
        {
            response.headers().set(HttpHeaderNames.SEC_WEBSOCKET_VERSION, UpgradeHead.VERSION);
        }
        respond(channel, request, response);
    }

    private void respond(
        final ChannelHandlerContext channel, final FullHttpRequest request, final HttpResponse response)
    {
        final boolean isKept = HttpUtil.isKeepAlive(request) && requests < REQUEST_LIMIT &&
            response.status().code() < HttpResponseStatus.BAD_REQUEST.code();
        response.headers()
            .set(HttpHeaderNames.CONTENT_SECURITY_POLICY, context.contentSecurityPolicy())
            .set("x-content-type-options", "nosniff")
            .set("referrer-policy", "no-referrer")
            .set(HttpHeaderNames.CONNECTION, isKept ? HttpHeaderValues.KEEP_ALIVE : HttpHeaderValues.CLOSE);
        final ChannelFuture written;
        if (null == download)
        {
            written = channel.writeAndFlush(response);
        }
        else
        {
            channel.write(response);
            written = start(channel);
        }
        if (isKept && !isAnswering && written.isDone())
        {
            awaitRequest();
            return;
        }
        pause(channel);
        written.addListener((future) ->
        {
            if (!isKept)
            {
                channel.close();
            }
            else if (future.isSuccess())
            {
                readOn(channel);
            }
        });
    }

    /** Neither read nor handle another request. */
    private void pause(final ChannelHandlerContext channel)
    {
        isAnswering = true;
        channel.channel().config().setAutoRead(false);
    }

    /** The answer is taken: handle the next request. */
    private void readOn(final ChannelHandlerContext channel)
    {
        isAnswering = false;
        awaitRequest();
        watch(channel);
        channel.channel().config().setAutoRead(true);
    }

    @Override
    public void exceptionCaught(final ChannelHandlerContext channel, final Throwable cause)
    {
        channel.close();
    }
}
