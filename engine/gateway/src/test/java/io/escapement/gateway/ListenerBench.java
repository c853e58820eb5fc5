package io.escapement.gateway;

/** A worker's sockets and sessions, turned by the test, before an engine in memory. */
final class ListenerBench implements AutoCloseable
{
    final GatewayCounters counters = new GatewayCounters();
    final GatewayContext context;
    final Listener listener;
    final Sessions sessions;
    final int port;

    ListenerBench(final GatewayContext options, final ClassLoader pages, final String index)
    {
        context = options.udp("127.0.0.1:1", "127.0.0.1:2").secret(new byte[16]).conclude();
        final GatewayLimits limits = context.limits();
        final AddressLimits addresses = new AddressLimits(
            limits.addressLimit(), limits.addressRate(), limits.logInRate(), 1_024, context.random());
        final Certificates certificates = context.certificates();
        final StaticFiles files = new StaticFiles(pages, context.files(), index, Runnable::run);
        listener = new Listener(context, counters, addresses, certificates, files);
        sessions = new Sessions(
            context, counters, addresses, listener.sharedMessage(), new ResumeTokens(), Workers.ALONE);
        final FakeEngine engine = new FakeEngine();
        engine.listener = sessions;
        sessions.upstream(engine);
        sessions.onUp(false);
        port = listener.listen(sessions, 0);
    }

    void turn()
    {
        sessions.beginTurn();
        listener.poll();
        sessions.endTurn();
    }

    @Override
    public void close()
    {
        listener.close();
    }
}
