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
        #expect(failure.description.hasPrefix("--config \(path) cannot be used: "))
        return failure
    }

    @Test(
        "a file that cannot be used says why",
        arguments: [
            ("a.yaml", "max_age: 1", "it has the unknown key 'max_age'; did you mean 'max-age'?"),
            ("a.json", #"{"zzzzzzzz": null}"#, "it has the unknown key 'zzzzzzzz'"),
            ("a.yaml", "config: b.yaml", "it has the unknown key 'config'"),
            ("a.yaml", "fetch:\n  timeout: 5", "it has the unknown key 'fetch.timeout'; did you mean 'fetch-timeout'?"),
            (
                "a.json", #"{"fetch": {"timeout": 5}}"#,
                "it has the unknown key 'fetch.timeout'; did you mean 'fetch-timeout'?"
            ),
            ("a.yaml", "max-age: [1, 2]", "max-age is a list; it takes one value"),
            ("a.json", #"{"max-age": [1]}"#, "max-age is a list; it takes one value"),
            ("a.json", #"{"max-age": {}}"#, "max-age is an object; it takes a value"),
            (
                "a.json", #"{"origin": [["a"]]}"#,
                "origin is a list with more than plain values; it takes a value or a list of values"
            ),
            ("a.yaml", "origns: {}", "it has an empty mapping, which no option takes, at line 1"),
            ("a.yaml", "# {}\nmax-age:\n  { # }\n  }", "it has an empty mapping, which no option takes, at line 3"),
            ("a.yml", "{max-age: 1, 'a''b': {}}", "it has an empty mapping, which no option takes, at line 1"),
            ("a.yaml", "max-age: 1\nmax-age: 2", "it has keys twice: 'max-age'"),
            ("a.json", #"{"max-age": 1, "max-age": 2}"#, "it is no JSON: a name is there twice, at line 1, column 16"),
            ("a.json", "{\n  \"max-age\": 1,\n}", "it is no JSON: a name in quotes is missing, at line 3, column 1"),
            ("a.json", "[]", "it must hold one JSON object of options and their values"),
            ("a.yaml", "- 1", "it must hold one mapping of options to values or lists of values"),
            ("a.yaml", "origin: [[a]]", "it must hold one mapping of options to values or lists of values"),
            ("a.toml", "max-age = 1", "its name must end in .json, .yaml or .yml"),
        ])
    func malformed(name: String, text: String, reason: String) throws {
        #expect(try self.failure(name, Array(text.utf8)).reason == reason)
    }

    @Test(
        "a broken file is told of by its place, without what is written there",
        arguments: [
            ("a.yaml", "max-age: [1\norigin: \"hidden"), ("a.yaml", "max-age: 1\n\thidden: 2"),
            ("a.json", "{\"max-age\": 1,\n hidden}"), ("a.json", "{\"max-age\": 1,\n\"origin\": \"hidden"),
        ])
    func broken(name: String, text: String) throws {
        let reason = try self.failure(name, Array(text.utf8)).reason
        #expect(reason.contains("line 2"), "\(reason)")
        #expect(!reason.contains("hidden"), "\(reason)")
    }

    @Test func bytesThatAreNoTextAndLongFilesAreRefused() throws {
        #expect(try self.failure("a.yaml", [0x61, 0xFF]).reason == "it is not UTF-8")
        let long = try self.failure("a.json", [UInt8](repeating: 0x20, count: SettingsFile.maxBytes + 1))
        #expect(long.reason == "it is larger than 1048576 bytes")
    }

    @Test(
        "braces that are no empty mapping are let through",
        arguments: [
            "{}", "# x\n---\n{ }", "origin: a={}", "origin: 'a ''{}'' {}'", "origin: \"\\\" {}\"", "max-age: 1 # {}",
            "origin: [a={key}, b]",
        ])
    func braces(text: String) {
        #expect(YAMLEmptyMapping.firstLine(in: text) == nil)
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
        #expect(throws: SettingsFile.Failure(path: pipe, reason: "it is no regular file")) {
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
