import MovieCompatibility
import PosterTesting
import Testing

struct ClientKeysTests {
    @Test func aListAllowsItsKeysOnly() throws {
        let keys = try ClientKeys("# clients\n\nkobis  abc\r\nnaver id:secret\n* everywhere\n")
        #expect(keys.accepts("abc", of: .kobis) && !keys.accepts("abc", of: .kakao))
        #expect(keys.accepts("id:secret", of: .naver) && !keys.accepts("id", of: .naver))
        #expect(CompatibleAPI.allCases.allSatisfy { keys.accepts("everywhere", of: $0) })
        #expect(!keys.accepts(nil, of: .kobis) && !keys.accepts("", of: .tmdb))
        #expect(!keys.accepts(String(repeating: "a", count: 2000), of: .tmdb))
        #expect(keys.accepts(nil, of: .itunes), "the store's clients have no keys")
    }

    @Test func withoutAListAnyKeyIsAccepted() {
        #expect(CompatibleAPI.allCases.allSatisfy { ClientKeys.any.accepts(nil, of: $0) })
        #expect(ClientKeys.any.accepts("x", of: .tmdb))
    }

    @Test(
        "a malformed list is refused with its line",
        arguments: [
            ("", "no keys"), ("# only\n", "no keys"), ("kobis", "line 1"), ("a b", "line 1"),
            ("kobis a\nkobis a b", "line 2"), ("itunes a", "line 1"),
            ("kobis \(String(repeating: "a", count: 1025))", "line 1"),
        ])
    func refuses(text: String, words: String) {
        let error = #expect(throws: ClientKeys.Malformed.self) { try ClientKeys(text) }
        #expect(error?.description.contains(words) == true)
        #expect(error?.description.contains("aaaa") == false, "no key is shown")
    }

    @Test func keysOfRPDBHaveSettings() throws {
        let text = "tmdb film\nrpdb own badges=imdb,rt badge-position=top\nrpdb plain\n* all badge-style=bar"
        let values = try ClientKeys(text).values { settings throws(ClientKeys.Malformed) in
            settings.values.map { "\($0.name):\($0.value)" }
        }
        #expect(values.areRequired)
        #expect(values["own"] == ["badges:imdb,rt", "badge-position:top"] && values["plain"] == [])
        #expect(values["all"] == ["badge-style:bar"] && values["film"] == nil && values[""] == nil)
        let any = try ClientKeys.any.values { settings throws(ClientKeys.Malformed) in settings.values.count }
        #expect(!any.areRequired && any["x"] == 0)
    }

    @Test(
        "wrong settings are refused with their line and word",
        arguments: [
            ("rpdb a\ntmdb b badges=imdb", "line 2 has settings"), ("rpdb a secret", "line 1 must have settings"),
            ("rpdb a badges=imdb secret", "word 4 is none"), ("rpdb a =imdb", "word 3"), ("rpdb a badges=", "word 3"),
            ("rpdb a badges=imdb badges=rt", "'badges' twice"),
        ])
    func refusesSettings(text: String, words: String) {
        let error = #expect(throws: ClientKeys.Malformed.self) { try ClientKeys(text) }
        #expect(error?.description.contains(words) == true)
        #expect(error?.description.contains("secret") == false, "it may be a key")
    }

    @Test func aFileIsRead() throws {
        let folder = TemporaryFolder()
        #expect(throws: ClientKeys.Malformed.self) { try ClientKeys(contentsOf: folder.path + "/none") }
    }
}
