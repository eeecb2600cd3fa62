/// An API of another service in whose format this server responds.
package enum CompatibleAPI: String, Hashable, Sendable, CaseIterable {
    case tmdb, kobis, itunes, kakao, naver, omdb

    /// Whether its clients have keys.
    package var hasKeys: Bool { self != .itunes }

    /// The beginning of its paths.
    package var base: String { "/compat/\(self.rawValue)" }
}
