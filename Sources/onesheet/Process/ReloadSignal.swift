@preconcurrency import Dispatch
import Glibc

/// What an operator says with SIGHUP: read the configuration again.
final class ReloadSignal: Sendable {
    private let source: any DispatchSourceSignal

    /// Listens until this object is gone.
    ///
    /// - Parameter onReload: Called once for signals that come close together, and never twice at the same time. It may
    ///   read files: the queue is its own.
    init(onReload: @escaping @Sendable () -> Void) {
        self.source = DispatchSource.makeSignalSource(
            signal: SIGHUP, queue: DispatchQueue(label: "onesheet.reload-signal"))
        self.source.setEventHandler(handler: onReload)
        self.source.activate()
    }

    deinit {
        self.source.cancel()
    }
}
