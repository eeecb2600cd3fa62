import Foundation
import PosterTesting
import Testing

@testable import OneSheetConfiguration

@Suite(.timeLimit(.hang))
struct ConfigCommandTests {
    private let folder = TemporaryFolder()

    private struct Report: Decodable {
        struct Option: Decodable {
            let value: String?
            let values: [String]?
            let source: String
            let from: String?
            let reloadable: Bool
        }

        let file: String?
        let options: [String: Option]
    }

    private func file(_ text: String) throws -> String {
        let path = self.folder.path + "/onesheet.yaml"
        try Data(text.utf8).write(to: URL(filePath: path))
        return path
    }

    @Test func saysWhatIsInForceAndWhereItCameFrom() async throws {
        let path = try self.file("max-age: 60\nlog-level: debug\norigin: mine=https://a.test/{key}?token=hidden\n")
        let environment = ["ONESHEET_CONFIG": path, "ONESHEET_PORT": "81", "ONESHEET_LOG_LEVEL": "info"]
        let arguments = ["config", "--host", "::1", "--origin-header", "mine:Authorization: Bearer hidden"]
        let outcome = try await Program.run(arguments + ["--json"], environment: environment)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output.split(separator: "\n").count == 1)
        let report = try JSONDecoder().decode(Report.self, from: Data(outcome.output.utf8))
        #expect(report.file == path)
        #expect(Set(report.options.keys) == Set(SettingDescription.all.map(\.name)))
        for (name, values, source, from) in [
            ("host", ["::1"], "flag", "--host"), ("port", ["81"], "environment", "ONESHEET_PORT"),
            ("log-level", ["info"], "environment", "ONESHEET_LOG_LEVEL"), ("max-age", ["60"], "file", path),
            ("disk-budget", ["10GiB"], "default", nil), ("allow-private-origin", [], "default", nil),
            ("origin", ["mine=https://a.test/{key}?token=***"], "file", path),
            ("origin-header", ["mine:Authorization: ***"], "flag", "--origin-header"),
        ] as [(String, [String], String, String?)] {
            let option = try #require(report.options[name])
            #expect((option.values ?? option.value.map { [$0] }) == values, "\(name)")
            #expect(option.source == source && option.from == from, "\(name)")
        }
        #expect(report.options["origin"]?.reloadable == true && report.options["port"]?.reloadable == false)

        let text = try await Program.run(arguments, environment: environment)
        #expect(text.status == 0)
        #expect(!(text.output + outcome.output).contains("hidden"))
        let lines = text.output.split(separator: "\n").map { $0.split(separator: " ", omittingEmptySubsequences: true) }
        #expect(lines.contains(["host", "::1", "--host"]))
        #expect(lines.contains(["max-age", "60", path[...]]))
        #expect(lines.contains(["disk-budget", "10GiB", "default"]))
    }

    @Test func warnsOfVariablesThatBelongToNoOption() async throws {
        let outcome = try await Program.run(["config"], environment: ["ONESHEET_PROT": "81"])
        #expect(outcome.status == 0)
        #expect(
            outcome.errors == "onesheet: no option has the variable ONESHEET_PROT; did you mean ONESHEET_PORT?\n",
            "\(outcome.errors)")
    }

    @Test func refusesWhatServeWouldRefuse() async throws {
        let path = try self.file("max_age: 60\n")
        for command in [["config"], ["serve", "--port", "0"], ["warm", "x"], ["purge", "x"], ["verify"]] {
            let outcome = try await Program.run(
                command + ["--config", path, "--data-dir", self.folder.path + "/data"])
            #expect(outcome.status == 64, "\(command)")
            #expect(outcome.output.isEmpty)
            #expect(
                outcome.errors.contains("\(path):1:1 cannot be used: it has the unknown key 'max_age'; did you mean"))
        }
        let wrong = try await Program.run(["config", "--port", "x"])
        #expect(wrong.status == 64)
        #expect(wrong.errors.contains("--port (ONESHEET_PORT) is 'x'; allowed: a whole number from 0 to 65535"))
    }

    @Test(
        "no error shows a secret",
        arguments: [
            ["--origin", "o=https://a.test/x?k=SECRET"], ["--origin", "o=https://u:SECRET@a.test/{key}"],
            ["--origin", "O=https://u:SECRET@a.test/{key}?k=SECRET"], ["--allow-url", "https://u:SECRET@a.test/"],
            ["--allow-url", "https://a.test/?SECRET"], ["--tmdb-images", "https://a.test/?k=SECRET"],
            ["--public-url", "https://u:SECRET@a.test/"], ["--origin-header", "SECRET"],
            ["--origin", "o=https://a.test/{key}", "--origin-header", "o:X Y: SECRET"],
            ["--origin", "o=https://a.test/{key}", "--origin-header", "none:SECRET: SECRET"],
            ["ONESHEET_ORIGIN_HEADER", "o:X-Key: one,SECRET"],
            ["ONESHEET_ORIGIN", "o=https://a.test/{key}?k=a,SECRET"],
        ])
    func errorsHoldNoSecrets(given: [String]) throws {
        let isVariable = given[0].hasPrefix("ONESHEET")
        let reason = try #require(
            try ServeArguments.refusal(
                isVariable ? [] : given, environment: isVariable ? [given[0]: given[1]] : [:]))
        #expect(!reason.contains("SECRET"), "\(reason)")
        #expect(reason.hasPrefix("--") && reason.split(separator: "\n").count == 1, "\(reason)")
        #expect(reason.contains("; allowed: "), "\(reason)")
    }

    @Test(
        "files that serve would not start with are refused",
        arguments: [
            (["admin-token-file"], "--admin-token-file"), (["sign-key-file"], "--sign-key-file"),
            (["tls-cert", "tls-key"], "--tls-cert"),
        ])
    func unreadableFiles(options: [String], name: String) async throws {
        let none = self.folder.path + "/none"
        let arguments = options.flatMap { ["--\($0)", none] }
        for command in [["config"], ["serve", "--port", "0", "--data-dir", self.folder.path + "/data"]] {
            let outcome = try await Program.run(command + arguments)
            #expect(outcome.status == 1 && outcome.output.isEmpty)
            #expect(outcome.errors.hasPrefix("onesheet: \(name) (ONESHEET_"), "\(outcome.errors)")
            #expect(outcome.errors.contains("No such file") && outcome.errors.contains("on the command line"))
        }
    }

    @Test func whatATerminalWouldActUponIsEscaped() async throws {
        let path = try self.file("host: \"a\\nb\\e[1m\\u202e\"\n")
        let outcome = try await Program.run(["config", "--config", path])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output.contains(#"a\u{a}b\u{1b}[1m\u{202e}"#), "\(outcome.output)")
        #expect(!outcome.output.contains("\u{1b}"))
    }

    @Test func theHelpIsItsOwn() async throws {
        let outcome = try await Program.run(["config", "--help"])
        #expect(outcome.output.contains("USAGE: onesheet config"), "\(outcome.output.prefix(300))")
    }

    @Test func samplesOfDocumentsCanBeUsed() async throws {
        let docs = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appending(path: "docs")
        var count = 0
        for name in try FileManager.default.contentsOfDirectory(atPath: docs.path) where name.hasSuffix(".md") {
            let text = try String(contentsOf: docs.appending(path: name), encoding: .utf8)
            for sample in text.split(separator: "```yaml\n").dropFirst() where !sample.contains("apiVersion") {
                let yaml = sample.prefix(upTo: try #require(sample.firstRange(of: "```")).lowerBound)
                let path = try self.file(String(yaml))
                let source = ConfigurationSource(commandLine: ["config": [path]], environment: [:])
                #expect(throws: Never.self, "\(name)") { try source.read() }
                count += 1
            }
        }
        #expect(count > 0)
    }

    @Test(
        "secrets are masked, names are not",
        arguments: [
            ("origin-header", "mine:Authorization: Bearer a:b", "mine:Authorization: ***"),
            ("origin-header", "secret", "***"), ("origin", "mine=https://a.test/{key}", "mine=https://a.test/{key}"),
            ("origin", "m=https://a.test/?id={key}&k=s&x", "m=https://a.test/?id={key}&k=***&***"),
            ("origin", "m=https://a.test/?{key}&s={key}&t=a{+key}", "m=https://a.test/?{key}&s={key}&t=***{+key}"),
            ("origin", "m=https://u:p@a.test/{key}", "m=https://***@a.test/{key}"),
            ("origin", "m=https://u:p/p@a.test/{key}", "m=https://u:***"), ("origin", "behind-a-comma", "***"),
            ("origin", "Films=https://a.test/{key}?k=s", "Films=https://a.test/{key}?k=***"),
            ("origin-header", "Mine:Authorization: Bearer a", "***"),
            ("tmdb-images", "https://a.test:81/{key}?k=s", "https://a.test:81/{key}?k=***"),
            ("video-thumbnails", "https://a.test/{key}?k=s", "https://a.test/{key}?k=***"),
            ("allow-url", "u:s@a.test", "***@a.test"),
            ("public-url", "https://[::1]:81/a@b#x", "https://[::1]:81/a@b#***"),
            ("library", "postgres://u:p@db/one?password=s", "postgres://***@db/one?password=***"),
            ("max-age", "60", "60"),
        ])
    func masks(name: String, value: String, shown: String) throws {
        let option = try #require(SettingDescription.all.first { $0.name == name })
        #expect(SecretMask.masked(value, option: option.name) == shown)
    }
}
