import PosterCodec
import PosterPipeline
import Testing

@testable import HTTPSemantics
@testable import PosterAPI

struct PosterQueryTests {
    private func parse(_ target: String, accept: String? = nil) throws -> PosterRequest {
        try self.query(target, accept: accept).request
    }

    private func query(_ target: String, accept: String? = nil) throws -> PictureRequest {
        let parser = PictureRequestParser()
        let query = try parser.parse(RequestTarget(target), headers: PictureRequestHeaders(accept: accept), now: 0)
        return try #require(query)
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
        "reads every parameter",
        arguments: [
            ("h=300", RenderTarget(height: 300, format: .jpeg)),
            ("w=200&h=300&fit=cover", RenderTarget(width: 200, height: 300, fit: .cover, format: .jpeg)),
            (
                "w=200&h=300&fit=cover&position=entropy",
                RenderTarget(width: 200, height: 300, fit: .cover, position: .entropy, format: .jpeg)
            ),
            (
                "w=200&h=300&fit=cover&position=attention",
                RenderTarget(width: 200, height: 300, fit: .cover, position: .attention, format: .jpeg)
            ),
            ("w=200&dpr=2", RenderTarget(width: 400, format: .jpeg)),
            ("w=200&h=100&dpr=1.5", RenderTarget(width: 300, height: 150, format: .jpeg)),
            ("w=101&dpr=2.625", RenderTarget(width: 265, format: .jpeg)),
            ("w=1024&dpr=4", RenderTarget(width: 4096, format: .jpeg)),
            ("format=png", RenderTarget(format: .png)), ("format=webp", RenderTarget(format: .webp)),
            ("w=92&format=jpeg", RenderTarget(width: 92, format: .jpeg)),
            ("w=92&format=auto", RenderTarget(width: 92, format: .jpeg)),
            ("w=92&q=1", RenderTarget(width: 92, format: .jpeg, quality: 1)),
            ("w=92&q=100", RenderTarget(width: 92, format: .jpeg, quality: 100)),
            ("w=92&q=auto", RenderTarget(width: 92, format: .jpeg, quality: .likeness(.auto))),
            ("w=92&q=high", RenderTarget(width: 92, format: .jpeg, quality: .likeness(.high))),
            (
                "w=92&bg=1a2B3c",
                RenderTarget(width: 92, format: .jpeg, background: .init(red: 0x1A, green: 0x2B, blue: 0x3C))
            ),
            (
                "w=92&bg=%23f80",
                RenderTarget(width: 92, format: .jpeg, background: .init(red: 255, green: 136, blue: 0))
            ),
        ])
    func readsParameters(query: String, expected: RenderTarget) throws {
        let request = try self.parse("/poster/x?" + query)
        #expect(request.rendition == .variant(expected))
    }

    @Test("a format that is named beats Accept, and only a negotiated one varies by it")
    func formatBeatsAccept() throws {
        for (query, format, isNegotiated) in [
            ("w=92", OutputFormat.webp, true), ("w=92&format=auto", .webp, true), ("w=92&format=jpeg", .jpeg, false),
            ("w=92&format=png", .png, false), ("q=50", .webp, true),
        ] {
            let parsed = try self.query("/poster/x?" + query, accept: "image/webp")
            guard case .variant(let wanted) = parsed.request.rendition else { throw Problem(.internalError, query) }
            #expect(wanted.format == format && parsed.vary.contains(.accept) == isNegotiated, "\(query)")
        }
    }

    @Test(
        "refuses with the parameter's name and what is accepted",
        arguments: [
            ("/poster/x?w=15", "w must be a whole number of pixels from 16 to 4096"),
            ("/poster/x?w=4097", "16 to 4096"), ("/poster/x?w=", "16 to 4096"), ("/poster/x?w", "16 to 4096"),
            ("/poster/x?w=+368", "16 to 4096"), ("/poster/x?w=-1", "16 to 4096"), ("/poster/x?w=368px", "16 to 4096"),
            ("/poster/x?w=99999999999999999999", "16 to 4096"), ("/poster/x?w=３６８", "16 to 4096"),
            ("/poster/x?w=100&w=200", "more than once"), ("/poster/x?width=368", "'width' is not a parameter"),
            ("/poster/x?w=%zz", "percent-encoding"), ("/poster/%?w=368", "percent-encoding"),
            ("/poster/%ff%fe?w=368", "percent-encoding"), ("/poster/Mine:x?w=368", "lower-case"),
            ("/poster/mine:?w=368", "the key is empty"), ("/poster/a%00b", "control characters"),
            ("/poster/x?\u{301}w=368", "is not a parameter"),
            ("/poster/x?h=15", "h must be a whole number of pixels from 16 to 4096"),
            ("/poster/x?w=92&fit=fill", "fit must be contain or cover"),
            (
                "/poster/x?w=92&position=north",
                "position must be center, top, bottom, left, right, entropy or attention"
            ),
            ("/poster/x?w=92&dpr=0.5", "dpr must be a number from 1 to 4"), ("/poster/x?w=92&dpr=5", "from 1 to 4"),
            ("/poster/x?w=92&dpr=4.001", "from 1 to 4"), ("/poster/x?w=92&dpr=1.", "from 1 to 4"),
            ("/poster/x?w=92&dpr=2x", "from 1 to 4"), ("/poster/x?w=92&dpr=", "from 1 to 4"),
            ("/poster/x?w=92&dpr=1.2345", "three decimals"), ("/poster/x?w=92&dpr=NaN", "from 1 to 4"),
            ("/poster/x?w=2049&dpr=2", "w times dpr is 4098 pixels; the maximum is 4096"),
            ("/poster/x?w=92&format=gif", "format must be auto, jxl, avif, webp, jpeg or png"),
            ("/poster/x?w=92&format=JPEG", "format must be"), ("/poster/x?w=92&q=0", "from 1 to 100"),
            ("/poster/x?w=92&q=101", "from 1 to 100"), ("/poster/x?w=92&q=82.5", "from 1 to 100"),
            ("/poster/x?w=92&bg=red", "RRGGBB"), ("/poster/x?w=92&bg=ffff", "RRGGBB"),
            ("/poster/x?w=92&bg=", "RRGGBB"), ("/poster/x?w=92&bg=12345g", "RRGGBB"),
            ("/poster/x?w=92&bg=1234567", "RRGGBB"), ("/poster/x?w=92&effort=full", "'effort' is not a parameter"),
        ])
    func refuses(target: String, words: String) throws {
        let problem = #expect(throws: Problem.self) { _ = try self.parse(target) }
        #expect(problem?.kind.status == 400)
        #expect(problem?.detail.contains(words) == true, "\(problem?.detail ?? "")")
    }

    @Test(
        "sends WebP to clients that name it and do not prefer JPEG",
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
        #expect((AcceptHeader(accept).choice(of: FormatOrder()).format == .webp) == webp)
    }
}
