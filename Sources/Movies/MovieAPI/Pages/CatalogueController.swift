import HTTPSemantics
package import HTTPServer
import HTTPTypes
package import Hummingbird
package import MovieDomain
import MovieHTTP
import NIOCore
import Synchronization

/// `GET /`: a wall of posters.
package final class CatalogueController: Sendable {
    /// The most films shown.
    package static let movieLimit = 500

    private let movies: [MovieSummary]
    private let pictures: any PictureURLs
    /// The catalogue does not change while the server runs; what may be asked for can.
    private let page: Mutex<Page>

    private struct Page {
        /// Of what may be asked for.
        let generation: UInt64
        let bytes: ByteBuffer
        let tag: EntityTag

        init(_ movies: [MovieSummary], _ pictures: any PictureURLs) {
            // Read before the page is made: a page of mixed policies is made again.
            self.generation = pictures.generation
            let html = CataloguePage(movies: movies, pictures: pictures).html
            self.bytes = ByteBuffer(string: html)
            self.tag = EntityTag(digestOf: ["catalogue", html])
        }
    }

    package init(movies: [MovieSummary], pictures: any PictureURLs) {
        self.movies = movies
        self.pictures = pictures
        self.page = Mutex(Page(movies, pictures))
    }

    package func register(on router: Router<ServerRequestContext>) {
        router.get("/") { request, _ in self.response(to: request) }
    }

    private func response(to request: Request) -> Response {
        let page = self.currentPage
        var headers: HTTPFields = [
            .cacheControl: "public, max-age=60", .contentTypeOptions: "nosniff", .eTag: page.tag.description,
        ]
        headers.offerCompression(length: page.bytes.readableBytes)
        // Browsers heed it in documents.
        headers[.acceptCH] = self.pictures.acceptedHints
        guard !IfNoneMatch(request.headers.combined(.ifNoneMatch)).matches(page.tag) else {
            var response = Response(status: .notModified, headers: headers)
            response.headers[.contentLength] = nil
            return response
        }
        headers[.contentType] = "text/html; charset=utf-8"
        headers[.contentSecurityPolicy] = CataloguePage.contentSecurityPolicy
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: page.bytes))
    }

    private var currentPage: Page {
        let known = self.page.withLock { $0 }
        guard known.generation != self.pictures.generation else { return known }
        let page = Page(self.movies, self.pictures)
        self.page.withLock { if $0.generation < page.generation { $0 = page } }
        return page
    }
}
