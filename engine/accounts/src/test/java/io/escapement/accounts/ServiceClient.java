package io.escapement.accounts;

import io.escapement.accounts.codec.AccountsEncoder;
import io.escapement.accounts.codec.CharacterCreatedDecoder;
import io.escapement.accounts.codec.CharacterListDecoder;
import io.escapement.accounts.codec.LeaderListDecoder;
import io.escapement.accounts.codec.MessageHeaderDecoder;
import io.escapement.codecs.RoomCommands;
import io.escapement.engine.spi.AsyncService;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Calls a worker of the account service as the engine does. Not thread safe. */
final class ServiceClient
{
    /** An entry of a character list. */
    record Listed(long id, int kills, int deaths, int mapId, double x, double y, String name)
    {
    }

    private final AccountService service;
    private final AccountsEncoder encoder = new AccountsEncoder();
    private final UnsafeBuffer out = new UnsafeBuffer(new byte[RoomCommands.MAX_PAYLOAD_LENGTH]);
    private final UnsafeBuffer in = new UnsafeBuffer(new byte[RoomCommands.MAX_PAYLOAD_LENGTH]);

    ServiceClient(final Accounts accounts)
    {
        service = (AccountService)accounts.service();
    }

    /** Returns the id of the new character, or the complement of a status. */
    long create(final long accountId, final long keyHigh, final long keyLow, final String name)
    {
        final int result = request(accountId, encoder.createCharacter(
            out, 0, keyHigh, keyLow, name.getBytes(StandardCharsets.UTF_8)));
        return result < 0 ? result : new CharacterCreatedDecoder()
            .wrapAndApplyHeader(in, 0, new MessageHeaderDecoder()).characterId();
    }

    int delete(final long accountId, final long keyHigh, final long keyLow, final long characterId)
    {
        return request(accountId, encoder.deleteCharacter(out, 0, keyHigh, keyLow, characterId));
    }

    int save(final long accountId, final long keyHigh, final long keyLow, final long characterId, final int kills)
    {
        return request(accountId, encoder.saveProgress(
            out, 0, keyHigh, keyLow, characterId, kills + 0.5, -kills, kills, 1, 3));
    }

    /** Null if the request is refused. */
    List<Listed> list(final long accountId)
    {
        final int result = request(accountId, encoder.listCharacters(out, 0));
        if (result < 0)
        {
            return null;
        }
        final List<Listed> all = new ArrayList<>();
        for (final CharacterListDecoder.CharactersDecoder next :
            new CharacterListDecoder().wrapAndApplyHeader(in, 0, new MessageHeaderDecoder()).characters())
        {
            // The name must be read last, because it follows the fixed fields.
            all.add(new Listed(next.characterId(), next.kills(), next.deaths(), next.mapId(), next.x(), next.y(),
                next.name()));
        }
        return all;
    }

    /** The place of the account's best character, and the name and kills of each leader. */
    List<String> leaders(final long accountId)
    {
        final int result = request(accountId, encoder.listLeaders(out, 0));
        if (result < 0)
        {
            return null;
        }
        final LeaderListDecoder list = new LeaderListDecoder().wrapAndApplyHeader(in, 0, new MessageHeaderDecoder());
        final List<String> all = new ArrayList<>(List.of("place " + list.place()));
        for (final LeaderListDecoder.LeadersDecoder next : list.leaders())
        {
            final int kills = next.kills();
            all.add(next.name() + ' ' + kills);
        }
        return all;
    }

    /** Prune as the saver thread does at an interval. */
    int prune()
    {
        try
        {
            return service.prune();
        }
        catch (final DatabaseDownException ex)
        {
            throw new IllegalStateException(ex);
        }
    }

    int request(final byte[] bytes, final int length)
    {
        out.putBytes(0, bytes, 0, length);
        return request(1, length);
    }

    private int request(final long accountId, final int length)
    {
        return service.onRequest(new AsyncService.Request()
        {
            @Override
            public long orderKey()
            {
                return accountId;
            }

            @Override
            public DirectBuffer buffer()
            {
                return out;
            }

            @Override
            public int offset()
            {
                return 0;
            }

            @Override
            public int length()
            {
                return length;
            }

            @Override
            public MutableDirectBuffer reply()
            {
                return in;
            }
        });
    }
}
