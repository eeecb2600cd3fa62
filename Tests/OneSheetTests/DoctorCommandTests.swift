import Foundation
import OneSheetServer
import PosterTesting
import Testing

@testable import onesheet

@Suite(.timeLimit(.hang))
struct DoctorCommandTests {
    private let folder = TemporaryFolder()

    private struct Report: Decodable {
        struct Check: Decodable {
            let check, subject, outcome, text: String
        }

        let checks: [Check]
        let failures, warnings, skipped: Int
    }

    private func report(_ arguments: [String]) async throws -> (Report, status: Int32) {
        let outcome = try await Program.run(["doctor", "--json", "--data-dir", self.folder.path] + arguments)
        #expect(outcome.errors.isEmpty, "\(outcome.errors)")
        #expect(outcome.output.split(separator: "\n").count == 1)
        return (try JSONDecoder().decode(Report.self, from: Data(outcome.output.utf8)), outcome.status)
    }

    @Test func withoutNetworkAndAccountItSaysWhatWasNotAsked() async throws {
        let (report, status) = try await self.report(["--port", "0"])
        #expect(status == 0 && report.failures == 0, "\(report.checks)")
        let areas = ["settings", "ports", "proxy", "folders", "disk", "limits", "clock", "keys", "origins", "shared"]
        #expect(Set(report.checks.map(\.check)) == Set(areas))
        for area in ["clock", "keys", "origins", "shared"] {
            #expect(report.checks.contains { $0.check == area && $0.outcome == "skipped" }, "\(area)")
        }
        #expect(report.skipped == report.checks.count { $0.outcome == "skipped" })
        #expect(report.checks.allSatisfy { $0.text.hasSuffix(".") && !$0.text.contains("\n") })
        #expect(self.folder.files == [])
    }

    @Test func aFileThatCannotBeReadIsAFailureAmongTheOtherChecks() async throws {
        let none = self.folder.path + "/none"
        let (report, status) = try await self.report([
            "--port", "0", "--admin-token-file", none, "--sign-key-file", none,
        ])
        #expect(status == 1 && report.failures == 2)
        let failures = report.checks.filter { $0.outcome == "failure" }
        #expect(failures.allSatisfy { $0.check == "settings" && $0.text.contains("on the command line") })
        #expect(report.checks.count > failures.count)
    }

    @Test func anInvalidOptionIsTheOnlyResult() async throws {
        let (report, status) = try await self.report(["--port", "x"])
        #expect(status == 1 && report.checks.count == 1 && report.checks[0].text.contains("--port"))
    }

    @Test func theRunningServerOfTheDirectoryIsNoObstacle() async throws {
        let server = try await RunningServer(dataDirectory: self.folder.path)
        let (own, status) = try await self.report(["--port", "\(server.port)"])
        #expect(status == 0 && own.checks.contains { $0.text.contains("running server of this data directory") })
        let elsewhere = try await Program.run([
            "doctor", "--data-dir", self.folder.path + "-other", "--port", "\(server.port)",
        ])
        #expect(elsewhere.status == 1, "\(elsewhere.output)")
        let text = elsewhere.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(text.contains("another OneSheet, process"), "\(text)")
        #expect(await server.stop() == 0)
    }

    @Test func resultsAreLinesForPeople() {
        let text = DoctorText(width: 60)
        let lines = text.lines(
            {
                var result = CheckResult(
                    .warning, "a\u{1b}b", "The folder is on a network file system, on which locks are unreliable.")
                result.check = "disk"
                return result
            }())
        #expect(lines.count == 2, "\(lines)")
        #expect(lines[0].hasPrefix(#"warning  disk      a\u{1b}b: The folder"#), "\(lines)")
        #expect(lines.dropFirst().allSatisfy { $0.hasPrefix(String(repeating: " ", count: 19)) })
        #expect(lines.allSatisfy { $0.count <= 60 })
    }
}
