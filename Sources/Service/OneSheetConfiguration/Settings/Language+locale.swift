package import MovieDomain

extension Language {
    /// The environment variables that set a program's language; the first non-empty one counts (POSIX.1-2017, 8.2).
    private static let variables = ["LC_ALL", "LC_MESSAGES", "LANG"]

    /// The language of messages set by the environment.
    ///
    /// - Returns: `nil` without one, for `C` and `POSIX`, and for malformed names of locales.
    package init?(environment: [String: String]) {
        guard let name = Self.variables.lazy.compactMap({ environment[$0] }).first(where: { !$0.isEmpty }) else {
            return nil
        }
        self.init(locale: name)
    }

    /// The language of a locale such as `ko_KR.UTF-8` or `sr_RS@latin`.
    init?(locale name: String) {
        self.init(name.prefix { !".@".contains($0) })
    }
}
