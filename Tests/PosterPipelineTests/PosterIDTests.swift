import PosterPipeline
import Testing

struct PosterIDTests {
    @Test(
        "reads [source:]key",
        arguments: [
            ("nosferatu-1922", "sample", "nosferatu-1922"), ("sample:nosferatu-1922", "sample", "nosferatu-1922"),
            ("tmdb:603", "tmdb", "603"), ("mine:a:b", "mine", "a:b"), ("mine:a/b.jpg", "mine", "a/b.jpg"),
            ("mine:하녀", "mine", "하녀"),
        ])
    func reads(text: String, source: String, key: String) throws {
        let id = try PosterID(text)
        #expect(id.source == source)
        #expect(id.key == key)
        #expect(try PosterID(id.description) == id)
    }

    @Test func differsWhereTheBytesDiffer() throws {
        let composed = try PosterID("mine:caf\u{e9}")
        let decomposed = try PosterID("mine:cafe\u{301}")
        #expect(composed != decomposed)
        #expect(Set([composed, decomposed]).count == 2)
        #expect(try PosterID("mine:\u{301}x").key == "\u{301}x", "a mark does not hide the colon")
    }

    @Test(
        "refuses what is none",
        arguments: [
            "", ":", ":key", "mine:", "Mine:key", "1mine:key", "mi ne:key", "mine:a\u{0}b", "mine:a\nb", "mine:\u{7f}",
            "mine:\u{85}", "mine:" + String(repeating: "x", count: 513), String(repeating: "s", count: 33) + ":key",
        ])
    func refuses(text: String) {
        #expect(throws: PosterID.Malformed.self) { try PosterID(text) }
    }

    @Test(
        "clients see films of the embedded catalogue without a source",
        arguments: [
            ("sample:heat-1995", "heat-1995"), ("heat-1995", "heat-1995"), ("sample:a:b", "sample:a:b"),
            ("tmdb:603", "tmdb:603"),
        ])
    func short(text: String, shown: String) throws {
        let id = try PosterID(text)
        #expect(id.shortText == shown)
        #expect(try PosterID(id.shortText) == id)
    }

    @Test(
        "logs show no query of a URL",
        arguments: [
            ("url:https://a.test/b.jpg?key=secret?x", "url:https://a.test/b.jpg?***"),
            ("url:https://a.test/b.jpg", "url:https://a.test/b.jpg"), ("mine:a?b", "mine:a?b"), ("a", "sample:a"),
        ])
    func logged(text: String, shown: String) throws {
        #expect(try PosterID(text).loggedText == shown)
        #expect(PosterID.loggedText(text) == shown)
    }
}
