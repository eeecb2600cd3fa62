import HTTPSemantics
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOHTTP1
import Synchronization
import Tracing

/// The outermost middleware: determines each request's client and id, and records the request when its response has
/// ended.
package struct RequestMiddleware: RouterMiddleware {
    typealias Context = ServerRequestContext

    /// `nil` without metrics and log; requests have ids nevertheless.
    private let recorder: RequestRecorder?
    private let proxies: TrustedProxies

    package init(recorder: RequestRecorder?, proxies: TrustedProxies = TrustedProxies()) {
        self.recorder = recorder
        self.proxies = proxies
    }

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        let start = NIODeadline.now()
        var context = context
        context.clientAddress = self.proxies.client(behind: context.clientAddress, request.headers)
        context.requestID =
            RequestID(given: request.headers[.requestID], traceparent: request.headers[.traceparent]) ?? .make()
        context.logger[metadataKey: "request.id"] = "\(context.requestID)"
        var record = RequestRecord(
            method: request.method.rawValue, target: context.target.text, route: RequestRecord.noRoute, status: 500,
            bodyLength: 0, duration: .zero, way: .route)
        record.requestID = context.requestID.description
        let client = self.recorder?.wantsNames == true ? context.clientAddress : nil
        let open = self.recorder.map { InFlightRequest($0, record, start: start) }
        do {
            var response = try await RequestSpan.around(request, context) { try await next(request, context) }
            guard let open else { return response }
            open.note { record in
                record.route = Self.route(of: context)
                record.status = response.status.code
                record.cacheStatus = response.headers[.cacheStatus]
                record.client = client
            }
            response.body = response.body.recorded(as: open, isClientGone: context.client?.isGone == true)
            return response
        } catch {
            open?.note { record in
                record.route = Self.route(of: context)
                record.client = client
            }
            open?.end(status: Self.status(of: error))
            throw error
        }
    }

    /// - Returns: `nil` if the error is a failure of this service.
    private static func status(of error: any Error) -> Int? {
        switch error {
        case is CancellationError, is ClientDisconnected: RequestRecord.abandonedStatus
        case let error as HTTPParserError: Problem(error).kind.status
        default: nil
        }
    }

    /// The route's template; Hummingbird reports `NotFound` if there is none.
    private static func route(of context: Context) -> String {
        guard let path = context.endpointPath, path.utf8.starts(with: "/".utf8) else { return RequestRecord.noRoute }
        return path
    }
}

/// A request with an unfinished response. It is recorded exactly once: on deinitialization if its response is never
/// written, because the connection has closed.
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

    /// Updates the record when the response begins.
    func note(_ change: (inout RequestRecord) -> Void) {
        self.state.withLock { state in
            if state.record != nil { change(&state.record!) }
        }
    }

    func count(_ bytes: Int) {
        self.state.withLock { $0.bodyLength += bytes }
    }

    /// Records the request. Has no effect if it was recorded before.
    ///
    /// - Parameters:
    ///   - status: Replaces the response's status.
    ///   - bodyLength: Replaces the counted length.
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

/// Counts the bytes of a body as they are written.
private struct RecordedBodyWriter: ResponseBodyWriter {
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
    /// Maximum length in bytes of a body that counts as sent when it is handed over. Such a body is written together
    /// with its head; a wrapper around it would split that into three writes. A longer body that is streamed counts as
    /// sent part by part, and no part exceeds this length either.
    private static var handedOverLimit: Int { 128 << 10 }

    /// Returns a body that records the request at its end. Call it when the response is final.
    fileprivate func recorded(as request: InFlightRequest, isClientGone: Bool) -> ResponseBody {
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
                // The connection has closed, or the file with the rest of the body has changed.
                request.end(
                    status: (error as? any ProblemConvertible)?.problem.kind.status ?? RequestRecord.abandonedStatus)
                throw error
            }
        }
    }
}

/// The span of a request that a route handles, as a part of its client's trace.
private enum RequestSpan {
    /// Runs `body` in a span; without a tracer there is no span, and no headers are read.
    static func around(
        _ request: Request, _ context: ServerRequestContext, _ body: () async throws -> Response
    ) async throws -> Response {
        let tracer = InstrumentationSystem.tracer
        guard !(tracer is NoOpTracer) else { return try await body() }
        var parent = ServiceContext.current ?? .topLevel
        tracer.extract(request.headers, into: &parent, using: HeaderExtractor())
        return try await tracer.withAnySpan(request.method.rawValue, context: parent, ofKind: .server) { span in
            span.attributes["http.request.method"] = request.method.rawValue
            span.attributes["url.path"] = RedactedTarget(request.uri.path).text
            span.attributes["request.id"] = context.requestID.description
            let response = try await body()
            let route = context.endpointPath ?? RequestRecord.noRoute
            span.operationName = "\(request.method.rawValue) \(route)"
            span.attributes["http.route"] = route
            span.attributes["http.response.status_code"] = response.status.code
            if response.status.code >= 500 { span.setStatus(SpanStatus(code: .error)) }
            return response
        }
    }

    private struct HeaderExtractor: Extractor {
        func extract(key: String, from headers: HTTPFields) -> String? {
            HTTPField.Name(key).flatMap { headers[$0] }
        }
    }
}
