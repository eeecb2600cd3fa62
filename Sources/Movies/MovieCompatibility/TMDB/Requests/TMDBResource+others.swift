extension TMDBResource {
    /// A film's part that belongs to the client.
    static let personalPart = "account_states"

    /// Resources that only The Movie Database has, such as television. They are forwarded; without a key, a few have
    /// empty documents. `*` stands for an id.
    private static let others = """
        certification/movie/list certification/tv/list collection/*/images collection/*/translations company/*
        company/*/alternative_names company/*/images company/*/movies credit/* discover/tv genre/tv/list
        genre/*/movies keyword/* keyword/*/movies list/* list/*/item_status movie/changes movie/latest
        network/* network/*/alternative_names network/*/images person/changes person/latest person/popular
        person/*/changes person/*/tagged_images person/*/translations review/* search/collection
        search/company search/keyword search/tv trending/all/* trending/person/* trending/tv/* tv/* tv/*/*
        tv/*/watch/providers tv/*/season/* tv/*/season/*/* tv/*/season/*/watch/providers
        tv/*/season/*/episode/* tv/*/season/*/episode/*/* tv/episode/*/changes tv/season/*/changes
        watch/providers/*
        """.split(whereSeparator: \.isWhitespace).map { $0.split(separator: "/").map(String.init) }

    /// Maximum length of an id, in bytes.
    private static let idLimit = 64

    /// `nil` for a path that The Movie Database does not have, and for a client's own resources.
    static func passedOn(_ path: [String]) -> TMDBResource? {
        guard path.last != Self.personalPart, path.allSatisfy(Self.isPathSegment),
            Self.others.contains(where: { Self.matches($0, path) })
        else { return nil }
        return .other(path: path.joined(separator: "/"))
    }

    private static func matches(_ pattern: [String], _ path: [String]) -> Bool {
        pattern.count == path.count && zip(pattern, path).allSatisfy { $0 == "*" || $0 == $1 }
    }

    /// Accepts only letters, digits, hyphens and underscores, as the segment becomes part of a path.
    static func isPathSegment(_ segment: String) -> Bool {
        (1...Self.idLimit).contains(segment.utf8.count)
            && segment.utf8.allSatisfy { byte in
                (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte) || byte == 45
                    || byte == 95
            }
    }
}
