import Foundation
import PosterTesting
import Testing

@testable import OneSheetConfiguration

struct SettingsFileTests {
    private let folder = TemporaryFolder()
    private static let keys = ["max-age": false, "origin": true, "fetch-timeout": false]

    private func failure(_ name: String, _ bytes: [UInt8]) throws -> SettingsFile.Failure {
        let path = self.folder.path + "/" + name
        try Data(bytes).write(to: URL(filePath: path))
        let error = #expect(throws: SettingsFile.Failure.self) { try SettingsFile(path: path, keys: Self.keys) }
        let failure = try #require(error)
        #expect(failure.path == path)
        let place = failure.position.map { ":\($0)" } ?? ""
        #expect(failure.description == "--config \(path)\(place) cannot be used: \(failure.reason)")
        return failure
    }

    @Test(
        "a file that cannot be used says why and where",
        arguments: [
            ("a.yaml", "max_age: 1", "1:1", "it has the unknown key 'max_age'; did you mean 'max-age'?"),
            ("a.json", "{\n \"zzzzzzzz\": null}", "2:2", "it has the unknown key 'zzzzzzzz'"),
            ("a.yaml", "max-age: 1\nconfig: b.yaml", "2:1", "it has the unknown key 'config'"),
            (
                "a.yaml", "fetch:\n  timeout: 5", "2:3",
                "it has the unknown key 'fetch.timeout'; did you mean 'fetch-timeout'?"
            ),
            (
                "a.json", #"{"fetch": {"timeout": 5}}"#, "1:12",
                "it has the unknown key 'fetch.timeout'; did you mean 'fetch-timeout'?"
            ),
            ("a.yaml", "max-age: [1, 2]", "1:1", "max-age is a list; it takes one value"),
            ("a.json", #"{"max-age": [1]}"#, "1:2", "max-age is a list; it takes one value"),
            ("a.json", #"{"max-age": {}}"#, "1:2", "max-age is a mapping; it takes a value"),
            (
                "a.json", #"{"origin": [["a"]]}"#, "1:2",
                "origin is a list with null or nested values; it takes a value or a list of values"
            ),
            (
                "a.yaml", "origin: [a, ~]", "1:1",
                "origin is a list with null or nested values; it takes a value or a list of values"
            ),
            ("a.yaml", "origns: {}", "1:1", "it has the unknown key 'origns'; did you mean 'origin'?"),
            ("a.yaml", "# {}\nmax-age:\n  { # }\n  }", "2:1", "max-age is a mapping; it takes a value"),
            ("a.yaml", "max-age: 1\nmax-age: 2", "1:1", "it has duplicate keys: 'max-age'"),
            ("a.json", #"{"max-age": 1, "max-age": 2}"#, "1:2", "it has duplicate keys: 'max-age'"),
            ("a.yaml", "max-age: 1\n'max-age': 2", "1:1", "it has duplicate keys: 'max-age'"),
            ("a.yaml", "fetch: {timeout: 1}\nfetch.timeout: 1", "2:1", "it has duplicate keys: 'fetch.timeout'"),
            ("a.yaml", "? [a]\n: 1", "1:3", "it has a key that is not a string"),
            ("a.json", "[]", "1:1", "it must hold one mapping of options to values or lists of values"),
            ("a.yaml", "- 1", "1:1", "it must hold one mapping of options to values or lists of values"),
        ])
    func malformed(name: String, text: String, place: String, reason: String) throws {
        let failure = try self.failure(name, Array(text.utf8))
        #expect(failure.reason == reason)
        #expect(failure.position?.description == place)
    }

    @Test(
        "a broken file is reported with its place, without what is written there",
        arguments: [
            ("a.yaml", "max-age: [1\norigin: \"hidden", "YAML"), ("a.yaml", "max-age: 1\n\thidden: 2", "YAML"),
            ("a.json", "{\"max-age\": 1,\n hidden]", "JSON"),
            ("a.json", "{\"max-age\": 1,\n\"origin\": \"hidden", "JSON"),
            ("a.json", "{\"max-age\": 1,\n\"origin\": \"\\uD83D hidden\"}", "JSON"),
            ("a.yaml", "max-age: 1\norigin: *hidden", "YAML"), ("a.yaml", "max-age: 1\n--- hidden", "YAML"),
        ])
    func broken(name: String, text: String, format: String) throws {
        let failure = try self.failure(name, Array(text.utf8))
        #expect(failure.position?.line == 2, "\(failure)")
        #expect(failure.reason.hasPrefix("it is not valid \(format): "), "\(failure)")
        #expect(!failure.reason.contains("hidden"), "\(failure)")
    }

    @Test func bytesThatAreNoTextAndLongFilesAreRefused() throws {
        #expect(try self.failure("a.yaml", [0x61, 0xFF]).reason == "it is not UTF-8")
        #expect(try self.failure("a.toml", []).reason == "its name must end in .json, .yaml or .yml")
        let control = try self.failure("a.yaml", Array("max-age: 1\n# \u{1}".utf8))
        #expect(control.position == SettingsFile.Position(line: 2, column: 3), "\(control)")
        let long = try self.failure("a.json", [UInt8](repeating: 0x20, count: SettingsFile.maxBytes + 1))
        #expect(long.reason == "it is larger than 1048576 bytes")
    }

    @Test("nesting is bounded", arguments: [900, 100_000])
    func nesting(depth: Int) throws {
        let text = "origin: " + String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        _ = try self.failure("a.yaml", Array(text.utf8))
    }

    @Test(
        "values are read as they are written",
        arguments: [
            ("a.json", #"{"origin": ["true", -0.5e+3, 12345678901234567890, false]}"#),
            ("a.yaml", "origin: ['true', -0.5e+3, 12345678901234567890, false]"),
        ])
    func values(name: String, text: String) throws {
        let path = self.folder.path + "/" + name
        try Data(text.utf8).write(to: URL(filePath: path))
        let file = try SettingsFile(path: path, keys: Self.keys)
        #expect(file.values == ["origin": ["true", "-0.5e+3", "12345678901234567890", "false"]])
    }

    @Test(
        arguments: [
            ("a.json", #"{"origin": "\"\\\/\b\f\n\r\t\u00e4ü"}"#, "\"\\/\u{8}\u{C}\n\r\täü"),
            ("a.json", "{\t\"origin\"\t:\t\"a\"\t}", "a"), ("a.json", #"{"origin":"null"}"#, "null"),
            ("a.yaml", "origin: '~'", "~"), ("a.yaml", "origin: a={key} # {}", "a={key}"),
            ("a.yaml", "# x\n---\n{ }", nil),
            ("a.yaml", "origin: ~", nil), ("a.json", #"{"origin": null}"#, nil), ("a.json", "{}", nil),
        ] as [(String, String, String?)])
    func textsAreUnescaped(name: String, text: String, value: String?) throws {
        let path = self.folder.path + "/" + name
        try Data(text.utf8).write(to: URL(filePath: path))
        #expect(try SettingsFile(path: path, keys: Self.keys).values["origin"] == value.map { [$0] })
    }

    @Test(arguments: [
        ("a.yaml", "widths: [154, 342]"), ("b.yaml", "widths: 154,342"), ("a.json", #"{"widths": [154, 342]}"#),
    ])
    func widthsMayBeAList(name: String, text: String) throws {
        let path = self.folder.path + "/" + name
        try Data(text.utf8).write(to: URL(filePath: path))
        #expect(try SettingsFile(path: path, keys: ["widths": false]).values == ["widths": ["154,342"]])
    }

    @Test func whatIsNoFileIsRefused() throws {
        let missing = self.folder.path + "/none.yaml"
        #expect(throws: SettingsFile.Failure(path: missing, reason: "No such file or directory")) {
            try SettingsFile(path: missing, keys: Self.keys)
        }
        let pipe = self.folder.path + "/pipe.yaml"
        #expect(mkfifo(pipe, 0o600) == 0)
        #expect(throws: SettingsFile.Failure(path: pipe, reason: "it is not a regular file")) {
            try SettingsFile(path: pipe, keys: Self.keys)
        }
    }

    @Test(
        "the nearest key is the one that was meant",
        arguments: [
            ("max_age", "max-age"), ("maxage", "max-age"), ("origins", "origin"), ("fetch-timout", "fetch-timeout"),
            ("", nil), ("something-else", nil),
        ] as [(String, String?)])
    func nearest(name: String, meant: String?) {
        #expect(SpellingDistance.nearest(to: name, among: Array(Self.keys.keys)) == meant)
    }
}
