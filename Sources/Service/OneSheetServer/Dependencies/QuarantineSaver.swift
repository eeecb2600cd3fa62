import Logging
import PosterOrigins
import PosterPipeline
import Synchronization

/// Writes the list of refused originals in the background; the latest list wins. Safe from any thread.
final class QuarantineSaver: Sendable {
    private struct State {
        var entries: [Quarantine.Entry]?
        var isWriting = false
    }

    private let file: QuarantineFile
    private let disk: BoundedThreadPool
    private let logger: Logger
    private let state = Mutex(State())

    init(file: QuarantineFile, disk: BoundedThreadPool, logger: Logger) {
        self.file = file
        self.disk = disk
        self.logger = logger
    }

    @Sendable func save(_ entries: [Quarantine.Entry]) {
        let begins = self.state.withLock { state in
            state.entries = entries
            defer { state.isWriting = true }
            return !state.isWriting
        }
        guard begins else { return }
        // Unstructured, because a codec thread must not wait for the disk.
        Task { await self.write() }
    }

    private func write() async {
        while let entries = self.next() {
            do {
                try await self.disk.run { try self.file.write(entries) }
            } catch {
                self.logger.warning("The quarantine list cannot be stored", metadata: ["error.message": "\(error)"])
            }
        }
    }

    private func next() -> [Quarantine.Entry]? {
        self.state.withLock { state in
            state.isWriting = state.entries != nil
            return state.entries.take()
        }
    }
}
