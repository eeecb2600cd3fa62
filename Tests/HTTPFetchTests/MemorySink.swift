import HTTPFetch
import Synchronization

/// A sink that stores the body in memory, for small responses and those that are parsed as a whole.
///
/// Only ``FetchConfiguration/maxBytes`` limits its size.
final class MemorySink: FetchSink {
    private let body = Mutex<[UInt8]>([])

    init() {}

    /// The bytes received so far; the complete body once the fetch has returned.
    var bytes: [UInt8] { self.body.withLock { $0 } }

    /// Discards earlier bytes.
    func begin(_ head: FetchResponseHead) -> Bool {
        self.body.withLock { $0 = [] }
        return true
    }

    func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
        self.body.withLock { $0.append(contentsOf: bytes) }
        return true
    }
}
