import HTTPSemantics

/// A parsed request for a picture at an ``RPDBPath``, before its film is found.
struct RPDBRequest {
    private static let sizeParameter = "imageSize"
    private static let languageParameter = "lang"
    private static let fallbackParameter = "fallback"
    private static let orderParameter = "order"
    private static let badgesParameter = "badges"
    private static let extensions: Set<Substring> = ["jpg", "jpeg", "png", "webp"]

    let type: RPDBPictureType
    let title: RPDBTitle
    /// In pixels.
    let box: (width: Int, height: Int)
    /// A language code in lower case; `nil` for the server's language.
    let language: String?
    /// Whether a placeholder replaces an error.
    let hasFallback: Bool
    /// Settings of badges in the query, which have precedence over the key's.
    let badges: [(name: String, value: String)]

    var kind: RPDBPictureKind { self.type.kind }

    /// Unknown parameters are ignored, as clients add some to bypass caches, and languages that are none: clients send
    /// `null` for an unset one. So are RPDB's marks in `badges`, such as `4k`.
    ///
    /// - Throws: ``Problem`` that names the malformed part and the accepted values.
    init(_ path: RPDBPath, _ target: RequestTarget) throws(Problem) {
        let parts = Array(path.rest)
        guard parts.count == 3, let registry = RPDBTitle.Registry(rawValue: String(parts[0])) else {
            throw Problem(.notFound, "the path must be /{key}/{imdb, tmdb or tvdb}/{type}/{id}.jpg, or /{key}/isValid")
        }
        let known = Self.parameters + BadgeDefaults.names
        // Clients send unset fields of their forms as empty values.
        let pairs = try target.parameters().filter { pair in
            known.contains(pair.name) && !pair.value.isEmpty
                && (pair.name != Self.badgesParameter || Self.namesSources(pair.value))
        }
        let parameters = try QueryParameters(pairs, known: known, names: known.joined(separator: ", "))
        guard let type = RPDBPictureType(parts[1], order: parameters[Self.orderParameter]) else {
            throw Problem(.malformedRequest, "the type must be \(RPDBPictureType.forms)")
        }
        let file = parts[2].split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard file.count == 2, Self.extensions.contains(file[1]) else {
            throw Problem(.malformedRequest, "the file must be an id with .jpg, .jpeg, .png or .webp")
        }
        guard let title = RPDBTitle(file[0], at: registry) else {
            throw Problem(.invalidID, "the id must be \(registry.forms)")
        }
        let size: RPDBImageSize = try parameters.choice(Self.sizeParameter) ?? .medium
        self.type = type
        self.title = title
        self.box = size.box(of: type.kind)
        self.language = Self.language(parameters)
        self.hasFallback = parameters[Self.fallbackParameter].map(Self.trueValues.contains) == true
        self.badges = pairs.filter { BadgeDefaults.names.contains($0.name) }
    }

    private static let parameters = [
        Self.sizeParameter, Self.languageParameter, Self.fallbackParameter, Self.orderParameter,
    ]

    /// - Returns: The language of a tag or locale, such as `de` or `de_DE`; `nil` for other values.
    private static func language(_ parameters: QueryParameters) -> String? {
        guard let text = parameters[Self.languageParameter] else { return nil }
        let tag = String(text.map { $0 == "_" ? "-" : $0 })
        let normal = try? QueryParameters(
            [(Self.languageParameter, tag)], known: [Self.languageParameter], names: Self.languageParameter)
        return try? normal?.language(Self.languageParameter)
    }

    /// Whether a list of badges names a source.
    private static func namesSources(_ list: String) -> Bool {
        list.split(separator: ",").contains { BadgeSource(rawValue: String($0)) != nil }
    }

    /// The placeholder for a request that cannot be parsed, of the kind and size that can; `nil` if it wants none.
    static func placeholder(_ path: RPDBPath, _ target: RequestTarget) -> RPDBPlaceholder? {
        guard let pairs = try? target.parameters() else { return nil }
        func value(_ name: String) -> String? { pairs.first { $0.name == name }?.value }
        guard value(Self.fallbackParameter).map(Self.trueValues.contains) == true else { return nil }
        let kind = path.rest.dropFirst().first.flatMap { RPDBPictureType($0) }?.kind ?? .poster
        let size = value(Self.sizeParameter).flatMap { RPDBImageSize(rawValue: $0) } ?? .medium
        return RPDBPlaceholder(size.box(of: kind), of: kind)
    }

    private static let trueValues = ["true", "1"]
}

/// A path of RPDB's, below ``base`` or at the root: `/{key}/isValid` or `/{key}/{registry}/{type}/{file}`.
struct RPDBPath {
    static let base = "/compat/rpdb"
    /// Longest key in bytes.
    static let keyLimit = 1024

    /// The client's key, decoded.
    let key: String
    /// The segments after the key, as received.
    let rest: ArraySlice<Substring>

    /// - Throws: ``Problem`` for a malformed key.
    init(_ target: RequestTarget) throws(Problem) {
        let segments = target.segments
        let own = segments.starts(with: ["compat", "rpdb"]) ? segments.dropFirst(2) : segments[...]
        guard let first = own.first, let key = PercentEncoding.decode(first), !key.isEmpty,
            key.utf8.count <= Self.keyLimit
        else {
            throw Problem(.malformedRequest, "the path must begin with a key of 1 to \(Self.keyLimit) bytes")
        }
        self.key = key
        self.rest = own.dropFirst()
    }
}
