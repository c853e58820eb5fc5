package io.escapement.accounts;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;

/** Stands between workers and pool, and fails when it is told to. */
final class FaultySource
{
    volatile boolean isDown;
    volatile CountDownLatch gate = new CountDownLatch(0);
    /** Commits that are to go well before the next one fails. */
    final AtomicInteger goodCommits = new AtomicInteger();
    /** Commits whose answer is to be lost: they take effect. */
    final AtomicInteger lostAnswers = new AtomicInteger();
    /** Commits that are to fail: they take none. */
    final AtomicInteger lostCommits = new AtomicInteger();
    /** Commits whose answer is lost and that take effect only while the next try is under way. */
    final AtomicInteger lateCommits = new AtomicInteger();
    final AtomicInteger connections = new AtomicInteger();
    /** How often somebody came while it was down. */
    final AtomicInteger refusals = new AtomicInteger();

    DataSource wrap(final DataSource pool)
    {
        return (DataSource)Proxy.newProxyInstance(FaultySource.class.getClassLoader(), new Class<?>[]{DataSource.class},
            (proxy, method, args) ->
            {
                connections.incrementAndGet();
                gate.await();
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
                if ("commit".equals(method.getName()) && !took(goodCommits))
                {
                    if (took(lostCommits))
                    {
                        real.rollback();
                        throw new SQLException("the commit was lost, s3cret-driver", "08006");
                    }
                    if (took(lateCommits))
                    {
                        isLate.set(true);
                        commitLater(real);
                        throw new SQLException("the answer was lost, s3cret-driver", "08006");
                    }
                    call(method, real, args);
                    if (took(lostAnswers))
                    {
                        throw new SQLException("the answer was lost, s3cret-driver", "08006");
                    }
                    return null;
                }
                return call(method, real, args);
            });
    }

    /** As a server does that stood still when it was told to commit. */
    private void commitLater(final Connection real)
    {
        final int now = connections.get();
        new Thread(() ->
        {
            Tests.await(() -> connections.get() > now, "the next try");
            // That try waits for a lock of this one, or is about to: nothing tells from outside.
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
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
            throw new SQLException("the database is away, s3cret-driver", "08001");
        }
    }

    private static boolean took(final AtomicInteger count)
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
