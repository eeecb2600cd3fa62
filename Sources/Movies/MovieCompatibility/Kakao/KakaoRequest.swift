import HTTPSemantics
import MovieDomain

/// The parameters of a search for pictures in Kakao's format.
struct KakaoRequest: Hashable, Sendable {
    enum Sort: String, Hashable, Sendable {
        case accuracy, recency
    }

    private static let pages = 1...50
    private static let sizes = 1...80
    /// Words that apps add to a film's title to find its poster.
    private static let posterWords = ["영화포스터", "포스터", "영화", "movie", "poster"]

    /// Not empty.
    let query: String
    /// From 1.
    let page: Int
    let size: Int
    let sort: Sort

    init(_ request: CompatibleRequest) throws(KakaoFault) {
        guard let query = request["query"] else { throw .missing("query") }
        self.query = query
        self.page = try Self.number(request, "page", in: Self.pages) ?? 1
        self.size = try Self.number(request, "size", in: Self.sizes) ?? Self.sizes.upperBound
        guard let sort = Sort(rawValue: request["sort"] ?? Sort.accuracy.rawValue) else {
            throw .invalid("sort is not a valid value")
        }
        self.sort = sort
    }

    private static func number(
        _ request: CompatibleRequest, _ name: String, in range: ClosedRange<Int>
    ) throws(KakaoFault) -> Int? {
        guard let text = request[name] else { return nil }
        guard let number = QueryParameters.number(text) else { throw .invalid("\(name) is not a number") }
        guard number <= range.upperBound else { throw .invalid("\(name) is more than max") }
        guard number >= range.lowerBound else { throw .invalid("\(name) is less than min") }
        return number
    }

    /// The query without words for posters; the whole query if it has no other words.
    var title: String {
        let words = self.query.split(whereSeparator: \.isWhitespace).map { String($0) }
        let title = words.filter { !Self.posterWords.contains($0.lowercased()) }.joined(separator: " ")
        return title.isEmpty ? self.query : title
    }

    /// The request to Kakao, with the parameters that it supports.
    var upstream: DocumentRequest {
        DocumentRequest(
            "/v2/search/image",
            query: [
                ("query", self.query), ("page", "\(self.page)"), ("size", "\(self.size)"),
                ("sort", self.sort.rawValue),
            ])
    }
}

/// A fault in Kakao's words.
struct KakaoFault: Error, Hashable, Sendable {
    let status: Int
    let document: OrderedJSON

    private init(_ status: Int, _ type: String, _ message: String) {
        self.status = status
        self.document = ["errorType": .string(type), "message": .string(message)]
    }

    private init(status: Int, code: Int, _ message: String) {
        self.status = status
        self.document = ["msg": .string(message), "code": .integer(code)]
    }

    static func missing(_ parameter: String) -> KakaoFault {
        KakaoFault(400, "MissingParameter", "\(parameter) parameter required")
    }

    static func invalid(_ message: String) -> KakaoFault { KakaoFault(400, "InvalidArgument", message) }

    /// The request has no key.
    static let unauthorized = KakaoFault(401, "AccessDeniedError", "cannot find Authorization : KakaoAK header")
    /// The request has an invalid key.
    static let key = KakaoFault(status: 401, code: -401, "this access token does not exist")
    static let resource = KakaoFault(404, "ResourceNotFound", "the requested path does not exist")
    static let quota = KakaoFault(status: 400, code: -10, "API limit has been exceeded.")
    static let system = KakaoFault(status: 503, code: -603, "timeout")
}
