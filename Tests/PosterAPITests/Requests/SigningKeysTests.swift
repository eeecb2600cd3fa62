import Foundation
import PosterTesting
import Testing

@testable import HTTPSemantics
@testable import PosterAPI

struct SigningKeysTests {
    private static let key = "0123456789abcdef"

    @Test(
        "reads one key a line",
        arguments: [
            ("0123456789abcdef", nil), ("# old\r\n\n  0123456789abcdef \r\n#\n0123456789abcdefg\n", nil),
            ("", .noKeys), ("# only\n\n", .noKeys), ("0123456789abcde", .unacceptable(line: 1)),
            ("0123456789abcdef\nshort", .unacceptable(line: 2)),
            (String(repeating: "a", count: 512), nil), (String(repeating: "a", count: 513), .unacceptable(line: 1)),
            (String(repeating: "0123456789abcdef\n", count: 16), nil),
            (String(repeating: "0123456789abcdef\n", count: 17), .tooMany),
        ] as [(String, SigningKeys.Failure?)])
    func reads(text: String, failure: SigningKeys.Failure?) {
        do throws(SigningKeys.Failure) {
            _ = try SigningKeys(text)
            #expect(failure == nil)
        } catch {
            #expect(error == failure && !error.description.contains("abcde"))
        }
    }

    @Test func readsFiles() throws {
        let folder = TemporaryFolder()
        let path = folder.path + "/keys"
        try Data((Self.key + "\n").utf8).write(to: URL(filePath: path))
        let signed = try SigningKeys(contentsOf: path).sign(target: "/poster/x?w=92")
        #expect(try SigningKeys(Self.key).sign(target: "/poster/x?w=92") == signed)
        try Data((String(repeating: "#", count: 1 << 20)).utf8).write(to: URL(filePath: path))
        #expect(throws: SigningKeys.Failure.tooMany) { try SigningKeys(contentsOf: path) }
        #expect(throws: SigningKeys.Failure.self) { try SigningKeys(contentsOf: path + "x") }
    }

    /// Expected value from `printf %s TEXT | openssl dgst -sha256 -hmac KEY -binary | basenc --base64url`.
    @Test func signsAsOthersWould() throws {
        let keys = try SigningKeys(Self.key)
        #expect(
            try keys.sign(target: "/poster/mine:a?w=92&h=16")
                == "/poster/mine:a?w=92&h=16&s=Kely5Ih-k43XrA1Ta6xdHYZFoQ9TbsLPTJRoonIOo6A")
    }

    @Test(
        "one form of everything",
        arguments: [
            ("/poster/x", "/poster/x"), ("/poster/x?", "/poster/x"), ("/poster/x?&&", "/poster/x"),
            ("/poster/x?w=1&h=2", "/poster/x?h=2&w=1"), ("/poster/x?%77=1&h=%32", "/poster/x?h=2&w=1"),
            ("/poster/mine:a%2fb", "/poster/mine%3Aa%2Fb"), ("/poster/%6Dine%3aa%2Fb", "/poster/mine%3Aa%2Fb"),
            ("/p?a=1+2", "/p?a=1%2B2"), ("/p?a=1%2B2", "/p?a=1%2B2"), ("/p?a=1%202", "/p?a=1%202"),
            ("/p?a", "/p?a="), ("/p?a=", "/p?a="), ("/p?a=b=c", "/p?a=b%3Dc"), ("/p?=b", "/p?=b"),
            ("/p?a=2&a=10&a=1", "/p?a=1&a=10&a=2"), ("/p?a=1&A=1&_=1", "/p?A=1&_=1&a=1"),
            ("/p?a=1&a%3D=0", "/p?a=1&a%3D=0"), ("/p?b=é", "/p?b=%C3%A9"), ("/p//x/", "/p//x/"),
            ("https://host.test/p?b=1#c", "/p?b=1"), ("/p?a=~.-_", "/p?a=~.-_"),
        ])
    func canonical(target: String, text: String) throws {
        let target = RequestTarget(target)
        #expect(try CanonicalTarget(target, parameters: try target.parameters()).text == text)
    }

    @Test(
        "what is signed is as it was, with a signature",
        arguments: [
            ("/poster/x", "/poster/x?s="), ("/poster/x?w=92", "/poster/x?w=92&s="),
            ("/poster/x?s=old&w=92&%73=older", "/poster/x?w=92&s="), ("/poster/x?w=92#top", "/poster/x?w=92&s="),
            ("https://a.test/poster/x?w=92", "https://a.test/poster/x?w=92&s="), ("/poster/x?", "/poster/x?s="),
            ("/poster/x?exp=9&w=1", "/poster/x?exp=9&w=1&s="),
        ])
    func keepsTheText(target: String, start: String) throws {
        let signed = try SigningKeys(Self.key).sign(target: target)
        #expect(signed.hasPrefix(start) && signed.utf8.count == start.utf8.count + 43, "\(signed)")
        let ending = try SigningKeys(Self.key).sign(target: target, expires: 77)
        #expect(ending.contains("exp=77&s=") && !ending.contains("exp=9"))
    }
}
