import FoundationEssentials
import HTTPSemantics
package import HTTPServer
import HTTPTypes
package import Hummingbird
import NIOCore
package import PosterPipeline

/// `DELETE /poster/{id}` and `POST /purge`, for whoever has the admin token.
///
/// A purge goes on when its client leaves: half of one would be of no use to anybody.
package struct PurgeController: Sendable {
    /// The path's only segment.
    static let segment = "purge"

    let pipeline: PosterPipeline

    package init(pipeline: PosterPipeline) {
        self.pipeline = pipeline
    }

    package func register(on router: Router<PosterRequestContext>, token: AdminToken) {
        router.group("/poster/:id").add(middleware: AdminMiddleware(token)).delete(use: self.purgeOne)
        router.group("/\(Self.segment)").add(middleware: AdminMiddleware(token)).post(use: self.purgeAll)
    }

    /// What became of one poster.
    private struct Result: Encodable {
        let id: String
        /// `purged`, `unknown` when nothing was stored, or `failed`.
        let result: String
        /// Why it failed.
        var detail: String?
    }

    private struct Results: Encodable {
        let results: [Result]
    }

    /// Idempotent: what is not there is as good as forgotten.
    @Sendable
    private func purgeOne(_ request: Request, context: PosterRequestContext) async throws -> Response {
        let target = RequestTarget(request.uri.string)
        guard target.segments.count == 2, !target.segments[1].isEmpty else { throw HTTPError(.notFound) }
        // Others' pictures too, however they were asked for.
        let id = try PosterQuery.anyPosterID(target.segments[1])
        // Whoever names a width means something that is not done here.
        _ = try DetailsQuery(try target.parameters(), known: [])
        try await self.pipeline.purge(id)
        var response = Response(status: .noContent, headers: [.cacheControl: "no-store"])
        response.headers[.contentLength] = nil  // a 204 has none (RFC 9110, 8.6)
        return response
    }

    @Sendable
    private func purgeAll(_ request: Request, context: PosterRequestContext) async throws -> Response {
        let body = try await request.wholeBody(upTo: PurgeOrder.maxBytes)
        var results: [Result] = []
        for id in try PurgeOrder(json: Array(body.readableBytesView)).posters() {
            do {
                let wasStored = try await self.pipeline.purge(id)
                results.append(Result(id: id.description, result: wasStored ? "purged" : "unknown"))
            } catch let error as PosterError {
                results.append(Result(id: id.description, result: "failed", detail: error.description))
            }
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Response(
            status: .ok, headers: [.contentType: "application/json", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: try encoder.encode(Results(results: results)))))
    }
}
