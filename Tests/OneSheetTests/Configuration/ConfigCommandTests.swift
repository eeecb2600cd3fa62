import Foundation
import PosterTesting
import Testing

@testable import onesheet

@Suite(.timeLimit(.minutes(2)))
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

    @Test func refusesWhatServeWouldRefuse() async throws {
        let path = try self.file("max_age: 60\n")
        for command in [["config"], ["serve", "--port", "0"], ["warm", "x"], ["purge", "x"], ["verify"]] {
            let outcome = try await Program.run(
                command + ["--config", path, "--data-dir", self.folder.path + "/data"])
            #expect(outcome.status == 64, "\(command)")
            #expect(outcome.output.isEmpty)
            #expect(outcome.errors.contains("\(path) cannot be used: it has the unknown key 'max_age'; did you mean"))
        }
        let wrong = try await Program.run(["config", "--port", "x"])
        #expect(wrong.status == 64)
        #expect(wrong.errors.contains("--port (ONESHEET_PORT) is 'x'; allowed: a whole number from 0 to 65535"))
    }

    @Test(
        "secrets are masked, names are not",
        arguments: [
            ("origin-header", "mine:Authorization: Bearer a:b", "mine:Authorization: ***"),
            ("origin-header", "secret", "***"), ("origin", "mine=https://a.test/{key}", "mine=https://a.test/{key}"),
            ("origin", "m=https://a.test/?id={key}&k=s&x", "m=https://a.test/?id={key}&k=***&x"),
            ("max-age", "60", "60"),
        ])
    func masks(name: String, value: String, shown: String) throws {
        let option = try #require(SettingDescription.all.first { $0.name == name })
        #expect(SecretMask.masked(value, of: option) == shown)
    }
}
