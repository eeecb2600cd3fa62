@preconcurrency import Dispatch
import Glibc
import OneSheetConfiguration

/// What an operator says with SIGTERM and SIGINT: once, stop in order; twice, stop at once.
///
/// At once means without waiting for anyone, with the status of a process that the signal has killed. Nothing is torn by
/// that: whatever lasts is written under another name and renamed, or is a database's transaction.
final class StopSignals: Sendable {
    private static let signals = [SIGTERM, SIGINT]
    /// How long at most to wait until they are listened for, in seconds.
    private static let registrationTime = 5.0

    private let sources: [any DispatchSourceSignal]

    /// Listens until this object is gone. There must be one at a time, and nobody else who acts upon these signals.
    ///
    /// - Parameter onStop: Called once, upon the first signal, with its number; it must not block.
    init(onStop: @escaping @Sendable (Int32) -> Void) {
        // Serial, so that counting needs no lock, and with a thread of its own when all others are busy.
        let queue = DispatchQueue(label: "onesheet.stop-signals", qos: .userInteractive)
        let count = Count()
        let registered = DispatchGroup()
        self.sources = Self.signals.map { number in
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler {
                // Signals that come close together are told of together.
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
        // A source listens some time after it was activated; until then a signal would end the process at once.
        _ = registered.wait(timeout: .now() + Self.registrationTime)
    }

    deinit {
        for source in self.sources { source.cancel() }
    }

    /// Belongs to the queue.
    private final class Count: @unchecked Sendable {
        var value = 0
    }
}

/// What an operator says with SIGHUP: read the configuration again.
final class ReloadSignal: Sendable {
    private let source: any DispatchSourceSignal

    /// Listens until this object is gone.
    ///
    /// - Parameter onReload: Called for one signal or several that came together, never twice at once; it may read files.
    init(onReload: @escaping @Sendable () -> Void) {
        // Else the signal ends the process, whoever listens.
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
