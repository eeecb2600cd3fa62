@preconcurrency import Dispatch
import Glibc
import OneSheetConfiguration

/// Handles SIGTERM and SIGINT: the first stops gracefully, the second at once, with the status of a killed process.
/// Files stay consistent: they are renamed when they are complete, or are databases.
final class StopSignals: Sendable {
    private static let signals = [SIGTERM, SIGINT]
    private static let registrationTime = 5.0

    private let sources: [any DispatchSourceSignal]

    /// Handles the signals until this object is freed. There must be only one such object at a time, and no other
    /// handler of these signals.
    /// - Parameter onStop: Called once, at the first signal, with its number; it must not block.
    init(onStop: @escaping @Sendable (Int32) -> Void) {
        // Serial, so that counting needs no lock; the QoS gives it a thread even when all others are busy.
        let queue = DispatchQueue(label: "onesheet.stop-signals", qos: .userInteractive)
        let count = Count()
        let registered = DispatchGroup()
        self.sources = Self.signals.map { number in
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler {
                // Signals that arrive close together are delivered together.
                let isFirst = count.value == 0
                count.value += max(1, Int(source.data))
                if isFirst { onStop(number) }
                if count.value > 1 { _exit(128 + number) }
            }
            registered.enter()
            source.setRegistrationHandler { registered.leave() }
            source.activate()
            return source
        }
        // A source takes effect some time after its activation; until then a signal would end the process at once.
        _ = registered.wait(timeout: .now() + Self.registrationTime)
    }

    deinit {
        for source in self.sources { source.cancel() }
    }

    /// Used on the queue only.
    private final class Count: @unchecked Sendable {
        var value = 0
    }
}

/// Handles SIGHUP, which requests a reload of the configuration.
final class ReloadSignal: Sendable {
    private let source: any DispatchSourceSignal

    /// Handles the signal until this object is freed.
    /// - Parameter onReload: Called once for one signal or several that arrived together, never concurrently; it may
    ///   read files.
    init(onReload: @escaping @Sendable () -> Void) {
        // The default action would end the process.
        signal(SIGHUP, SIG_IGN)
        let queue = DispatchQueue(label: "onesheet.reload-signal")
        self.source = DispatchSource.makeSignalSource(signal: SIGHUP, queue: queue)
        self.source.setEventHandler(handler: onReload)
        self.source.activate()
    }

    deinit {
        self.source.cancel()
    }
}
