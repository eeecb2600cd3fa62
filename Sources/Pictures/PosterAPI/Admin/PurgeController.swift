import FoundationEssentials
package import HTTPSemantics
package import HTTPServer
import HTTPTypes
package import Hummingbird
import NIOCore
package import PosterPipeline

/// `DELETE /poster/{id}` and `POST /purge`; both require the admin token.
///
/// A purge is not cancelled when its client disconnects, so that it is never left half done.
package struct PurgeController: Sendable {
    static let segment = "purge"

    let pipeline: PosterPipeline
    let policies: ReloadablePicturePolicy

    package init(pipeline: PosterPipeline, policies: ReloadablePicturePolicy) {
        self.pipeline = pipeline
        self.policies = policies
    }

    package func register(on router: Router<ServerRequestContext>, token: AdminToken) {
        router.group("/poster/:id").add(middleware: AdminMiddleware(token)).delete(use: self.purgeOne)
        router.group("/\(Self.segment)").add(middleware: AdminMiddleware(token)).post(use: self.purgeAll)
    }

    private struct Result: Encodable {
        let id: String
        /// `purged`, `unknown` if nothing was stored, or `failed`.
        let result: String
        /// The error of a failure, or a note that other nodes have not been reached.
        var detail: String?
    }

    private struct Results: Encodable {
        let results: [Result]
    }

    private static let waiting = "other nodes have not been reached yet; they purge the poster when they reconnect"

    /// Idempotent: 204 even if nothing was stored; 202 if other nodes have not been reached yet.
    @Sendable
    private func purgeOne(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let target = context.target
        guard target.segments.count == 2, !target.segments[1].isEmpty else { throw HTTPError(.notFound) }
        // Includes pictures of remote URLs and of TMDB.
        let id = try PictureRequest.anyPosterID(target.segments[1])
        // Single variants cannot be purged, so their parameters are rejected.
        let parameters = try QueryParameters(
            try target.parameters(), known: PosterSelection.names,
            names: PosterSelection.names.joined(separator: " and "))
        let poster = try self.policies.parser.languages.id(id, PosterSelection(parameters))
        let outcome = try await self.pipeline.purgeEverywhere(poster)
        if outcome.publication == .waiting {
            let result = Result(
                id: poster.shortText, result: outcome.wasStored ? "purged" : "unknown", detail: Self.waiting)
            return .unstored(try EncodedResponse.jsonBytes(of: result), status: .accepted)
        }
        var response = Response(status: .noContent, headers: [.cacheControl: "no-store"])
        response.headers[.contentLength] = nil  // a 204 has none (RFC 9110, 8.6)
        return response
    }

    @Sendable
    private func purgeAll(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let body = try await request.wholeBody(upTo: PurgeRequest.maxBytes)
        var results: [Result] = []
        let ids = try PurgeRequest(json: Array(body.readableBytesView)).posters()
        try await self.pipeline.purgeEverywhere(ids) { id, result in
            switch result {
            case .success(let outcome):
                results.append(
                    Result(
                        id: id.shortText, result: outcome.wasStored ? "purged" : "unknown",
                        detail: outcome.publication == .waiting ? Self.waiting : nil))
            case .failure(let error):
                results.append(Result(id: id.shortText, result: "failed", detail: error.description))
            }
        }
        return .unstored(try EncodedResponse.jsonBytes(of: Results(results: results)))
    }
}

/// The body of `POST /purge`: the posters to purge.
package struct PurgeRequest: Codable {
    static let idLimit = 1000
    /// The maximum size of a body, in bytes.
    static let maxBytes = 1 << 20

    /// `[source:]key`, not percent-encoded.
    private let ids: [String]

    package init(ids: [String]) {
        self.ids = ids
    }

    /// Parses `{"ids":["films:heat"]}`.
    ///
    /// - Throws: ``Problem`` of kind ``Problem/Kind/invalidBody``.
    init(json: [UInt8]) throws(Problem) {
        do {
            self = try JSONDecoder().decode(Self.self, from: Data(json))
        } catch {
            throw Problem(.invalidBody, "the body must be JSON such as {\"ids\":[\"films:heat\",\"films:alien\"]}")
        }
    }

    /// The posters without duplicates, in the request's order.
    ///
    /// - Throws: ``Problem`` that names the invalid value.
    package func posters() throws(Problem) -> [PosterID] {
        guard (1...Self.idLimit).contains(self.ids.count) else {
            throw Problem(.invalidBody, "ids must have 1 to \(Self.idLimit) elements")
        }
        var posters: [PosterID] = []
        var known: Set<PosterID> = []
        for text in self.ids {
            do throws(PosterID.Malformed) {
                let id = try PosterID(text).normal()
                if known.insert(id).inserted { posters.append(id) }
            } catch {
                throw Problem(.invalidBody, "the id '\(text.prefix(64))' is not [source:]key: \(error.reason)")
            }
        }
        return posters
    }
}
