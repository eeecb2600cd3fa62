@preconcurrency import Dispatch
import Glibc
import OneSheetConfiguration

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
