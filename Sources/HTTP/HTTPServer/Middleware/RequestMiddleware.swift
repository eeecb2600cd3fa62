import HTTPSemantics
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOHTTP1
import Tracing

/// The outermost middleware: gives each request its id, and records it when its response has ended.
package struct RequestMiddleware: RouterMiddleware {
    typealias Context = ServerRequestContext

    /// nil without metrics and log; requests have ids all the same.
    let recorder: RequestRecorder?

    package init(recorder: RequestRecorder?) {
        self.recorder = recorder
    }

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        let start = NIODeadline.now()
        var context = context
        context.requestID =
            RequestID(given: request.headers[.requestID], traceparent: request.headers[.traceparent]) ?? .make()
        context.logger[metadataKey: "request.id"] = "\(context.requestID)"
        guard let recorder else {
            return try await RequestSpan.around(request, context) { try await next(request, context) }
        }
        var record = RequestRecord(
            method: request.method.rawValue, target: request.uri.string, route: RequestRecord.noRoute, status: 500,
            bodyLength: 0, duration: .zero, way: .route)
        record.requestID = context.requestID.description
        let open = InFlightRequest(recorder, record, start: start)
        do {
            var response = try await RequestSpan.around(request, context) { try await next(request, context) }
            open.note { record in
                record.route = Self.route(of: context)
                record.status = response.status.code
                record.cacheStatus = response.headers[.cacheStatus]
                if recorder.wantsNames { record.client = context.clientAddress }
            }
            response.body = response.body.recorded(as: open, isClientGone: context.client?.isGone == true)
            return response
        } catch {
            open.note { record in
                record.route = Self.route(of: context)
                if recorder.wantsNames { record.client = context.clientAddress }
            }
            open.end(status: Self.status(of: error))
            throw error
        }
    }

    /// - Returns: nil for what is a failure of this service.
    private static func status(of error: any Error) -> Int? {
        switch error {
        case is CancellationError, is ClientDisconnected: RequestRecord.abandonedStatus
        case let error as HTTPParserError: Problem(error).kind.status
        default: nil
        }
    }

    /// The template; Hummingbird says `NotFound` where there is none.
    private static func route(of context: Context) -> String {
        guard let path = context.endpointPath, path.utf8.starts(with: "/".utf8) else { return RequestRecord.noRoute }
        return path
    }
}

/// The span of a request that a route answers, as a part of its client's trace.
enum RequestSpan {
    /// Runs `body` in a span of its own; without a tracer there is none, and nothing is read for it.
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
