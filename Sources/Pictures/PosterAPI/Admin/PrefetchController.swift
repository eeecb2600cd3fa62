import HTTPSemantics
package import HTTPServer
import HTTPTypes
package import Hummingbird
import NIOCore
package import PosterPipeline

/// `POST /poster/prefetch` and `DELETE /poster/prefetch`; both require the admin token.
package struct PrefetchController: Sendable {
    /// The path's last segment; a poster with this key is reachable only with its source.
    static let segment = "prefetch"

    let warmer: Warmer
    let policies: ReloadablePicturePolicy

    package init(warmer: Warmer, policies: ReloadablePicturePolicy) {
        self.warmer = warmer
        self.policies = policies
    }

    package func register(on router: Router<ServerRequestContext>, token: AdminToken) {
        router.group("/poster/\(Self.segment)").add(middleware: AdminMiddleware(token))
            .post(use: self.prefetch).delete(use: self.cancel)
    }

    private struct Counts: Encodable {
        let queued: Int
        let cached: Int
        let refused: Int
    }

    private struct Cancelled: Encodable {
        let cancelled: Int
    }

    @Sendable
    private func prefetch(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let body = try await request.wholeBody(upTo: WarmRequest.maxBytes)
        let requests = try WarmRequest(json: Array(body.readableBytesView)).requests(self.policies.parser)
        let acceptance = self.warmer.submit(requests)
        let counts = Counts(queued: acceptance.queued, cached: acceptance.cached, refused: acceptance.refused)
        return .unstored(try EncodedResponse.jsonBytes(of: counts), status: .accepted)
    }

    @Sendable
    private func cancel(_ request: Request, context: ServerRequestContext) async throws -> Response {
        .unstored(try EncodedResponse.jsonBytes(of: Cancelled(cancelled: self.warmer.cancelAll())))
    }
}
