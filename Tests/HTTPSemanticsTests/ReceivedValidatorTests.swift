import Testing

@testable import HTTPSemantics

struct ReceivedValidatorTests {
    @Test(
        "a tag that can be sent back is kept as it is", arguments: ["\"a\"", "W/\"a b\"", "\"\"", "a", "\"é,*\"", "0"])
    func usableTag(text: String) {
        #expect(ReceivedValidator.entityTag(text) == text)
    }

    @Test(
        "a tag that cannot be sent back, or that all representations match, is none",
        arguments: ["", "*", "\"a\u{1}b\"", "\"a\u{7F}\"", "\"a\r\nX: y\"", "\"\u{FFFD}\"", "\"\0\""])
    func unusableTag(text: String) {
        #expect(ReceivedValidator.entityTag(text) == nil)
    }

    @Test("a date is visible ASCII", arguments: ["", "Mon\u{1}", "Mon\tday", "lundi é", "a\u{7F}", "a\u{1F}"])
    func unusableDate(text: String) {
        #expect(ReceivedValidator.lastModified(text) == nil)
        #expect(ReceivedValidator.lastModified("Sat, 04 Mar 1922 20:00:00 GMT") != nil)
        #expect(ReceivedValidator.lastModified("~") == "~")
    }

    @Test func validatorsThatAreTooLongAreNone() {
        #expect(ReceivedValidator.maxTagLength == 256 && ReceivedValidator.maxDateLength == 64)
        for (limit, read) in [
            (ReceivedValidator.maxTagLength, ReceivedValidator.entityTag),
            (ReceivedValidator.maxDateLength, ReceivedValidator.lastModified),
        ] {
            #expect(read(String(repeating: "a", count: limit)) != nil)
            #expect(read(String(repeating: "a", count: limit + 1)) == nil)
        }
    }
}
