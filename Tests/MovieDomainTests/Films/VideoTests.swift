import MovieDomain
import Testing

struct VideoTests {
    private func video(
        _ id: String, _ kind: Video.Kind = .trailer, _ language: String? = "en", isOfficial: Bool = true, at: Int64? = 1
    ) throws -> Video {
        try #require(
            Video(
                id: id, kind: kind, site: .youtube, key: "abcdefghi-_", name: id,
                language: language.flatMap { Language($0) }, isOfficial: isOfficial,
                publishedAt: at.map { Instant(secondsSince1970: $0) }))
    }

    @Test func theBestVideoComesFirst() throws {
        let videos = [
            try self.video("unknown language", .trailer, nil),
            try self.video("French", .trailer, "fr"),
            try self.video("a fan's", .trailer, isOfficial: false),
            try self.video("English clip", .clip),
            try self.video("undated", at: nil),
            try self.video("English trailer", at: 1),
            try self.video("later English trailer", at: 2),
            try self.video("Korean clip", .clip, "ko"),
            try self.video("Korean teaser", .teaser, "ko"),
        ]
        #expect(
            Video.ranked(videos, for: LanguagePreference([.korean])).map(\.id) == [
                "Korean teaser", "Korean clip", "later English trailer", "English trailer", "undated", "English clip",
                "a fan's", "unknown language", "French",
            ])
        let french = LanguagePreference([Language("fr"), .english].compactMap { $0 })
        #expect(Video.ranked(videos, for: french).first?.id == "French")
    }

    @Test(
        arguments: [
            (.youtube, "BdJKm16Co6M", "https://www.youtube.com/watch?v=BdJKm16Co6M"),
            (.vimeo, "76979871", "https://vimeo.com/76979871"),
            (.itunes, "361309726", nil),
        ] as [(Video.Site, String, String?)])
    func aVideoHasThePageOfItsSite(site: Video.Site, key: String, page: String?) {
        let file = "https://video-ssl.itunes.apple.com/a.m4v"
        let video = Video(id: "1", kind: .trailer, site: site, key: key, name: "", url: file)
        #expect(video?.url == page ?? file)
    }

    @Test(
        arguments: [
            (.youtube, "../x"), (.youtube, "BdJKm16Co6"), (.youtube, "BdJKm16Co6MM"), (.youtube, "BdJKm16Co6%"),
            (.youtube, "ÀdJKm16Co6"), (.vimeo, ""), (.vimeo, "1234567890123"), (.vimeo, "12a"), (.itunes, "1"),
        ] as [(Video.Site, String)])
    func aKeyThatIsNoKeyIsNoVideo(site: Video.Site, key: String) {
        #expect(Video(id: "1", kind: .trailer, site: site, key: key, name: "") == nil)
    }

    @Test func kindsAreReadFromTheWordsOfTMDB() {
        let words = ["Trailer", "Teaser", "Clip", "Featurette", "Behind the Scenes", "Bloopers", "Opening Credits"]
        #expect(words.map { Video.Kind(word: $0) } == Video.Kind.allCases)
    }
}
