import ArgumentParser
import Foundation
import OneSheetConfiguration
import PictureTesting
import PosterCodec
import PosterTesting
import Testing

@testable import onesheet

/// `render` and `probe` with standard input and output, pipes and directories, and the names of outputs.
@Suite(.timeLimit(.hang))
struct PictureStreamTests {
    private let folder = TemporaryFolder()
    private let picture = TestPicture.jpeg(width: 40, height: 60)

    private func file(_ name: String) throws -> String {
        let path = self.folder.path + "/" + name
        try Data(self.picture).write(to: URL(filePath: path))
        return path
    }

    @Test func rendersFromStandardInputToStandardOutput() async throws {
        let input = try self.file("in.jpg")
        for (options, format, start) in [
            (["--format", "webp"], "webp", Array("RIFF".utf8)), ([], "jpeg", [0xFF, 0xD8, 0xFF]),
        ] {
            let outcome = try await Program.run(["render", "-", "-", "-w", "20"] + options, input: self.picture)
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(outcome.errors.isEmpty)
            #expect(outcome.bytes.starts(with: start))
            let output = self.folder.path + "/out"
            _ = try await Program.run(["render", input, output, "--width", "20", "--format", format])
            #expect(try Data(contentsOf: URL(filePath: output)) == Data(outcome.bytes), "the bytes of a file")
        }
    }

    @Test func reportsOfAPictureOnStandardOutputGoToStandardError() async throws {
        let outcome = try await Program.run(["render", "-", "-", "-w", "20", "--json"], input: self.picture)
        #expect(outcome.status == 0)
        #expect(outcome.bytes.starts(with: [0xFF, 0xD8, 0xFF]))
        #expect(outcome.errors.hasPrefix("{") && outcome.errors.contains("milliseconds"), "\(outcome.errors)")
    }

    @Test func aPipeIsReadByItsPath() async throws {
        let output = self.folder.path + "/out.png"
        let outcome = try await Program.run(["render", "/dev/stdin", output], input: self.picture)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(FileManager.default.fileExists(atPath: output))
    }

    @Test func probesStandardInputBesideFiles() async throws {
        let file = try self.file("in.jpg")
        let outcome = try await Program.run(["probe", file, "-", "--json"], input: self.picture)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let paths = try outcome.output.split(separator: "\n").map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])["path"] as? String
        }
        #expect(paths == [file, "-"])
        let twice = try await Program.run(["probe", "-", "-"], input: self.picture)
        #expect(twice.status == 64 && twice.errors.contains("standard input can be read only once"))
    }

    @Test(arguments: [["probe", "-"], ["render", "-", "-"], ["probe", "/dev/zero"]])
    func anInputWithoutAnEndIsReadToTheLimit(arguments: [String]) async throws {
        let outcome = try await Program.run(arguments + ["--max-bytes", "100"], input: self.picture)
        #expect(outcome.status == 1 && outcome.bytes.isEmpty)
        let name = arguments[1] == "-" ? "standard input" : arguments[1]
        #expect(
            outcome.errors == "onesheet: \(name): over the limit of bytes: it has more than 100, the value of "
                + "--max-bytes\n")
    }

    @Test func emptyInputIsNoPicture() async throws {
        let outcome = try await Program.run(["render", "-", "-"], input: [])
        #expect(outcome.status == 1 && outcome.bytes.isEmpty)
        #expect(outcome.errors.hasPrefix("onesheet: standard input: "), "\(outcome.errors)")
    }

    @Test func aClosedStandardOutputEndsTheProgramQuietly() async throws {
        let pipe = Pipe()
        try pipe.fileHandleForReading.close()
        for arguments in [["render", "-", "-"], ["probe", "-"], ["help", "serve"]] {
            let outcome = try await Program.run(arguments, input: self.picture, output: pipe.fileHandleForWriting)
            // The signal's number, or the status of a process that ignores it.
            #expect([SIGPIPE, 128 + SIGPIPE].contains(outcome.status))
            #expect(outcome.errors.isEmpty, "\(outcome.errors)")
        }
    }

    @Test func aTerminalGetsNoPicture() throws {
        let error = #expect(throws: (any Error).self) { try PictureOutput.check("-", isTerminal: true) }
        #expect(error.map { OneSheet.message(for: $0) }?.hasPrefix("standard output is a terminal") == true)
        #expect(throws: Never.self) { try PictureOutput.check("-", isTerminal: false) }
    }

    @Test func aDirectoryIsNamedAsSuch() async throws {
        let (input, directory) = (try self.file("in.jpg"), self.folder.path)
        for arguments in [["render", directory, "-"], ["render", input, directory], ["probe", directory]] {
            let outcome = try await Program.run(arguments)
            #expect(outcome.status == 1)
            #expect(outcome.errors == "onesheet: \(directory) is a directory\n")
        }
        let missing = try await Program.run(["render", input, directory + "/none/"])
        #expect(missing.status == 1 && missing.errors == "onesheet: \(directory)/none/ is a directory\n")
    }

    @Test(
        "the extension of an output names its format",
        arguments: [
            ("a.jpg", false, "jpeg"), ("a.JPEG", false, "jpeg"), ("a.b.webp", false, "webp"), ("a.avif", true, "avif"),
            ("{width}.{format}", false, "jpeg"), ("-", false, "jpeg"), ("/dev/null", false, "jpeg"),
            ("a.out", true, "jpeg"), ("a", true, "jpeg"), (".png", true, "jpeg"),
            ("a.gif", false, "'a.gif': .gif files are not written; use .avif, .jpg, .jxl, .png or .webp"),
            ("a.HEIC", true, "'a.HEIC': .heic files are not written; use .avif, .jpg, .jxl, .png or .webp"),
            ("a.bmp", true, "'a.bmp': .bmp files are not written; use .avif, .jpg, .jxl, .png or .webp"),
            ("a.xyz", false, "'a.xyz': .xyz is no known format; use .avif, .jpg, .jxl, .png or .webp, or add --format"),
            (
                "b.d/a", false,
                "'b.d/a' has no extension that names a format; use .avif, .jpg, .jxl, .png or .webp, or add --format"
            ),
        ])
    func formats(output: String, isGiven: Bool, expected: String) {
        let pattern = OutputPattern(output, input: PictureInput(path: "in.jpg"))
        let result: String
        do {
            result = try pattern.format(isGiven: isGiven).rawValue
        } catch {
            result = OneSheet.message(for: error)
        }
        #expect(result == expected)
    }

    @Test func theInputIsNotReplaced() async throws {
        let input = try self.file("a-20.jpg")
        let (link, hardLink) = (self.folder.path + "/link.jpg", self.folder.path + "/hard.jpg")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: input)
        try FileManager.default.linkItem(atPath: input, toPath: hardLink)
        for (output, widths) in [
            (input, "20"), (link, "20"), (hardLink, "20"), (self.folder.path + "/a-{width}.jpg", "20,30"),
        ] {
            let outcome = try await Program.run(["render", input, output, "--width", widths])
            #expect(outcome.status == 64, "\(output)")
            #expect(outcome.errors.contains("the output is the input; choose another name"), "\(outcome.errors)")
        }
        #expect(try Data(contentsOf: URL(filePath: input)) == Data(self.picture))
        #expect(!FileManager.default.fileExists(atPath: self.folder.path + "/a-30.jpg"))
    }

    @Test(
        "an extension of another format than --format names is an error",
        arguments: [
            ("a.webp", "jpeg", "--format jpeg contradicts the extension .webp"),
            ("{width}.JPG", "png", "--format png contradicts the extension .jpg"), ("a.jpg", "jpeg", nil),
            ("a", "png", nil), ("{format}.webp", "jpeg", nil), ("-", "webp", nil),
        ] as [(String, String, String?)])
    func contradictions(output: String, format: String, expected: String?) throws {
        let outputs = try RenderOutput.all(Settings(["format": [format]], environment: [:]), defaultFormat: .jpeg)
        let pattern = OutputPattern(output, input: PictureInput(path: "in.jpg"))
        var reason: String?
        do {
            try pattern.check(outputs)
        } catch {
            reason = OneSheet.message(for: error)
        }
        #expect(reason == expected)
    }

    @Test func anOutputOfAnotherFormatIsNotWritten() async throws {
        let input = try self.file("in.jpg")
        let output = self.folder.path + "/out.gif"
        let outcome = try await Program.run(["render", input, output, "--format", "png"])
        #expect(outcome.status == 64 && outcome.errors.contains("are not written"), "\(outcome.errors)")
        #expect(!FileManager.default.fileExists(atPath: output))
    }
}
