import Flights
import HTTPFetch
import PosterTesting
import Synchronization

final class RecordingSink: FetchSink {
    private let calls = Mutex((heads: [FetchResponseHead](), bytes: [UInt8]()))

    var heads: [FetchResponseHead] { self.calls.withLock { $0.heads } }
    var bytes: [UInt8] { self.calls.withLock { $0.bytes } }

    func begin(_ head: FetchResponseHead) -> Bool {
        self.calls.withLock {
            $0.heads.append(head)
            $0.bytes = []
            return true
        }
    }

    func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
        self.calls.withLock { $0.bytes += bytes }
        return true
    }
}

/// Counts bytes and opens a gate at the first ones.
final class WatchedSink: FetchSink {
    let hasReceived = Gate()
    private let count = Atomic(0)

    var byteCount: Int { self.count.load(ordering: .relaxed) }

    func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
        self.count.add(bytes.count, ordering: .relaxed)
        self.hasReceived.open()
        return true
    }
}
