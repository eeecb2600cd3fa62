import HTTPTypes
import Hummingbird
import Instrumentation
import ServiceContextModule
import Tracing

/// The span of a request that a route answers, as a part of its client's trace.
enum RequestSpan {
    /// Runs `body` in a span of its own; without a tracer there is none, and nothing is read for it.
    static func around(
        _ request: Request, _ context: PosterRequestContext, _ body: () async throws -> Response
    ) async throws -> Response {
        let tracer = InstrumentationSystem.tracer
        guard !(tracer is NoOpTracer) else { return try await body() }
        var parent = ServiceContext.current ?? .topLevel
        tracer.extract(request.headers, into: &parent, using: HeaderExtractor())
        return try await tracer.withAnySpan(request.method.rawValue, context: parent, ofKind: .server) { span in
            span.attributes["http.request.method"] = request.method.rawValue
            span.attributes["url.path"] = LoggedTarget(request.uri.path).text
            span.attributes["request.id"] = context.requestID.description
            let response = try await body()
            let route = context.endpointPath ?? RequestFacts.noRoute
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
