import HTTPFetch
import Synchronization

/// Passes the body of a 200 response to a sink, and collects the document of any other status.
final class ObjectResponse: FetchSink {
    private struct State {
        var status: Int?
        var document: [UInt8] = []
    }

    private let receiver: any FetchSink
    private let state = Mutex(State())

    init(_ receiver: any FetchSink) {
        self.receiver = receiver
    }

    /// Whether a response's head has arrived.
    var hasBegun: Bool { self.state.withLock { $0.status != nil } }

    /// The error code in the document; empty if there is none.
    var errorCode: String { ErrorDocument(self.state.withLock { $0.document }).code }

    func begin(_ head: FetchResponseHead) -> Bool {
        self.state.withLock { state in
            state.status = head.status
            state.document = []
        }
        return head.status != 200 || self.receiver.begin(head)
    }

    func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let isDocument = self.state.withLock { state in
            guard state.status != 200 else { return false }
            // Bounded by the request's `errorBodyLimit`.
            state.document.append(contentsOf: bytes)
            return true
        }
        return isDocument || self.receiver.receive(bytes)
    }
}

/// Stores a body in memory; fails beyond a limit.
final class BoundedBody: FetchSink {
    private let limit: Int
    private let body = Mutex<[UInt8]>([])

    init(limit: Int) {
        self.limit = limit
    }

    var bytes: [UInt8] { self.body.withLock { $0 } }

    func begin(_ head: FetchResponseHead) -> Bool {
        self.body.withLock { $0 = [] }
        return true
    }

    func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
        self.body.withLock { body in
            guard bytes.count <= self.limit - body.count else { return false }
            body.append(contentsOf: bytes)
            return true
        }
    }
}
