package io.escapement.arena;

import io.escapement.accounts.AccountCode;
import io.escapement.accounts.codec.AccountsEncoder;
import io.escapement.accounts.codec.CharacterCreatedDecoder;
import io.escapement.accounts.codec.CharacterListDecoder;
import io.escapement.accounts.codec.LeaderListDecoder;
import io.escapement.accounts.codec.MessageHeaderDecoder;
import io.escapement.arena.codecs.ArenaCode;
import io.escapement.arena.common.CharacterAnswer;
import io.escapement.arena.common.CharacterProgress;
import io.escapement.arena.common.CharacterStore;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Characters in the accounts' database. Each loop encodes and decodes with flyweights of its thread. */
public final class DatabaseCharacters implements CharacterStore
{
    /** Id of the accounts' service in the engine. */
    public static final int SERVICE_ID = 1;

    private static final int MAX_NAME_LENGTH = 64;

    /** One for each loop, because the rooms of all loops share the store. */
    private final ThreadLocal<Codec> codecs = ThreadLocal.withInitial(Codec::new);

    @Override
    public int serviceId()
    {
        return SERVICE_ID;
    }

    @Override
    public int list(final MutableDirectBuffer to, final long accountId)
    {
        return codecs.get().requests.listCharacters(to, 0);
    }

    @Override
    public int create(
        final MutableDirectBuffer to,
        final long accountId,
        final long keyHigh,
        final long keyLow,
        final DirectBuffer name,
        final int offset,
        final int length)
    {
        return codecs.get().requests.createCharacter(to, 0, keyHigh, keyLow, name, offset, length);
    }

    @Override
    public int delete(
        final MutableDirectBuffer to,
        final long accountId,
        final long keyHigh,
        final long keyLow,
        final long characterId)
    {
        return codecs.get().requests.deleteCharacter(to, 0, keyHigh, keyLow, characterId);
    }

    @Override
    public int leaders(final MutableDirectBuffer to, final long accountId)
    {
        return codecs.get().requests.listLeaders(to, 0);
    }

    @Override
    public int save(final MutableDirectBuffer to, final long accountId, final CharacterProgress progress)
    {
        // Positions are not kept, because a player enters at a spawn.
        return codecs.get().requests.saveProgress(to, 0, progress.keyHigh(), progress.keyLow(),
            progress.characterId(), 0, 0, (int)progress.kills(), (int)progress.deaths(), 0);
    }

    @Override
    public int read(
        final int kind,
        final int status,
        final DirectBuffer buffer,
        final int offset,
        final int length,
        final CharacterAnswer answer)
    {
        answer.clear();
        if (0 != status)
        {
            return code(status).value();
        }
        codecs.get().read(kind, buffer, offset, answer);
        return 0;
    }

    private static ArenaCode code(final int status)
    {
        final AccountCode code = AccountCode.of(status);
        if (null == code)
        {
            return ArenaCode.CHARACTERS_UNAVAILABLE;
        }
        return switch (code)
        {
            case BAD_NAME -> ArenaCode.BAD_NAME;
            case NAME_TAKEN -> ArenaCode.NAME_TAKEN;
            case CHARACTER_LIMIT -> ArenaCode.TOO_MANY_CHARACTERS;
            case UNKNOWN_CHARACTER -> ArenaCode.UNKNOWN_CHARACTER;
            default -> ArenaCode.CHARACTERS_UNAVAILABLE;
        };
    }

    private static final class Codec
    {
        private final AccountsEncoder requests = new AccountsEncoder();
        private final MessageHeaderDecoder header = new MessageHeaderDecoder();
        private final CharacterListDecoder list = new CharacterListDecoder();
        private final LeaderListDecoder leaders = new LeaderListDecoder();
        private final CharacterCreatedDecoder created = new CharacterCreatedDecoder();
        private final UnsafeBuffer name = new UnsafeBuffer(new byte[MAX_NAME_LENGTH]);

        void read(final int kind, final DirectBuffer buffer, final int offset, final CharacterAnswer answer)
        {
            if (LIST == kind)
            {
                list.wrapAndApplyHeader(buffer, offset, header);
                for (final CharacterListDecoder.CharactersDecoder one : list.characters())
                {
                    final long characterId = one.characterId();
                    final int kills = one.kills();
                    final int deaths = one.deaths();
                    final int length = one.getName(name, 0, MAX_NAME_LENGTH);
                    answer.add(characterId, kills, deaths, name, 0, length);
                }
            }
            else if (LEADERS == kind)
            {
                leaders.wrapAndApplyHeader(buffer, offset, header);
                answer.place(leaders.place());
                for (final LeaderListDecoder.LeadersDecoder one : leaders.leaders())
                {
                    final long characterId = one.characterId();
                    final int kills = one.kills();
                    final int deaths = one.deaths();
                    final int length = one.getName(name, 0, MAX_NAME_LENGTH);
                    answer.add(characterId, kills, deaths, name, 0, length);
                }
            }
            else if (CREATE == kind)
            {
                created.wrapAndApplyHeader(buffer, offset, header);
                answer.add(created.characterId(), 0, 0, name, 0, 0);
            }
        }
    }
}
