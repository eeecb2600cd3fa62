import HTTPSemantics
import HTTPTypes
import Hummingbird
import NIOCore
import Synchronization

/// A request whose answer is not written yet. Whatever becomes of it, it is recorded once: when its answer is never
/// written, because the connection has ended, that is when nobody holds it any more.
final class OpenRequest: Sendable {
    private struct State {
        var facts: RequestFacts?
        var bodyLength = 0
    }

    private let recorder: RequestRecorder
    private let start: NIODeadline
    private let state: Mutex<State>

    init(_ recorder: RequestRecorder, _ facts: RequestFacts, start: NIODeadline) {
        self.recorder = recorder
        self.start = start
        self.state = Mutex(State(facts: facts))
        recorder.begin()
    }

    deinit {
        self.end(status: RequestFacts.abandonedStatus)
    }

    /// What is known of it when its answer begins.
    func note(_ change: (inout RequestFacts) -> Void) {
        self.state.withLock { state in
            if state.facts != nil { change(&state.facts!) }
        }
    }

    /// A part of the answer's body has been written.
    func count(_ bytes: Int) {
        self.state.withLock { $0.bodyLength += bytes }
    }

    /// Nothing more comes. Of no effect when that was said before.
    ///
    /// - Parameters:
    ///   - status: In place of the answer's.
    ///   - bodyLength: In place of what was counted.
    func end(status: Int? = nil, bodyLength: Int? = nil) {
        let ended = self.state.withLock { state -> RequestFacts? in
            guard var facts = state.facts else { return nil }
            state.facts = nil
            facts.bodyLength = bodyLength ?? state.bodyLength
            if let status { facts.status = status }
            return facts
        }
        guard var facts = ended else { return }
        facts.duration = .now() - self.start
        self.recorder.end(facts)
    }
}

/// Counts what is written of a body.
struct RecordedBodyWriter: ResponseBodyWriter {
    let request: OpenRequest
    var parent: any ResponseBodyWriter

    mutating func write(_ buffer: ByteBuffer) async throws {
        try await self.parent.write(buffer)
        self.request.count(buffer.readableBytes)
    }

    consuming func finish(_ trailingHeaders: HTTPFields?) async throws {
        try await self.parent.finish(trailingHeaders)
    }
}

extension ResponseBody {
    /// The longest body that counts as sent when it is handed over, in bytes: it is one write together with its head, which
    /// a wrapper around it would break into three. A stream's parts are no longer either.
    private static var handedOverLimit: Int { 128 << 10 }

    /// The body, whose end is the request's. Call it when nothing of the answer changes any more.
    func recorded(as request: OpenRequest, isClientGone: Bool) -> ResponseBody {
        if let length = self.contentLength, length <= Self.handedOverLimit {
            request.end(
                status: isClientGone ? RequestFacts.abandonedStatus : nil, bodyLength: isClientGone ? 0 : length)
            return self
        }
        return ResponseBody(contentLength: self.contentLength) { writer in
            do {
                try await self.write(RecordedBodyWriter(request: request, parent: writer))
                request.end()
            } catch {
                // The connection has ended, or the file that the rest of the body was to be read from is not what it was.
                request.end(status: (error as? any ProblemCause)?.problem.kind.status ?? RequestFacts.abandonedStatus)
                throw error
            }
        }
    }
}
