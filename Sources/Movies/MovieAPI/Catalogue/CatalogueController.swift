import HTTPSemantics
package import HTTPServer
import HTTPTypes
package import Hummingbird
package import MovieDomain
import NIOCore
package import PosterAPI
import Synchronization

/// `GET /`: a wall of posters.
package final class CatalogueController: Sendable {
    /// The most films shown.
    package static let movieLimit = 500

    private let movies: [MovieSummary]
    private let policies: ReloadablePicturePolicy
    /// The catalogue does not change while the server runs; what may be asked for can.
    private let page: Mutex<(generation: UInt64, bytes: ByteBuffer)>

    /// - Parameter policies: What the page may ask for.
    package init(movies: [MovieSummary], policies: ReloadablePicturePolicy) {
        self.movies = movies
        self.policies = policies
        let parser = policies.parser
        self.page = Mutex((parser.generation, Self.page(movies, parser)))
    }

    package func register(on router: Router<ServerRequestContext>) {
        router.get("/") { _, _ in
            var headers: HTTPFields = [
                .contentType: "text/html; charset=utf-8", .cacheControl: "public, max-age=60",
                .contentTypeOptions: "nosniff",
                .contentSecurityPolicy: CataloguePage.contentSecurityPolicy,
            ]
            // Browsers heed it in documents.
            let parser = self.policies.parser
            if parser.policy.usesHints { headers[.acceptCH] = ClientHints.accepted }
            return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: self.page(parser)))
        }
    }

    private func page(_ parser: PictureRequestParser) -> ByteBuffer {
        let known = self.page.withLock { $0 }
        if known.generation == parser.generation { return known.bytes }
        let bytes = Self.page(self.movies, parser)
        self.page.withLock { if $0.generation < parser.generation { $0 = (parser.generation, bytes) } }
        return bytes
    }

    private static func page(_ movies: [MovieSummary], _ parser: PictureRequestParser) -> ByteBuffer {
        ByteBuffer(string: CataloguePage(movies: movies, policy: parser.policy).html)
    }
}
