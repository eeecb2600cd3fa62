import Cryptography
import FoundationEssentials
import PosterTesting
import Testing

@testable import MovieLibrary

struct SecretKeyTests {
    private static let hexadecimal = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1eff"
    private static let bytes = (0..<31).map { UInt8($0) } + [255]

    @Test(
        "a key is read from bytes, digits and base64",
        arguments: [
            Self.bytes, Array(Self.hexadecimal.utf8), Array("  \(Self.hexadecimal.uppercased())\r\n".utf8),
            Array("AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHv8=\n".utf8),
            Array("AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHv8".utf8),
            Array("AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHv9".utf8),
        ])
    func forms(_ content: [UInt8]) throws {
        let (folder, file) = (TemporaryFolder(), "key")
        try Data(content).write(to: URL(filePath: folder.path + "/" + file))
        let key = try SecretKeyFile(folder.path + "/" + file).key
        #expect(key.text == Self.hexadecimal)
    }

    @Test(
        "what is no key is not taken for one",
        arguments: [
            "", "secret", String(repeating: "0", count: 64), String(repeating: "z", count: 64),
            String(repeating: "A", count: 43), String(repeating: "ab", count: 33), String(repeating: "é", count: 32),
            String(repeating: "*", count: 44), String(repeating: "a", count: 32),
        ])
    func others(_ content: String) throws {
        let folder = TemporaryFolder()
        let path = folder.path + "/key"
        try Data(content.utf8).write(to: URL(filePath: path))
        let failure = #expect(throws: SecretKeyFile.Failure.self) { try SecretKeyFile(path, createsMissing: true) }
        #expect(failure == .noKey(path: path))
        #expect(failure.map { "\($0)".contains("openssl rand -hex 32") } == true)
        #expect(try Data(contentsOf: URL(filePath: path)) == Data(content.utf8), "and what is there stays")
    }

    @Test func aMissingFileIsMadeForItsOwnerAlone() throws {
        let folder = TemporaryFolder()
        let path = folder.path + "/session.key"
        #expect(throws: SecretKeyFile.Failure.unreadable(path: path, reason: "No such file or directory")) {
            try SecretKeyFile(path)
        }
        let made = try SecretKeyFile(path, createsMissing: true)
        #expect(!made.isPublic)
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let again = try SecretKeyFile(path, createsMissing: true)
        #expect(again.key.text == made.key.text)
        #expect(folder.files == ["session.key"])
    }

    @Test func concurrentCreatorsGetTheSameKey() async throws {
        let folder = TemporaryFolder()
        let path = folder.path + "/session.key"
        let files = try await withThrowingTaskGroup(of: SecretKeyFile.self) { group in
            for _ in 0..<8 { group.addTask { try SecretKeyFile(path, createsMissing: true) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(Set(files.map(\.key.text)).count == 1)
        #expect(folder.files == ["session.key"])
    }

    @Test func aWorldReadableFileIsReported() throws {
        let folder = TemporaryFolder()
        let path = folder.path + "/key"
        try Data(Self.hexadecimal.utf8).write(to: URL(filePath: path))
        for (mode, isPublic) in [(0o644, true), (0o640, false)] {
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
            #expect(try SecretKeyFile(path).isPublic == isPublic)
        }
    }

    @Test func whereNothingCanBeWrittenItSaysSo() {
        let path = "/proc/none/session.key"
        #expect(throws: SecretKeyFile.Failure.unwritable(path: path, reason: "No such file or directory")) {
            try SecretKeyFile(path, createsMissing: true)
        }
    }

    /// The expected bytes are computed with Python's hmac.
    @Test func aDerivedKeyIsOfTheKeyAndThePurpose() throws {
        let key = try #require(SecretKey(Self.bytes))
        let derived = { (purpose: String) in key.derived(purpose).withUnsafeBytes { KeyEncoding.hexadecimal($0) } }
        #expect(derived("form tokens") == "39ac61a8481ab9d4e7338a0bf1fc74f79b80d114a281b809e7a813c3c580914c")
        #expect(derived("onesheet form tokens") == "b88f1c1852d3304a1ab65faacf467e69dd64c2096c9ff31000a31709b2570b53")
        #expect(SecretKey().derived("form tokens") != key.derived("form tokens"))
    }

    @Test func keysAreNotShown() {
        let key = SecretKey(Self.bytes)!
        var dumped = ""
        dump(key, to: &dumped)
        for text in ["\(key)", String(reflecting: key), dumped] {
            #expect(text.contains("a secret key") && !text.lowercased().contains("0102"))
        }
    }

}
