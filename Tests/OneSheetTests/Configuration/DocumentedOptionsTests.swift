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
