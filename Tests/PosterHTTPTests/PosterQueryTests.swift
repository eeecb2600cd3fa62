import PosterCodec
import PosterPipeline
import Testing

@testable import PosterHTTP

struct PosterQueryTests {
    private func parse(_ target: String, accept: String? = nil) throws -> PosterRequest {
        let target = RequestTarget(target)
        return try PosterQuery.parse(id: target.segments[1], target: target, accept: accept)
    }

    @Test(
        "reads targets",
        arguments: [
            ("/poster/nosferatu-1922", "sample:nosferatu-1922", nil), ("/poster/x?w=16", "sample:x", 16),
            ("/poster/x?w=4096", "sample:x", 4096), ("/poster/tmdb%3A603?w=368", "tmdb:603", 368),
            ("/poster/mine:a%2Fb.jpg?w=368", "mine:a/b.jpg", 368), ("/poster/mine:a%252Fb?w=368", "mine:a%2Fb", 368),
            ("/poster/%ED%95%98%EB%85%80?w=368", "sample:하녀", 368), ("/poster/x?w=36%38", "sample:x", 368),
            ("http://localhost:8080/poster/x?w=368", "sample:x", 368), ("/poster/a+b?w=368&", "sample:a+b", 368),
        ] as [(String, String, Int?)])
    func reads(target: String, id: String, width: Int?) throws {
        let request = try self.parse(target)
        #expect(request.id.description == id)
        switch request.rendition {
        case .original: #expect(width == nil)
        case .variant(let target): #expect(target == RenderTarget(width: width, format: .jpeg))
        }
    }

    @Test(
        "refuses with the parameter's name and what is accepted",
        arguments: [
            ("/poster/x?w=15", "w must be a whole number of pixels from 16 to 4096"),
            ("/poster/x?w=4097", "16 to 4096"), ("/poster/x?w=", "16 to 4096"), ("/poster/x?w", "16 to 4096"),
            ("/poster/x?w=+368", "16 to 4096"), ("/poster/x?w=-1", "16 to 4096"), ("/poster/x?w=368px", "16 to 4096"),
            ("/poster/x?w=99999999999999999999", "16 to 4096"), ("/poster/x?w=３６８", "16 to 4096"),
            ("/poster/x?w=100&w=200", "more than once"), ("/poster/x?width=368", "'width' is no parameter"),
            ("/poster/x?w=%zz", "percent-encoding"), ("/poster/%?w=368", "percent-encoding"),
            ("/poster/%ff%fe?w=368", "percent-encoding"), ("/poster/Mine:x?w=368", "lower-case"),
            ("/poster/mine:?w=368", "the key is empty"), ("/poster/a%00b", "control characters"),
            ("/poster/x?\u{301}w=368", "is no parameter"),
        ])
    func refuses(target: String, words: String) throws {
        let problem = #expect(throws: Problem.self) { _ = try self.parse(target) }
        #expect(problem?.kind.status == 400)
        #expect(problem?.detail.contains(words) == true, "\(problem?.detail ?? "")")
    }

    @Test(
        "sends WebP to who names it and likes JPEG no better",
        arguments: [
            (nil, false), ("", false), ("*/*", false), ("image/*", false), ("image/webp", true),
            ("image/avif,image/webp,image/apng,image/*,*/*;q=0.8", true), ("IMAGE/WEBP", true),
            ("image/webp;q=0", false), ("image/webp;q=0.000", false), ("image/webp;q=0.5,image/jpeg", false),
            ("image/webp;q=0.5,image/jpeg;q=0.5", true), ("image/webp;q=0.5,*/*;q=0.8", false),
            ("image/webp;q=0.9, image/*;q=0.8", true), ("image/webp ; q=0.9 , image/jpeg ; q=1.0", false),
            ("image/jpeg;q=0.1, image/webp;level=1;q=0.2", true), ("text/html", false), ("image/webpx", false),
            (",,image/webp,,", true), ("image/webp;q=abc", true),
        ] as [(String?, Bool)])
    func negotiates(accept: String?, webp: Bool) {
        #expect(AcceptHeader(accept).prefersWebP == webp)
    }
}
