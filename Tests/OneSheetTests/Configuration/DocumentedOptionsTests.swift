import ArgumentParser
import Foundation
import PosterTesting
import Testing

@testable import OneSheetConfiguration
@testable import onesheet

/// The generated parts of the documentation equal the current output of `make docs`.
struct DocumentedOptionsTests {
    private let folder = TemporaryFolder()

    private static let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: Self.package.appending(path: path), encoding: .utf8)
    }

    @Test func theTableInTheDocumentationIsTheCodes() throws {
        let page = try Self.text("docs/configuration.md")
        let (begin, end) = (SettingsTable.begin + "\n", "\n" + SettingsTable.end)
        let start = try #require(page.firstRange(of: begin)).upperBound
        let stop = try #require(page.firstRange(of: end)).lowerBound
        #expect(String(page[start..<stop]) == SettingsTable.markdown(SettingDescription.all), "run 'make docs'")
    }

    @Test func theManualPageIsTheCodes() throws {
        let page = try ManualPage(CommandHelp(OneSheet.self)).troff
        #expect(try Self.text("deploy/onesheet.1") == page + "\n", "run 'make docs'")
        for option in SettingDescription.all {
            #expect(page.contains("\\fB\\-\\-" + option.name.replacing("-", with: "\\-")), "\(option.name)")
        }
        for line in page.split(separator: "\n") where line.hasPrefix(".") {
            #expect([".TH", ".SH", ".SS", ".PP", ".TP", ".br"].contains(String(line.prefix(3))), "\(line)")
        }
    }

    @Test func theManualPageHasEveryCommandAndTheUsualSections() throws {
        let lines = try ManualPage(CommandHelp(OneSheet.self)).troff.split(separator: "\n")
        for command in OneSheet.configuration.subcommands {
            let parts = command.configuration.subcommands.map { "\(command._commandName) \($0._commandName)" }
            for words in parts.isEmpty ? [command._commandName] : parts {
                #expect(lines.contains { $0 == ".SS \(words)" }, "\(words)")
                #expect(lines.contains { $0.hasPrefix("\\fBonesheet \(words)\\fR ") }, "\(words)")
            }
        }
        for section in [
            "NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "COMMANDS", "EXAMPLES", "ENVIRONMENT", "FILES", "SIGNALS",
            "EXIT STATUS", "SEE ALSO",
        ] {
            #expect(lines.contains { $0 == ".SH \(section)" }, "\(section)")
        }
    }

    @Test func theExamplesOfTheManualPageAreCommandLinesOfTheProgram() throws {
        for (example, _) in ManualPage.examples {
            let words = example.split(separator: " ").map { $0.filter { $0 != "'" } }
            #expect(words.first == "onesheet")
            #expect(throws: Never.self, "\(example)") { _ = try OneSheet.parseAsRoot(Array(words.dropFirst())) }
        }
    }

    @Test(
        "completions are scripts of their shell that know every command",
        arguments: [("bash", CompletionShell.bash), ("zsh", .zsh), ("fish", .fish)])
    func completions(name: String, shell: CompletionShell) async throws {
        let script = OneSheet.completionScript(for: shell)
        for command in OneSheet.configuration.subcommands {
            #expect(script.contains(command._commandName), "\(command._commandName)")
        }
        // Checked by the shell where it is installed.
        guard FileManager.default.isExecutableFile(atPath: "/usr/bin/\(name)") else { return }
        let path = self.folder.path + "/onesheet." + name
        try Data(script.utf8).write(to: URL(filePath: path))
        let errors = try OutputPipe()
        let program = try ChildProgram("/usr/bin/\(name)", ["-n", path], errors: errors.descriptor)
        errors.closeWriting()
        let (status, complaints) = try await onOwnThread {
            let text = String(decoding: errors.readAll(), as: UTF8.self)
            return (program.wait(), text)
        }
        #expect(status == 0 && complaints.isEmpty, "\(complaints)")
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/groff"), "groff is not installed"))
    func troffHasNothingToSayAboutTheManualPage() async throws {
        let path = self.folder.path + "/onesheet.1"
        try Data(try ManualPage(CommandHelp(OneSheet.self)).troff.utf8).write(to: URL(filePath: path))
        let errors = try OutputPipe()
        let program = try ChildProgram(
            "/usr/bin/groff", ["-ww", "-man", "-Tutf8", "-z", path], errors: errors.descriptor)
        errors.closeWriting()
        let (status, complaints) = try await onOwnThread {
            let text = String(decoding: errors.readAll(), as: UTF8.self)
            return (program.wait(), text)
        }
        #expect(status == 0)
        #expect(complaints.isEmpty, "\(complaints)")
    }
}
