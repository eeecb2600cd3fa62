package import MovieDomain

/// What has to be shown wherever the data of some sources is.
package enum Attribution {
    /// - Returns: nil when nothing has to be shown.
    package static func texts(of sources: some Sequence<MovieSource>) -> [String]? {
        let sources = Set(sources)
        let texts = MovieSource.allCases.filter(sources.contains).compactMap(\.attribution)
        return texts.isEmpty ? nil : texts
    }
}
