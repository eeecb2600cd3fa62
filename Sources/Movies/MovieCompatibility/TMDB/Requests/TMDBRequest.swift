import HTTPSemantics
import MovieDomain
import MovieHTTP

/// A request in The Movie Database's format: the path relative to the version, and parameters; ignores unknown ones.
struct TMDBRequest: Hashable, Sendable {
    /// The last page of any list.
    static let pageLimit = 500
    static let appendLimit = 20
    static let defaultLanguage = "en-US"
    /// The path segments before the API's.
    static let prefix = ["compat", "tmdb", "3"]

    /// Parameters that do not affect shared resources.
    private static let personal: Set<String> = ["api_key", "session_id", "guest_session_id"]

    /// Percent-decoded, relative to the version.
    let path: [String]
    /// The last value of each name.
    private(set) var parameters: [String: String]

    init(path: [String], parameters: [String: String] = [:]) {
        self.path = path
        self.parameters = parameters
    }

    /// - Throws: ``TMDBFault`` for malformed percent-encoding, and for paths without or with another version.
    init(_ target: RequestTarget) throws(TMDBFault) {
        guard target.segments.count > Self.prefix.count, zip(target.segments, Self.prefix).allSatisfy(==) else {
            throw TMDBFault(.notFound)
        }
        var path: [String] = []
        for segment in target.segments.dropFirst(Self.prefix.count) {
            guard let text = PercentEncoding.decode(segment) else { throw TMDBFault(.invalidParameters) }
            path.append(text)
        }
        let pairs: [(name: String, value: String)]
        do throws(Problem) {
            pairs = try target.parameters(plusIsSpace: true)
        } catch {
            throw TMDBFault(.invalidParameters)
        }
        self.init(
            path: path, parameters: Dictionary(pairs.map { ($0.name, $0.value) }) { _, last in last })
    }

    /// The request without the client's own parameters.
    var shared: TMDBRequest {
        var request = self
        request.parameters = self.parameters.filter { !Self.personal.contains($0.key) }
        return request
    }

    /// The parameters of a resource in normal form, so that equivalent requests are equal.
    ///
    /// - Parameter names: The names of the resource's parameters.
    func reduced(to names: [String]) -> TMDBRequest {
        var own: [String: String] = [:]
        for name in names { own[name] = self[name] }
        if let page = own["page"].flatMap({ Int($0) }) { own["page"] = String(page) }
        if own["language"] != nil { own["language"] = self.languageTag }
        // Requests with too many names are rejected later.
        if own["append_to_response"] != nil, let appended = try? self.appended() {
            own["append_to_response"] = appended.filter { $0 != TMDBResource.personalPart }.joined(separator: ",")
        }
        return TMDBRequest(path: [], parameters: own)
    }

    /// `nil` if the parameter is absent or empty.
    subscript(name: String) -> String? { self.parameters[name].flatMap { $0.isEmpty ? nil : $0 } }

    /// - Throws: ``TMDBFault`` for a value that is no number from 1 to ``pageLimit``.
    func page() throws(TMDBFault) -> Int {
        guard let text = self["page"] else { return 1 }
        guard let number = Int(text), (1...Self.pageLimit).contains(number) else { throw TMDBFault(.invalidPage) }
        return number
    }

    /// The client's language tag; ``defaultLanguage`` if it is missing or malformed.
    var languageTag: String {
        self["language"].flatMap { Language(tag: $0) == nil ? nil : $0 } ?? Self.defaultLanguage
    }

    var language: LanguagePreference { LanguagePreference([Language(tag: self.languageTag) ?? .english]) }

    var region: Country? { self["region"].flatMap { Country(code: $0) } }

    /// The names in `append_to_response`, without duplicates.
    ///
    /// - Throws: ``TMDBFault`` for more than ``appendLimit``.
    func appended() throws(TMDBFault) -> [String] {
        let names = (self["append_to_response"] ?? "").split(separator: ",").map { String($0.trimmingBlanks) }
        guard names.count <= Self.appendLimit else { throw TMDBFault(.tooManyAppended) }
        var once: [String] = []
        for name in names where !once.contains(name) && Self.isPartName(name) { once.append(name) }
        return once
    }

    /// Names of resources consist of small letters, underscores and slashes.
    private static func isPartName(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.allSatisfy { (97...122).contains($0) || $0 == 95 || $0 == 47 }
    }
}
