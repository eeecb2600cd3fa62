import Foundation
import PictureTesting
import PosterTesting
import Testing

@Suite(.timeLimit(.hang))
struct PictureOptionsTests {
    private static let key = "a key that nobody knows"
    private let folder = TemporaryFolder()
    private var data: String { self.folder.path + "/data" }

    private func keyFile(_ text: String = Self.key) throws -> String {
        let path = self.folder.path + "/keys"
        try Data((text + "\n").utf8).write(to: URL(filePath: path))
        return path
    }

    @Test(
        "a wrong option stops the start with its name and what is allowed",
        arguments: [
            (["--widths", "92,92"], "--widths (ONESHEET_WIDTHS) is '92,92'; allowed: 1 to 64 whole numbers"),
            (["--widths", "92,"], "ascending, separated by commas"), (["--widths", "154,92"], "ascending"),
            (["--widths", "8"], "from 16 to 4096"), (["--snap-widths"], "only with --widths"),
            (["--heights", "138"], "only with --widths"),
            (["--widths", "92", "--heights", "138,"], "ONESHEET_HEIGHTS"),
            (["--formats", "webp,gif"], "any of jxl, avif, webp, jpeg"), (["--reencode", "0%"], "from 1% to 100%"),
            (["--require-signatures"], "only with --sign-key-file"),
            (["--allow-url", "good.test"], "does not begin with http"),
            (["--allow-url", "https://a.test/../b"], "'.' or '..'"),
            (["--allow-url", "https://a.test/?b"], "has a query"),
            (["--tmdb-images", "https://a.test/"], "{key}"), (["--sign-key-file", "/nonexistent"], "cannot be read"),
            (["--origin", "url=https://a.test/{key}"], "any NAME except"),
            (["--origin", "tmdb-image=https://a.test/{key}"], "any NAME except"),
        ])
    func wrongOptions(arguments: [String], words: String) throws {
        let reason = try #require(try ServeArguments.refusal(arguments))
        #expect(reason.contains(words), "\(reason)")
    }

    @Test func aKeyThatIsTooShortIsNamedByItsLineAndNotShown() async throws {
        let path = try self.keyFile("# old\nsecret")
        let outcome = try await Program.run(["serve", "--data-dir", self.data, "--sign-key-file", path])
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("line 2 is not a signing key"), "\(outcome.errors)")
        #expect(!outcome.errors.contains("secret"))
    }

    @Test func whatIsSignedIsServed() async throws {
        try await withOrigin { origin in
            origin.on("/a.jpg", .image(TestPicture.jpeg(width: 60, height: 90)))
            let path = try self.keyFile()
            let server = try await InProcessServer(
                dataDirectory: self.data,
                [
                    "--allow-private-origins", "--sign-key-file", path, "--widths", "46,92", "--heights", "69",
                    "--tmdb-images",
                    origin.baseURL + "/{key}",
                ])
            #expect(try await server.get("/t/p/w46/a.jpg").status == 200)
            let off = try await server.get("/poster/nosferatu-1922?w=93")
            #expect(off.status == 400 && off.text.contains("46, 92"))
            #expect(try await server.get("/poster/nosferatu-1922?h=69").status == 200)
            #expect(try await server.get("/poster/nosferatu-1922?h=70").status == 400)
            let target = "/proxy?w=46&url=\(origin.baseURL)/a.jpg"
            #expect(try await server.get(target).status == 403)
            let signing = try await Program.run(
                ["sign", target, "--expires", "3600"], environment: ["ONESHEET_SIGN_KEY_FILE": path])
            #expect(signing.status == 0, "\(signing.errors)")
            let signed = signing.output.trimmingCharacters(in: .newlines)
            #expect(signed.hasPrefix(target + "&exp="))
            #expect(try await server.get(signed).status == 200)
            let whole = try await Program.run(["sign", "--key-file", path, "https://host.test\(target)"])
            #expect(whole.output.hasPrefix("https://host.test\(target)&s="))
            _ = await server.stop()
        }
    }

    @Test func tmdbsPathsCanBeSwitchedOff() async throws {
        let server = try await InProcessServer(dataDirectory: self.data, ["--tmdb-images", "off"])
        let answer = try await server.get("/t/p/w92/a.jpg")
        #expect(answer.status == 404 && answer.text.contains("urn:onesheet:problem:not-found"))
        #expect(answer.text.contains("The Movie Database"))
        #expect(await server.stop() == 0)
    }

    @Test(
        "says what it cannot sign",
        arguments: [
            (["poster/x"], "neither a path"), (["/poster/x"], "there is no key to sign with"),
            (["/poster/x", "--expires", "0"], "--expires must be 1 to"),
            (["/poster/x", "--key-file", "/nonexistent"], "cannot be read"),
        ])
    func refusesToSign(arguments: [String], words: String) async throws {
        let outcome = try await Program.run(["sign"] + arguments)
        #expect(outcome.status != 0)
        #expect(outcome.errors.contains(words), "\(outcome.errors)")
    }

    @Test func malformedEncodingIsNotSigned() async throws {
        let outcome = try await Program.run(["sign", "/poster/%zz", "--key-file", try self.keyFile()])
        #expect(outcome.status == 1 && outcome.errors.contains("percent-encoding"), "\(outcome.errors)")
    }
}
