import ArgumentParser
import OneSheetServer
import Synchronization

/// Shows events: progress on standard error, the result on standard output.
final class ControlPrinter: Sendable {
    private let isJSON: Bool
    private let isFailure: @Sendable ([String: Int]) -> Bool
    private let bar = Mutex(Bar(ProgressBar.onStandardError()))

    /// The bar's clock and its way out are its own; the lock lends it to one event at a time.
    private struct Bar: @unchecked Sendable {
        var bar: ProgressBar

        init(_ bar: ProgressBar) {
            self.bar = bar
        }
    }

    /// - Parameter isFailure: Whether a result means that the command has failed.
    init(isJSON: Bool, isFailure: @escaping @Sendable ([String: Int]) -> Bool) {
        self.isJSON = isJSON
        self.isFailure = isFailure
    }

    /// - Throws: `ExitCode.failure` for the end of a command that has failed; ``FileError``.
    func show(_ event: ControlEvent) throws {
        switch event {
        case .progress(let done, let total, let note):
            self.bar.withLock { $0.bar.show(done: done, total: total, note: note) }
        case .finished(let summary, let text):
            self.clear()
            try StandardOutput.write(self.isJSON ? try JSONLine.encode(summary) : text)
            if self.isFailure(summary) { throw ExitCode.failure }
        case .failed(let reason):
            self.clear()
            StandardError.write("onesheet: \(reason)")
            throw ExitCode.failure
        }
    }

    /// Takes the bar away.
    func clear() {
        self.bar.withLock { $0.bar.finish() }
    }
}
