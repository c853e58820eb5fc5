package io.escapement.driver;

import java.util.HashMap;
import java.util.Map;

/** Sets system properties for the duration of a test. */
final class SystemProperties
{
    private SystemProperties()
    {
    }

    static void with(final Map<String, String> valueByNameMap, final Runnable run)
    {
        final Map<String, String> before = new HashMap<>();
        try
        {
            valueByNameMap.forEach((name, value) -> before.put(name, System.setProperty(name, value)));
            run.run();
        }
        finally
        {
            before.forEach((name, value) ->
            {
                if (null == value)
                {
                    System.clearProperty(name);
                }
                else
                {
                    System.setProperty(name, value);
                }
            });
        }
    }
}
