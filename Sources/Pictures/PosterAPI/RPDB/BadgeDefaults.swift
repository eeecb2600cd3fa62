package import HTTPSemantics

/// The badges of a client key's posters.
package struct BadgeDefaults: Sendable {
    /// The names of settings, equal to the parameters' names.
    package static let names = ["badges", "badge-position", "badge-style", "badge-colours"]
    private static let list = "badges"

    private let pairs: [(name: String, value: String)]
    private let request: BadgeRequest?

    /// - Parameters:
    ///   - settings: Values by ``names``.
    ///   - sources: Drawn if the settings name none.
    /// - Throws: ``Problem`` that names the setting and the accepted values.
    package init(_ settings: [(name: String, value: String)], otherwise sources: [BadgeSource]) throws(Problem) {
        var pairs = settings
        if !settings.contains(where: { $0.name == Self.list }), !sources.isEmpty {
            pairs.append((Self.list, sources.map(\.rawValue).joined(separator: ",")))
        }
        self.request = try Self.parsed(pairs)
        self.pairs = pairs
    }

    /// The badges of a request: its own settings replace the key's.
    ///
    /// - Parameter sources: The sources that the path names; empty for none.
    /// - Returns: `nil` without badges.
    func badges(_ parameters: [(name: String, value: String)], sources: [BadgeSource]) throws(Problem) -> BadgeRequest?
    {
        guard !parameters.isEmpty || !sources.isEmpty else { return self.request }
        var own = parameters
        if !sources.isEmpty, !own.contains(where: { $0.name == Self.list }) {
            own.append((Self.list, sources.map(\.rawValue).joined(separator: ",")))
        }
        return try Self.parsed(self.pairs.filter { pair in !own.contains { $0.name == pair.name } } + own)
    }

    private static func parsed(_ pairs: [(name: String, value: String)]) throws(Problem) -> BadgeRequest? {
        let parameters = try QueryParameters(pairs, known: Self.names, names: Self.names.joined(separator: ", "))
        return try BadgeRequest(parameters, isTextAllowed: false)
    }
}
