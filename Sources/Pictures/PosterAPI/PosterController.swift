import HTTPSemantics
package import HTTPServer
import HTTPTypes
package import Hummingbird
package import PosterPipeline

/// Pictures in every language that ``PictureRequestParser`` reads.
package struct PosterController: Sendable {
    let pipeline: PosterPipeline
    /// For how long others may keep a poster.
    let cacheControl: CacheControl
    /// What may be asked for.
    let policies: PicturePolicies
    /// Is told what clients ask for that is not in memory; nil when nobody wants to know.
    var targets: FrequentTargets?

    package init(
        pipeline: PosterPipeline, cacheControl: CacheControl, policies: PicturePolicies, targets: FrequentTargets? = nil
    ) {
        self.pipeline = pipeline
        self.cacheControl = cacheControl
        self.policies = policies
        self.targets = targets
    }

    package func register(on router: Router<PosterRequestContext>) {
        for path in ["/poster/:id", "/t/p/:size/:file", "/_next/image", "/proxy"] {
            router.get(RouterPath(path), use: self.picture)
        }
    }

    @Sendable
    private func picture(_ request: Request, context: PosterRequestContext) async throws -> Response {
        let query = try self.policies.reader.read(
            RequestTarget(request.uri.string), headers: PictureHeaders(request.headers), now: self.policies.now)
        guard let query else { throw HTTPError(.notFound) }  // one of its segments is empty
        let conditions = Preconditions(request.headers)

        if let targets, case .variant(let target) = query.request.rendition { targets.note(target) }
        let answer: PosterAnswer
        if let known = try self.pipeline.cachedAnswer(to: query.request, isCurrent: conditions.settles) {
            answer = known  // the hot path: no task, no suspension
        } else {
            answer = try await context.whileClientPresent {
                try await self.pipeline.answer(to: query.request, isCurrent: conditions.settles)
            }
        }
        return try answer.response(
            cacheControl: self.cacheControl, to: query, conditions: conditions,
            range: RangeRequest(request.headers, method: request.method), now: self.policies.now, client: context.client
        )
    }
}

extension PictureHeaders {
    init(_ headers: HTTPFields) {
        self.init(
            accept: headers.combined(.accept),
            hints: ClientHints(
                ratio: headers.only(.clientRatio), width: headers.only(.clientWidth),
                saveData: headers.only(.saveData)))
    }
}

extension HTTPFields {
    /// The value of a header that has one line; nil otherwise.
    fileprivate func only(_ name: HTTPField.Name) -> String? {
        let values = self[values: name]
        return values.count == 1 ? values[0] : nil
    }
}
