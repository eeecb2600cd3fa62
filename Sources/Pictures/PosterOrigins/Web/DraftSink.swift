import HTTPFetch
import PosterCodec
import PosterPipeline
import Synchronization

/// Lets a fetch write into a draft, as long as what arrives may be an original.
final class DraftSink: FetchSink {
    private struct State {
        var probe: IncrementalProbe
        var hasBegun = false
        var refusal: PosterError?
    }

    private let draft: any OriginalDraft
    /// As it is before the first byte.
    private let probe: IncrementalProbe
    private let state: Mutex<State>

    init(_ draft: any OriginalDraft, probe: IncrementalProbe) {
        self.draft = draft
        self.probe = probe
        self.state = Mutex(State(probe: probe))
    }

    /// Why the rest was not wanted; nil when it could not be stored.
    var refusal: PosterError? { self.state.withLock { $0.refusal } }

    func begin(_ head: FetchResponseHead) -> Bool {
        let isAgain = self.state.withLock { state in
            defer { state.hasBegun = true }
            if state.hasBegun { state.probe = self.probe }
            return state.hasBegun
        }
        return isAgain ? self.draft.restart() : true
    }

    func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let isWanted = self.state.withLock { state in
            do throws(CodecError) {
                try state.probe.receive(bytes)
                return true
            } catch {
                state.refusal = PosterError(error)
                return false
            }
        }
        return isWanted && self.draft.append(bytes)
    }
}
