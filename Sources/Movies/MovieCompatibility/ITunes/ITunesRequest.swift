import HTTPSemantics
import MovieDomain

/// The parameters of a search or a lookup in iTunes' format.
struct ITunesRequest: Hashable, Sendable {
    /// A parameter has an invalid value.
    struct Invalid: Error, Hashable, Sendable {
        let parameter: String
    }

    enum Kind: Hashable, Sendable {
        case software, movies
        case all
        /// Entities that this server does not have, such as music.
        case others
    }

    static let limits = 1...200
    static let usualLimit = 50
    static let offsets = 0...10_000
    /// Maximum number of ids in a lookup.
    static let idLimit = 200
    private static let software: Set<String> = ["software", "iPadSoftware", "macSoftware", "desktopSoftware"]
    private static let movies: Set<String> = ["movie", "movieArtist", "shortFilm"]

    let kind: Kind
    let limit, offset: Int
    /// The name of a JSONP callback; `nil` for plain JSON.
    let callback: String?
    /// The store's country; `nil` for the server's default.
    let country: Country?

    init(_ request: CompatibleRequest) throws(Invalid) {
        self.limit =
            try Self.number(request, "limit").map { min(max($0, Self.limits.lowerBound), Self.limits.upperBound) }
            ?? Self.usualLimit
        self.offset = try Self.number(request, "offset") ?? 0
        guard Self.offsets.contains(self.offset) else { throw Invalid(parameter: "offset") }
        self.callback = try Self.callback(request["callback"])
        self.country = try Self.country(request["country"])
        let word = request["entity"] ?? request["media"] ?? "all"
        self.kind =
            Self.software.contains(word)
            ? .software : Self.movies.contains(word) ? .movies : word == "all" ? .all : .others
    }

    private static func number(_ request: CompatibleRequest, _ name: String) throws(Invalid) -> Int? {
        guard let text = request[name] else { return nil }
        guard let number = QueryParameters.number(text) else { throw Invalid(parameter: name) }
        return number
    }

    private static func country(_ text: String?) throws(Invalid) -> Country? {
        guard let text else { return nil }
        guard text.utf8.count == 2, let country = Country(code: text) else { throw Invalid(parameter: "country") }
        return country
    }

    /// Maximum length of a callback's name, in characters.
    private static let callbackLength = 64

    /// Accepts only letters, digits, `_`, `$` and dots, as the name becomes part of a script.
    private static func callback(_ text: String?) throws(Invalid) -> String? {
        guard let text else { return nil }
        let isName = text.utf8.allSatisfy { byte in
            (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
                || "_$.".utf8.contains(byte)
        }
        guard isName, text.utf8.count <= Self.callbackLength, text.utf8.first.map({ !(48...57).contains($0) }) == true
        else { throw Invalid(parameter: "callback") }
        return text
    }

    static func ids(_ request: CompatibleRequest) -> [Int] {
        let texts = (request["id"] ?? "").split(separator: ",").prefix(Self.idLimit)
        return texts.compactMap { QueryParameters.number(String($0)) }
    }
}

extension ITunesRequest {
    /// The request to iTunes. It omits the callback, which is added to the response here.
    ///
    /// - Parameter request: The request from which this value was parsed.
    func upstream(_ path: String, _ request: CompatibleRequest, country: String) -> DocumentRequest {
        let names = [
            "term", "media", "entity", "attribute", "limit", "offset", "lang", "explicit", "id", "bundleId", "upc",
            "isbn", "amgVideoId", "sort",
        ]
        var parameters = request.parameters.filter { !$0.value.isEmpty }
        if parameters["limit"] != nil { parameters["limit"] = String(self.limit) }
        if parameters["offset"] != nil { parameters["offset"] = String(self.offset) }
        let query = names.compactMap { name in parameters[name].map { (name: name, value: $0) } }
        return DocumentRequest(
            "/\(path)", query: query + [(name: "country", value: request["country"]?.uppercased() ?? country)],
            lifetime: .seconds(6 * 3600))
    }
}

/// Numbers of the embedded catalogue's films and apps, derived from their keys: the same in all processes.
enum ITunesNumber {
    /// Far above the store's own numbers, but valid as signed 32-bit integers.
    private static let range = 2_000_000_000..<2_147_000_000

    static func number(of id: StoreAppID) -> Int {
        id.source == .itunes ? Int(id.key) ?? 0 : self.derived(from: "app:\(id.key)")
    }

    static func number(of id: MovieID) -> Int {
        id.source == .itunes ? Int(id.key) ?? 0 : self.derived(from: "movie:\(id.description)")
    }

    static func number(ofArtist name: String) -> Int { self.derived(from: "artist:\(name)") }

    /// FNV-1a of 64 bits.
    private static func derived(from text: String) -> Int {
        let hash = text.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        return self.range.lowerBound + Int(hash % UInt64(self.range.count))
    }
}
