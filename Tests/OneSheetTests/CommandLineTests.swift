import Foundation
import OneSheetConfiguration
import PictureTesting
import PosterTesting
import Testing

@Suite(.timeLimit(.hang))
struct CommandLineTests {
    private let folder = TemporaryFolder()

    private func file(_ name: String, _ bytes: [UInt8]) throws -> String {
        let path = self.folder.path + "/" + name
        try Data(bytes).write(to: URL(filePath: path))
        return path
    }

    private func object(_ line: Substring) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }

    @Test func saysWhatItIsAndWhatItCan() async throws {
        let version = try await Program.run(["--version"])
        #expect(version.status == 0)
        #expect(version.output.hasPrefix(ProductVersion.current + " ") && version.output.contains("kernels"))
        for arguments in [["--help"], ["help", "serve"], ["render", "--help"], ["probe", "--help"]] {
            let help = try await Program.run(arguments)
            #expect(help.status == 0)
            #expect(help.output.contains("USAGE: onesheet"))
        }
    }

    @Test func rendersToTheWidthAskedFor() async throws {
        let input = try self.file("in.jpg", TestPicture.jpeg(width: 400, height: 600))
        let output = self.folder.path + "/out.jpg"
        let outcome = try await Program.run(["render", input, output, "--width", "100"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output.isEmpty)
        let probe = try await Program.run(["probe", output, "--json"])
        let answer = try self.object(probe.output[...])
        #expect(answer["width"] as? Int == 100 && answer["height"] as? Int == 150)
        #expect(answer["subsampling"] as? String == "4:2:0" && answer["progressive"] as? Bool == false)
    }

    @Test func rendersEveryShapeAndFormat() async throws {
        let input = try self.file("in.jpg", TestPicture.jpeg(width: 400, height: 600, isProgressive: true))
        let cases: [([String], String, String, Int, Int)] = [
            (["--width", "100", "--height", "100", "--fit", "cover", "--position", "top"], "a.png", "png", 100, 100),
            (["--height", "75", "--dpr", "2"], "b.webp", "webp", 100, 150),
            (["--width", "50", "--format", "png"], "c.out", "png", 50, 75),
            (["--quality", "95", "--effort", "full", "--background", "102030"], "d.jpg", "jpeg", 400, 600),
        ]
        for (options, name, format, width, height) in cases {
            let output = self.folder.path + "/" + name
            let outcome = try await Program.run(["render", input, output] + options)
            #expect(outcome.status == 0, "\(outcome.errors)")
            let answer = try self.object(try await Program.run(["probe", output, "--json"]).output[...])
            #expect(answer["format"] as? String == format)
            #expect(answer["width"] as? Int == width && answer["height"] as? Int == height, "\(options)")
        }
    }

    @Test func severalWidthsAndFormatsAreWrittenByName() async throws {
        let input = try self.file("in.jpg", TestPicture.jpeg(width: 400, height: 600))
        let outcome = try await Program.run([
            "render", input, self.folder.path + "/{name}-{width}x{height}.{format}", "--width", "40,100,200",
            "--format", "jpeg,webp",
        ])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output.isEmpty)
        for (width, height) in [(40, 60), (100, 150), (200, 300)] {
            for format in ["jpeg", "webp"] {
                let path = self.folder.path + "/in-\(width)x\(height).\(format)"
                let answer = try self.object(try await Program.run(["probe", path, "--json"]).output[...])
                #expect(answer["format"] as? String == format && answer["width"] as? Int == width)
            }
        }
        // The largest file equals the output of a separate render.
        let alone = self.folder.path + "/alone.webp"
        _ = try await Program.run(["render", input, alone, "--width", "200"])
        let shared = self.folder.path + "/in-200x300.webp"
        #expect(FileManager.default.contentsEqual(atPath: alone, andPath: shared))
    }

    @Test func outputsWithOneNameAreRefused() async throws {
        let input = try self.file("in.jpg", TestPicture.jpeg(width: 40, height: 60))
        for (name, options, words) in [
            ("out.jpg", ["--width", "10,20"], "must contain {width}, so that the 2 files have different names"),
            ("{width}.jpg", ["--width", "10,20", "--format", "png,webp"], "contain {format}, so that the 4 files"),
            ("{width}.jpg", ["--width", "10,10"], "different ones, separated by commas"),
            ("{width}.jpg", ["--width", "10,"], "from 1 to 4096"),
            ("{height}.jpg", ["--height", (1...17).map(String.init).joined(separator: ",")], "up to 16"),
        ] {
            let outcome = try await Program.run(["render", input, self.folder.path + "/" + name] + options)
            #expect(outcome.status == 64, "\(outcome.errors)")
            #expect(outcome.errors.contains(words), "\(outcome.errors)")
        }
    }

    @Test func severalResultsAreExplained() async throws {
        let input = try self.file("in.jpg", TestPicture.jpeg(width: 400, height: 600))
        let arguments = [
            "render", input, self.folder.path + "/{width}.{format}", "--width", "40,200", "--format", "jpeg",
        ]
        let text = try await Program.run(arguments + ["--explain"])
        #expect(text.output.contains("1 decode at 8/8 for 2 results"), "\(text.output)")
        #expect(text.output.contains("4/8 → 8/8") && text.output.contains("shares its decode"))

        for (options, scales) in [([], ["8/8"]), (["--alone", "--repeat", "2"], ["4/8", "8/8"])] {
            let outcome = try await Program.run(arguments + ["--json"] + options)
            #expect(outcome.output.split(separator: "\n").count == 1)
            let report = try self.object(outcome.output[...])
            let decodes = try #require(report["decodes"] as? [[String: Any]])
            #expect(decodes.map { $0["scale"] as? String } == scales)
            let targets = try #require(report["targets"] as? [[String: Any]])
            let isShared = options.isEmpty
            #expect(targets.map { $0["recipe"] as? String } == [isShared ? "shared 8/8" : "own", "own"])
            let reason = isShared ? "sharesDecode" : "onlyOne"
            #expect(targets.map { $0["reason"] as? String } == [reason, reason])
            for target in targets {
                let path = try #require(target["path"] as? String)
                #expect(try Data(contentsOf: URL(filePath: path)).count == target["bytes"] as? Int)
            }
        }
    }

    @Test func aResultThatFailsDoesNotKeepTheOthersFromBeingWritten() async throws {
        let input = try self.file("in.jpg", TestPicture.jpeg(width: 100, height: 9000))
        let outcome = try await Program.run(["render", input, self.folder.path + "/{width}.jpg", "--width", "92,50"])
        #expect(outcome.status == 1)
        #expect(outcome.errors.split(separator: "\n").count == 1, "\(outcome.errors)")
        #expect(outcome.errors.contains("/92.jpg: 8280 pixels long"), "\(outcome.errors)")
        #expect(FileManager.default.fileExists(atPath: self.folder.path + "/50.jpg"))
        #expect(!FileManager.default.fileExists(atPath: self.folder.path + "/92.jpg"))
    }

    @Test func optionsThatCannotBeAreNamedWithWhatIsAllowed() async throws {
        let input = try self.file("in.jpg", TestPicture.jpeg(width: 40, height: 60))
        let output = self.folder.path + "/out.jpg"
        for (options, words) in [
            (["--width", "5000"], "from 1 to 4096"), (["--width", "2100", "--dpr", "2"], "at most 4096"),
            (["--fit", "fill"], "contain, cover"), (["--position", "north"], "entropy"),
            (["--dpr", "9"], "from 1 to 4"),
            (["--format", "gif"], "jpeg, webp, png, avif, jxl"), (["--background", "red"], "RRGGBB"),
            (["--effort", "none"], "full, balanced, fast"), (["--max-render-time", "0"], "seconds"),
        ] {
            let outcome = try await Program.run(["render", input, output] + options)
            #expect(outcome.status == 64, "\(options)")
            #expect(outcome.errors.contains(words) && outcome.errors.contains(options[0]), "\(outcome.errors)")
            #expect(outcome.errors.split(separator: "\n").count == 2, "the reason and the usage: \(outcome.errors)")
        }
    }

    @Test func limitsAreSetOnTheCommandLine() async throws {
        let input = try self.file("in.jpg", TestPicture.jpeg(width: 40, height: 60))
        for (options, words) in [
            (["--max-pixels", "2399"], "over the limit of pixels: it has 2400, the maximum is 2399"),
            (["--max-width", "39"], "over the limit of width in pixels: it has 40, the maximum is 39"),
            (["--max-bytes", "100"], "over the limit of bytes"),
        ] {
            let outcome = try await Program.run(["probe", input] + options)
            #expect(outcome.status == 1 && outcome.errors.contains(words), "\(outcome.errors)")
        }
    }

    @Test func hashesPrintTheColourAndTheShape() async throws {
        let input = try self.file("in.jpg", TestPicture.jpeg(width: 400, height: 600))
        let answer = try self.object(try await Program.run(["probe", input, "--json", "--hash"]).output[...])
        let colour = try #require(answer["color"] as? String)
        #expect(colour.count == 7 && colour.hasPrefix("#"))
        #expect((answer["blurhash"] as? String)?.count == 28, "3 × 4 components")
        let hash = try #require((answer["thumbhash"] as? String).flatMap { Data(base64Encoded: $0) })
        #expect((20...30).contains(hash.count))
        let text = try await Program.run(["probe", input, "--hash"])
        #expect(text.output.contains(colour))
    }

    @Test func aProgressiveFilesUnreadScansAreExplained() async throws {
        let input = try self.file("in.jpg", TestPicture.jpeg(width: 800, height: 1200, isProgressive: true))
        let output = self.folder.path + "/out.jpg"
        let some = try await Program.run(["render", input, output, "--width", "100", "--explain"])
        #expect(some.output.contains("not read"), "\(some.output)")
        let all = try await Program.run(["render", input, output, "--width", "100", "--explain", "--effort", "full"])
        #expect(all.output.contains("scans     all read"), "\(all.output)")
    }

    @Test func explainsAsOneJSONObjectOnOneLine() async throws {
        let input = try self.file("in.jpg", TestPicture.jpeg(width: 400, height: 600))
        let output = self.folder.path + "/out.webp"
        let outcome = try await Program.run(["render", input, output, "--width", "100", "--repeat", "3", "--json"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output.split(separator: "\n").count == 1)
        let report = try self.object(outcome.output[...])
        let times = try #require(report["milliseconds"] as? [String: Double])
        #expect(Set(times.keys) == ["probe", "decode", "resample", "encode", "total"])
        let plan = try #require(report["plan"] as? [String: Any])
        #expect(plan["decodeScale"] as? String == "4/8" && plan["residual"] as? Double == 2)
        let bytes = try Data(contentsOf: URL(filePath: output))
        #expect(report["bytes"] as? Int == bytes.count)
        #expect(bytes.starts(with: Array("RIFF".utf8)), "the extension decides")

        let text = try await Program.run(["render", input, output, "--width", "100", "--explain"])
        for word in ["source", "decode", "residual", "output", "encode", "total"] {
            #expect(text.output.contains(word))
        }
    }

    @Test func optionsCanBeSetInTheEnvironmentAndTheCommandLineWins() async throws {
        let input = try self.file("in.jpg", TestPicture.jpeg(width: 400, height: 600))
        let output = self.folder.path + "/out.webp"
        let environment = ["ONESHEET_WIDTH": "60", "ONESHEET_FORMAT": "webp", "ONESHEET_JSON": "true"]
        let first = try await Program.run(["render", input, output], environment: environment)
        let second = try await Program.run(["render", input, output, "--width", "70"], environment: environment)
        for (outcome, width) in [(first, 60), (second, 70)] {
            let plan = try #require(try self.object(outcome.output[...])["plan"] as? [String: Any])
            let size = try #require(plan["output"] as? [String: Any])
            #expect(size["width"] as? Int == width && size["format"] as? String == "webp")
        }
        let wrong = try await Program.run(["render", input, output], environment: ["ONESHEET_WIDTH": "wide"])
        #expect(wrong.status != 0)
        #expect(wrong.errors.contains("ONESHEET_WIDTH") && wrong.errors.contains("from 1 to 4096"))
    }

    @Test func failuresAreOneLineThatNamesTheFileAndLeaveNothing() async throws {
        let page = try self.file("page.jpg", Array("<!doctype html><html></html>".utf8))
        let half = try self.file("half.jpg", Array(TestPicture.jpeg(width: 400, height: 600).prefix(3000)))
        let output = self.folder.path + "/out.jpg"
        for (input, words) in [
            (page, "an HTML page"), (half, "ends before"), (self.folder.path + "/none.jpg", "No such file"),
            (self.folder.path, "\(self.folder.path) is a directory"),
        ] {
            let outcome = try await Program.run(["render", input, output, "--width", "100"])
            #expect(outcome.status == 1)
            #expect(outcome.output.isEmpty)
            #expect(outcome.errors.split(separator: "\n").count == 1, "\(outcome.errors)")
            #expect(outcome.errors.contains(input) && outcome.errors.contains(words), "\(outcome.errors)")
            #expect(!FileManager.default.fileExists(atPath: output))
        }
    }

    @Test func anOutputThatIsNoFileIsWrittenToAndNotReplaced() async throws {
        let input = try self.file("in.jpg", TestPicture.jpeg(width: 40, height: 60))
        #expect(try await Program.run(["render", input, "/dev/null", "--width", "20"]).status == 0)
        var status = stat()
        #expect(stat("/dev/null", &status) == 0 && status.st_mode & S_IFMT == S_IFCHR)

        let real = try self.file("real.jpg", [0])
        let link = self.folder.path + "/link.jpg"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: real)
        #expect(try await Program.run(["render", input, link, "--width", "20"]).status == 0)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == real)
        #expect(try Data(contentsOf: URL(filePath: real)).count > 100)
        #expect(try await Program.run(["render", input, self.folder.path, "--width", "20"]).status == 1)
    }

    @Test func anOutputThatCannotBeWrittenIsAFailure() async throws {
        let input = try self.file("in.jpg", TestPicture.jpeg(width: 40, height: 60))
        let outcome = try await Program.run(["probe", input], output: FileHandle(forWritingAtPath: "/dev/full"))
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("standard output"))
    }

    @Test func aFlagOfTheEnvironmentCanBeTurnedOffAndAnEmptyVariableIsNone() async throws {
        let input = try self.file("in.jpg", TestPicture.jpeg(width: 40, height: 60))
        let output = self.folder.path + "/out.jpg"
        let outcome = try await Program.run(
            ["render", input, output, "--no-json"], environment: ["ONESHEET_JSON": "1", "ONESHEET_WIDTH": ""])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output.isEmpty)
    }

    @Test func probesManyFilesAndFailsIfOneFails() async throws {
        let good = try self.file("good.jpg", TestPicture.jpeg(width: 40, height: 60, isProgressive: true))
        let bad = try self.file("bad.jpg", [1, 2, 3])
        let outcome = try await Program.run(["probe", bad, good, "--json"])
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains(bad) && outcome.errors.split(separator: "\n").count == 1)
        let lines = outcome.output.split(separator: "\n")
        #expect(lines.count == 2)
        let failure = try self.object(try #require(lines.first))
        #expect(failure["path"] as? String == bad)
        #expect(failure["error"] as? String == "not an image but unknown binary data")
        let answer = try self.object(try #require(lines.last))
        #expect(
            Set(answer.keys) == [
                "path", "format", "width", "height", "uprightWidth", "uprightHeight", "orientation", "progressive",
                "lossless", "subsampling", "colorModel",
                "bitDepth", "hasAlpha", "frames", "icc", "bytes",
            ])
        #expect(answer["path"] as? String == good && answer["progressive"] as? Bool == true)
    }
}
