import ArgumentParser
import FoundationEssentials
import HTTPSemantics
import OneSheetConfiguration
import PosterAPI

/// `onesheet sign /poster/nosferatu-1922?w=368`
struct Sign: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Signs the URL of a picture, for servers with --sign-key-file.",
        discussion: """
            Prints the URL with the parameter s, and exp if the signature expires. Only path and query are signed; an \
            existing signature is replaced.
            """)

    /// The range of --expires, in seconds.
    private static let lifetimes = 1...10 * 365 * 86_400

    @Argument(help: "An absolute URL, or a path with its query. Names and values are percent-encoded.")
    var url: String

    @Option(help: "File with the keys; the first one signs. Default: ONESHEET_SIGN_KEY_FILE", completion: .file())
    var keyFile: String?

    @Option(help: "Seconds from now until the signature expires. Default: never")
    var expires: Int?

    func validate() throws {
        guard self.url.utf8.first == UInt8(ascii: "/") || self.url.contains("://") else {
            throw ValidationError("'\(self.url)' is neither a path, which begins with /, nor an absolute URL")
        }
        guard self.expires.map(Self.lifetimes.contains) ?? true else {
            throw ValidationError(
                "--expires must be \(Self.lifetimes.lowerBound) to \(Self.lifetimes.upperBound) seconds")
        }
    }

    func run() throws {
        let settings = Settings(self.keyFile.map { ["sign-key-file": [$0]] } ?? [:])
        guard let path = settings.text("sign-key-file") else {
            throw ValidationError("there is no key to sign with; give --key-file or set ONESHEET_SIGN_KEY_FILE")
        }
        let end = self.expires.map { Int64(Date().timeIntervalSince1970) + Int64($0) }
        do {
            print(try SigningKeys(contentsOf: path).sign(target: self.url, expires: end))
        } catch {
            throw StandardError.failure((error as? Problem)?.detail ?? "\(error)")
        }
    }
}
