import HTTPSemantics
import Testing

@testable import MovieWeb

struct FormBodyTests {
    private static let known: Set<String> = ["token", "return", "on"]

    @Test func fieldsAreDecodedAsBrowsersSendThem() throws {
        let form = try FormBody("token=a%2Bb&return=%2Ffilms%2Fx%3Fq%3Da+b&on=", known: Self.known)
        #expect(form["token"] == "a+b" && form["return"] == "/films/x?q=a b" && form["on"] == "")
        #expect(try FormBody("", known: Self.known)["on"] == nil)
        #expect(try FormBody("on", known: Self.known)["on"] == "")
    }

    @Test func textsKeepTheirLinesAndCharacters() throws {
        let form = try FormBody("text=a%2Cb%0D%0A+%E4%B9%B1%22", known: ["text"])
        #expect(form["text"] == "a,b\r\n 乱\"")
    }

    /// Swift compares and hashes a character with so many marks for minutes.
    @Test(.timeLimit(.minutes(1)))
    func manyCombiningMarksAreReadQuickly() throws {
        let marks = "e" + String(repeating: "\u{301}\u{316}", count: 200_000)
        #expect(throws: Problem.self) { try FormBody("\(marks)=1", known: Self.known) }
        let form = try FormBody("return=\(marks)&on=", known: Self.known)
        #expect(form["return"]?.utf8.count == marks.utf8.count && form["on"] == "")
    }

    @Test(arguments: ["other=1", "on=1&on=1", "on=%GG", "%ZZ=1", "on=1&o%6E=0", "=1"])
    func whatNoPageSendsIsRefused(text: String) {
        #expect(throws: Problem.self) { try FormBody(text, known: Self.known) }
    }
}
