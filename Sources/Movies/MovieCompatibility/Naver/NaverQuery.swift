import HTTPSemantics
import MovieDomain
import MovieHTTP

/// The parameters of a film search in Naver's format. As at Naver, unknown parameters and values do not filter.
struct NaverQuery: Hashable, Sendable {
    let query: SearchMoviesByOffset.Query
    /// The genres of Naver's number; `nil` for all.
    let genres: Set<GenreID>?
    /// `nil` for all.
    let country: NaverCountry?

    init(_ target: String) throws(NaverFault) {
        let values = try Self.values(target)
        let display = try Self.number(values["display"], in: SearchMoviesByOffset.Query.displays, else: 10, .display)
        let start = try Self.number(values["start"], in: SearchMoviesByOffset.Query.starts, else: 1, .start)
        guard
            let query = SearchMoviesByOffset.Query(
                values["query"] ?? "", start: start, display: display, years: try Self.years(values))
        else { throw .query }
        self.query = query
        self.genres = values["genre"].flatMap { QueryParameters.number($0) }.flatMap { NaverGenre.genres[$0] }
        self.country = values["country"].flatMap { NaverCountry(rawValue: $0.uppercased()) }
    }

    /// Whether a film matches the genre and the country; `nil` if neither is given.
    var filter: (@Sendable (MovieSummary) -> Bool)? {
        guard self.genres != nil || self.country != nil else { return nil }
        return { [genres = self.genres, country = self.country] film in
            let isOfGenre = genres.map { genres in film.genres.contains { genres.contains($0.id) } } ?? true
            return isOfGenre && country?.matches(film) ?? true
        }
    }

    /// Requires both years or none, as Naver does.
    private static func years(_ values: [String: String]) throws(NaverFault) -> ClosedRange<Int>? {
        switch (values["yearfrom"], values["yearto"]) {
        case (nil, nil): return nil
        case (let from?, let to?):
            guard let from = QueryParameters.number(from), let to = QueryParameters.number(to),
                (1...9999).contains(from), (from...9999).contains(to)
            else { throw .query }
            return from...to
        default: throw .query
        }
    }

    private static func number(
        _ text: String?, in range: ClosedRange<Int>, else usual: Int, _ fault: NaverFault
    ) throws(NaverFault) -> Int {
        guard let text else { return usual }
        guard let number = QueryParameters.number(text), range.contains(number) else { throw fault }
        return number
    }

    /// The first value of each name.
    private static func values(_ target: String) throws(NaverFault) -> [String: String] {
        let pairs: [(name: String, value: String)]
        do throws(Problem) {
            pairs = try RequestTarget(target).parameters(plusIsSpace: true)
        } catch {
            throw .encoding
        }
        return Dictionary(pairs.map { ($0.name, $0.value) }) { first, _ in first }
    }
}

/// A fault of a film search, in Naver's words.
struct NaverFault: Error, Hashable, Sendable {
    let code: String
    let message: String
    let status: Int

    static let query = NaverFault(
        code: "SE01", message: "Incorrect query request (잘못된 쿼리요청입니다.)", status: 400)
    static let display = NaverFault(
        code: "SE02", message: "Invalid display value (부적절한 display 값입니다.)", status: 400)
    static let start = NaverFault(code: "SE03", message: "Invalid start value (부적절한 start 값입니다.)", status: 400)
    static let encoding = NaverFault(
        code: "SE06", message: "Malformed encoding (잘못된 형식의 인코딩입니다.)", status: 400)
    static let api = NaverFault(
        code: "SE05", message: "Invalid search api (존재하지 않는 검색 api 입니다.)", status: 404)
    static let authentication = NaverFault(
        code: "024", message: "Authentication failed (인증에 실패하였습니다.)", status: 401)
    static let system = NaverFault(code: "SE99", message: "System Error (시스템 에러)", status: 500)
}
