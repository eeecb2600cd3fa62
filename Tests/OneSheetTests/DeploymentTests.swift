import Foundation
import PictureTesting
import PosterTesting
import Testing

/// The files of `deploy/`, checked by the programs that read them.
@Suite(.timeLimit(.hang))
struct DeploymentTests {
    private static let systemdAnalyze = "/usr/bin/systemd-analyze"
    private static let make = "/usr/bin/make"

    private static func has(_ program: String) -> Bool { FileManager.default.isExecutableFile(atPath: program) }

    private let folder = TemporaryFolder()
    private let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private func text(_ path: String) throws -> String {
        try String(contentsOf: self.package.appending(path: path), encoding: .utf8)
    }

    private func run(_ program: String, _ arguments: [String]) async throws -> (status: Int32, words: String) {
        let output = try OutputPipe()
        let child = try ChildProgram(program, arguments, output: output.descriptor, errors: output.descriptor)
        output.closeWriting()
        return try await onOwnThread {
            let words = String(decoding: output.readAll(), as: UTF8.self)
            return (child.wait(), words)
        }
    }

    // MARK: systemd

    @Test(.enabled(if: Self.has(Self.systemdAnalyze), "there is no systemd-analyze"))
    func systemdAcceptsTheUnits() async throws {
        var paths: [String] = []
        for name in ["onesheet.service", "onesheet.socket", "onesheet-tls.socket"] {
            // systemd-analyze demands that the program exists.
            let text = try self.text("deploy/systemd/\(name)")
                .replacingOccurrences(of: "/usr/local/bin/onesheet", with: Program.url.path)
            paths.append("\(self.folder.path)/\(name)")
            try Data(text.utf8).write(to: URL(filePath: paths[paths.count - 1]))
        }
        let (status, words) = try await self.run(Self.systemdAnalyze, ["verify", "--man=no"] + paths)
        #expect(status == 0 && words.isEmpty, "\(words)")
        let (exposure, report) = try await self.run(
            Self.systemdAnalyze, ["security", "--offline=true", "--threshold=20", paths[0]])
        #expect(exposure == 0, "\(report)")
    }

    // MARK: Installing

    @Test func theImageIsBuiltWithThePackagesOfTheMakefile() throws {
        func packages(_ text: Substring) -> Set<Substring> {
            Set(text.split(whereSeparator: \.isWhitespace).filter { $0.hasPrefix("lib") || $0.hasPrefix("zlib") })
        }
        let makefile = try self.text("Makefile").split(separator: "\n")
        let needed = packages(try #require(makefile.first { $0.hasPrefix("PACKAGES := ") }))
        let stages = try self.text("Dockerfile").split(separator: "\nFROM ")
        try #require(stages.count == 3 && !needed.isEmpty)
        #expect(packages(stages[1]) == needed)
        // One package per linked library; its name includes the version.
        let stems = [
            "libjpeg62", "libpng", "libwebp", "libavif", "libjxl", "libde265", "liblcms2", "libfreetype",
            "libharfbuzz", "zlib1g", "libbrotli", "libcurl4", "libssl", "libsqlite3", "libpq", "libhiredis",
            "libseccomp",
        ]
        for stem in stems { #expect(packages(stages[2]).contains { $0.hasPrefix(stem) }, "\(stem)") }
        #expect(stems.count == needed.count)
    }

    @Test(.enabled(if: Self.has(Self.make), "there is no make"))
    func whatIsInstalledServesTheEmbeddedPostersAndIsTakenAwayAgain() async throws {
        let root = self.folder.path + "/root"
        let arguments = ["-C", self.package.path, "DESTDIR=\(root)", "PREFIX=/opt/one", "PROGRAM=\(Program.url.path)"]
        let (status, words) = try await self.run(Self.make, arguments + ["install"])
        try #require(status == 0, "\(words)")
        let unit = try String(contentsOfFile: root + "/opt/one/lib/systemd/system/onesheet.service", encoding: .utf8)
        #expect(unit.contains("ExecStart=/opt/one/bin/onesheet serve"))
        // An instance unit is named by its port and has its own folders and settings.
        let template = try String(
            contentsOfFile: root + "/opt/one/lib/systemd/system/onesheet@.service", encoding: .utf8)
        for line in [
            "ExecStart=/opt/one/bin/onesheet serve --data-dir ${STATE_DIRECTORY}", "StateDirectory=onesheet-%i",
            "RuntimeDirectory=onesheet-%i", "Environment=ONESHEET_PORT=%i", "EnvironmentFile=-/etc/default/onesheet",
            "EnvironmentFile=-/etc/default/onesheet-%i",
        ] {
            #expect(template.split(separator: "\n").contains(line[...]), "\(line)")
        }

        for file in [
            "bash-completion/completions/onesheet", "zsh/site-functions/_onesheet",
            "fish/vendor_completions.d/onesheet.fish", "man/man1/onesheet.1",
        ] {
            let text = try String(contentsOfFile: "\(root)/opt/one/share/\(file)", encoding: .utf8)
            #expect(text.contains("boxoffice"), "\(file)")
        }

        let output = try OutputPipe()
        let program = try ChildProgram(
            root + "/opt/one/bin/onesheet", ["serve", "--port", "0", "--data-dir", self.folder.path + "/data"],
            output: output.descriptor)
        output.closeWriting()
        let line = try await onOwnThread { String(decoding: output.read(), as: UTF8.self) }
        let port = try #require(line.split(separator: ":").dropFirst(2).first?.prefix { $0.isNumber })
        let answer = try await HTTPConnection(port: try #require(Int(port))).get("/poster/nosferatu-1922?w=92")
        #expect(answer.status == 200)
        program.signal(SIGTERM)
        #expect(try await onOwnThread { program.wait() } == 0)

        #expect(try await self.run(Self.make, arguments + ["uninstall"]).status == 0)
        #expect(try FileManager.default.subpathsOfDirectory(atPath: root).filter { $0.contains("onesheet") }.isEmpty)
    }
}
