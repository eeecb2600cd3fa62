import HTTPSemantics

/// A parsed request for a picture at an ``RPDBPath``, before its film is found.
struct RPDBRequest {
    private static let sizeParameter = "imageSize"
    private static let languageParameter = "lang"
    private static let fallbackParameter = "fallback"
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

    /// Unknown parameters are ignored: clients add some to bypass caches.
    ///
    /// - Throws: ``Problem`` that names the malformed part and the accepted values.
    init(_ path: RPDBPath, _ target: RequestTarget) throws(Problem) {
        let parts = Array(path.rest)
        guard parts.count == 3, let registry = RPDBTitle.Registry(rawValue: String(parts[0])) else {
            throw Problem(.notFound, "the path must be /{key}/{imdb, tmdb or tvdb}/{type}/{id}.jpg, or /{key}/isValid")
        }
        guard let type = RPDBPictureType(parts[1]) else {
            throw Problem(.malformedRequest, "the type must be \(RPDBPictureType.forms)")
        }
        let file = parts[2].split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard file.count == 2, Self.extensions.contains(file[1]) else {
            throw Problem(.malformedRequest, "the file must be an id with .jpg, .jpeg, .png or .webp")
        }
        guard let title = RPDBTitle(file[0], at: registry) else {
            throw Problem(.invalidID, "the id must be \(registry.forms)")
        }
        let known = [Self.sizeParameter, Self.languageParameter, Self.fallbackParameter] + BadgeDefaults.names
        // Clients send unset fields of their forms as empty values.
        let pairs = try target.parameters().filter { known.contains($0.name) && !$0.value.isEmpty }
        let parameters = try QueryParameters(pairs, known: known, names: known.joined(separator: ", "))
        let size: RPDBImageSize = try parameters.choice(Self.sizeParameter) ?? .medium
        guard let box = size.box(of: type.kind) else {
            throw Problem(
                .invalidParameter,
                "\(Self.sizeParameter) of this type must be one of \(RPDBImageSize.forms(of: type.kind))",
                parameter: Problem.Parameter(Self.sizeParameter))
        }
        self.type = type
        self.title = title
        self.box = box
        self.language = try parameters.language(Self.languageParameter)
        self.hasFallback = ["true", "1"].contains(parameters[Self.fallbackParameter])
        self.badges = pairs.filter { BadgeDefaults.names.contains($0.name) }
    }
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
