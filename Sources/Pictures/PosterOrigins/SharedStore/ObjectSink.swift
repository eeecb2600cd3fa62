import HTTPFetch
import PosterPipeline
import Synchronization

/// Writes an object into a draft, if its fields pass `isWanted`.
final class ObjectSink: FetchSink {
    private struct State {
        var hasBegun = false
        var object: OriginalObject?
    }

    private let draft: DiskOriginalDraft
    private let isWanted: @Sendable (OriginalObject) -> Bool
    private let state = Mutex(State())

    init(_ draft: DiskOriginalDraft, isWanted: @escaping @Sendable (OriginalObject) -> Bool) {
        self.draft = draft
        self.isWanted = isWanted
    }

    /// The object written to the draft; `nil` if it is malformed or not wanted.
    var object: OriginalObject? { self.state.withLock { $0.object } }

    func begin(_ head: FetchResponseHead) -> Bool {
        let object = OriginalObject(fields: head.keptFields).flatMap { self.isWanted($0) ? $0 : nil }
        let isAgain = self.state.withLock { state in
            defer { state.hasBegun = true }
            state.object = object
            return state.hasBegun
        }
        return object != nil && (!isAgain || self.draft.restart())
    }

    func receive(_ bytes: UnsafeRawBufferPointer) -> Bool { self.draft.append(bytes) }
}
