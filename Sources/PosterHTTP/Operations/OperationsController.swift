import FoundationEssentials
import HTTPTypes
import Hummingbird
import NIOCore

/// `GET /healthz` and `GET /metrics`: answered from counters, without waiting for anything.
struct OperationsController: Sendable {
    let status: @Sendable () -> ServiceStatus

    func register(on router: Router<PosterRequestContext>) {
        router.get("/healthz", use: self.health)
        router.get("/metrics", use: self.metrics)
    }

    private struct Health: Encodable {
        /// `ok`, or `degraded` while an origin is left alone or the disk keeps nothing.
        let status: String
        let origins: [ServiceStatus.Origin]
        let disk: ServiceStatus.Disk
        let queues: [ServiceStatus.Queue]
    }

    @Sendable
    private func health(_ request: Request, context: PosterRequestContext) async throws -> Response {
        let status = self.status()
        let health = Health(
            status: status.isWell ? "ok" : "degraded", origins: status.origins, disk: status.disk,
            queues: status.queues)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Self.response(Array(try encoder.encode(health)), type: "application/json")
    }

    @Sendable
    private func metrics(_ request: Request, context: PosterRequestContext) async throws -> Response {
        Self.response(Array(MetricsText(self.status()).text.utf8), type: "text/plain; version=0.0.4; charset=utf-8")
    }

    private static func response(_ bytes: [UInt8], type: String) -> Response {
        let headers: HTTPFields = [.contentType: type, .cacheControl: "no-store", .contentTypeOptions: "nosniff"]
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }
}
