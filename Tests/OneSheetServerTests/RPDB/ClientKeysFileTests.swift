import Foundation
import MovieCompatibility
import PosterTesting
import Testing

@testable import OneSheetServer

struct ClientKeysFileTests {
    private let folder = TemporaryFolder()
    private var path: String { self.folder.path + "/keys" }
    private var file: ClientKeysFile { ClientKeysFile(self.path) }

    private func text() throws -> String { try String(contentsOfFile: self.path, encoding: .utf8) }

    @Test func aNewFileIsItsOwnersOnly() throws {
        let key = try self.file.add(["badges=imdb,rt", "badge-style=bar"])
        #expect(key.wholeMatch(of: #/t3-[0-9a-f]{32}/#) != nil)
        #expect(try self.text() == "rpdb \(key) badges=imdb,rt badge-style=bar\n")
        let permissions = try FileManager.default.attributesOfItem(atPath: self.path)[.posixPermissions] as? Int
        #expect(permissions == 0o600)
        let other = try self.file.add([])
        #expect(other != key)
        let keys = try ClientKeys(contentsOf: self.path)
        #expect(keys.accepts(key, of: .rpdb) && keys.accepts(other, of: .rpdb) && !keys.accepts(key, of: .tmdb))
    }

    @Test func linesAndPermissionsOfAFileAreKept() throws {
        try Data("# mine\ntmdb secret".utf8).write(to: URL(filePath: self.path))
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: self.path)
        let key = try self.file.add([])
        #expect(try self.text() == "# mine\ntmdb secret\nrpdb \(key)\n")
        let permissions = try FileManager.default.attributesOfItem(atPath: self.path)[.posixPermissions] as? Int
        #expect(permissions == 0o640)
    }

    @Test func keysAreListedMasked() throws {
        let text = "tmdb secret\n* a-key-of-20-characters badges=tmdb badge-position=top\n"
        try Data(text.utf8).write(to: URL(filePath: self.path))
        #expect(
            try self.file.entries() == [
                ClientKeysFile.Entry(api: "tmdb", key: "***", settings: [:]),
                ClientKeysFile.Entry(
                    api: "*", key: "a-key***", settings: ["badges": "tmdb", "badge-position": "top"]),
            ])
    }

    @Test("a wrong setting adds nothing", arguments: ["badges=kinopoisk", "badges", "badges=imdb\nkobis", "size=1"])
    func refuses(setting: String) throws {
        #expect(throws: ClientKeys.Malformed.self) { try self.file.add([setting]) }
        #expect(!FileManager.default.fileExists(atPath: self.path))
        #expect(throws: ClientKeys.Malformed.self) { try self.file.entries() }
    }
}
