import MovieDomain
import UpstreamClient

/// What Kakao's image search answers.
enum KakaoPictures {
    /// The narrowest picture that is taken, in pixels.
    static let minWidth = 300
    /// What posters' heights are to their widths.
    static let posterRatios = 1.3...1.6
    /// The most that are offered.
    static let limit = 20

    /// Upright pictures: those that are as high as posters first, each group in the search's order.
    ///
    /// - Throws: ``UnreadableAnswer``.
    static func candidates(in body: [UInt8]) throws(UnreadableAnswer) -> [PosterCandidate] {
        let answer = try TolerantJSON.object(body)
        guard answer.has("documents") else { throw UnreadableAnswer(reason: "has no documents") }
        let upright = answer.rows("documents").compactMap { row -> (url: String, size: PictureSize)? in
            guard let url = row.text("image_url"), WebAddress.isPicture(url),
                let size = PictureSize(width: row.integer("width") ?? 0, height: row.integer("height") ?? 0),
                size.width >= Self.minWidth, size.height > size.width
            else { return nil }
            return (url, size)
        }
        let isPoster = { (size: PictureSize) in
            Self.posterRatios.contains(Double(size.height) / Double(size.width))
        }
        let ranked = upright.filter { isPoster($0.size) } + upright.filter { !isPoster($0.size) }
        var known: Set<String> = []
        return ranked.filter { known.insert($0.url).inserted }.prefix(Self.limit).map {
            PosterCandidate(source: .kakao, location: .web(url: $0.url), title: "", year: nil, size: $0.size)
        }
    }

    /// What a refusal means, whose status does not say it: its quota is used up with 400, too.
    ///
    /// - Parameter secondsLeft: Of the day in Korea.
    /// - Returns: nil when its status says all.
    static func failure(status: Int, body: [UInt8], secondsLeft: Int) -> SourceFailure? {
        guard status != 200 else { return nil }
        let error = try? TolerantJSON.object(body)
        switch error?.integer("code") {
        case -10: return .busy(.kakao, retryAfterSeconds: secondsLeft)
        case -401: return .keyRefused(.kakao)
        default: break
        }
        switch error?.text("errorType") {
        case "AccessDeniedError": return .keyRefused(.kakao)
        case "MissingParameter", "InvalidArgument": return .badAnswer(.kakao, reason: "it does not accept the request")
        default: return nil
        }
    }
}
