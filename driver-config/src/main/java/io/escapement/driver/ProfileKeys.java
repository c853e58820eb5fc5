package io.escapement.driver;

import io.aeron.CommonContext;
import io.aeron.driver.Configuration;
import io.aeron.driver.MediaDriver.Context;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The Aeron settings that a profile may hold. Class names are excluded: an application sets its classes by setters,
 * which the compiler checks.
 */
final class ProfileKeys
{
    static final Map<String, ProfileKey<?>> BY_NAME_MAP =
        Stream.of(places(), threads(), memory(), network(), timeouts())
        .flatMap(Function.identity())
        .collect(Collectors.toUnmodifiableMap(ProfileKey::name, Function.identity()));

    private ProfileKeys()
    {
    }

    private static Stream<ProfileKey<?>> places()
    {
        return Stream.of(
            ProfileKey.text(CommonContext.AERON_DIR_PROP_NAME,
                Context::aeronDirectoryName, Context::aeronDirectoryName),
            ProfileKey.flag(Configuration.DIR_DELETE_ON_SHUTDOWN_PROP_NAME,
                Context::dirDeleteOnShutdown, Context::dirDeleteOnShutdown),
            ProfileKey.flag(Configuration.DIR_WARN_IF_EXISTS_PROP_NAME,
                Context::warnIfDirectoryExists, Context::warnIfDirectoryExists),
            ProfileKey.flag(CommonContext.PRINT_CONFIGURATION_ON_START_PROP_NAME,
                Context::printConfigurationOnStart, Context::printConfigurationOnStart),
            ProfileKey.text(Configuration.RESOLVER_NAME_PROP_NAME,
                Context::resolverName, Context::resolverName),
            ProfileKey.text(Configuration.RESOLVER_INTERFACE_PROP_NAME,
                Context::resolverInterface, Context::resolverInterface),
            ProfileKey.text(Configuration.RESOLVER_BOOTSTRAP_NEIGHBOR_PROP_NAME,
                Context::resolverBootstrapNeighbor, Context::resolverBootstrapNeighbor));
    }

    private static Stream<ProfileKey<?>> threads()
    {
        return Stream.of(
            ProfileKey.threadingMode(Configuration.THREADING_MODE_PROP_NAME),
            ProfileKey.idle(Configuration.CONDUCTOR_IDLE_STRATEGY_PROP_NAME,
                Context::conductorIdleStrategy, Context::conductorIdleStrategy),
            ProfileKey.idle(Configuration.SENDER_IDLE_STRATEGY_PROP_NAME,
                Context::senderIdleStrategy, Context::senderIdleStrategy),
            ProfileKey.idle(Configuration.RECEIVER_IDLE_STRATEGY_PROP_NAME,
                Context::receiverIdleStrategy, Context::receiverIdleStrategy),
            ProfileKey.idle(Configuration.SHARED_NETWORK_IDLE_STRATEGY_PROP_NAME,
                Context::sharedNetworkIdleStrategy, Context::sharedNetworkIdleStrategy),
            ProfileKey.idle(Configuration.SHARED_IDLE_STRATEGY_PROP_NAME,
                Context::sharedIdleStrategy, Context::sharedIdleStrategy));
    }

    private static Stream<ProfileKey<?>> memory()
    {
        return Stream.of(
            ProfileKey.termLength(Configuration.TERM_BUFFER_LENGTH_PROP_NAME,
                Context::publicationTermBufferLength, Context::publicationTermBufferLength),
            ProfileKey.termLength(Configuration.IPC_TERM_BUFFER_LENGTH_PROP_NAME,
                Context::ipcTermBufferLength, Context::ipcTermBufferLength),
            ProfileKey.flag(Configuration.TERM_BUFFER_SPARSE_FILE_PROP_NAME,
                Context::termBufferSparseFile, Context::termBufferSparseFile),
            ProfileKey.size(Configuration.FILE_PAGE_SIZE_PROP_NAME,
                Context::filePageSize, Context::filePageSize),
            ProfileKey.flag(Configuration.PERFORM_STORAGE_CHECKS_PROP_NAME,
                Context::performStorageChecks, Context::performStorageChecks),
            ProfileKey.longSize(Configuration.LOW_FILE_STORE_WARNING_THRESHOLD_PROP_NAME,
                Context::lowStorageWarningThreshold, Context::lowStorageWarningThreshold),
            ProfileKey.size(Configuration.CONDUCTOR_BUFFER_LENGTH_PROP_NAME,
                Context::conductorBufferLength, Context::conductorBufferLength),
            ProfileKey.size(Configuration.TO_CLIENTS_BUFFER_LENGTH_PROP_NAME,
                Context::toClientsBufferLength, Context::toClientsBufferLength),
            ProfileKey.size(Configuration.COUNTERS_VALUES_BUFFER_LENGTH_PROP_NAME,
                Context::counterValuesBufferLength, Context::counterValuesBufferLength),
            ProfileKey.size(Configuration.ERROR_BUFFER_LENGTH_PROP_NAME,
                Context::errorBufferLength, Context::errorBufferLength),
            ProfileKey.size(Configuration.LOSS_REPORT_BUFFER_LENGTH_PROP_NAME,
                Context::lossReportBufferLength, Context::lossReportBufferLength));
    }

    private static Stream<ProfileKey<?>> network()
    {
        return Stream.of(
            ProfileKey.size(Configuration.MTU_LENGTH_PROP_NAME, Context::mtuLength, Context::mtuLength),
            ProfileKey.size(Configuration.IPC_MTU_LENGTH_PROP_NAME, Context::ipcMtuLength, Context::ipcMtuLength),
            ProfileKey.size(Configuration.SOCKET_RCVBUF_LENGTH_PROP_NAME,
                Context::socketRcvbufLength, Context::socketRcvbufLength),
            ProfileKey.size(Configuration.SOCKET_SNDBUF_LENGTH_PROP_NAME,
                Context::socketSndbufLength, Context::socketSndbufLength),
            ProfileKey.size(Configuration.INITIAL_WINDOW_LENGTH_PROP_NAME,
                Context::initialWindowLength, Context::initialWindowLength),
            ProfileKey.size(Configuration.PUBLICATION_TERM_WINDOW_LENGTH_PROP_NAME,
                Context::publicationTermWindowLength, Context::publicationTermWindowLength),
            ProfileKey.size(Configuration.IPC_PUBLICATION_TERM_WINDOW_LENGTH_PROP_NAME,
                Context::ipcPublicationTermWindowLength, Context::ipcPublicationTermWindowLength),
            ProfileKey.size(Configuration.STREAM_SESSION_LIMIT_PROP_NAME,
                Context::streamSessionLimit, Context::streamSessionLimit),
            ProfileKey.size(Configuration.MAX_RESEND_PROP_NAME, Context::maxResend, Context::maxResend),
            ProfileKey.size(Configuration.SEND_TO_STATUS_POLL_RATIO_PROP_NAME,
                Context::sendToStatusMessagePollRatio, Context::sendToStatusMessagePollRatio),
            ProfileKey.flag(Configuration.RELIABLE_STREAM_PROP_NAME,
                Context::reliableStream, Context::reliableStream),
            ProfileKey.flag(Configuration.REJOIN_STREAM_PROP_NAME,
                Context::rejoinStream, Context::rejoinStream),
            ProfileKey.flag(Configuration.TETHER_SUBSCRIPTIONS_PROP_NAME,
                Context::tetherSubscriptions, Context::tetherSubscriptions),
            ProfileKey.flag(Configuration.SPIES_SIMULATE_CONNECTION_PROP_NAME,
                Context::spiesSimulateConnection, Context::spiesSimulateConnection));
    }

    private static Stream<ProfileKey<?>> timeouts()
    {
        return Stream.of(
            ProfileKey.number(CommonContext.DRIVER_TIMEOUT_PROP_NAME,
                Context::driverTimeoutMs, Context::driverTimeoutMs),
            ProfileKey.duration(Configuration.TIMER_INTERVAL_PROP_NAME,
                Context::timerIntervalNs, Context::timerIntervalNs),
            ProfileKey.duration(Configuration.CLIENT_LIVENESS_TIMEOUT_PROP_NAME,
                Context::clientLivenessTimeoutNs, Context::clientLivenessTimeoutNs),
            ProfileKey.duration(Configuration.IMAGE_LIVENESS_TIMEOUT_PROP_NAME,
                Context::imageLivenessTimeoutNs, Context::imageLivenessTimeoutNs),
            ProfileKey.duration(Configuration.PUBLICATION_UNBLOCK_TIMEOUT_PROP_NAME,
                Context::publicationUnblockTimeoutNs, Context::publicationUnblockTimeoutNs),
            ProfileKey.duration(Configuration.PUBLICATION_CONNECTION_TIMEOUT_PROP_NAME,
                Context::publicationConnectionTimeoutNs, Context::publicationConnectionTimeoutNs),
            ProfileKey.duration(Configuration.PUBLICATION_LINGER_PROP_NAME,
                Context::publicationLingerTimeoutNs, Context::publicationLingerTimeoutNs),
            ProfileKey.duration(Configuration.STATUS_MESSAGE_TIMEOUT_PROP_NAME,
                Context::statusMessageTimeoutNs, Context::statusMessageTimeoutNs),
            ProfileKey.duration(Configuration.NAK_UNICAST_DELAY_PROP_NAME,
                Context::nakUnicastDelayNs, Context::nakUnicastDelayNs),
            ProfileKey.number(Configuration.NAK_UNICAST_RETRY_DELAY_RATIO_PROP_NAME,
                Context::nakUnicastRetryDelayRatio, Context::nakUnicastRetryDelayRatio),
            ProfileKey.duration(Configuration.RETRANSMIT_UNICAST_DELAY_PROP_NAME,
                Context::retransmitUnicastDelayNs, Context::retransmitUnicastDelayNs),
            ProfileKey.duration(Configuration.RETRANSMIT_UNICAST_LINGER_PROP_NAME,
                Context::retransmitUnicastLingerNs, Context::retransmitUnicastLingerNs),
            ProfileKey.duration(Configuration.COUNTER_FREE_TO_REUSE_TIMEOUT_PROP_NAME,
                Context::counterFreeToReuseTimeoutNs, Context::counterFreeToReuseTimeoutNs),
            ProfileKey.duration(Configuration.UNTETHERED_WINDOW_LIMIT_TIMEOUT_PROP_NAME,
                Context::untetheredWindowLimitTimeoutNs, Context::untetheredWindowLimitTimeoutNs),
            ProfileKey.duration(Configuration.UNTETHERED_RESTING_TIMEOUT_PROP_NAME,
                Context::untetheredRestingTimeoutNs, Context::untetheredRestingTimeoutNs),
            ProfileKey.duration(Configuration.CONDUCTOR_CYCLE_THRESHOLD_PROP_NAME,
                Context::conductorCycleThresholdNs, Context::conductorCycleThresholdNs),
            ProfileKey.duration(Configuration.RECEIVER_CYCLE_THRESHOLD_PROP_NAME,
                Context::receiverCycleThresholdNs, Context::receiverCycleThresholdNs));
    }
}
