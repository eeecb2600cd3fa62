import HTTPTypes
import Hummingbird
import MovieDomain
import NIOCore

/// `GET /`
struct CatalogueController: Sendable {
    /// The most films shown.
    static let movieLimit = 500

    private let page: ByteBuffer

    /// The page is made once: the catalogue does not change while the server runs.
    init(movies: [Movie]) {
        self.page = ByteBuffer(string: CataloguePage(movies: movies).html)
    }

    func register(on router: Router<PosterRequestContext>) {
        router.get("/") { _, _ in
            Response(
                status: .ok,
                headers: [
                    .contentType: "text/html; charset=utf-8", .cacheControl: "public, max-age=60",
                    .contentTypeOptions: "nosniff",
                    .contentSecurityPolicy: CataloguePage.contentSecurityPolicy,
                ],
                body: ResponseBody(byteBuffer: self.page))
        }
    }
}
