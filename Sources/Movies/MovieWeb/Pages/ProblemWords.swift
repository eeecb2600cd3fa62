import HTTPSemantics
import MovieDomain

/// The texts about a problem in the reader's language.
struct ProblemWords: Hashable {
    let heading: String
    let text: String?
    /// The problem's own detail, in English, if there is no text about it.
    let detail: String?
    /// The wrong parameter, if the problem is about one.
    let parameter: ParameterWords?
    /// Whether the same request may succeed later.
    let isPassing: Bool

    private init(
        _ heading: String, _ text: String? = nil, detail: String? = nil, parameter: ParameterWords? = nil,
        isPassing: Bool = false
    ) {
        self.heading = heading
        self.text = text
        self.detail = detail
        self.parameter = parameter
        self.isPassing = isPassing
    }

    /// - Parameters:
    ///   - source: The source of the missing data, if any.
    ///   - limit: The limit of the full list, if any.
    ///   - requestID: Identifies the request in logs.
    init(_ problem: Problem, source: MovieSource?, limit: Int?, requestID: String, _ texts: PageFormats) {
        let name = source?.name ?? texts("siteTitle")
        switch problem.kind {
        case .notFound, .unknownPoster: self.init(texts("errorNotFound"), texts("errorNotFoundText"))
        case .unknownMovie: self.init(texts("errorUnknownFilm"), texts("errorNotFoundText"))
        case .unknownPerson: self.init(texts("errorUnknownPerson"), texts("errorNotFoundText"))
        case .unknownCollection: self.init(texts("errorUnknownSeries"), texts("errorNotFoundText"))
        case .unknownApp: self.init(texts("errorUnknownApp"), texts("errorNotFoundText"))
        case .sourceOff:
            self.init(texts("errorSource", ["source": name]), texts("errorSourceOff", ["source": name]))
        case .sourceUnavailable, .sourceTooSlow, .sourceBusy, .overloaded, .cutOff, .storageFailed:
            self.init(texts("errorSource", ["source": name]), texts("errorSourceText"), isPassing: true)
        case .tooManyRequests:
            self.init(
                texts("errorBusy"), problem.retryAfterSeconds.map { texts("errorBusyText", count: $0) },
                isPassing: true)
        case .bodyTooLarge: self.init(texts("errorRequest"), texts("importTooLarge"))
        case .crossSite: self.init(texts("errorForm"), texts("errorFormText"))
        case .tooManyFavourites where limit != nil: self.init(texts("errorTooMany", count: limit))
        case .internalError: self.init(texts("errorInternal"), texts("errorInternalText", ["id": requestID]))
        case .invalidParameter, .invalidID:
            let words = problem.parameter.flatMap { ParameterWords($0, texts) }
            self.init(
                texts("errorRequest"), words?.sentence ?? texts("errorNotFoundText"), parameter: words)
        default: self.init(texts("errorRequest"), detail: problem.detail)
        }
    }
}
