/// Another service's API that this server offers.
package enum CompatibleAPI: String, Hashable, Sendable, CaseIterable {
    case tmdb, kobis, itunes, kakao, naver, omdb
    /// Pictures only, which the service registers itself.
    case rpdb

    package var hasKeys: Bool { self != .itunes }

    /// The prefix of the API's paths.
    package var base: String { "/compat/\(self.rawValue)" }
}
