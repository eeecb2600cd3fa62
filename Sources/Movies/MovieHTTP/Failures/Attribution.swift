package import MovieDomain

/// The notices that sources require wherever their data is shown.
package enum Attribution {
    /// - Returns: `nil` if no source requires one.
    package static func texts(of sources: some Sequence<MovieSource>) -> [String]? {
        let sources = Set(sources)
        let texts = MovieSource.allCases.filter(sources.contains).compactMap(\.attribution)
        return texts.isEmpty ? nil : texts
    }
}
