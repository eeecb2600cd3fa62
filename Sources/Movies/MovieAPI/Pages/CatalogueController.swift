import HTTPSemantics
package import HTTPServer
import HTTPTypes
package import Hummingbird
package import MovieDomain
import NIOCore
import Synchronization

/// `GET /`: a wall of posters.
package final class CatalogueController: Sendable {
    /// The most films shown.
    package static let movieLimit = 500

    private let movies: [MovieSummary]
    private let pictures: any PictureURLs
    /// The catalogue does not change while the server runs; what may be asked for can.
    private let page: Mutex<(generation: UInt64, bytes: ByteBuffer)>

    package init(movies: [MovieSummary], pictures: any PictureURLs) {
        self.movies = movies
        self.pictures = pictures
        self.page = Mutex((pictures.generation, Self.page(movies, pictures)))
    }

    package func register(on router: Router<ServerRequestContext>) {
        router.get("/") { _, _ in
            var headers: HTTPFields = [
                .contentType: "text/html; charset=utf-8", .cacheControl: "public, max-age=60",
                .contentTypeOptions: "nosniff",
                .contentSecurityPolicy: CataloguePage.contentSecurityPolicy,
            ]
            // Browsers heed it in documents.
            headers[.acceptCH] = self.pictures.acceptedHints
            return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: self.currentPage))
        }
    }

    private var currentPage: ByteBuffer {
        let known = self.page.withLock { $0 }
        // Read before the page is made: a page of mixed policies is made again.
        let generation = self.pictures.generation
        if known.generation == generation { return known.bytes }
        let bytes = Self.page(self.movies, self.pictures)
        self.page.withLock { if $0.generation < generation { $0 = (generation, bytes) } }
        return bytes
    }

    private static func page(_ movies: [MovieSummary], _ pictures: any PictureURLs) -> ByteBuffer {
        ByteBuffer(string: CataloguePage(movies: movies, pictures: pictures).html)
    }
}
