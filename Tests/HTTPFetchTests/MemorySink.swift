import HTTPFetch
import Synchronization

/// A sink that keeps a body in memory, for answers that are small or parsed as a whole.
///
/// Its size is bounded by ``FetchConfiguration/maxBytes`` alone.
final class MemorySink: FetchSink {
    private let body = Mutex<[UInt8]>([])

    /// An empty sink, for one fetch.
    init() {}

    /// What has arrived so far; the whole body once the fetch has returned.
    var bytes: [UInt8] { self.body.withLock { $0 } }

    /// Forgets what came before.
    func begin(_ head: FetchResponseHead) -> Bool {
        self.body.withLock { $0 = [] }
        return true
    }

    /// Appends the bytes.
    func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
        self.body.withLock { $0.append(contentsOf: bytes) }
        return true
    }
}
