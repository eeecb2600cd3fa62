import FoundationEssentials
import HTTPSemantics
package import HTTPServer
import HTTPTypes
package import Hummingbird
import NIOCore

/// `GET /healthz`, `GET /readyz` and `GET /metrics`: answered from counters, without waiting for any queue, so that they
/// are answered under full load too.
package struct OperationsController: Sendable {
    let status: @Sendable () -> ServiceStatus
    let metrics: MetricsPage

    package init(status: @escaping @Sendable () -> ServiceStatus, metrics: MetricsPage) {
        self.status = status
        self.metrics = metrics
    }

    package func register(on router: Router<PosterRequestContext>) {
        router.get(RouterPath(OperationsPaths.health), use: self.health)
        router.get(RouterPath(OperationsPaths.readiness), use: self.readiness)
        router.get(RouterPath(OperationsPaths.metrics), use: self.page)
    }

    /// Whether the process is alive: an answer is all there is to tell. For whoever restarts what is not.
    @Sendable
    private func health(_ request: Request, context: PosterRequestContext) async throws -> Response {
        Self.response(.ok, Array(#"{"status":"ok"}"#.utf8), type: "application/json")
    }

    /// Whether it should be sent requests, for whoever sends them: 200 or 503, with the reasons.
    @Sendable
    private func readiness(_ request: Request, context: PosterRequestContext) async throws -> Response {
        let readiness = Readiness(self.status())
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Self.response(
            readiness.isReady ? .ok : .serviceUnavailable, Array(try encoder.encode(readiness)),
            type: "application/json")
    }

    @Sendable
    private func page(_ request: Request, context: PosterRequestContext) async throws -> Response {
        Self.response(
            .ok, Array(self.metrics.text(self.status()).utf8), type: "text/plain; version=0.0.4; charset=utf-8")
    }

    private static func response(_ status: HTTPResponse.Status, _ bytes: [UInt8], type: String) -> Response {
        let headers: HTTPFields = [.contentType: type, .cacheControl: "no-store", .contentTypeOptions: "nosniff"]
        return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }
}
