package io.escapement.accounts;

import io.escapement.testsupport.Tests;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;

/** Injects faults between the workers and the pool. */
final class FaultySource
{
    volatile boolean isDown;
    volatile CountDownLatch gate = new CountDownLatch(0);
    /** First letters of the names of threads that wait at the gate: all by default. */
    volatile String gatedThreads = "";
    /** Commits that succeed before the next injected fault. */
    final AtomicInteger goodCommits = new AtomicInteger();
    /** Commits that take effect, but whose acknowledgement is lost. */
    final AtomicInteger lostAnswers = new AtomicInteger();
    /** Commits that fail without effect. */
    final AtomicInteger lostCommits = new AtomicInteger();
    /** Commits whose acknowledgement is lost and that take effect during the next attempt. */
    final AtomicInteger lateCommits = new AtomicInteger();
    final AtomicInteger connections = new AtomicInteger();
    /** Connection attempts while it was down. */
    final AtomicInteger refusals = new AtomicInteger();

    DataSource wrap(final DataSource pool)
    {
        return (DataSource)Proxy.newProxyInstance(FaultySource.class.getClassLoader(), new Class<?>[]{DataSource.class},
            (proxy, method, args) ->
            {
                connections.incrementAndGet();
                if (Thread.currentThread().getName().startsWith(gatedThreads))
                {
                    gate.await();
                }
                checkUp();
                return connection((Connection)call(method, pool, args));
            });
    }

    private Connection connection(final Connection real)
    {
        final AtomicBoolean isLate = new AtomicBoolean();
        return (Connection)Proxy.newProxyInstance(FaultySource.class.getClassLoader(), new Class<?>[]{Connection.class},
            (proxy, method, args) ->
            {
                if ("close".equals(method.getName()))
                {
                    return isLate.get() ? null : call(method, real, args);
                }
                checkUp();
                if ("commit".equals(method.getName()) && !consume(goodCommits))
                {
                    if (consume(lostCommits))
                    {
                        real.rollback();
                        throw new SQLException("the commit was lost, s3cret-driver", "08006");
                    }
                    if (consume(lateCommits))
                    {
                        isLate.set(true);
                        commitLater(real);
                        throw new SQLException("the acknowledgement was lost, s3cret-driver", "08006");
                    }
                    call(method, real, args);
                    if (consume(lostAnswers))
                    {
                        throw new SQLException("the acknowledgement was lost, s3cret-driver", "08006");
                    }
                    return null;
                }
                return call(method, real, args);
            });
    }

    /** Simulates a server that froze while it received the commit. */
    private void commitLater(final Connection real)
    {
        final int now = connections.get();
        new Thread(() ->
        {
            Tests.await(() -> connections.get() > now, "the next attempt");
            // That attempt waits for a lock of this transaction, or finds it committed.
            try
            {
                real.commit();
                real.close();
            }
            catch (final SQLException ex)
            {
                throw new IllegalStateException(ex);
            }
        }, "late commit").start();
    }

    private void checkUp() throws SQLException
    {
        if (isDown)
        {
            refusals.incrementAndGet();
            throw new SQLException("the database is down, s3cret-driver", "08001");
        }
    }

    private static boolean consume(final AtomicInteger count)
    {
        return count.getAndUpdate((left) -> Math.max(0, left - 1)) > 0;
    }

    private static Object call(final Method method, final Object target, final Object[] args) throws Throwable
    {
        try
        {
            return method.invoke(target, args);
        }
        catch (final InvocationTargetException ex)
        {
            throw ex.getCause();
        }
    }
}
