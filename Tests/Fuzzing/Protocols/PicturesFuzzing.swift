@testable import HTTPSemantics
@testable import HTTPServer
@testable import PosterAPI
@testable import PosterCodec
@testable import PosterPipeline

extension FuzzTarget {
    /// Targets of requests for pictures: of posters, The Movie Database's images, Next.js's loader and the proxy.
    static let pictures = FuzzTarget(
        "pictures",
        words: [
            "/poster/", "/t/p/", "/_next/image?", "/proxy?", "?", "&", "=", "w=", "h=", "q=", "dpr=", "fit=", "cover",
            "contain", "fill",
            "position=", "attention", "format=", "avif", "webp", "jxl", "jpeg", "png", "bg=", "v=", "url=", "s=",
            "exp=", "card=",
            "language=", "textless=", "original", "w342", "w600_and_h900", "_bestv2", "_face", "_multi_faces",
            "_filter(blur)",
            "_filter(duotone,1F2937,A78BFA)", "sample_", "_2", ".jpg", ".svg", "%2F", "%3A", "%25", "%",
            "http%3A%2F%2Fa.example%2Fb",
            "badges=", "text=", "badge-position=", "badge-style=", "badge-colours=", "imdb,rt,metacritic", "letterboxd",
            "top-left", "right", "pill", "square", "bar", "source", "%00", "%20", "%E2%80%AE", "%E2%80%8D", "%CC%81",
            "%D7%90", "%D8%B9", "%F0%9F%8F%B3%EF%B8%8F%E2%80%8D%F0%9F%8C%88", "%ED%A0%80", "%E6%BC%A2",
            "tmdb:603", "url:", "auto", "~ja", "\u{301}", "//", "#", "http://a",
        ],
        seeds: [
            "0/poster/nosferatu-1922?w=368&h=200&fit=cover&position=attention&format=webp&q=80&bg=ff00aa&v=0123456789abcdef",
            "1/poster/tmdb:603?w=92&dpr=1.5&language=ja&textless=true&card=ko", "2/t/p/w342/abc.jpg",
            "3/t/p/w600_and_h900_bestv2/a.svg",
            "0/t/p/h632_filter(duotone,1F2937,A78BFA)/sample_nosferatu-1922_2.jpg", "1/t/p/original/x.png",
            "2/_next/image?url=https%3A%2F%2Fa.example%2Fb.jpg&w=640&q=75", "3/_next/image?url=%2Fposter%2Fx&w=64",
            "0/proxy?url=https%3A%2F%2Fa.example%2Fb.jpg&w=100", "1http://host/poster/x?w=1",
            "2/poster/x?w=46&exp=2000000000&s=abc",
            "3/poster/x?q=auto&w=100", "0/t//p/w92//a.jpg/",
            "0/poster/x?w=342&badges=imdb,rt,metacritic&badge-position=top-left&badge-style=bar&badge-colours=source",
            "0/poster/x?w=92&text=4K%20HDR&badges=tmdb", "2/poster/x?w=500&text=New",
            "0/poster/x?w=500&text=%D7%90%D7%91%D7%92%208.7&badge-position=left&badge-style=square",
            "0/poster/x?w=154&text=Z%CC%81%CC%A3%CC%81%CC%A3%CC%81%CC%A3&badge-position=right",
            "0/poster/x?w=780&text=%F0%9F%91%A9%E2%80%8D%F0%9F%91%A7", "0/poster/x?w=185&text=a%00b%ED%A0%80",
            "0/poster/x?w=342&text=\(String(repeating: "%E6%BC%A2", count: 24))&badge-style=bar",
        ]
    ) { bytes in
        var input = FuzzInput(bytes)
        let choice = input.byte()
        let text = input.text()
        let target = RequestTarget(text)
        check(target.segments.allSatisfy { !$0.utf8.contains(UInt8(ascii: "/")) }, "a segment has a slash")
        _ = RedactedTarget(text)
        check(RedactedTarget(text).text.utf8.allSatisfy { (0x21...0x7E).contains($0) }, "a logged target is not ASCII")
        _ = Problem(target: text)
        let parser = parsers[Int(choice) % parsers.count]
        let hints = choice & 8 == 0 ? ClientHints() : ClientHints(ratio: "2", width: "640", saveData: nil)
        let headers = PictureRequestHeaders(
            accept: choice & 4 == 0 ? nil : "image/avif,image/webp,image/jxl", hints: hints)
        guard let request = try? parser.parse(target, headers: headers, now: 1_700_000_000) else { return }
        inspect(request)
        guard let keys = parser.policy.signingKeys else { return }
        sign(text, keys, parser, headers)
    }

    private static let parsers: [PictureRequestParser] = {
        var policies = [PicturePolicy(), PicturePolicy(), PicturePolicy(), PicturePolicy()]
        policies[0].allowsBadgeTexts = true
        policies[1].usesHints = true
        policies[1].ladder = WidthLadder(rungs: [92, 185, 342, 500], heights: [278, 632], snaps: true)
        policies[2].signingKeys = keys
        policies[2].usesLikeness = true
        policies[3].ladder = WidthLadder(rungs: [46, 640])
        policies[3].allowedURLs = (try? URLPrefix("https://a.example?")).map { [$0] } ?? []
        return policies.map {
            PictureRequestParser(policy: $0, languages: PosterLanguages(sources: ["tmdb"], own: "en"), generation: 0)
        }
    }()

    private static let keys = try? SigningKeys("0123456789abcdef0123456789abcdef")

    private static func inspect(_ request: PictureRequest) {
        let id = request.request.id
        check((try? PosterID(id.description)) == id, "an id is not read back")
        guard case .variant(let target) = request.request.rendition else { return }
        for side in [target.width, target.height].compactMap(\.self) {
            check(PictureRequest.sides.contains(side), "a side has \(side) pixels")
        }
        if let badges = request.badges { draw(badges, width: target.width ?? 342) }
    }

    /// Texts are short, and are drawn inside of the picture, in the memory that a job estimates.
    private static func draw(_ request: BadgeRequest, width: Int) {
        check((request.text ?? "").unicodeScalars.count <= Badges.Badge.maxTextLength, "a text is too long")
        let scores = Dictionary(
            uniqueKeysWithValues: request.sources.compactMap { source in
                BadgeScore(fraction: 0.5, at: source).map { (source, $0) }
            })
        let height = width * 3 / 2 + 1
        guard let badges = request.badges(scores), let size = try? OutputSize(width: width, height: height),
            let overlay = try? BadgePainter.overlay(for: badges, width: width, height: height)
        else { return }
        var coverage = 0
        for piece in overlay.pieces {
            check(piece.isValid(in: size), "a badge outside of its picture")
            if case .glyphs(let glyphs) = piece { coverage += glyphs.coverage.count }
        }
        check(coverage <= BadgePainter.byteCount(of: badges, width: width, height: height), "badges take too much")
    }

    /// A signed target is accepted, and means the same as the unsigned one.
    private static func sign(
        _ text: String, _ keys: SigningKeys, _ parser: PictureRequestParser, _ headers: PictureRequestHeaders
    ) {
        guard !text.utf8.contains(UInt8(ascii: "#")), text.utf8.first == UInt8(ascii: "/"),
            let plain = try? parser.parse(RequestTarget(text), headers: headers, now: 0), plain.expires == nil,
            let signed = try? keys.sign(target: text)
        else { return }
        let request = try? parser.parse(RequestTarget(signed), headers: headers, now: 0)
        check(request?.request == plain.request, "the signed target \(signed) differs from \(text)")
    }
}
