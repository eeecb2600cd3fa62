import Testing

@testable import HTTPServer

struct RequestIDTests {
    private static let parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
    private static let trace = "4bf92f3577b34da6a3ce929d0e0e4736"

    @Test func theClientsOwnNameComesFirstThenItsTrace() {
        #expect(RequestID(given: "abc-1", traceparent: Self.parent)?.description == "abc-1")
        #expect(RequestID(given: nil, traceparent: Self.parent)?.description == Self.trace)
        #expect(RequestID(given: "not safe", traceparent: Self.parent)?.description == Self.trace)
        #expect(RequestID(given: nil, traceparent: nil) == nil)
    }

    @Test(
        "is not repeated",
        arguments: [
            "", " ", "a b", "a\"b", "a\\b", "<script>", "a\r\nSet-Cookie: x", "ä", "a,b", "a;b",
            String(repeating: "a", count: RequestID.lengthLimit + 1),
        ])
    func isNotRepeated(_ text: String) {
        #expect(RequestID(given: text, traceparent: nil) == nil)
    }

    @Test func theLongestNameIsTakenOver() {
        let text = String(repeating: "a", count: RequestID.lengthLimit)
        #expect(RequestID(given: text, traceparent: nil)?.description == text)
    }

    @Test(
        "is no parent",
        arguments: [
            "", "00", "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
            "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
            "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more",
            "00_4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
            "01-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01more",
        ])
    func isNoParent(_ text: String) {
        #expect(RequestID(given: nil, traceparent: text) == nil)
    }

    @Test func aLaterVersionMayGoOn() {
        let text = "01-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more"
        #expect(RequestID(given: nil, traceparent: text)?.description == Self.trace)
    }

    @Test func whatIsMadeIsNewEachTimeAndAcceptable() {
        let made = (0..<100).map { _ in RequestID.make().description }
        #expect(Set(made).count == 100)
        #expect(made.allSatisfy { RequestID(given: $0, traceparent: nil)?.description == $0 && $0.utf8.count == 32 })
    }
}
