import HTTPSemantics
import HTTPTypes
import Hummingbird
import NIOCore
import Synchronization

/// A request with a response that is not written yet. It is recorded exactly once: when its response is never
/// written, because the connection has ended, on deinitialization.
final class InFlightRequest: Sendable {
    private struct State {
        var record: RequestRecord?
        var bodyLength = 0
    }

    private let recorder: RequestRecorder
    private let start: NIODeadline
    private let state: Mutex<State>

    init(_ recorder: RequestRecorder, _ record: RequestRecord, start: NIODeadline) {
        self.recorder = recorder
        self.start = start
        self.state = Mutex(State(record: record))
        recorder.begin()
    }

    deinit {
        self.end(status: RequestRecord.abandonedStatus)
    }

    /// What is known of it when its answer begins.
    func note(_ change: (inout RequestRecord) -> Void) {
        self.state.withLock { state in
            if state.record != nil { change(&state.record!) }
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
        let ended = self.state.withLock { state -> RequestRecord? in
            guard var record = state.record else { return nil }
            state.record = nil
            record.bodyLength = bodyLength ?? state.bodyLength
            if let status { record.status = status }
            return record
        }
        guard var record = ended else { return }
        record.duration = .now() - self.start
        self.recorder.end(record)
    }
}

/// Counts what is written of a body.
struct RecordedBodyWriter: ResponseBodyWriter {
    let request: InFlightRequest
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
    /// The longest body that counts as sent when it is handed over, in bytes: it is one write together with its head,
    /// which a wrapper around it would break into three. A stream's parts are no longer either.
    private static var handedOverLimit: Int { 128 << 10 }

    /// The body, at the end of which the request is recorded. Call it when the response does not change any more.
    func recorded(as request: InFlightRequest, isClientGone: Bool) -> ResponseBody {
        if let length = self.contentLength, length <= Self.handedOverLimit {
            request.end(
                status: isClientGone ? RequestRecord.abandonedStatus : nil, bodyLength: isClientGone ? 0 : length)
            return self
        }
        return ResponseBody(contentLength: self.contentLength) { writer in
            do {
                try await self.write(RecordedBodyWriter(request: request, parent: writer))
                request.end()
            } catch {
                // The connection has ended, or the file that the rest of the body was to be read from is not what it
                // was.
                request.end(
                    status: (error as? any ProblemConvertible)?.problem.kind.status ?? RequestRecord.abandonedStatus)
                throw error
            }
        }
    }
}
